"""Whether the hands that a side is said to have made can be made of its cards at all, all of them together (R9).

``forming`` asks that of one hand at a time. Here the hands are disjoint sets of a known deal's cards, and if they
cannot be, the fewest are named that cannot be together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import final

from engine.cards import FULL_PACK_BITS
from engine.concerto.facts import Facts, HandFacts, establish
from engine.concerto.par_claims import Claim, claim_of
from engine.concerto.record import Record
from engine.concerto.rules import HANDS_EACH_SIDE
from engine.deals import Deal
from engine.errors import Param, gettext_noop
from engine.poker import Combination, classify_bits
from engine.problems import Problem, Severity
from engine.seats import SIDES, Side

_ONE_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39
#: After this many steps the search gives up, and the hands pass: a "no" is always certain.
MOST_STEPS = 100_000


def feasible(record: Record, deal: Deal | None = None) -> tuple[Problem, ...]:
    """Why hands of the record cannot be made of the cards that were dealt; nothing when they can.

    Hands are taken as they were written: five cards, or a combination with its split. Nothing is said where the deal or
    the dealer is not known.
    """
    facts = establish(record, deal)
    if facts.deal is None or facts.dealer is None:
        return ()
    return tuple(problem for side in SIDES for problem in _side_problems(facts, facts.deal, side))


def _side_problems(facts: Facts, deal: Deal, side: Side) -> Iterator[Problem]:
    one, other = (deal[seat].bits for seat in side.seats)
    hands = [
        (hand, claim)
        for place, hand in enumerate(facts.hands_of(side))
        if (claim := claim_of(hand, one, other, _leads(hand, deal, place))) is not None
    ]
    culprits = _fewest_impossible([claim for _, claim in hands], one | other)
    for culprit in culprits:
        yield _problem([hands[place][0] for place in culprit], side)


def _leads(hand: HandFacts, deal: Deal, place: int) -> int:
    """R4: the hand must have one of these, its leader's cards. R7: for the last hand the leader may have none."""
    if hand.leader is None or place == HANDS_EACH_SIDE - 1:
        return FULL_PACK_BITS
    return deal[hand.leader].bits


def _fewest_impossible(claims: Sequence[Claim], cards: int) -> list[tuple[int, ...]]:
    """The places of claims that cannot be together, as few as possible: all that are impossible alone, or one set."""
    alone = [(place,) for place, claim in enumerate(claims) if not can_be_made([claim], cards)]
    if alone or can_be_made(claims, cards):
        return list(alone)
    for size in range(2, len(claims) + 1):
        for places in combinations(range(len(claims)), size):
            if not can_be_made([claims[place] for place in places], cards):
                return [places]
    return []


_ALONE = gettext_noop("Hand %(hand)d: the cards dealt to %(side)s cannot make %(claim)s there.")
_TOGETHER = gettext_noop("Hands %(hands)s: the cards dealt to %(side)s cannot make all of these.")


def _problem(hands: Sequence[HandFacts], side: Side) -> Problem:
    place = ("hands", hands[-1].number)
    if len(hands) > 1:
        numbers = ", ".join(str(hand.number + 1) for hand in hands)
        params: dict[str, Param] = {"hands": numbers, "side": side.title}
        return Problem("hands-impossible", Severity.IMPOSSIBLE, place, _TOGETHER, params)
    hand = hands[0]
    claim = hand.combination.title if hand.combination else ""
    if hand.entry and hand.entry.split:
        claim = f"{claim}, {hand.entry.split}"
    params = {"hand": hand.number + 1, "side": side.title, "claim": claim}
    return Problem("hand-impossible", Severity.IMPOSSIBLE, place, _ALONE, params)


def can_be_made(claims: Sequence[Claim], cards: int) -> bool:
    """Whether these cards hold disjoint hands that are just what the claims say."""
    ordered = sorted(claims, key=lambda claim: len(claim.cores))
    return _Search(ordered).reaches(0, cards, ())


@final
@dataclass
class _Search:
    """Takes a core for each claim in turn, the fewest choices first; then asks whether the hands can be filled."""

    claims: Sequence[Claim]
    steps: int = 0

    def reaches(self, place: int, rest: int, cores: tuple[int, ...], start: int = 0) -> bool:
        """Whether the claims from ``place`` on can be made of the rest; ``start`` is the first core to try."""
        if place == len(self.claims):
            return self._fills(rest, cores)
        for number in range(start, len(self.claims[place].cores)):
            core = self.claims[place].cores[number]
            if core & ~rest:
                continue
            self.steps += 1
            if self.steps > MOST_STEPS:
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
            self.steps += 1
            if self.steps > MOST_STEPS or self._nothings(count - 1, others, rest & ~hand):
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
