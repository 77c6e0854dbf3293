"""The room of an evening: its clock, its tables, who sits out, and where everybody sits now and next.

No result and no card is in it: only whether a table has its result.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import TypeAlias

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from games.fixture_boards import PLAYS
from games.models import Evening
from games.seating import side_titles
from games.sessions.sections import REPLACED
from league.actors import Reader
from league.fixtures.queries import Pair, own_entries, pair_of
from league.models import Appearance, Competition, Entry, Fixture, Substitution, User
from league.querysets import OPEN
from league.web.local_time import Moment

Status = Fixture.Status
PLAYING = frozenset({Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY})

#: Where partners change: who entered, by player; empty where pairs did.
Players: TypeAlias = Mapping[int, Entry]
# A clock that nobody has stopped for days says so with four figures, not with ten.
LONGEST_OVER = 99 * 60 + 59


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the room. `ends` is when the round is over as things stand; `left` the seconds until then.

    `state` is "waiting" (before the first round), "running", "paused" or "finished".
    """

    state: str
    number: int
    rounds: int
    left: int
    ends: Moment | None
    paused_seconds: int

    @property
    def is_over(self) -> bool:
        """Whether the time of the round is up."""
        return self.state in {"running", "paused"} and self.left <= 0

    @property
    def is_last(self) -> bool:
        """Whether no round follows."""
        return self.number >= self.rounds

    @property
    def following(self) -> int:
        """The number of the round that comes next."""
        return self.number + 1

    @property
    def text(self) -> str:
        """Minutes and seconds that are left, with a plus where the time is over."""
        minutes, seconds = divmod(abs(max(self.left, -LONGEST_OVER)), 60)
        return f"{'+' if self.left < 0 else ''}{minutes}:{seconds:02d}"


def word_and_tone(status: str) -> tuple[str, str]:
    """How far a table is, in a word or two, and the colour of it."""
    told = {
        Status.TO_CONFIRM: (_("to confirm"), "brass"),
        Status.DISPUTED: (_("disputed"), "red"),
        Status.REOPENED: (_("reopened"), "red"),
        Status.CONFIRMED: (_("done"), "green"),
        Status.WALKOVER: (_("decided"), "neutral"),
        Status.VOID: (_("not played"), "neutral"),
    }
    return told.get(Status(status), (_("playing"), "neutral"))


@dataclass(frozen=True, slots=True)
class RoomTable:
    """A table in a round: who sits where with which boards, and whether its result is there."""

    key: int
    name: str
    section: str
    round_number: int
    first: Pair
    first_number: str
    second: Pair
    second_number: str
    boards: str
    status: str
    is_mine: bool

    @property
    def url(self) -> str:
        return reverse("match", args=[self.key])

    @property
    def sheet_url(self) -> str:
        return reverse("scoresheet", args=[self.key])

    @property
    def is_missing(self) -> bool:
        """Whether its result is still to come, to be confirmed or settled."""
        return self.status in OPEN

    @property
    def is_off(self) -> bool:
        return self.status == Status.VOID

    @property
    def word(self) -> str:
        """How far it is, in a word or two."""
        return word_and_tone(self.status)[0]

    @property
    def tone(self) -> str:
        return word_and_tone(self.status)[1]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pair is in a round; without a table it sits out. `key` is the match whose sheet is to be entered.

    Where partners change it is where a player is, with the `partner` of that round.
    """

    table: str = ""
    side: str = ""
    boards: str = ""
    against: str = ""
    key: int | None = None
    partner: str = ""

    @property
    def text(self) -> str:
        """The seat in a line: the table, what the game calls its side, and who the partner is."""
        if not self.table:
            return _("sits out")
        seat = _("Table %(table)s, %(side)s") % {"table": self.table, "side": self.side}
        if self.partner:
            return _("%(seat)s, with %(partner)s") % {"seat": seat, "partner": self.partner}
        return seat


@dataclass(frozen=True, slots=True)
class Seat:
    """A pair with its places in the round in play and in the next one; None where it has none."""

    number: int
    section: str
    pair: Pair
    now: Place | None
    next: Place | None
    is_mine: bool
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """Everything at once."""

    clock: Clock
    tables: tuple[RoomTable, ...]
    late: tuple[RoomTable, ...]
    waiting: tuple[Pair, ...]
    seats: tuple[Seat, ...]
    has_sections: bool

    @property
    def missing(self) -> tuple[RoomTable, ...]:
        """The tables of the round in play without a result."""
        return tuple(each for each in self.tables if each.is_missing)

    @property
    def done(self) -> int:
        """How many tables of the round in play have a result."""
        return sum(not each.is_missing and not each.is_off for each in self.tables)

    @property
    def played(self) -> int:
        """How many tables there are in the round in play."""
        return sum(not each.is_off for each in self.tables)

    @property
    def mine(self) -> tuple[Seat, ...]:
        """The visitor's own pairs."""
        return tuple(each for each in self.seats if each.is_mine)

    def find(self, name: str) -> tuple[Seat, ...]:
        """The pairs of whom a player or the pair is called so, in part."""
        wanted = name.casefold()
        return tuple(
            each for each in self.seats if wanted in f"{each.pair.name} {each.pair.players}".casefold()
        )


def clock(competition: Competition, evening: Evening, *, rounds: int, at: datetime) -> Clock:
    """The clock as it stands."""
    zone = competition.club.time_zone
    whole = 60 * evening.minutes_a_round
    if competition.state == Competition.State.FINISHED:
        return Clock("finished", evening.round_number, rounds, 0, None, 0)
    if evening.round_started_at is None:
        return Clock("waiting", 0, rounds, whole, None, 0)
    whole += evening.paused_seconds
    gone = int(((evening.paused_at or at) - evening.round_started_at).total_seconds())
    left = whole - gone
    return Clock(
        "paused" if evening.paused_at else "running",
        evening.round_number,
        rounds,
        left,
        Moment(at + timedelta(seconds=left), zone),
        evening.paused_seconds,
    )


def room(competition: Competition, visitor: Reader, *, at: datetime) -> Room:
    """The room as it is now, in a fixed number of queries."""
    evening = Evening.objects.get(pk=competition.pk)
    number = evening.round_number
    found = list(
        Fixture.with_rooms.of_competition(competition.pk)
        .with_pairs()
        .filter(Q(round__number__in=[number, number + 1]) | Q(round__number__lt=number, status__in=OPEN))
        .prefetch_related(PLAYS)
    )
    # In the order of the room: a table that was added late stands between its neighbours.
    found.sort(key=_place_in_room)
    mine = own_entries(visitor, competition)
    own = _stood_in(visitor, competition)
    present = Entry.objects.active().filter(competition=competition).with_pairs()
    entries = list(present.order_by("division__level", "number"))
    players = _players(entries) if competition.stage.partners_change else {}
    tables = [_table(each, mine, own, players) for each in found]
    out = _sitting_out(competition, [number, number + 1])
    out += [(each.round.number, entry) for each in found if each.status == Status.VOID
            for entry in each.entries if not entry.withdrawn_at]  # fmt: skip
    return Room(
        clock=clock(competition, evening, rounds=competition.stage.rounds.count(), at=at),
        tables=tuple(each for each in tables if each.round_number == number),
        late=tuple(each for each in tables if each.round_number < number),
        waiting=tuple(pair_of(entry) for played, entry in out if played == number),
        seats=tuple(_seats(entries, _all_places(competition, found, out, players), number, mine)),
        has_sections=competition.stage.divisions.count() > 1,
    )


def _place_in_room(fixture: Fixture) -> tuple[int, int, int, str, int]:
    """Table 10 comes after table 9."""
    name = fixture.table
    return (fixture.round.number, fixture.division.level, len(name), name, fixture.pk)


def _players(entries: Iterable[Entry]) -> Players:
    return {entry.lineup.players[0].pk: entry for entry in entries}


def _seated(pair: Entry, players: Players) -> Iterator[tuple[Entry, str]]:
    """Who sits there: the pair, or each of its two players with the name of the partner."""
    if not players:
        yield pair, ""
        return
    one, two = pair.lineup.players
    for player, partner in ((one, two), (two, one)):
        if player.pk in players:
            yield players[player.pk], partner.name


def _number(pair: Entry, players: Players) -> str:
    numbers = sorted(entry.number % REPLACED for entry, _partner in _seated(pair, players))
    return " + ".join(map(str, numbers))


def _table(fixture: Fixture, mine: Collection[int], own: Collection[int], players: Players) -> RoomTable:
    return RoomTable(
        key=fixture.pk,
        name=fixture.table,
        section=fixture.division.name,
        round_number=fixture.round.number,
        first=pair_of(fixture.home),
        first_number=_number(fixture.home, players),
        second=pair_of(fixture.away),
        second_number=_number(fixture.away, players),
        boards=boards_text(fixture),
        status=fixture.status,
        is_mine=fixture.pk in own or any(side.entry_id in mine for side in fixture.sides),
    )


def boards_text(fixture: Fixture) -> str:
    """The numbers of the boards at a table, read with them: "5–8"."""
    numbers = [play.board.number for play in fixture.boards.all()]
    if len(numbers) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(str(number) for number in numbers)


def _sitting_out(competition: Competition, numbers: Collection[int]) -> list[tuple[int, Entry]]:
    rows = Appearance.objects.byes().filter(round__stage__competition=competition, round__number__in=numbers)
    rows = rows.with_pairs().select_related("round", "entry__division")
    return [(row.round.number, row.entry) for row in rows.order_by("entry__division", "entry__number")]


def _stood_in(visitor: Reader, competition: Competition) -> frozenset[int]:
    """The tables at which this account plays for somebody else."""
    if not isinstance(visitor, User):
        return frozenset()
    found = Substitution.objects.filter(
        substitute__user_id=visitor.pk, fixture__round__stage__competition=competition
    )
    return frozenset(found.values_list("fixture_id", flat=True))


def _all_places(
    competition: Competition, found: Iterable[Fixture], out: Iterable[tuple[int, Entry]], players: Players
) -> Mapping[tuple[int, int], Place]:
    """Where everybody is, by entry and round."""
    sides = tuple(side_titles(competition.game).values())
    away = (
        ((entry.pk, played), Place())
        for played, waiting in out
        for entry, _partner in _seated(waiting, players)
    )
    at_tables = (_places(each, sides, players) for each in found if each.status != Status.VOID)
    return dict(chain(away, chain.from_iterable(at_tables)))


def _seats(
    entries: Iterable[Entry],
    places: Mapping[tuple[int, int], Place],
    number: int,
    mine: Collection[int],
) -> Iterator[Seat]:
    for entry in entries:
        yield Seat(
            entry.number,
            entry.division.name,
            pair_of(entry),
            places.get((entry.pk, number)),
            places.get((entry.pk, number + 1)),
            entry.pk in mine,
            is_house=entry.is_house,
        )


def _places(
    fixture: Fixture, sides: Iterable[str], players: Players
) -> Iterator[tuple[tuple[int, int], Place]]:
    boards, key = boards_text(fixture), fixture.pk if fixture.status in PLAYING else None
    meeting = ((fixture.home, fixture.away), (fixture.away, fixture.home))
    for (pair, other), side in zip(meeting, sides, strict=True):
        for entry, partner in _seated(pair, players):
            place = Place(fixture.table, side, boards, str(other), key, partner)
            yield (entry.pk, fixture.round.number), place
