"""The sums of a record: what each side made, who scores the left-overs, what the deal came to (R9 to R14).

A record need not tell everything. So the sums are reckoned with sets: the points that a side can have made, the
bonuses that are possible. What was written narrows them; what does not fit is a problem and is then left aside,
so that one slip is reported once. A deal is scored when just one outcome is left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar, final

from engine.concerto.options import (
    BONUS_FACTOR,
    BONUSES,
    HAND_POINTS,
    HANDS_EACH_SIDE,
    LEFT_EACH_SIDE,
    LEFT_OVER_VALUES,
    HandValue,
    values_of,
)
from engine.concerto.poker import Combination
from engine.concerto.records import messages
from engine.concerto.records.facts import Facts, HandFacts, left_holdings
from engine.concerto.records.record import NO_CLAIM, NO_HANDS, LeftOverClaim
from engine.concerto.scoring import DealScore, best_of_six, bonus_side, made_by_side
from engine.errors import Place
from engine.problems import Problem
from engine.seats import SIDES, BySide, Seat, Side

Sums = frozenset[int]


def sums_of(hands: Sequence[tuple[int, ...]]) -> Sums:
    """Every sum of one number from each of these hands."""
    settled = 0
    sums = {0}
    for possible in hands:
        if len(possible) == 1:
            settled += possible[0]
        else:
            sums = {before + points for before in sums for points in possible}
    return frozenset([settled + points for points in sums])


#: What four hands can come to, if nothing is known of them.
ALL_SUMS: Final = sums_of((HAND_POINTS,) * HANDS_EACH_SIDE)
#: The bonuses that each side could score, if nothing is known of the left-overs.
ANY_BONUS: Final[Mapping[Side, Collection[int]]] = dict.fromkeys(SIDES, BONUSES)


@final
class Outcome(NamedTuple):
    """One way in which a deal can have ended."""

    made_ns: int
    made_ew: int
    to: Side
    bonus: int

    @property
    def made(self) -> BySide[int]:
        """What each side made with its hands."""
        return BySide(self.made_ns, self.made_ew)

    @property
    def total(self) -> BySide[int]:
        """R11: the same with the bonus."""
        if self.to is Side.NS:
            return BySide(self.made_ns + self.bonus, self.made_ew)
        return BySide(self.made_ns, self.made_ew + self.bonus)


def receives(side: Side, made_ns: int, made_ew: int, dealer: Seat | None) -> bool:
    """R11, R12: whether this side scores the left-overs; in a tie of an unknown dealer, either may."""
    if made_ns == made_ew:
        return dealer is None or side is not dealer.side
    return side is (Side.NS if made_ns > made_ew else Side.EW)


def receivers(made: BySide[Sums], dealer: Seat | None) -> tuple[Side, ...]:
    """The sides that may score the left-overs."""
    if len(made.ns) == 1 and len(made.ew) == 1:
        (ns,), (ew,) = made.ns, made.ew
        if ns != ew:
            return (Side.NS,) if ns > ew else (Side.EW,)
    least, most = BySide(min(made.ns), min(made.ew)), BySide(max(made.ns), max(made.ew))
    return tuple(
        side
        for side in SIDES
        if most[side] > least[side.other]
        or (most[side] == least[side.other] and (dealer is None or side is not dealer.side))
    )


def outcomes(
    made: BySide[Sums],
    bonuses: Mapping[Side, Collection[int]],
    dealer: Seat | None,
    total: BySide[int | None],
) -> list[Outcome] | None:
    """Every outcome that fits; None when too little is known to tell.

    ``bonuses`` has, for each side that may score the left-overs, the possible bonuses; ``total`` what was written.
    """
    found: Iterable[Outcome]
    if total.ns is not None and total.ew is not None:
        found = _by_totals(bonuses, BySide(total.ns, total.ew))
    elif len(made.ns) == 1 and len(made.ew) == 1:
        (ns,), (ew,) = made.ns, made.ew
        found = (Outcome(ns, ew, to, bonus) for to, possible in bonuses.items() for bonus in possible)
    else:
        return None
    return [outcome for outcome in found if _fits(outcome, made, dealer, total)]


def _by_totals(bonuses: Mapping[Side, Collection[int]], total: BySide[int]) -> Iterable[Outcome]:
    """What the sides must have made for these totals, for each bonus."""
    for to, possible in bonuses.items():
        for bonus in possible:
            made = BySide(total.ns - bonus, total.ew) if to is Side.NS else BySide(total.ns, total.ew - bonus)
            yield Outcome(made.ns, made.ew, to, bonus)


def _fits(outcome: Outcome, made: BySide[Sums], dealer: Seat | None, total: BySide[int | None]) -> bool:
    ns, ew, to, bonus = outcome
    if ns not in made.ns or ew not in made.ew or not receives(to, ns, ew, dealer):
        return False
    if total.ns is not None and total.ns != (ns + bonus if to is Side.NS else ns):
        return False
    return total.ew is None or total.ew == (ew + bonus if to is Side.EW else ew)


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


Points = tuple[int, ...]


def settle_points(facts: Facts, problems: list[Problem]) -> list[Points]:
    """The points that each of the eight hands may be worth; just one where it is settled."""
    return [
        hand.possible
        if listed is None and (hand.entry is None or hand.entry.points is None)
        else _settle_hand(hand, listed, problems)
        for hand, listed in zip(facts.hands, facts.record.points, strict=True)
    ]


def _settle_hand(hand: HandFacts, listed: int | None, problems: list[Problem]) -> Points:
    own = hand.entry.points if hand.entry else None
    own_place: Place = ("hands", hand.number, "points")
    list_place: Place = ("points", hand.number)
    if own is not None and listed is not None and own != listed:
        problems.append(messages.POINTS_TWICE.at(list_place, hand=hand.number + 1, claimed=listed, other=own))
    if own is not None:
        return _accept(hand, own, own_place, problems)
    return _accept(hand, listed or 0, list_place, problems)


def _accept(hand: HandFacts, claimed: int, place: Place, problems: list[Problem]) -> Points:
    """The claim, if the hand may be worth that; else a problem, and what the hand may be worth."""
    if claimed in hand.possible:
        return (claimed,)
    if claimed not in HAND_POINTS:
        choices = ", ".join(str(points) for points in HAND_POINTS)
        problems.append(messages.POINTS_IMPOSSIBLE.at(place, claimed=claimed, choices=choices))
    elif hand.combination is not None and hand.value is not None:
        problems.append(
            messages.POINTS_DIFFER.at(
                place,
                hand=hand.number + 1,
                combination=hand.combination.title,
                computed=hand.value.points,
                claimed=claimed,
            )
        )
    elif hand.combination is not None:
        problems.append(
            messages.POINTS_IN_DOUBT.at(
                place,
                hand=hand.number + 1,
                combination=hand.combination.title,
                choices=", ".join(str(points) for points in hand.possible),
                claimed=claimed,
            )
        )
    return hand.possible


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
    points = settle_points(facts, problems)
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
