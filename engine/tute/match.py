"""When a match of Tute ends and who won it, and which totals a deal can have (TU15 to TU19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.game.matches import winners_of
from engine.game.values import MatchResult, Score
from engine.text import gettext_noop
from engine.tute.cards import ALL_POINTS
from engine.tute.play import LAST_TRICK, MOST, SIDES


def match_result(scores: Sequence[Score], *, deals: int, by_points: bool) -> MatchResult:
    """TU18: deals won decide, then points, or the other way round; TU19: all deals are played."""
    counted = scores[:deals]
    total = {side: sum(score.total[side] for score in counted) for side in SIDES}
    winners = [_winner(score) for score in counted]
    hands = {side: winners.count(side) for side in SIDES}
    merit = {side: (total[side], hands[side]) if by_points else (hands[side], total[side]) for side in SIDES}
    ranks = {side: 1 + sum(other > merit[side] for other in merit.values()) for side in SIDES}
    is_over = len(counted) == deals
    return MatchResult(
        counted=len(counted),
        points=total,
        bonus=dict.fromkeys(SIDES, 0),
        total=total,
        winners=winners_of(ranks) if is_over else (),
        is_over=is_over,
        ranks=ranks,
        detail={"hands": hands},
    )


def _winner(score: Score) -> str | None:
    """TU17: as the score says; where it is of totals alone, the side with more points."""
    told = score.as_json().get("winner")
    if isinstance(told, str):
        return told
    return next((side for side in SIDES if score.total[side] > min(score.total.values())), None)


def fault_of_total(total: Mapping[str, int]) -> str:
    """TU15, TU16, TU25: why no deal gives these totals, in a sentence; empty where one does.

    The totals add up to 130 and what was declared: a forty, and a twenty for each of three suits.
    No cards make one point.
    """
    low, high = sorted(total.values())
    if (low, high) == (0, MOST):
        return ""
    declared = low + high - ALL_POINTS - LAST_TRICK
    if (
        low < 0
        or low == 1
        or high > MOST
        or declared < 0
        or declared > MOST - ALL_POINTS - LAST_TRICK
        or declared % 20
    ):
        return gettext_noop("The totals must add up to 130 and the declarations: 20, 40, ... up to 100.")
    return ""
