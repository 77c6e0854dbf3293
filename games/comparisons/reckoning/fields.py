"""Who is ranked together, and the rankings that follow from the figures of an event's released boards.

A movement in which pairs sit both ways makes one field, "all". Where each pair stays on its side there are
two, "home" and "away". With several sections (or divisions) each is also ranked separately: "home:2" is the field of
the division at level 2. A round of a league is ranked separately, too.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, lcm
from types import MappingProxyType
from typing import Any, Final

from engine.contest import exact
from engine.contest.comparison.comparison import Method
from engine.contest.comparison.imps import MOST_BOARDS, victory_points
from games.comparisons.reckoning.columns import (
    AWAY,
    HOME,
    SIDES,
    Terms,
)
from games.models import Board, Comparison, Duplicate, FixtureBoard, SectionMovement
from league.models import Appearance, Competition, Entry, Fixture, Stage
from league.standings import credits as credits_
from league.standings.credits import Credits

ALL: Final = "all"
WHOLE_EVENT: Final = 0
NOTHING: Final = Fraction(0)

Rankings = dict[tuple[str, int], dict[str, Any]]
#: The rankings of another competition, by the terms on which it compares.
Before = Callable[[int, Terms], Rankings]


@dataclass(frozen=True, slots=True)
class Seat:
    """A board at a table of the event, and who is credited on each side: the pair, or its two players (F123)."""

    play: int
    board: int
    fixture: int
    entries: Mapping[str, tuple[int, ...]]
    round: int
    level: int
    is_void: bool
    is_released: bool


@dataclass(frozen=True, slots=True)
class Carried:
    """What counts on from an earlier stage (F8): so many boards, by what one of them weighs, and the figure there."""

    boards: Fraction
    figure: Fraction


@dataclass(slots=True)
class Match:
    """What a pair has from one match: boards that counted, the sum of their figures, the most they could give."""

    round: int
    boards: int = 0
    value: Fraction = NOTHING
    top: int = 0

    @property
    def victory_points(self) -> Fraction:
        """By the IMPs of the match, to the nearest whole one, as if the field were the opponents."""
        return victory_points(int(exact.rounded(self.value, 0)), min(self.boards, MOST_BOARDS))[0]


@dataclass(slots=True)
class Tally:
    """All that a pair has made, by match."""

    matches: dict[int, Match] = field(default_factory=dict)

    def add(self, seat: Seat, figure: Mapping[str, Any]) -> None:
        match = self.matches.setdefault(seat.fixture, Match(seat.round))
        match.boards += 1
        match.value += exact.restore(figure["value"])
        match.top += figure["top"] or 0


def rankings_of(competition_id: int, terms: Terms) -> Rankings:
    """The event's rankings by field and round (0 is the whole event), in six queries; a later stage's in fourteen."""
    boards = Board.objects.filter(plays__fixture__round__stage__competition=competition_id)
    released = boards.filter(released_at__isnull=False).values("pk")
    stored = Comparison.objects.filter(board__in=released).values_list("board_id", "content")
    return rankings_from(competition_id, terms, dict(stored))


def rankings_from(
    competition_id: int,
    terms: Terms,
    contents: Mapping[int, Mapping[str, Any]],
    *,
    only_released: bool = True,
    before: Before | None = None,
) -> Rankings:
    """The same from comparisons' contents by board; all boards' if not `only_released`, which is not for the public.

    `before` gives the rankings of an earlier stage, if they are not those of the stored comparisons.
    """
    credited = credits_.of_competition(competition_id)
    seats = list(_seats(competition_id, credited))
    if not only_released:
        seats = [replace(seat, is_released=True) for seat in seats]
    tallies = _tallies(seats, contents)
    counts = _boards_counted(seats, contents)
    by_round = _ranks_rounds(competition_id)
    carried = _carried_over(competition_id, terms, before or rankings_of)
    found: Rankings = {}
    for name, entries in _members(seats, _sections(competition_id)).items():
        own = {entry: tallies[entry] for entry in entries - credited.house if entry in tallies}
        found[name, WHOLE_EVENT] = _ranking(own, terms, counts(None), carried=carried)
        for number in sorted({seat.round for seat in seats}) if by_round else ():
            found[name, number] = _ranking(own, terms, counts(number), number)
    return found


def _carried_over(competition_id: int, terms: Terms, before: Before) -> dict[int, Carried]:
    """By entry what counts on from the stage before; nothing where that compares in another way (F8)."""
    stage = (
        Stage.objects.filter(competition=competition_id, after__isnull=False).select_related("after").first()
    )
    if stage is None or stage.after is None or stage.carry_over == Stage.CarryOver.NONE:
        return {}
    last = stage.after.competition_id
    duplicate = Duplicate.objects.filter(pk=last, method=terms.method).first()
    if duplicate is None:
        return {}
    weight = Fraction(1, 2) if stage.carry_over == Stage.CarryOver.HALF else Fraction(1)
    entries = Entry.objects.filter(competition__in=[last, competition_id])
    lineups: dict[int, dict[int, int]] = defaultdict(dict)
    for pk, competition, lineup in entries.values_list("pk", "competition", "lineup"):
        lineups[competition][lineup] = pk
    now = {lineups[last].get(lineup): pk for lineup, pk in lineups[competition_id].items()}
    by = "percent" if terms.method == Method.MATCHPOINTS else "mean"
    return {
        now[row["entry"]]: Carried(weight * row["boards"], exact.restore(row[by]))
        for (name, number), content in before(last, Terms.of(duplicate)).items()
        for row in content["rows"]
        if number == WHOLE_EVENT and ":" not in name and row["entry"] in now and row["rank"] is not None
    }


def _seats(competition_id: int, credited: Credits) -> Iterator[Seat]:
    rows = FixtureBoard.objects.filter(fixture__round__stage__competition=competition_id).order_by("pk")
    sides = Appearance.objects.filter(fixture__round__stage__competition=competition_id).by_fixture()
    for pk, board, fixture, number, level, status, released in rows.values_list(
        "pk", "board_id", "fixture_id", "fixture__round__number", "fixture__division__level", "fixture__status",
        "board__released_at",
    ):  # fmt: skip
        home, away = (credited.of(side.entry_id) for side in sides[fixture])
        is_void = status == Fixture.Status.VOID
        yield Seat(pk, board, fixture, {HOME: home, AWAY: away}, number, level, is_void, released is not None)


def _tallies(seats: Iterable[Seat], contents: Mapping[int, Mapping[str, Any]]) -> dict[int, Tally]:
    tallies: dict[int, Tally] = defaultdict(Tally)
    for seat in seats:
        play = contents.get(seat.board, {}).get("plays", {}).get(str(seat.play))
        for side in SIDES if play is not None and seat.is_released else ():
            for entry in seat.entries[side]:
                tallies[entry].add(seat, play[side])
    return tallies


def _boards_counted(
    seats: Iterable[Seat], contents: Mapping[int, Mapping[str, Any]]
) -> Callable[[int | None], tuple[int, int]]:
    """Of a round (None: of the event) how many boards count so far, and how many there are."""
    played = {board for board, content in contents.items() if content.get("plays")}
    by_board = {(seat.round, seat.board): seat.is_released for seat in seats if not seat.is_void}

    def count(number: int | None) -> tuple[int, int]:
        boards = {board: released for (of, board), released in by_board.items() if number in {None, of}}
        return sum(released and board in played for board, released in boards.items()), len(boards)

    return count


def _members(seats: Iterable[Seat], sections: Mapping[int, bool]) -> dict[str, set[int]]:
    """Which pairs are in each field. A pair that once sat the other way stays in the field that it mostly sat in."""
    sat: dict[int, Counter[str]] = defaultdict(Counter)
    levels: dict[int, int] = {}
    for seat in seats:
        for side in SIDES:
            for entry in seat.entries[side]:
                sat[entry][side] += 1
                levels[entry] = seat.level
    is_one_field = any(sections.get(level, True) for level in set(levels.values())) or not levels
    names = (ALL,) if is_one_field else SIDES
    found: dict[str, set[int]] = {name: set() for name in names}
    for entry, ways in sat.items():
        way = HOME if ways[HOME] >= ways[AWAY] else AWAY
        found[ALL if is_one_field else way].add(entry)
        if len(set(levels.values())) > 1:
            own = ALL if sections.get(levels[entry], True) else way
            found.setdefault(f"{own}:{levels[entry]}", set()).add(entry)
    return found


def _ranking(
    tallies: Mapping[int, Tally],
    terms: Terms,
    counted: tuple[int, int],
    number: int | None = None,
    *,
    carried: Mapping[int, Carried] = MappingProxyType({}),
) -> dict[str, Any]:
    has_tops = terms.method == Method.MATCHPOINTS
    rows = [row for entry, tally in tallies.items() if (row := _row(entry, tally, has_tops, number))]
    rows = [replace(row, carried=carried.get(row.entry)) for row in rows]
    least = ceil(Fraction(max((row.boards for row in rows), default=0) * terms.least_share, 100))
    rows = _in_order(replace(row, is_apart=row.boards < least) for row in rows)
    return {
        "measure": str(terms.measure),
        "method": str(terms.method),
        "boards_counted": counted[0],
        "boards_total": counted[1],
        **({"boards_needed": least} if terms.least_share else {}),
        "rows": [row.as_json(rank) for row, rank in zip(rows, _ranks(rows), strict=True)],
    }


@dataclass(frozen=True, slots=True)
class _Row:
    """A pair in a field. `figure` is what it is ranked by: its percentage, or its IMPs a board.

    One that `is_apart` has played too few boards for a place.
    """

    entry: int
    matches: tuple[Match, ...]
    boards: int
    value: Fraction
    top: int
    has_tops: bool
    figure: Fraction | None
    is_apart: bool = False
    carried: Carried | None = None

    @property
    def total(self) -> Fraction | None:
        """The figure, with what counts on from an earlier stage board by board."""
        if self.carried is None or self.figure is None:
            return self.figure
        before = self.carried
        return (before.boards * before.figure + self.boards * self.figure) / (before.boards + self.boards)

    def as_json(self, rank: int | None) -> dict[str, Any]:
        percent = self.figure if self.has_tops else None
        points = None if self.has_tops else sum((m.victory_points for m in self.matches), NOTHING)
        return {
            "entry": self.entry,
            "rank": rank,
            "boards": self.boards,
            "value": exact.write(self.value),
            "top": self.top,
            "percent": None if percent is None else exact.write(percent),
            "mean": exact.write(self.value / self.boards),
            "vp": None if points is None else exact.write(points),
            "rounds": [self._part(match) for match in self.matches],
            **({"apart": True} if self.is_apart else {}),
            **self._carried_as_json(),
        }

    def _carried_as_json(self) -> dict[str, Any]:
        if self.carried is None or self.total is None:
            return {}
        before = [exact.write(self.carried.boards), exact.write(self.carried.figure)]
        return {"carried": before, "total": exact.write(self.total)}

    def _part(self, match: Match) -> list[int | str | None]:
        points = None if self.has_tops else exact.write(match.victory_points)
        return [match.round, match.boards, exact.write(match.value), match.top, points]


def _row(entry: int, tally: Tally, has_tops: bool, number: int | None) -> _Row | None:
    matches = [match for match in tally.matches.values() if number in {None, match.round}]
    if not matches:
        return None
    matches.sort(key=lambda match: match.round)
    boards = sum(match.boards for match in matches)
    value = sum((match.value for match in matches), NOTHING)
    top = sum(match.top for match in matches)
    figure = value / boards if not has_tops else value * 100 / top if top else None
    return _Row(entry, tuple(matches), boards, value, top, has_tops, figure)


def _in_order(rows: Iterable[_Row]) -> list[_Row]:
    """The best first, then those with too few boards, who cannot be ranked last.

    Fractions are compared as integers, which is many times faster.
    """
    rows = list(rows)
    totals = {row.entry: row.total for row in rows}
    finest = lcm(*(total.denominator for total in totals.values() if total is not None))

    def place(row: _Row) -> tuple[bool, bool, int, int]:
        total = totals[row.entry]
        if total is None:
            return (True, True, 0, row.entry)
        return (False, row.is_apart, -total.numerator * (finest // total.denominator), row.entry)

    return sorted(rows, key=place)


def _ranks(rows: Iterable[_Row]) -> Iterator[int | None]:
    """1, 2, 2, 4; None for who has too few boards, or cannot be ranked, since nobody else had the same boards."""
    before: Fraction | None = None
    rank = 0
    for place, row in enumerate(rows, start=1):
        if row.figure is None or row.is_apart:
            yield None
            continue
        rank = rank if place > 1 and row.total == before else place
        before = row.total
        yield rank


def _sections(competition_id: int) -> dict[int, bool]:
    """Of each section with a movement, by level, whether it is one field."""
    movements = SectionMovement.objects.filter(division__stage__competition=competition_id).select_related(
        "division"
    )
    return {section.division.level: is_one_field(section) for section in movements}


def is_one_field(section: SectionMovement) -> bool:
    """Whether pairs of the section sit both ways."""
    whole = section.choice.full()
    kept = min(section.rounds, len(whole.rounds))
    return whole.with_rounds(kept).arrow_switched(min(section.arrow_switched, kept)).is_one_field()


def _ranks_rounds(competition_id: int) -> bool:
    """The rounds of a league are ranked separately; those of an evening are a few boards each."""
    return not Competition.objects.evenings().filter(pk=competition_id).exists()
