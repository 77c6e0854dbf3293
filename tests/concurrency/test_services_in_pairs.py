"""What people do in an evening, each with each at once, on PostgreSQL: nobody waits for ever, and nothing is lost.

The tests take a few of the pairs once; `make races` takes all of them several times (docs/locking.md).
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from games.boards.services import releases
from games.comparisons.services import comparisons
from games.matches import verification
from games.models import BoardSet, Scoresheet
from games.scoresheets.services import scoresheets
from games.sessions import services as evenings
from games.sessions.queries.late_options import late_options
from games.sessions.queries.leave_options import STAND_IN, leave_options
from league.errors import LeagueError
from league.fixtures.services import fixtures
from league.models import AuditEntry, Competition, Entry, Fixture, Lineup, User
from tests.concurrency.test_scoresheet_races import at_once
from tests.games import evening_rooms as rooms
from tests.league import factories

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TIMES = int(os.environ.get("RACES", "0"))


@dataclass
class Room:
    """An evening of seven pairs in its first round; at its second table a sheet waits."""

    evening: Competition
    director: User
    tables: list[Fixture]
    waiting: Scoresheet
    latecomer: Lineup

    def submits(self) -> Any:
        """The pair at home of the first table enters its sheet."""
        return rooms.entered(self.tables[0], factories.account_of(self.tables[0].home.lineup))

    def confirms(self) -> Any:
        """The other pair of the second table confirms."""
        pair = factories.account_of(self.tables[1].away.lineup)
        return scoresheets.confirm(actor=pair, sheet=self.waiting, digest=self.waiting.digest)

    def rejects(self) -> Any:
        """The same pair says no, on another phone."""
        pair = factories.account_of(self.tables[1].away.lineup)
        return scoresheets.reject(actor=pair, sheet=self.waiting, reason="40 to 30")

    def voids(self) -> Any:
        """The director strikes the second table off."""
        return fixtures.void(actor=self.director, fixture=self.tables[1], reason="A fire alarm")

    def leaves(self) -> Any:
        """The pair at home of the second table goes home."""
        entry = Entry.objects.select_related("competition__club").get(pk=self.tables[1].home_id)
        # The first way that needs nobody else.
        ways = leave_options(entry, self.evening.evening)
        chosen = next(each for each in ways if each.kind != STAND_IN)
        return evenings.pair_leaves(
            actor=self.director, entry=entry, option=chosen.key, reason="Ill", at=rooms.AT
        )

    def joins(self) -> Any:
        """A pair comes late and fills the empty place."""
        chosen = late_options(self.evening).options[0]
        return evenings.late_pair(
            actor=self.director,
            competition=self.evening,
            lineup=self.latecomer,
            option=chosen.key,
            at=rooms.AT,
        )

    def releases(self) -> Any:
        """The director shows the boards to all."""
        board_set = BoardSet.objects.get(competition=self.evening)
        return releases.release(actor=self.director, board_set=board_set, reason="The wall is broken")

    def goes_on(self) -> Any:
        """The next round begins."""
        return evenings.next_round(actor=self.director, competition=self.evening, number=2, at=rooms.AT)

    def compares(self) -> Any:
        """A worker brings the figures up to date."""
        return comparisons.sweep(at=timezone.now())


ACTS: dict[str, Callable[[Room], Any]] = {
    name: getattr(Room, name)
    for name in (
        "submits", "confirms", "rejects", "voids", "leaves", "joins", "releases", "goes_on", "compares",
    )
}  # fmt: skip
#: What each leaves in the trail, once, where it was not refused.
TRAIL = {
    "submits": "sheet.submitted",
    "confirms": "sheet.confirmed",
    "voids": "fixture.void",
    "leaves": "evening.pair_left",
    "joins": "evening.pair_joined",
    "releases": "boards.opened",
    "goes_on": "evening.round_begun",
}
ALL = list(combinations_with_replacement(ACTS, 2))
FEW = [("confirms", "leaves"), ("submits", "joins"), ("confirms", "rejects"), ("leaves", "releases")]


def room() -> Room:
    """A new one."""
    club, director = rooms.club_with_director()
    evening = rooms.laid_out(club, director, 7)
    rooms.begin(evening, director, 1)
    tables = rooms.tables(evening, 1)
    waiting = rooms.entered(tables[1], factories.account_of(tables[1].home.lineup))
    return Room(evening, director, tables, waiting, factories.pair(club))


def entries_of(action: str) -> int:
    return AuditEntry.objects.filter(action=action).count()


def kept(call: Callable[[], Any]) -> Callable[[], Any]:
    """The call; what the database says against it is its outcome."""

    def run() -> Any:
        try:
            return call()
        except DatabaseError as failure:
            return failure

    return run


@pytest.mark.parametrize("time", range(max(TIMES, 1)))
@pytest.mark.parametrize(("first", "second"), ALL if TIMES else FEW)
def test_two_at_once(first: str, second: str, time: int) -> None:
    found = room()
    before = {action: entries_of(action) for action in TRAIL.values()}
    outcomes = at_once(*(kept(lambda name=name: ACTS[name](found)) for name in (first, second)))  # type: ignore[misc]

    faults = [each for each in outcomes if isinstance(each, Exception) and not isinstance(each, LeagueError)]
    assert faults == []
    # A pair that leaves has its tables struck off as well.
    counted = {first, second} & set(TRAIL) - ({"voids"} if "leaves" in {first, second} else set())
    for name in counted:
        done = sum(
            act == name and not isinstance(outcome, LeagueError)
            for act, outcome in zip((first, second), outcomes, strict=True)
        )
        # A round that has begun already is no refusal, and no second entry.
        written = entries_of(TRAIL[name]) - before[TRAIL[name]]
        assert written == (min(done, 1) if name == "goes_on" else done), (name, outcomes)
    comparisons.sweep(at=timezone.now())
    assert [str(each) for each in verification.differences(competition=found.evening)] == []
    assert rooms.faults(found.evening) == []
    sheets = Scoresheet.objects.filter(match__fixture__round__stage__competition=found.evening)
    assert sheets.confirmed().count() == sheets.confirmed().values("match").distinct().count()
