"""Why the totals that were written cannot be: said as exactly as what is known allows (R11, R12)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.concerto import messages
from engine.concerto.outcomes import ALL_SUMS, ANY_BONUS, Outcome, Sums, outcomes
from engine.concerto.record import NO_CLAIM
from engine.concerto.rules import BONUSES
from engine.problems import Problem
from engine.seats import SIDES, BySide, Seat, Side

Bonuses = Mapping[Side, Collection[int]]


def explain_totals(
    sums: BySide[Sums], bonuses: Bonuses, dealer: Seat | None, total: BySide[int | None]
) -> list[Problem]:
    """What is wrong with totals that fit no outcome."""
    without = outcomes(sums, bonuses, dealer, NO_CLAIM)
    if without is not None and len(without) == 1:
        return _against_outcome(without[0], total)
    if without and len({outcome.to for outcome in without}) == 1:
        return _against_made(without[0], total)
    if total.ns is None or total.ew is None:
        return []
    other_way = outcomes(sums, ANY_BONUS, dealer, total)
    if other_way and not any(outcome.to in bonuses for outcome in other_way):
        side = other_way[0].to
        return [
            messages.LEFT_OVER_BY_TOTALS.at(
                ("left_over_to",), side=side.title, other=side.other.title, ns=total.ns, ew=total.ew
            )
        ]
    free = outcomes(BySide(ALL_SUMS, ALL_SUMS), ANY_BONUS, dealer, total)
    fault = messages.TOTALS_DISAGREE if free else messages.TOTALS_IMPOSSIBLE
    return [fault.at(("total",), ns=total.ns, ew=total.ew)]


def _against_outcome(outcome: Outcome, total: BySide[int | None]) -> list[Problem]:
    """Everything else is known, so both figures can be named."""
    right = outcome.total
    wrong_way = outcome._replace(to=outcome.to.other).total
    if outcome.bonus and (total.ns, total.ew) == (wrong_way.ns, wrong_way.ew):
        return [_wrong_side(outcome, right)]
    return [
        _differs(side, right[side], total[side]) for side in SIDES if total[side] not in (None, right[side])
    ]


def _against_made(outcome: Outcome, total: BySide[int | None]) -> list[Problem]:
    """What was made is known, and who scores the left-overs, but not what those are worth."""
    winner = outcome.to
    problems = []
    loser = winner.other
    made, claimed = outcome.made, total[loser]
    if claimed is not None and claimed != made[loser]:
        bonus = claimed - made[loser]
        if bonus in BONUSES and total[winner] in (None, made[winner]):
            right = outcome._replace(bonus=bonus).total
            return [_wrong_side(outcome._replace(bonus=bonus), right)]
        problems.append(_differs(loser, made[loser], claimed))
    claimed = total[winner]
    if claimed is not None and not any(claimed == made[winner] + bonus for bonus in ANY_BONUS[winner]):
        problems.append(
            messages.TOTAL_BONUS_IMPOSSIBLE.at(
                ("total", winner.value),
                side=winner.title,
                made=made[winner],
                claimed=claimed,
                bonus=claimed - made[winner],
            )
        )
    if not problems and total.ns is not None and total.ew is not None:
        problems.append(messages.TOTALS_DISAGREE.at(("total",), ns=total.ns, ew=total.ew))
    return problems


def _wrong_side(outcome: Outcome, right: BySide[int]) -> Problem:
    return messages.TOTAL_BONUS_WRONG_SIDE.at(
        ("total",), bonus=outcome.bonus, side=outcome.to.title, ns=right.ns, ew=right.ew
    )


def _differs(side: Side, computed: int, claimed: int | None) -> Problem:
    return messages.TOTAL_DIFFERS.at(
        ("total", side.value), side=side.title, computed=computed, claimed=claimed or 0
    )
