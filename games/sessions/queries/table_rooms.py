"""The room where individuals play at tables drawn round by round: who sits where now, whose result is missing.

No result is in it but the table of the competition, which counts confirmed results alone.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from games.sessions.queries.rooms import word_and_tone
from league.actors import Reader
from league.fixtures.queries import Pair, own_entries, pair_of
from league.models import Appearance, Competition, Fixture
from league.querysets import OPEN, UNPLAYED
from league.results.queries import standings_view
from league.results.queries.standings_view import DivisionStandings

Status = Fixture.Status


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of a round: who sits there in order, and how far it is."""

    key: int
    name: str
    round_number: int
    players: tuple[Pair, ...]
    status: str
    is_mine: bool

    @property
    def is_missing(self) -> bool:
        """Whether its result is still to come, to be confirmed or settled."""
        return self.status in OPEN

    @property
    def may_enter(self) -> bool:
        """Whether nobody has entered its sheet yet."""
        return self.status in UNPLAYED

    @property
    def word(self) -> str:
        """How far it is, in a word or two."""
        return word_and_tone(self.status)[0]

    @property
    def tone(self) -> str:
        """The colour of the word."""
        return word_and_tone(self.status)[1]


@dataclass(frozen=True, slots=True)
class TableRoom:
    """Everything at once; `number` is the round that was drawn last, 0 before the first."""

    number: int
    rounds: int
    is_over: bool
    tables: tuple[SeatedTable, ...]
    late: tuple[SeatedTable, ...]
    waiting: tuple[Pair, ...]
    here: tuple[Pair, ...]
    standings: tuple[DivisionStandings, ...]

    @property
    def missing(self) -> tuple[SeatedTable, ...]:
        """The tables of the round in play without a result."""
        return tuple(each for each in self.tables if each.is_missing)

    @property
    def done(self) -> int:
        """How many tables of the round in play have a result."""
        return len(self.tables) - len(self.missing)

    @property
    def seats(self) -> list[tuple[Pair, str]]:
        """Everybody at a table of the round in play by name, with the name of the table."""
        found = ((pair, table.name) for table in self.tables for pair in table.players)
        return sorted(found, key=lambda seat: seat[0].name.casefold())

    @property
    def mine(self) -> tuple[SeatedTable, ...]:
        """Where the visitor sits."""
        return tuple(each for each in self.tables if each.is_mine)

    def find(self, name: str) -> tuple[tuple[Pair, SeatedTable | None], ...]:
        """Who is called so, in part, each with the table; None for those who sit out."""
        wanted = name.casefold()
        seats = {pair.entry: table for table in self.tables for pair in table.players}
        return tuple((pair, seats.get(pair.entry)) for pair in self.here if wanted in pair.name.casefold())


def room(competition: Competition, visitor: Reader, *, at: datetime) -> TableRoom:
    """The room as it is now, in a fixed number of queries."""
    places = Appearance.objects.filter(round__stage=competition.stage)
    number = places.aggregate(last=Max("round__number"))["last"] or 0
    found = Fixture.objects.of_competition(competition.pk).with_pairs().exclude(status=Status.VOID).in_order()
    now = found.filter(round__number=number)
    late = found.filter(round__number__lt=number, status__in=OPEN)
    mine = own_entries(visitor, competition)
    byes = places.byes().filter(round__number=number).with_pairs().select_related("entry")
    here = competition.entries.active().with_pairs().order_by("number")
    is_over = competition.state == Competition.State.FINISHED
    return TableRoom(
        number=number,
        rounds=competition.stage.rounds.count(),
        is_over=is_over,
        tables=tuple(
            _table(each, mine) for each in sorted(now, key=lambda each: (len(each.table), each.table))
        ),
        late=tuple(_table(each, mine) for each in late),
        waiting=tuple(pair_of(row.entry) for row in byes.order_by("entry__number")),
        here=tuple(pair_of(entry) for entry in here),
        standings=standings_view.of_competition(competition, visitor, at=at) if number else (),
    )


def _table(fixture: Fixture, mine: Collection[int]) -> SeatedTable:
    return SeatedTable(
        fixture.pk,
        fixture.table,
        fixture.round.number,
        tuple(pair_of(entry) for entry in fixture.entries),
        fixture.status,
        any(side.entry_id in mine for side in fixture.sides),
    )
