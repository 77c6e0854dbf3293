"""Two workers store a league's first table; the one with the older results is the slower."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from league import locks
from league.models import StandingsTable
from league.standings.queries import compute_division, read_facts
from league.standings.services import standings
from tests.concurrency.test_scoresheet_races import at_once
from tests.scenes import make_scene

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
AT = datetime(2026, 11, 1, tzinfo=UTC)


@dataclass
class Slow:
    """Tables that are written only when another worker has written its own, or a second has passed."""

    tables: dict[int, Any]
    begun: threading.Event
    others: threading.Event

    def items(self) -> Any:
        self.begun.set()
        self.others.wait(timeout=1)
        return self.tables.items()

    def __getitem__(self, after_round: int) -> Any:
        return self.tables[after_round]

    def __iter__(self) -> Iterator[int]:
        return iter(self.tables)


@dataclass
class Computed:
    """What `standings.compute` has worked out."""

    tables: Any


def versions_kept() -> set[int]:
    """The versions of the tables that stand in the end."""
    division = make_scene().division
    StandingsTable.objects.all().delete()
    computed = compute_division(read_facts(division))
    begun, stored = threading.Event(), threading.Event()
    slow: Any = Computed(Slow(dict(computed.tables), begun, stored))

    def older() -> None:
        standings._store(division_id=division.pk, version=1, computed=slow, at=AT)

    def newer() -> None:
        begun.wait(timeout=10)
        standings._store(division_id=division.pk, version=2, computed=computed, at=AT)
        stored.set()

    assert at_once(older, newer) == [None, None]
    return set(StandingsTable.objects.values_list("results_version", flat=True))


def test_the_first_table_is_not_overwritten_by_an_older_one() -> None:
    assert versions_kept() == {2}


def test_control_without_the_division_s_lock_the_older_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "division", lambda _pk: None)

    assert versions_kept() == {1}
