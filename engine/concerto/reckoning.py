"""The sums of a record: what each side made, who scores the left-overs, what the deal came to (R9 to R14).

A record need not tell everything. So the sums are reckoned with sets: the points that a side can have made, the
bonuses that are possible. What was written narrows them; what does not fit is a problem and is then left aside,
so that one slip is reported once. A deal is scored when just one outcome is left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, final

from engine.concerto import hand_points, messages
from engine.concerto.facts import Facts, left_holdings
from engine.concerto.outcomes import ALL_SUMS, Outcome, Sums, outcomes, receivers, sums_of
from engine.concerto.record import NO_CLAIM, NO_HANDS, LeftOverClaim
from engine.concerto.rules import (
    BONUS_FACTOR,
    BONUSES,
    LEFT_EACH_SIDE,
    LEFT_OVER_VALUES,
    HandValue,
    values_of,
)
from engine.concerto.scoring import DealScore, best_of_six, bonus_side, made_by_side
from engine.concerto.total_claims import explain_totals
from engine.poker import Combination
from engine.problems import Problem
from engine.seats import SIDES, BySide, Side

T = TypeVar("T")
Problems = list[Problem]


@final
@dataclass(frozen=True, slots=True)
class Reckoning:
    """What the sums come to, as far as they can be made; None where they cannot."""

    hand_points: tuple[tuple[int, ...], ...]
    """What each hand may be worth."""
    sums: BySide[Sums]
    """What each side may have made."""
    receivers: tuple[Side, ...]
    """Who may score the left-overs."""
    bonuses: Mapping[Side, Collection[int]]
    """What each of them may score."""
    made: BySide[int] | None
    to: Side | None
    bonus: int | None
    total: BySide[int] | None
    problems: tuple[Problem, ...]

    @property
    def points(self) -> tuple[int | None, ...]:
        """The points of each hand, where settled."""
        return tuple(possible[0] if len(possible) == 1 else None for possible in self.hand_points)

    def score(self) -> DealScore | None:
        """The score, if the totals are settled."""
        if self.total is None:
            return None
        points = self.points
        known = any(number is not None for number in points)
        return DealScore(self.total, points if known else None, self.made, self.to, self.bonus)


def reckon(facts: Facts) -> Reckoning:
    """The sums of a record, with every claim that does not fit them."""
    if None not in facts.values:
        settled = _settled(facts)
        if settled is not None:
            return settled
    return reckon_by_sets(facts)


def _settled(facts: Facts) -> Reckoning | None:
    """The sums of a sheet that tells everything and errs nowhere; None for any other.

    What reckon_by_sets gives too, only sooner: most sheets that are entered card by card are like this.
    """
    points = tuple([value.points for value in facts.values if value is not None])
    if facts.dealer is None or facts.record.left_over is not None:
        return None
    made = made_by_side(points, facts.dealer)
    to = bonus_side(made, facts.dealer)
    one, other = facts.left[to.other.index], facts.left[to.other.index + 2]
    if one is None or other is None or (one | other).bit_count() != LEFT_EACH_SIDE:
        return None
    bonus = BONUS_FACTOR * best_of_six(one, other).points
    outcome = Outcome(made.ns, made.ew, to, bonus)
    if not _all_claims_agree(facts, points, outcome):
        return None
    sums = BySide(frozenset((made.ns,)), frozenset((made.ew,)))
    possible = tuple([(number,) for number in points])
    return Reckoning(possible, sums, (to,), {to: (bonus,)}, made, to, bonus, outcome.total, ())


def _all_claims_agree(facts: Facts, points: tuple[int, ...], outcome: Outcome) -> bool:
    record, total = facts.record, outcome.total
    return (
        (record.points == NO_HANDS or _agree(record.points, points))
        and _agree([hand.entry.points if hand.entry else None for hand in facts.hands], points)
        and _agree(
            (record.made.ns, record.made.ew, record.total.ns, record.total.ew, record.left_over_bonus),
            (outcome.made_ns, outcome.made_ew, total.ns, total.ew, outcome.bonus),
        )
        and record.left_over_to in (None, outcome.to)
    )


def _agree(claims: Sequence[int | None], figures: Sequence[int]) -> bool:
    """Whether what was claimed, where it was, is so."""
    return not any(
        claim is not None and claim != figure for claim, figure in zip(claims, figures, strict=True)
    )


def reckon_by_sets(facts: Facts) -> Reckoning:
    """The sums of any record, as the module describes."""
    problems: Problems = []
    record = facts.record
    points = hand_points.settle(facts, problems)
    sums = _narrow_made(_sums(facts, points), record.made, problems)
    to = _narrow_receivers(receivers(sums, facts.dealer), facts, sums, problems)
    bonuses = _narrow_bonuses(_bonuses(facts, to, problems), record.left_over_bonus, problems)
    found = outcomes(sums, bonuses, facts.dealer, record.total)
    if found == []:
        problems += explain_totals(sums, bonuses, facts.dealer, record.total)
        found = outcomes(sums, bonuses, facts.dealer, NO_CLAIM)
    found = found or []
    only = found[0] if len(found) == 1 else None
    return Reckoning(
        hand_points=tuple(points),
        sums=sums,
        receivers=to,
        bonuses=bonuses,
        made=only.made if only else _agreed([outcome.made for outcome in found]),
        to=only.to if only else _agreed([outcome.to for outcome in found]),
        bonus=only.bonus if only else _agreed([outcome.bonus for outcome in found]),
        total=only.total if only else _agreed([outcome.total for outcome in found]),
        problems=tuple(problems),
    )


def _agreed(values: list[T]) -> T | None:
    """The value that all of these are; None if they differ, or there are none."""
    if not values:
        return None
    first = values[0]
    return first if len(values) == 1 or all(value == first for value in values) else None


def _sums(facts: Facts, points: list[tuple[int, ...]]) -> BySide[Sums]:
    if facts.dealer is None:
        return BySide(ALL_SUMS, ALL_SUMS)
    leading, dealing = sums_of(points[0::2]), sums_of(points[1::2])
    return BySide(dealing, leading) if facts.dealer.side is Side.NS else BySide(leading, dealing)


def _narrow_made(sums: BySide[Sums], claims: BySide[int | None], problems: Problems) -> BySide[Sums]:
    found = {Side.NS: sums.ns, Side.EW: sums.ew}
    for side in SIDES:
        claimed = claims[side]
        if claimed is None:
            continue
        if claimed in sums[side]:
            found[side] = frozenset((claimed,))
        else:
            problems.append(_made_problem(side, claimed, sums[side]))
    return BySide(found[Side.NS], found[Side.EW])


def _made_problem(side: Side, claimed: int, sums: Sums) -> Problem:
    place = ("made", side.value)
    if claimed not in ALL_SUMS:
        return messages.MADE_IMPOSSIBLE.at(place, claimed=claimed)
    if len(sums) == 1:
        (computed,) = sums
        return messages.MADE_DIFFERS.at(place, side=side.title, computed=computed, claimed=claimed)
    return messages.MADE_IN_DOUBT.at(place, side=side.title, claimed=claimed)


def _narrow_receivers(
    possible: tuple[Side, ...], facts: Facts, sums: BySide[Sums], problems: Problems
) -> tuple[Side, ...]:
    claimed = facts.record.left_over_to
    if claimed is None or claimed in possible:
        return possible if claimed is None else (claimed,)
    side = claimed.other
    # Only this side can score the left-overs, so it made at least as much as the other.
    more, fewer = max(sums[side]), min(sums[claimed])
    fault = messages.LEFT_OVER_TIE_SIDE if more == fewer else messages.LEFT_OVER_WRONG_SIDE
    problems.append(fault.at(("left_over_to",), side=side.title, more=more, fewer=fewer))
    return possible


def _bonuses(facts: Facts, to: tuple[Side, ...], problems: Problems) -> dict[Side, Collection[int]]:
    """For each side that may score the left-overs, what the other's six cards, or the claim, may give."""
    claim = facts.record.left_over
    by_cards = {side: left_over_values(facts, side.other) for side in to}
    fitting = {side: found for side, values in by_cards.items() if (found := _as_claimed(values, claim))}
    if claim is not None and not fitting:
        payer = to[0].other
        problems.append(_left_over_problem(payer, by_cards[to[0]], claim))
    return {
        side: sorted({BONUS_FACTOR * value.points for value in values})
        for side, values in (fitting or by_cards).items()
    }


def left_over_values(facts: Facts, side: Side) -> tuple[HandValue, ...]:
    """R11, R13: what a side's six left-over cards may be worth, by the cards alone."""
    holdings = left_holdings(facts, side)
    if len(holdings) == 1:
        return (best_of_six(*holdings[0]),)
    if not holdings:
        return LEFT_OVER_VALUES
    return tuple(dict.fromkeys(best_of_six(one, other) for one, other in holdings))


def _as_claimed(values: tuple[HandValue, ...], claim: LeftOverClaim | None) -> tuple[HandValue, ...]:
    """Those of the values that the claim may mean."""
    if claim is None:
        return values
    points = {value.points for value in claimed_values(claim)}
    names = {claim.combination}
    if names <= _BOTH_WORTH_EIGHT:
        names |= _BOTH_WORTH_EIGHT
    return tuple(value for value in values if value.points in points and value.combination in names)


# Six cards that hold fours, 4+0, and a pair hold a full house too: either name is right.
_BOTH_WORTH_EIGHT = {Combination.FOURS, Combination.FULL_HOUSE}


def claimed_values(claim: LeftOverClaim) -> tuple[HandValue, ...]:
    """What the claimed left-over combination may be worth: one value, unless its split is still to be told."""
    values = values_of(claim.combination)
    return tuple(value for value in values if value.split == claim.split) or values


def _left_over_problem(side: Side, values: tuple[HandValue, ...], claim: LeftOverClaim) -> Problem:
    computed = " / ".join(str(value.points) for value in values)
    claimed = " / ".join(str(value.points) for value in claimed_values(claim))
    return messages.LEFT_OVER_DIFFERS.at(
        ("left_over", "combination"),
        side=side.title,
        computed=computed,
        claimed=claimed,
        formed=values[0].combination.title,
        combination=claim.combination.title,
    )


def _narrow_bonuses(
    bonuses: dict[Side, Collection[int]], claimed: int | None, problems: Problems
) -> dict[Side, Collection[int]]:
    if claimed is None:
        return bonuses
    fitting: dict[Side, Collection[int]] = {
        side: (claimed,) for side, possible in bonuses.items() if claimed in possible
    }
    if not fitting:
        problems.append(_bonus_problem(claimed, bonuses))
    return fitting or bonuses


def _bonus_problem(claimed: int, bonuses: dict[Side, Collection[int]]) -> Problem:
    place = ("left_over_bonus",)
    if claimed not in BONUSES:
        choices = ", ".join(str(bonus) for bonus in BONUSES)
        return messages.BONUS_IMPOSSIBLE.at(place, claimed=claimed, choices=choices)
    possible = sorted({bonus for some in bonuses.values() for bonus in some})
    if len(possible) == 1:
        return messages.BONUS_DIFFERS.at(place, computed=possible[0], claimed=claimed)
    choices = ", ".join(str(bonus) for bonus in possible)
    return messages.BONUS_IN_DOUBT.at(place, claimed=claimed, choices=choices)
