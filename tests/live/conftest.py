"""The sockets' threads keep connections to the database: they let go of them after each test that used them."""

from collections.abc import Iterator

import pytest

from games.tables.socket import rates, threads
from games.tables.state.facts import memory


@pytest.fixture(autouse=True)
def _forget_tables(request: pytest.FixtureRequest) -> Iterator[None]:
    memory.forget()
    rates.forget()
    yield
    if "lines" in request.fixturenames:
        threads.let_go()


@pytest.fixture
def lines(transactional_db: None) -> None:
    """The test opens sockets: its rows are committed, and the threads' connections are closed after it."""
