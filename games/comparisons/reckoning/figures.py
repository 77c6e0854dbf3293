"""What a result on a board is worth, read back as it was stored, for pages and programs.

A comparison tells of every table. So it is for all or for nobody: games.embargo says whether the board's field may be
seen, and before that these functions give nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser

from engine.contest import exact
from engine.contest.comparison.comparison import Basis
from games import embargo
from games.comparisons.reckoning import reasons
from games.comparisons.reckoning.columns import SIDES, Points
from games.comparisons.reckoning.reasons import Explanation
from games.comparisons.reckoning.shown_figures import ShownFigure, decimal_text
from games.embargo import Sight
from games.models import Board, Comparison, FixtureBoard

# The figures of several boards together, by play and side.
Worth = Mapping[tuple[int, str], ShownFigure]

__all__ = [
    "BoardFigures",
    "Explanation",
    "ShownFigure",
    "decimal_text",
    "explain",
    "figures_in",
    "of_board",
    "of_boards",
    "stored",
]


@dataclass(frozen=True, slots=True)
class BoardFigures:
    """A board's figures by play and side; `is_stale` while newer results wait for a worker."""

    board: int
    measure: str
    method: str
    expected: int
    figures: Mapping[tuple[int, str], ShownFigure]
    results_version: int
    computed_at: datetime
    is_stale: bool

    @property
    def results(self) -> int:
        return len(self.figures) // len(SIDES)


def of_board(board: Board) -> Mapping[tuple[int, str], ShownFigure]:
    """The figures by play and "home" or "away"; empty while the board's field is nobody's to see."""
    found = of_boards([board]).get(board.pk)
    return found.figures if found else {}


def of_boards(boards: Iterable[Board]) -> dict[int, BoardFigures]:
    """The stored figures of those of the boards whose field may be seen, by their key; in two queries."""
    asked = list(boards)
    sights = embargo.board_sights(visitor=AnonymousUser(), boards=asked)
    return stored([board for board in asked if sights[board.pk] == Sight.FIELD])


def explain(play: FixtureBoard, side: str) -> Explanation | None:
    """Why the pair at "home" or "away" has its figure; None while there is none, or the field is nobody's to see."""
    found = of_boards([play.board]).get(play.board_id)
    return reasons.explain(play, side, found.figures, found.measure) if found else None


def stored(boards: Iterable[Board]) -> dict[int, BoardFigures]:
    """The same without asking who may see them, for those who rule on them. The caller has asked."""
    newest = {board.pk: board.results_version for board in boards}
    rows = Comparison.objects.filter(board__in=newest)
    return {row.pk: _board(row, row.results_version < newest[row.pk]) for row in rows}


def _board(row: Comparison, is_stale: bool) -> BoardFigures:
    content = row.content
    return BoardFigures(
        board=row.pk,
        measure=content["measure"],
        method=content["method"],
        expected=content["expected"],
        figures=figures_in(content),
        results_version=row.results_version,
        computed_at=row.computed_at,
        is_stale=is_stale,
    )


def figures_in(content: Mapping[str, Any]) -> dict[tuple[int, str], ShownFigure]:
    """The figures of a comparison's content, by play and side."""
    return {
        (int(play), side): _figure(int(play), side, content, found)
        for play, found in content["plays"].items()
        for side in SIDES
    }


def _figure(play: int, side: str, content: Mapping[str, Any], found: Mapping[str, Any]) -> ShownFigure:
    figure = found[side]
    exactly = {
        name: None if figure[name] is None else exact.restore(figure[name])
        for name in ("value", "percent", "raw", "beaten", "equalled", "datum")
    }
    return ShownFigure(
        play=play,
        side=side,
        method=content["method"],
        version=found["version"],
        points=tuple(Points(*(exact.restore(each) for each in part)) for part in found["points"]),
        award=found["award"],
        basis=Basis(figure["basis"]),
        compared=figure["compared"],
        expected=content["expected"],
        top=figure["top"],
        has_same_tops=content.get("same_tops", False),
        **exactly,  # type: ignore[arg-type]
    )


def by_play(boards: Iterable[Board | int], plays: Collection[int]) -> Worth:
    """The figures of these plays of the boards, as stored; in one query. The caller asked the embargo."""
    wanted = {str(key) for key in plays}
    found: dict[tuple[int, str], ShownFigure] = {}
    for content in Comparison.objects.filter(board__in=list(boards)).values_list("content", flat=True):
        chosen = {key: each for key, each in content["plays"].items() if key in wanted}
        found.update(figures_in({**content, "plays": chosen}))
    return found
