"""Servers of each test's own: nothing here touches the machine's."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.services import Redis
from tests.reliability.production import PostgreSQL


@pytest.fixture
def redis() -> Iterator[Redis]:
    made = Redis()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def postgresql() -> Iterator[PostgreSQL]:
    with tempfile.TemporaryDirectory(prefix="cm-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        made = PostgreSQL(Path(folder) / "postgresql", durable=True)
        made.start()
        yield made
        made.stop()
