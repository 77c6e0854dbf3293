"""Every pair against every other: the results of a division as a square."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.actors import Reader
from league.models import Competition, Fixture
from league.selectors import standings
from league.selectors.fixtures import FixtureLine, Pair, lines, own_entries, pair_of

Status = Fixture.Status


@dataclass(frozen=True, slots=True)
class Leg:
    """One match seen from the row's pair: its score or state, and W, D, L once it is decided."""

    fixture: int
    text: str
    outcome: str
    is_home: bool
    status: str
    round_number: int


@dataclass(frozen=True, slots=True)
class Cell:
    """The matches of two pairs; none where the pair meets itself or they do not meet."""

    opponent: Pair
    is_self: bool
    legs: tuple[Leg, ...]


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A pair's row."""

    number: int
    pair: Pair
    is_mine: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """The square of one division, in the order of the table."""

    name: str
    rows: tuple[CrossRow, ...]


def of_competition(competition: Competition, user: Reader) -> tuple[CrossTable, ...]:
    """The cross-table of every division; the queries do not depend on the number of pairs."""
    fixtures = Fixture.objects.of_competition(competition.pk).with_pairs()
    drawn = lines(fixtures.order_by("round__number", "pk"))
    mine = own_entries(user, competition)
    entries = list(competition.entries.with_pairs().order_by("number"))
    squares = []
    for division in competition.divisions.order_by("level"):
        division.competition = competition
        pairs = [pair_of(entry) for entry in entries if entry.division_id == division.pk]
        stored = standings.current(division)
        if stored is not None:
            places = {row.entry: place for place, row in enumerate(stored.table.rows)}
            pairs.sort(key=lambda pair: places.get(pair.entry, len(places)))
        squares.append(_square(division.name, pairs, drawn, mine))
    return tuple(squares)


def _square(
    name: str, pairs: Sequence[Pair], drawn: Sequence[FixtureLine], mine: frozenset[int]
) -> CrossTable:
    legs = _legs(drawn)
    return CrossTable(
        name=name,
        rows=tuple(
            CrossRow(
                number=number,
                pair=pair,
                is_mine=pair.entry in mine,
                cells=tuple(
                    Cell(other, other.entry == pair.entry, legs.get((pair.entry, other.entry), ()))
                    for other in pairs
                ),
            )
            for number, pair in enumerate(pairs, start=1)
        ),
    )


def _legs(drawn: Sequence[FixtureLine]) -> Mapping[tuple[int, int], tuple[Leg, ...]]:
    found: dict[tuple[int, int], tuple[Leg, ...]] = {}
    for line in drawn:
        for own in (line.home.entry, line.away.entry):
            place = (own, line.opponent_of(own).entry)
            found[place] = (*found.get(place, ()), _leg(line, own))
    return found


def _leg(line: FixtureLine, own: int) -> Leg:
    return Leg(
        fixture=line.key,
        text=_text(line, own),
        outcome=line.outcome_of(own),
        is_home=line.home.entry == own,
        status=line.status,
        round_number=line.round_number,
    )


def _text(line: FixtureLine, own: int) -> str:
    match line.status:
        case Status.CONFIRMED:
            scored, conceded = line.scores_of(own)
            return f"{scored}–{conceded}"
        case Status.WALKOVER:
            return _("walkover") if line.outcome_of(own) == "W" else _("forfeit")
        case Status.VOID:
            return _("void")
    return _("round %(number)d") % {"number": line.round_number}
