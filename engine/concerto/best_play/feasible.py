"""Whether the hands that a side is said to have made can be made of its cards at all, all of them together (R9).

``forming`` asks that of one hand at a time. Here the hands are disjoint sets of a known deal's cards, and if they
cannot be, the fewest are named that cannot be together. The check of a sheet asks it: nothing here is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import final

from engine.cards import FULL_PACK_BITS
from engine.concerto.best_play.claims import Asked, Claim, asked_of
from engine.concerto.options import HANDS_EACH_SIDE
from engine.concerto.poker import Combination, classify_bits
from engine.concerto.records import messages
from engine.concerto.records.facts import (
    Depth,
    Facts,
    HandFacts,
    establish,
)
from engine.concerto.records.record import Record
from engine.deals import Deal
from engine.problems import Problem
from engine.seats import SIDES, Side

_ONE_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39
#: After this many steps for a side the search gives up, and its hands pass: a "no" is always certain.
MOST_STEPS = 100_000
#: Pages read the same sheet again and again.
REMEMBERED = 256


def feasible(record: Record, deal: Deal | None = None) -> tuple[Problem, ...]:
    """Why hands of the record cannot be made of the cards that were dealt; nothing when they can.

    Hands are taken as they were written: five cards, or a combination with its split. Nothing is said where the deal or
    the dealer is not known.
    """
    return tuple(check_claims(establish(record, deal)))


def has_claims(facts: Facts) -> bool:
    """Whether there is anything to ask: a known deal, and a hand of which only the combination was written."""
    return facts.deal is not None and any(hand.depth is Depth.COMBINATION for hand in facts.hands)


def check_claims(facts: Facts) -> Iterator[Problem]:
    """As ``feasible``, where what follows from the record has been worked out already."""
    if facts.deal is None or facts.dealer is None:
        return
    for side in SIDES:
        yield from _side_problems(facts, facts.deal, side)


def _side_problems(facts: Facts, deal: Deal, side: Side) -> Iterator[Problem]:
    one, other = (deal[seat].bits for seat in side.seats)
    hands = [
        (hand, asked)
        for place, hand in enumerate(facts.hands_of(side))
        if (asked := asked_of(hand, _leads(hand, deal, place))) is not None
    ]
    left = sum(cards.bits for seat, cards in facts.record.known_left() if seat.side is side)
    for culprit in culprits(tuple(asked for _, asked in hands), one, other, (one | other) & ~left):
        yield _problem([hands[place][0] for place in culprit], side)


def _leads(hand: HandFacts, deal: Deal, place: int) -> int:
    """R4: the hand must have one of these, its leader's cards. R7: for the last hand the leader may have none."""
    if hand.leader is None or place == HANDS_EACH_SIDE - 1:
        return FULL_PACK_BITS
    return deal[hand.leader].bits


@lru_cache(maxsize=REMEMBERED)
def culprits(asked: tuple[Asked, ...], one: int, other: int, cards: int) -> list[tuple[int, ...]]:
    """The places of hands that cannot be together, as few as possible: all that are impossible alone, or one set."""
    claims = [each.claim(one, other) for each in asked]
    budget = Budget()
    alone = [(place,) for place, claim in enumerate(claims) if not can_be_made([claim], cards, budget)]
    if alone or can_be_made(claims, cards, budget):
        return list(alone)
    everything = tuple(range(len(claims)))
    for size in range(2, len(claims)):
        for places in combinations(everything, size):
            if not can_be_made([claims[place] for place in places], cards, budget):
                return [places]
    return [everything]


def _problem(hands: Sequence[HandFacts], side: Side) -> Problem:
    place = ("hands", hands[-1].number)
    if len(hands) > 1:
        numbers = ", ".join(str(hand.number + 1) for hand in hands)
        return messages.HANDS_NOT_DEALT.at(place, hands=numbers, side=side.title)
    hand = hands[0]
    combination = hand.combination.title if hand.combination else ""
    if hand.entry and hand.entry.split:
        return messages.HAND_NOT_DEALT_SPLIT.at(
            place,
            hand=hand.number + 1,
            side=side.title,
            combination=combination,
            split=str(hand.entry.split),
        )
    return messages.HAND_NOT_DEALT.at(place, hand=hand.number + 1, side=side.title, combination=combination)


@final
@dataclass
class Budget:
    """The steps that searches may still take between them."""

    steps: int = MOST_STEPS

    def spend(self) -> bool:
        """Take a step; whether there was one left."""
        self.steps -= 1
        return self.steps >= 0


def can_be_made(claims: Sequence[Claim], cards: int, budget: Budget | None = None) -> bool:
    """Whether these cards hold disjoint hands that are just what the claims say; yes, if the budget ends before."""
    ordered = sorted(claims, key=lambda claim: len(claim.cores))
    return _Search(ordered, budget or Budget()).reaches(0, cards, ())


@final
@dataclass
class _Search:
    """Takes a core for each claim in turn, the fewest choices first; then asks whether the hands can be filled."""

    claims: Sequence[Claim]
    budget: Budget

    def reaches(self, place: int, rest: int, cores: tuple[int, ...], start: int = 0) -> bool:
        """Whether the claims from ``place`` on can be made of the rest; ``start`` is the first core to try."""
        if place == len(self.claims):
            return self._fills(rest, cores)
        for number in range(start, len(self.claims[place].cores)):
            core = self.claims[place].cores[number]
            if core & ~rest:
                continue
            if not self.budget.spend():
                return True
            # Of hands that are claimed alike, only one order need be tried.
            following = number + 1 if core and self._is_repeated(place + 1) else 0
            if self.reaches(place + 1, rest & ~core, (*cores, core), following):
                return True
        return False

    def _is_repeated(self, place: int) -> bool:
        return place < len(self.claims) and self.claims[place].cores == self.claims[place - 1].cores

    def _fills(self, rest: int, cores: tuple[int, ...]) -> bool:
        """Whether the rest can fill the hands up without making more of them."""
        demands = [(claim.fillers, _ranks(core)) for claim, core in zip(self.claims, cores, strict=True)]
        if not _can_fill(demands, rest):
            return False
        nothings = [number for number, claim in enumerate(self.claims) if claim.is_nothing]
        others = [demand for number, demand in enumerate(demands) if number not in nothings]
        return not nothings or self._nothings(len(nothings), others, rest)

    def _nothings(self, count: int, others: list[tuple[int, int]], rest: int) -> bool:
        """Whether the rest has so many hands that make nothing, and can fill the others up besides."""
        if count == 0:
            return _can_fill(others, rest)
        for hand in _hands_of_nothing(rest):
            if not self.budget.spend() or self._nothings(count - 1, others, rest & ~hand):
                return True
        return False


def _ranks(cards: int) -> int:
    return (cards | cards >> 13 | cards >> 26 | cards >> 39) & 0x1FFF


def _can_fill(demands: Sequence[tuple[int, int]], rest: int) -> bool:
    """Whether each hand can get as many cards as it lacks, of ranks that differ and that its core does not have.

    By Hall's theorem: if no few of the hands want more than there is for them. (The fifth card of fours may have any
    rank, but no other card of the fours' own rank exists.)
    """
    held = [(rest >> rank & _ONE_RANK).bit_count() for rank in range(13)]
    for size in range(1, len(demands) + 1):
        for some in combinations(demands, size):
            wanted = sum(lacking for lacking, _ in some)
            takers = [
                sum(1 for lacking, taken in some if lacking and not taken >> rank & 1) for rank in range(13)
            ]
            if wanted > sum(map(min, held, takers)):
                return False
    return True


def _hands_of_nothing(rest: int) -> Iterator[int]:
    """Every five of these cards that make nothing, those of the most frequent ranks first."""
    by_rank = [[1 << place for place in range(rank, 52, 13) if rest >> place & 1] for rank in range(13)]
    by_rank.sort(key=len, reverse=True)
    cards = [card for suits in by_rank for card in suits]
    for chosen in combinations(cards, 5):
        hand = sum(chosen)
        if classify_bits(hand) is Combination.NOTHING:
            yield hand
