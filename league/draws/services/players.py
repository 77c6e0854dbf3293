"""A round of a Swiss of players: who sits with whom, against whom (F35). Publishing it is that of `rounds`."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from engine.contest import exact
from engine.contest.draws.partners import (
    AT_A_TABLE,
    PairsMet,
    PlayersDraw,
    PlayersField,
    PlayersRound,
    SwissPlayer,
)
from engine.contest.results import Ending, ResultLine
from engine.errors import ContestError
from league import formats
from league.draws.services import seating
from league.errors import Conflict, Invalid
from league.models import Division, Entry, Fixture, Round, RoundDraw
from league.standings.queries import Facts, read_facts
from league.validation import refused_by_rules

Two = tuple[Entry, Entry]
_NO_POINTS = (Fraction(0), Fraction(0))


class Table(NamedTuple):
    """A table of a draw: its number, the pairs North-South and East-West, everybody's score before the round.

    `partners` and `met` are how often partners had been partners, and opponents opponents, before.
    """

    number: int
    ns: Two
    ew: Two
    scores: tuple[str, ...]
    partners: int
    met: int

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everybody at the table, North-South first."""
        return *self.ns, *self.ew

    def partner_of(self, entry: Entry) -> Entry:
        """With whom this one plays."""
        one, other = self.ns if entry in self.ns else self.ew
        return other if entry == one else one

    def opponents_of(self, entry: Entry) -> Two:
        """Against whom this one plays."""
        return self.ew if entry in self.ns else self.ns

    @property
    def pairs(self) -> tuple[tuple[Two, str, tuple[str, ...]], ...]:
        """Both pairs, each with where it sits and its scores."""
        return (self.ns, _("North-South"), self.scores[:2]), (self.ew, _("East-West"), self.scores[2:])


@dataclass(frozen=True, slots=True)
class RoundOfPlayers:
    """A round as it can be drawn, or was: the least cost there is, and the tables that stand there."""

    division: Division
    round: Round
    field: PlayersField
    drawn: PlayersDraw
    least_cost: list[Any]
    proposed: str
    entries: dict[int, Entry]
    missing: tuple[Fixture, ...] = ()
    resting: tuple[Entry, ...] = ()
    """Who asked to sit out."""
    row: RoundDraw | None = None
    """Of a round that is drawn."""
    is_otherwise: bool = False
    """Of a round that is drawn: whether by the results of today it would be another."""

    @property
    def tables(self) -> list[Table]:
        """The tables in order."""
        field, found = self.field, []
        for number, (ns, ew) in enumerate(self.drawn.tables, start=1):
            keys = (*ns, *ew)
            sat = [self.entries[int(key)] for key in keys]
            scores = tuple(exact.shown(field.scores[key]) for key in keys)
            met = sum(field.were_opponents(one, other) for one in ns for other in ew)
            partners = field.were_partners(*ns) + field.were_partners(*ew)
            found.append(Table(number, (sat[0], sat[1]), (sat[2], sat[3]), scores, partners, met))
        return found

    @property
    def playing(self) -> list[Entry]:
        """Who plays in the round or sits out, in the order of the draw."""
        return [self.entries[int(player.key)] for player in self.field.here]

    @property
    def without_seat(self) -> list[Entry]:
        """Who sits out because the number is no multiple of four."""
        return [self.entries[int(key)] for key in self.drawn.byes]

    @property
    def sitting_out(self) -> tuple[Entry, ...]:
        """Who has no table in the round."""
        return (*self.without_seat, *self.resting)

    @property
    def bye(self) -> Entry | None:
        """It may be several: see `sitting_out`."""
        return None

    @property
    def is_changed(self) -> bool:
        """Whether others sit together than in the draw that costs the least."""
        return _who_sit(self.written) != _who_sit(self.proposed)

    @property
    def written(self) -> str:
        """The tables as a form sends them back: "12-15-18-11,9": North-South, East-West; one alone sits out."""
        return _written(self.drawn)

    @property
    def seed(self) -> str:
        """Of the lot between draws that cost the same."""
        return self.field.seed

    @property
    def cost(self) -> list[Any]:
        """What these tables cost: nine figures."""
        return list(self.drawn.cost)

    @property
    def digest(self) -> str:
        """Stands for all that the draw follows from: what somebody else changed meanwhile gives another."""
        facts = (self.field, sorted(each.pk for each in self.missing), self.round.pk)
        return blake2b(repr(facts).encode(), digest_size=8).hexdigest()


def propose(
    *,
    division: Division,
    round_: Round,
    missing: tuple[Fixture, ...],
    asked: Collection[int] = (),
    tables: str = "",
) -> RoundOfPlayers:
    """The draw of least cost, and if they are given the `tables` that a director has made of it. Nothing is written.

    `asked` are the entries that asked to sit out. Raises Conflict where there is no draw, and Invalid for tables that
    are not everybody's.
    """
    field = _field(division, round_, read_facts(division), asked)
    entries = {entry.pk: entry for entry in division.entries.with_pairs()}
    try:
        least = field.draw_of(*_tables(seating.kept(field, lambda: _written(field.draw())), field))
        drawn = field.draw_of(*_tables(tables, field)) if tables else least
    except ContestError as refusal:
        raise Conflict(refused_by_rules(refusal).message) from refusal
    resting = tuple(entries[key] for key in sorted(asked) if key in entries)
    return RoundOfPlayers(
        division, round_, field, drawn, list(least.cost), _written(least), entries, missing, resting
    )


def drawn(*, division: Division, round_: Round, with_least: bool = True) -> RoundOfPlayers | None:
    """The round as it was drawn; None where it is not. `with_least` also what a draw of today would be."""
    row = RoundDraw.objects.filter(division=division, round=round_).first()
    if row is None:
        return None
    facts = read_facts(division)
    lines = [
        line for line in facts.results if line.round == round_.number and len(line.entries) == AT_A_TABLE
    ]
    by_key = {line.fixture: line for line in lines}
    fixtures = Fixture.objects.filter(division=division, round=round_).order_by("pk")
    sat = [by_key[key].entries for key in fixtures.values_list("pk", flat=True) if key in by_key]
    byes = [bye for bye in facts.byes if bye.round == round_.number]
    out = [bye.entry for bye in byes if not bye.is_requested and not bye.is_missed]
    here = {key for table in sat for key in table}.union(out)
    # Who has left since was there then, and who came later was not.
    absent = frozenset(entry.key for entry in facts.entries if entry.key not in here)
    field = _field(division, round_, facts, (), absent=absent, seed=row.seed)
    published = field.draw_of([((a, b), (c, d)) for a, b, c, d in sat], out)
    entries = {entry.pk: entry for entry in division.entries.with_pairs()}
    proposed = seating.kept(field, lambda: _written(field.draw())) if with_least else _written(published)
    least = field.draw_of(*_tables(proposed, field))
    is_otherwise = not row.is_changed and _who_sit(_written(published)) != _who_sit(proposed)
    return RoundOfPlayers(
        division,
        round_,
        field,
        published,
        list(least.cost),
        proposed,
        entries,
        resting=tuple(entries[int(bye.entry)] for bye in byes if bye.is_requested),
        row=row,
        is_otherwise=is_otherwise,
    )


def points_of(facts: Facts, line: ResultLine) -> tuple[tuple[Fraction, Fraction], bool] | None:
    """What both sides have of a match for a draw, and whether it was played; None for a void one.

    Without a result it is a draw so far (F14).
    """
    one, two = line.sides
    if line.is_void or Ending.VOID in (one.ending, two.ending):
        return None
    first, second = facts.scheme.awards(line)
    if first is None or second is None:
        return (facts.scheme.average, facts.scheme.average), True
    return (first.points, second.points), one.ending is Ending.PLAYED


def brought_along(facts: Facts) -> dict[Any, Fraction]:
    """The points of everybody that were not made in a round: given by a director, or carried over."""
    return {
        entry.key: sum((made.points for made in facts.adjustments if made.entry == entry.key), Fraction(0))
        for entry in facts.entries
    }


def absent_from(facts: Facts, number: int) -> frozenset[Any]:
    """Who is not drawn in the round: who has left, and who came later."""
    late = (entry.key for entry in facts.entries if entry.first_round > number)
    return frozenset(leaving.entry for leaving in facts.withdrawals).union(late)


def _field(
    division: Division,
    round_: Round,
    facts: Facts,
    asked: Collection[int],
    *,
    absent: frozenset[Any] | None = None,
    seed: str = "",
) -> PlayersField:
    """What the round is drawn from: the rounds before it, who plays, what everybody has."""
    start = brought_along(facts)
    if absent is None:
        absent = absent_from(facts, round_.number).union(asked)
        absent |= _houses_without_seat(facts, absent)
    is_behind = bool(division.stage.options.get(formats.ONE_BEHIND))
    return PlayersField(
        players=tuple(SwissPlayer(entry.key, entry.seed, start[entry.key]) for entry in facts.entries),
        rounds=tuple(_rounds(facts, before=round_.number, points_before=round_.number - is_behind)),
        round=round_.number,
        absent=absent,
        seed=seed or division.stage.draw_seed or str(division.pk),
        house=frozenset(entry.key for entry in facts.entries if not entry.is_ranked),
    )


def _houses_without_seat(facts: Facts, absent: frozenset[Any]) -> frozenset[Any]:
    """House players whom it does not take to fill a table: all of them, if they are too few for it (F32)."""
    here = [entry for entry in facts.entries if entry.key not in absent]
    houses = [entry.key for entry in here if not entry.is_ranked]
    needed = -(len(here) - len(houses)) % AT_A_TABLE
    return frozenset(houses[needed:] if needed <= len(houses) else houses)


def _rounds(facts: Facts, *, before: int, points_before: int) -> Iterator[PlayersRound]:
    """The rounds before one; of those that no points are taken from only who met, whatever comes of it."""
    for number in range(1, before):
        tables = []
        for line in (each for each in facts.results if each.round == number):
            found = points_of(facts, line)
            if found is None or len(line.entries) != AT_A_TABLE:
                continue
            points, is_played = found
            north, south, east, west = line.entries
            counted = _NO_POINTS if number >= points_before and is_played else points
            tables.append(PairsMet((north, south), (east, west), counted, is_played=is_played))
        byes = tuple((bye.entry, facts.scheme.of_bye(bye)) for bye in facts.byes if bye.round == number)
        yield PlayersRound(number, tuple(tables), byes)


def _written(drawn: PlayersDraw) -> str:
    tables = ("-".join(map(str, (*ns, *ew))) for ns, ew in drawn.tables)
    return ",".join([*tables, *map(str, drawn.byes)])


def _who_sit(written: str) -> set[frozenset[frozenset[str]]]:
    """Who are partners at which tables, in whatever order."""
    tables = (table.split("-") for table in written.split(","))
    return {frozenset((frozenset(table[:2]), frozenset(table[2:]))) for table in tables}


def _tables(written: str, field: PlayersField) -> tuple[list[Any], list[int]]:
    """The tables that a form sent, and who sits out; raises Invalid unless everybody who plays is there once."""
    try:
        found = [[int(key) for key in table.split("-")] for table in written.split(",")]
    except ValueError:
        found = []
    there = [key for table in found for key in table]
    alone = [table[0] for table in found if len(table) == 1]
    if (
        len(there) != len(set(there))
        or set(there) != set(field.ranks)
        or len(alone) != len(field.byes)
        or any(len(table) not in {1, AT_A_TABLE} for table in found)
    ):
        raise Invalid(_("These tables don’t match the entries in this round. Please start this draw again."))
    return [((a, b), (c, d)) for a, b, c, d in (table for table in found if len(table) > 1)], alone
