"""What the cards of a released board could have made, for its page: par, and the best hands of both sides."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import structlog
from django.utils.translation import gettext

from engine import game
from games.analysis.services import analyses
from games.concerto.study.best_play import BestWay, Ways
from games.front import Practised
from games.models import Analysis
from games.records.display.shown import ShownSeat

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SideBest:
    """The best ways of one side."""

    key: str
    title: str
    ways: tuple[BestWay, ...]

    @property
    def best(self) -> int:
        return self.ways[0].points


@dataclass(frozen=True, slots=True)
class Choice:
    """Totals by side when the side of that name chooses first."""

    first: str
    total: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class BoardBest:
    """The analysis of a board, or of a deal of cards as they came; one without sides is being worked out."""

    template: ClassVar[str] = "concerto/_board_best.html"

    sides: tuple[SideBest, ...] = ()
    par: Mapping[str, int] | None = None
    choices: tuple[Choice, ...] = ()

    @property
    def is_ready(self) -> bool:
        return bool(self.sides)


def best_in(analysis: Analysis) -> BoardBest | None:
    """The analysis as people see it; None where it says nothing."""
    if analysis.version != analyses.version_of(game.get(analysis.game)):
        return BoardBest()
    try:
        return _shown(analysis) if analysis.content else None
    except (LookupError, TypeError, ValueError):
        # As on the match page: verification names what is stored wrongly; the board is shown without.
        log.exception("analysis_not_shown", analysis=analysis.pk)
        return None


def _shown(analysis: Analysis) -> BoardBest:
    offered = game.get(analysis.game)
    content: Mapping[str, Any] = analysis.content or {}
    seats = [
        ShownSeat(key=seat, title=gettext(offered.title(seat)), player=gettext(offered.title(seat)), pair="")
        for seat in offered.seats()
    ]
    ways = Ways(analysis.game, seats)
    titles = {side: gettext(offered.title(side)) for side in offered.sides()}
    return BoardBest(
        sides=tuple(
            SideBest(key, title, tuple(ways.shown(way) for way in content["best"][key]))
            for key, title in titles.items()
        ),
        par=content["par"]["total"],
        choices=tuple(Choice(titles[key], total) for key, total in content["committing"].items()),
    )


def practised(analysis: Analysis, score: Mapping[str, Any], seat: str) -> Practised | None:
    """A deal that was played beside the best of the seat's side; None where the cards or the hands aren't known."""
    content = analyses.content_in(analysis)
    side = game.get(analysis.game).side_of(seat)
    made = (score.get("made") or {}).get(side)
    if not content or made is None:
        return None
    best = content["best"][side][0]
    own = {hand["hand"] for hand in best["hands"]}
    costs = {number: cost for number, cost in analyses.costs_of(content).items() if number in own}
    given = 0 if score["left_over_to"] == side else score["left_over_bonus"]
    return Practised(made, best["points"], given, costs)
