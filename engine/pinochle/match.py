"""When a match of Pinochle ends and who won it (PP20 to PP22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.game.matches import ranks_of
from engine.game.values import Json, MatchResult, Options, Score
from engine.pinochle.play import SIDES, side_of, target_for


def match_result(
    scores: Sequence[Score], *, deals: int, target: int | None, claims: bool = False
) -> MatchResult:
    """PP20: the only side that has reached the target wins; a claim ends the match; else the higher total.

    ``target`` is None in duplicate, where all deals are played.
    """
    total = dict.fromkeys(SIDES, 0)
    winners: tuple[str, ...] = ()
    counted, is_over, effective = 0, deals == 0, target
    for score in scores[:deals]:
        counted += 1
        total = {side: total[side] + score.total[side] for side in SIDES}
        claim = score.as_json().get("claim")
        if isinstance(claim, Mapping):
            winners, is_over = (_claimed(claim, total, effective),), True
            break
        if target is not None:
            effective = target_for(target, total)
            reached = tuple(side for side in SIDES if total[side] >= effective)
            if reached:
                winners, is_over = reached, True
                break
    if not is_over and counted == deals:
        is_over = True
        winners = tuple(side for side in SIDES if total[side] > min(total.values()))
    before: Options = {"before": total} if claims and not is_over else {}
    return MatchResult(
        counted=counted,
        points=total,
        bonus=dict.fromkeys(SIDES, 0),
        total=total,
        winners=winners,
        is_over=is_over,
        ranks={side: 1 if side in winners else 2 for side in SIDES} if winners else ranks_of(total),
        next_options=before,
        detail={} if effective is None else {"target": effective},
    )


def _claimed(claim: Mapping[str, Json], total: Mapping[str, int], target: int | None) -> str:
    """PP21: who wins by a claim; of one on a sheet it is known who made it, and the totals."""
    if "wins" in claim:
        return str(claim["wins"])
    side = side_of(str(claim["by"]))
    is_right = target is not None and total[side] >= target
    return side if is_right else next(other for other in SIDES if other != side)
