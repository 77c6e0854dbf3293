"""Every pair against every other: the results of a division as a square; of a Swiss each one's opponents by round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.actors import Reader
from league.fixtures.queries import (
    FixtureLine,
    Pair,
    own_entries,
    pair_of,
)
from league.models import Appearance, Competition, Entry, Fixture, RequestedBye
from league.standings import credits as credits_
from league.standings import queries as standings

Status = Fixture.Status
STRENGTHS = 3
# A square of more is megabytes that no screen shows.
MOST_PAIRS = 120

# The entry of the row, and that of the column.
Meeting = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Leg:
    """One match seen from the row's pair: its score or state, and W, D, L once it is decided.

    `margin` is by how much it was won or lost at the table; `strength` from 1 to 3 how much that is beside the widest
    margin of the square, 0 where nothing was played or it was a draw.
    """

    fixture: int
    text: str
    outcome: str
    is_home: bool
    status: str
    round_number: int
    margin: int = 0
    strength: int = 0


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
    """The square of one division, in the order of the table; without rows where it would have too many."""

    name: str
    rows: tuple[CrossRow, ...]
    pairs: int


@dataclass(frozen=True, slots=True)
class InRound:
    """What somebody did in a round of a Swiss: the match with the opponent's number in the table, or why it was none.

    `numbers` are of all opponents; where partners change, `partner` that of the partner, and `names` says who they are.
    """

    names: str = ""
    numbers: tuple[int, ...] = ()
    leg: Leg | None = None
    is_bye: bool = False
    is_requested: bool = False
    partner: int = 0


@dataclass(frozen=True, slots=True)
class OpponentsRow:
    """A pair's row: one of `rounds` for each round that is drawn."""

    number: int
    pair: Pair
    is_mine: bool
    rounds: tuple[InRound, ...]


@dataclass(frozen=True, slots=True)
class Opponents:
    """Who met whom in a division of a Swiss, in the order of the table; `drawn` are the numbers of the rounds."""

    name: str
    drawn: tuple[int, ...]
    rows: tuple[OpponentsRow, ...]


def of_competition(competition: Competition, user: Reader) -> tuple[CrossTable, ...]:
    """The cross-table of every division; the queries do not depend on the number of pairs."""
    mine = own_entries(user, competition)
    divisions, drawn = _divisions(competition)
    return tuple(_square(name, pairs, drawn, mine) for name, pairs in divisions)


def by_round(competition: Competition, user: Reader) -> tuple[Opponents, ...]:
    """The opponents of everybody round by round, of every division; as few queries as the square."""
    mine = own_entries(user, competition)
    divisions, drawn = _divisions(competition)
    byes = Appearance.objects.byes().filter(entry__competition=competition)
    asked = set(
        RequestedBye.objects.filter(entry__competition=competition).values_list("entry", "round__number")
    )
    out = {
        each: InRound(is_bye=True, is_requested=each in asked)
        for each in byes.values_list("entry", "round__number")
    }
    credited = credits_.of_stage(competition.stage)
    seated = [(line, [credited.of(side.entry) for side in line.sides]) for line in drawn]
    return tuple(_opponents(name, pairs, seated, out, mine) for name, pairs in divisions)


def _opponents(
    name: str,
    pairs: Sequence[Pair],
    seated: Sequence[tuple[FixtureLine, list[tuple[int, ...]]]],
    out: Mapping[tuple[int, int], InRound],
    mine: frozenset[int],
) -> Opponents:
    numbers = {pair.entry: number for number, pair in enumerate(pairs, start=1)}
    met = dict(out)
    rounds: set[int] = set()
    # Where one was made void and they met again, the later match stands. Where partners change a side is two players.
    for line, sides in seated:
        if not all(key in numbers for side in sides for key in side):
            continue
        rounds.add(line.round_number)
        for at, (own, other) in enumerate(((line.home, line.away), (line.away, line.home))):
            leg, against = _leg(line, own.entry), tuple(sorted(numbers[key] for key in sides[1 - at]))
            for key in sides[at]:
                mate = next((each for each in sides[at] if each != key), None)
                partner, names = (
                    (numbers[mate], _with(pairs[numbers[mate] - 1], other)) if mate else (0, str(other))
                )
                met[key, line.round_number] = InRound(names, against, leg, partner=partner)
    rows = (
        OpponentsRow(
            number,
            pair,
            pair.entry in mine,
            tuple(met.get((pair.entry, each), InRound()) for each in sorted(rounds)),
        )
        for number, pair in enumerate(pairs, start=1)
    )
    return Opponents(name, tuple(sorted(rounds)), tuple(rows))


def _with(partner: Pair, other: Pair) -> str:
    return _("with %(partner)s against %(other)s") % {"partner": partner, "other": other}


def _divisions(competition: Competition) -> tuple[list[tuple[str, list[Pair]]], list[FixtureLine]]:
    """Each division's name with its pairs in the order of the table; and all matches."""
    everybody = Entry.with_rooms.filter(competition=competition).with_pairs().order_by("number")
    known = {entry.pk: pair_of(entry) for entry in everybody}
    entries = [entry for entry in everybody if entry.team_id is None]
    found = []
    tables = standings.current(competition)
    for division in competition.stage.divisions.order_by("level"):
        pairs = [known[entry.pk] for entry in entries if entry.division_id == division.pk]
        if division.pk in tables:
            places = {row.entry: place for place, row in enumerate(tables[division.pk].table.rows)}
            pairs.sort(key=lambda pair: places.get(pair.entry, len(places)))
        found.append((division.name, pairs))
    return found, _drawn(competition, known)


def _drawn(competition: Competition, pairs: Mapping[int, Pair]) -> list[FixtureLine]:
    """All fixtures, each by its figures alone: dates and places are not shown, and 1,770 fixtures are many objects."""
    found = Fixture.objects.of_competition(competition.pk).order_by("round__number", "pk")
    sides = Appearance.objects.filter(fixture__in=found).by_fixture()
    return [
        FixtureLine(
            key=key,
            club=competition.club.name,
            competition=competition.name,
            division="",
            round_number=number,
            round_name="",
            closes=None,
            sides=tuple(pairs[side.entry_id] for side in sides[key]),
            status=status,
            starts=None,
            place="",
            table="",
            note="",
            scores=tuple(side.score for side in sides[key] if side.score is not None),
            ranks=tuple(side.rank for side in sides[key] if side.rank is not None),
            outcomes=tuple(side.outcome for side in sides[key]),
        )
        for key, number, status in found.values_list("pk", "round__number", "status")
    ]


def _square(
    name: str, pairs: Sequence[Pair], drawn: Sequence[FixtureLine], mine: frozenset[int]
) -> CrossTable:
    if len(pairs) > MOST_PAIRS:
        return CrossTable(name, (), len(pairs))
    entries = {pair.entry for pair in pairs}
    legs = _heated(_legs([line for line in drawn if line.home.entry in entries]))
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
        pairs=len(pairs),
    )


def _legs(drawn: Sequence[FixtureLine]) -> Mapping[Meeting, tuple[Leg, ...]]:
    found: dict[Meeting, tuple[Leg, ...]] = {}
    for line in drawn:
        for own in (line.home.entry, line.away.entry):
            place = (own, line.opponents_of(own)[0].entry)
            found[place] = (*found.get(place, ()), _leg(line, own))
    return found


def _heated(legs: Mapping[Meeting, tuple[Leg, ...]]) -> Mapping[Meeting, tuple[Leg, ...]]:
    """The same matches, each with the strength of its win or defeat."""
    widest = max((leg.margin for those in legs.values() for leg in those), default=0)
    return {
        meeting: tuple(replace(leg, strength=-(-STRENGTHS * leg.margin // (widest or 1))) for leg in those)
        for meeting, those in legs.items()
    }


def _leg(line: FixtureLine, own: int) -> Leg:
    return Leg(
        fixture=line.key,
        text=_text(line, own),
        outcome=line.outcome_of(own),
        is_home=line.home.entry == own,
        status=line.status,
        round_number=line.round_number,
        margin=_margin(line),
    )


def _margin(line: FixtureLine) -> int:
    if line.status != Status.CONFIRMED:
        return 0
    return abs(line.scores[0] - line.scores[1]) if line.scores else 0


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
