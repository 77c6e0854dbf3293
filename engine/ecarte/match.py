"""When a match of Écarté ends and who won it (EC14 to EC16), and which totals a deal can have (EC22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.ecarte.play import SEATS
from engine.game.matches import ranks_of, winners_of
from engine.game.values import MatchResult, Score
from engine.text import gettext_noop


def match_result(scores: Sequence[Score], *, deals: int, target: int, games: int = 1) -> MatchResult:
    """EC15: the mark that reaches the target ends a game; EC16: or all deals are played, and all marks count.

    Of a match of several games the totals are games won.
    """
    total, won = dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0)
    counted, is_over = 0, False
    for score in scores[: deals or None]:
        if target and max(total.values()) == target:
            total = dict.fromkeys(SEATS, 0)
        counted += 1
        for seat, points in marks_of(score):
            total[seat] += points
            if target and total[seat] >= target:
                total[seat] = target
                won[seat] += 1
                break
        is_over = counted == deals or max(won.values()) == games
        if is_over:
            break
    result = won if games > 1 else total
    ranks = ranks_of(result)
    is_game_over = bool(target) and max(total.values()) == target
    before = dict.fromkeys(SEATS, 0) if is_game_over else total
    return MatchResult(
        counted=counted,
        points=result,
        bonus=dict.fromkeys(SEATS, 0),
        total=result,
        winners=winners_of(ranks) if is_over else (),
        is_over=is_over,
        ranks=ranks,
        next_options={"before": before} if target and not is_over else {},
        detail={"game": total} if games > 1 else {},
    )


def marks_of(score: Score) -> list[tuple[str, int]]:
    """EC14: who marked how many, in order. Of a total of one each, the king's owner is taken as it is known."""
    told: Any = score.as_json().get("marks")
    if told:
        return [(str(seat), int(points)) for seat, _why, points in told]
    # The smaller share can only be a king, which comes before the point.
    return sorted(score.total.items(), key=lambda marked: marked[1])


def fault_of_total(total: Mapping[str, int]) -> str:
    """EC13, EC22: why no deal gives these totals, in a sentence; empty where one does."""
    low, high = sorted(total.values())
    if (low == 0 and 1 <= high <= 4) or (low == 1 and 1 <= high <= 3):
        return ""
    return gettext_noop("One player marks 1 to 4 points in a deal, and the other a king at most.")
