"""Redis goes away and comes back: worker and beat, started as compose starts them, wait for it and go on.

`make redis-away` runs it, for it takes half a minute; what it depends on is held by tests/production/test_compose.py.
"""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.config.services import Process, Redis, command_of, until

pytestmark = [pytest.mark.one_database, pytest.mark.long]

CONNECTED, REFUSED, RECEIVED = "Connected to redis", "Cannot connect", " received"


def go_away_and_come_back(redis: Redis, worker: Process) -> None:
    """Redis is away until the worker has noticed."""
    refused = worker.count(REFUSED)
    redis.stop()
    until(lambda: worker.count(REFUSED) > refused)
    redis.start()


def test_worker_and_beat_wait_for_redis_and_go_on(redis: Redis, tmp_path: Path) -> None:
    with ExitStack() as running:

        def started(name: str) -> Process:
            environment = {"DATABASE_URL": "sqlite:///:memory:", "REDIS_URL": redis.url}
            made = Process(command_of(name), environment, tmp_path / f"{name}.log")
            running.callback(made.stop)
            return made

        worker, beat = started("worker"), started("beat")
        until(lambda: worker.count(RECEIVED) > 0)

        go_away_and_come_back(redis, worker)
        # And once more, in the moment in which the worker has found it again.
        until(lambda: worker.count(CONNECTED) > 1)
        go_away_and_come_back(redis, worker)

        received = worker.count(RECEIVED)
        until(lambda: worker.count(RECEIVED) > received + 1)
        assert beat.count("beat: Starting") == 1
