"""A board's columns: the home pairs' scores and the away pairs', and what each is worth beside the others.

A home pair is compared with home pairs and an away pair with away pairs. Everything here follows from rows that are
facts: which matches play a board, the points of their confirmed sheets, versions, and what a director awarded.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q

from engine.contest import exact
from engine.contest.comparison.comparison import (
    Figure,
    Method,
    Result,
    Rules,
    compare,
)
from engine.contest.comparison.field import Score, WeightedPoints
from games.models import AdjustedScore, Board, Duplicate, FixtureBoard, RobotHand, Scoresheet
from league.models import Appearance, Fixture

HOME: Final = "home"
AWAY: Final = "away"
SIDES: Final = (HOME, AWAY)
WHOLE: Final = Fraction(1)


@dataclass(frozen=True, slots=True)
class Points:
    """What the two pairs made, and how much of it counts: a part of an adjusted score, or the whole."""

    home: Fraction
    away: Fraction
    weight: Fraction = WHOLE


@dataclass(frozen=True, slots=True)
class Play:
    """A board at a table. It has points, or percentages that a director gave in their place, or neither yet."""

    pk: int
    board: int
    fixture: int
    version: str
    is_void: bool
    most: int = 0
    """The most results that any board of its set was to have: the field, if every board has the same top."""
    points: tuple[Points, ...] = ()
    percent: tuple[Fraction, Fraction] | None = None
    award: int | None = None

    @property
    def has_result(self) -> bool:
        return bool(self.points) or self.percent is not None

    @property
    def is_expected(self) -> bool:
        """Whether the board counts on a result from here: a void match gives none, unless one was awarded."""
        return self.has_result if self.is_void else True

    def awarded(self, award: int | None, content: Mapping[str, Any]) -> "Play":
        """The same with the director's score in place of what was made."""
        if "percent" in content:
            given = content["percent"]
            percent = (exact.restore(given[HOME]), exact.restore(given[AWAY]))
            return replace(self, points=(), percent=percent, award=award)
        parts = tuple(
            Points(*(exact.restore(part[name]) for name in (HOME, AWAY, "weight")))
            for part in content["scores"]
        )
        return replace(self, points=parts, percent=None, award=award)


@dataclass(frozen=True, slots=True)
class Terms:
    """How an event compares its boards."""

    measure: str = Duplicate.Measure.DIFFERENCE.value
    method: str = Duplicate.Way.MATCHPOINTS.value
    tops: str = Duplicate.Tops.SAME.value
    least_share: int = 0
    """How many percent of the boards of the pair with the most a pair needs for a place."""

    @classmethod
    def of(cls, duplicate: Duplicate) -> "Terms":
        return cls(duplicate.measure, duplicate.method, duplicate.tops, duplicate.least_share)

    @property
    def has_same_tops(self) -> bool:
        """Whether every board weighs the same, however many results it has. IMPs have no top."""
        return self.method == Method.MATCHPOINTS and self.tops == Duplicate.Tops.SAME


def plays_of(boards: Collection[int], *, awards: bool = True) -> dict[int, list[Play]]:
    """Where each board is played, in four queries however many boards; without `awards` as it was at the tables."""
    played = _made_at_the_tables(boards)
    most = _most_expected(boards)
    given = _awards_that_count(boards) if awards else {}
    found: dict[int, list[Play]] = {board: [] for board in boards}
    rows = FixtureBoard.objects.filter(board__in=boards).annotate(is_left_out=_is_a_robots()).order_by("pk")
    for pk, board, fixture, version, status, is_left_out in rows.values_list(
        "pk", "board_id", "fixture_id", "version", "fixture__status", "is_left_out"
    ):
        is_void = status == Fixture.Status.VOID or is_left_out
        made = () if is_void else played.get(pk, ())
        play = Play(pk, board, fixture, version, is_void, most[board], made)
        found[board].append(play.awarded(*given[pk]) if pk in given else play)
    return found


def _most_expected(boards: Collection[int]) -> dict[int, int]:
    """By board the most results that any board of its set was to have, void ones counted.

    A void match whose place another one has taken, with one of its pairs, is not counted beside that.
    """
    sets = Board.objects.filter(pk__in=boards).values("board_set")
    is_void = Q(fixture__status=Fixture.Status.VOID)
    rows = FixtureBoard.objects.filter(board__board_set__in=sets).annotate(
        is_void=ExpressionWrapper(is_void, BooleanField())
    )
    counts: Counter[tuple[int, int]] = Counter()
    seated: set[tuple[int, int]] = set()
    sides = Appearance.objects.filter(fixture__in=rows.values("fixture")).by_fixture()
    for board_set, board, fixture, void in rows.order_by("is_void", "pk").values_list(
        "board__board_set_id", "board_id", "fixture_id", "is_void"
    ):
        pairs = {(board, side.entry_id) for side in sides[fixture]}
        counts[board_set, board] += not (void and pairs & seated)
        seated |= pairs
    most: dict[int, int] = {}
    for (board_set, _board), count in counts.items():
        most[board_set] = max(count, most.get(board_set, 0))
    return {
        pk: most.get(of, 0) for pk, of in Board.objects.filter(pk__in=boards).values_list("pk", "board_set")
    }


def _made_at_the_tables(boards: Collection[int]) -> dict[int, tuple[Points, ...]]:
    """The points of the confirmed sheets. Which side the home pair sat on is the sheet's word."""
    rows = FixtureBoard.objects.filter(
        board__in=boards,
        fixture__match__sheets__verdict=Scoresheet.Verdict.CONFIRMED,
        fixture__match__sheets__deals__number=F("position"),
    ).values_list("pk", "fixture__match__sheets__content", "fixture__match__sheets__deals__score")
    return {
        pk: (_points(content["home_side"], score["total"]),)
        for pk, content, score in rows.order_by("pk")
        if score.get("total")
    }


def _is_a_robots() -> Exists:
    """Whether a robot acted for somebody there, in an event that does not compare such plays."""
    return Exists(
        RobotHand.objects.filter(
            deal__sheet__match=OuterRef("fixture_id"),
            deal__sheet__verdict=Scoresheet.Verdict.CONFIRMED,
            deal__number=OuterRef("position"),
            deal__sheet__match__fixture__round__stage__competition__online__compares_robots=False,
        )
    )


def _points(home_side: str, total: Mapping[str, int]) -> Points:
    away = next(points for side, points in total.items() if side != home_side)
    return Points(Fraction(total[home_side]), Fraction(away))


def _awards_that_count(boards: Collection[int]) -> dict[int, tuple[int, dict[str, Any]]]:
    rows = AdjustedScore.objects.filter(play__board__in=boards, revoked_at__isnull=True)
    return {play: (pk, content) for pk, play, content in rows.values_list("pk", "play_id", "content")}


def expected_of(plays: Collection[Play], terms: Terms) -> int:
    """How many results the board should have: as many as the fullest board of the field, or its own."""
    own = sum(play.is_expected for play in plays)
    return max(own, *(play.most for play in plays)) if terms.has_same_tops and plays else own


def compared(plays: Iterable[Play], terms: Terms) -> dict[str, dict[int, Figure]]:
    """The figures of both columns, by side and play."""
    plays = list(plays)
    expected = expected_of(plays, terms)
    rules = Rules(Method(terms.method))
    found: dict[str, dict[int, Figure]] = {}
    for place, side in enumerate(SIDES):
        results = [_result(play, place, terms.measure) for play in plays if play.has_result]
        figures = compare(results, rules, expected) if results else ()
        found[side] = {int(figure.key): figure for figure in figures}
    return found


def _result(play: Play, place: int, measure: str) -> Result:
    if play.percent is not None:
        return Result(str(play.pk), play.percent[place], play.version)
    return Result(str(play.pk), score_of(play.points, SIDES[place], measure), play.version)


def score_of(points: Iterable[Points], side: str, measure: str) -> Score:
    """The score of one side: its own points, or how many it has more than the other."""
    return Score(tuple(WeightedPoints(_measured(each, side, measure), each.weight) for each in points))


def _measured(points: Points, side: str, measure: str) -> Fraction:
    own, other = (points.home, points.away) if side == HOME else (points.away, points.home)
    return own if measure == Duplicate.Measure.OWN else own - other


def content_of(plays: Iterable[Play], terms: Terms) -> dict[str, Any]:
    """The comparison of a board as it is stored: exact, by play, with all that each figure came from."""
    plays = list(plays)
    figures = compared(plays, terms)
    return {
        "measure": str(terms.measure),
        "method": str(terms.method),
        "expected": expected_of(plays, terms),
        **({"same_tops": True} if terms.has_same_tops else {}),
        "plays": {
            str(play.pk): {
                "version": play.version,
                "award": play.award,
                "points": [_written(points) for points in play.points],
                **{side: _figure_as_json(figures[side][play.pk]) for side in SIDES},
            }
            for play in plays
            if play.has_result
        },
    }


def _written(points: Points) -> list[int | str]:
    return [exact.write(points.home), exact.write(points.away), exact.write(points.weight)]


def _figure_as_json(figure: Figure) -> dict[str, Any]:
    exactly = {
        "value": figure.value,
        "percent": figure.percent,
        "raw": figure.raw,
        "beaten": figure.beaten,
        "equalled": figure.equalled,
        "datum": figure.datum,
    }
    return {
        **{name: None if each is None else exact.write(each) for name, each in exactly.items()},
        "basis": figure.basis.value,
        "compared": figure.compared,
        "top": figure.top,
    }
