"""Redis stopped or silent: pages and programs get their answers without waiting for it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST_WAIT = 8.0
ASKS = """
import time
import django
django.setup()
from django.core.cache import cache
from league.background import announce

def timed(call):
    begun = time.monotonic()
    answer = call()
    print(round(time.monotonic() - begun, 2), answer)

timed(lambda: announce._send("league.tasks.compute_standings", (1,)))
timed(lambda: announce._send("league.tasks.compute_standings", (1,)))
timed(lambda: cache.get("key", "default"))
timed(lambda: cache.set("key", 1))
timed(lambda: cache.add("key", 1))
timed(lambda: cache.incr("key"))
timed(lambda: cache.get_many(["key"]))
"""


@pytest.fixture(params=["stopped", "silent"])
def away(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a Redis that is not there, or takes connections and says nothing."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if request.param == "silent":
            listener.listen(50)
        yield listener.getsockname()[1]


def test_hints_and_the_cache_wait_for_nobody(away: int) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": "only-for-this-test-" + "0" * 40,
        "BOARD_KEYS": "only-for-the-boards-" + "0" * 40,
        "ALLOWED_HOSTS": "localhost",
        "DATABASE_URL": "sqlite:///:memory:",
        "REDIS_URL": f"redis://127.0.0.1:{away}/0",
        "EMAIL_URL": "consolemail://",
    }
    done = subprocess.run(
        [sys.executable, "-c", ASKS],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    )
    lines = [line for line in done.stdout.splitlines() if not line.startswith("{")]
    answers = [line.split(" ", 1)[1] for line in lines]
    assert answers == ["None", "None", "default", "None", "True", "1", "{}"]
    assert all(float(line.split(" ", 1)[0]) < LONGEST_WAIT for line in lines), lines
