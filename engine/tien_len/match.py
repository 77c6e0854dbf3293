"""When a match of Tien Len ends and who won it (TL9, TL18), and which totals a deal can have (TL21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game.matches import winners_of
from engine.game.values import MatchResult, Score
from engine.text import gettext_noop
from engine.tien_len.play import LOSER, PLACES, points_of


def match_result(scores: Sequence[Score], seats: Sequence[str], *, deals: int) -> MatchResult:
    """TL18: the highest total, then more deals as first out, then more as second."""
    counted = scores[:deals]
    total = {seat: sum(score.total[seat] for score in counted) for seat in seats}
    orders = [order_of(score) for score in counted]
    merit = {
        seat: (
            total[seat],
            *(sum(order[place : place + 1] == [seat] for order in orders) for place in (0, 1)),
        )
        for seat in seats
    }
    ranks = {seat: 1 + sum(other > merit[seat] for other in merit.values()) for seat in seats}
    is_over = len(counted) == deals
    leader = orders[-1][0] if orders and orders[-1] else None
    return MatchResult(
        counted=len(counted),
        points=total,
        bonus=dict.fromkeys(seats, 0),
        total=total,
        winners=winners_of(ranks) if is_over else (),
        is_over=is_over,
        ranks=ranks,
        next_options={} if is_over or leader is None else {"leader": leader},
    )


def order_of(score: Score) -> list[str]:
    """In which order players went out: as the score says, or by its points where each place has its own."""
    told: Any = score.as_json().get("order")
    if told:
        return list(told)
    order = sorted(score.total, key=lambda seat: -score.total[seat])
    return order if points_of(order, PLACES) == dict(score.total) else []


def fault_of_total(total: Mapping[str, int], scoring: tuple[str, ...] = (LOSER, PLACES)) -> str:
    """TL16, TL17, TL21: why no deal gives these totals, in a sentence; empty where one does."""
    seats = sorted(total)
    if any(sorted(total.values()) == sorted(points_of(seats, each).values()) for each in scoring):
        return ""
    if scoring == (LOSER,):
        return gettext_noop("One player loses a point to each of the others.")
    if scoring == (PLACES,):
        return gettext_noop("The last player out scores 0, the one before 1, and so on.")
    return gettext_noop("No order of going out gives these points.")
