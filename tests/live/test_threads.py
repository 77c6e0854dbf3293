"""The threads' connections to the database: kept for the next piece of work, and opened again when they are gone."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection, connections

from games.models import Table
from games.tables.socket import threads

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("lines")]
Do = Callable[[Callable[[], Any]], Any]


@pytest.fixture
def do(monkeypatch: pytest.MonkeyPatch) -> Iterator[Do]:
    """One thread does what it is given, as those of the sockets do, with a connection as production has it."""
    monkeypatch.setitem(connection.settings_dict, "CONN_HEALTH_CHECKS", True)
    with ThreadPoolExecutor(max_workers=1) as pool:
        yield lambda work: pool.submit(threads._done, work).result()
        pool.submit(connections.close_all).result()


def session() -> int:
    """Of the thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def end(session: int) -> None:
    """As by a server that is stopped."""
    address = connection.get_connection_params()
    address = {name: address[name] for name in ("dbname", "user", "host", "port") if address.get(name)}
    with psycopg.connect(**address, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 10000)", [session])


def test_a_connection_that_has_ended_is_opened_again(do: Do) -> None:
    before = do(session)
    end(before)

    assert do(session) != before


def test_control_a_connection_that_is_not_looked_at_fails(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_is_quiet", lambda _connection: True)
    end(do(session))

    with pytest.raises(DatabaseError):
        do(session)


def test_a_connection_that_is_well_is_not_asked_first(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    do(session)
    monkeypatch.setattr(type(connections["default"]), "is_usable", asked.append)

    assert do(Table.objects.count) == 0
    assert asked == []
