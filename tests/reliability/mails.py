"""A mail server that is dead, then one that hangs: nothing else waits for it, and each mail arrives once afterwards."""

import socket
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import LiteralString, cast

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.config.services import Redis, until
from tests.reliability import writers
from tests.reliability.production import MAILS, STALE, PostgreSQL, Production
from tests.reliability.writers import writing
from tests.servers import free_port

pytestmark = [pytest.mark.one_database, pytest.mark.long]

WAITING: LiteralString = f"SELECT count(*) FROM ({MAILS}) waiting"
#: Nobody waits for the next attempt, which comes after a minute or later.
NOW: LiteralString = "UPDATE league_outboxmessage SET next_try_at = now() WHERE sent_at IS NULL"


class Arrived:
    """What a mail server was given: how often each mail came."""

    def __init__(self) -> None:
        self.mails: Counter[tuple[str, bytes]] = Counter()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        said = [
            line
            for line in cast("bytes", envelope.content).splitlines()
            if line.lower().startswith(b"message-id")
        ]
        self.mails[envelope.rcpt_tos[0], said[0]] += 1
        return "250 OK"


@pytest.fixture
def production() -> Iterator[Production]:
    with (
        tempfile.TemporaryDirectory(prefix="cm-", ignore_cleanup_errors=True) as folder,
        ExitStack() as running,
    ):
        Path(folder).chmod(0o755)
        redis, postgresql = Redis(), PostgreSQL(Path(folder) / "postgresql")
        for server in (redis, postgresql):
            server.start()
            running.callback(server.stop)
        made = Production(postgresql, redis, Path(folder))
        running.callback(made.stop)
        made.start("web", "worker", "beat")
        made.answer()
        yield made


def test_a_dead_and_a_hanging_mail_server(production: Production) -> None:
    port = free_port()
    address = {"EMAIL_URL": f"smtp://127.0.0.1:{port}", "EMAIL_TIMEOUT": "3", "EMAIL_DELIVERY_SECONDS": "6"}
    production.start("mail", **address)
    postgresql = production.postgresql
    for state in ("dead", "hanging"):
        with ExitStack() as hanging:
            if state == "hanging":
                line = hanging.enter_context(socket.create_server(("127.0.0.1", port)))
                line.listen(100)
            with writing(production.site, writers.league(production.environment, 4), clients=4) as people:
                pass
            seconds = until(lambda: postgresql.run(STALE) == 0)
            waiting = postgresql.run(WAITING)
            print(
                f"mail server {state}: standings {seconds:.1f} s after the last write, {waiting} mails wait"
            )
            assert seconds < 10
            assert waiting > 0
            assert people.ledger.audit(postgresql) == (0, 0)
    arrived = Arrived()
    server = Controller(arrived, hostname="127.0.0.1", port=port)
    server.start()
    try:
        waiting = postgresql.run(WAITING)

        def all_sent() -> bool:
            postgresql.run(NOW)
            return bool(postgresql.run(WAITING) == 0)

        seconds = until(all_sent)
    finally:
        server.stop()
    print(f"mail server back: {len(arrived.mails)} mails after {seconds:.1f} s, twice: {doubled(arrived)}")
    assert len(arrived.mails) == waiting
    assert doubled(arrived) == 0
    # Planted: a mail that is handed over once more.
    arrived.mails[next(iter(arrived.mails))] += 1
    assert doubled(arrived) == 1


def doubled(arrived: Arrived) -> int:
    return sum(count - 1 for count in arrived.mails.values())
