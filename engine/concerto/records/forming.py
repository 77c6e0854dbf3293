"""Whether a combination can still be formed of the cards that two players may have (R9).

Asked for one hand at a time: whether the other hands can then still be what they are said to be is not asked. So a
"no" is certain, which is what a sheet's check needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final, final

from engine.concerto.options import CARDS_IN_HAND, Split
from engine.concerto.poker import STRAIGHTS, Combination, classify_bits

_SUIT: Final = 0x1FFF
_ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
ANY_SHARE: Final = tuple((share, CARDS_IN_HAND - share) for share in range(CARDS_IN_HAND + 1))

#: How many cards of each of its ranks a combination has.
_PATTERNS: Final = {
    Combination.NOTHING: (1, 1, 1, 1, 1),
    Combination.PAIR: (2, 1, 1, 1),
    Combination.TWO_PAIR: (2, 2, 1),
    Combination.THREES: (3, 1, 1),
    Combination.FULL_HOUSE: (3, 2),
}


def _cores() -> dict[Combination, tuple[int, ...]]:
    """The sets of significant cards of the combinations whose split counts."""
    straight_flushes = tuple(run << 13 * suit for suit in range(4) for run in STRAIGHTS)
    return {
        Combination.FOURS: tuple(_ONE_RANK << rank for rank in range(13)),
        Combination.STRAIGHT_FLUSH: straight_flushes,
    }


_CORES: Final = _cores()


@final
@dataclass(frozen=True, slots=True)
class Holding:
    """What a hand may be made of, as bits.

    ``one`` and ``other`` are cards that only that player can have put in, ``shared`` those that either can.
    ``shares`` are the numbers of cards that the two may have put in. ``fixed`` are cards that the hand has already;
    they are in one of the three sets too.
    """

    one: int
    other: int
    shared: int = 0
    shares: tuple[tuple[int, int], ...] = ANY_SHARE
    fixed: int = 0

    @property
    def cards(self) -> int:
        """All of them."""
        return self.one | self.other | self.shared


def can_form(holding: Holding, combination: Combination, split: Split | None = None) -> bool:
    """Whether these cards can form just this combination; ``split`` matters for fours and straight flushes."""
    if not holding.shares or holding.cards.bit_count() < CARDS_IN_HAND:
        return False
    if combination in _CORES:
        return any(_core_fits(holding, core, split) for core in _CORES[combination])
    if combination is Combination.FLUSH:
        return _flush(holding)
    if combination is Combination.STRAIGHT:
        return any(_straight(holding, run) for run in STRAIGHTS)
    if combination not in _PATTERNS or not _pattern_fits(holding, _PATTERNS[combination]):
        return False
    return combination is not Combination.NOTHING or _nothing(holding)


def numbers_allow(holding: Holding, combination: Combination, split: Split) -> bool:
    """Whether the numbers of cards alone, whatever they are, let two players split it like that."""
    return any(
        _within(part, share)
        for share in holding.shares
        for part in (split, (split.smaller, split.larger))
        if combination is Combination.FOURS or sum(part) == CARDS_IN_HAND
    )


def _within(part: tuple[int, int], share: tuple[int, int]) -> bool:
    return part[0] <= share[0] and part[1] <= share[1]


def _core_fits(holding: Holding, core: int, split: Split | None) -> bool:
    """Whether the hand can have these significant cards, split like that, among those it has already."""
    if core & ~holding.cards or (core | holding.fixed).bit_count() > CARDS_IN_HAND:
        return False
    by_one, by_other = (core & holding.one).bit_count(), (core & holding.other).bit_count()
    free = core.bit_count() - by_one - by_other
    for extra in range(free + 1):
        part = (by_one + extra, by_other + free - extra)
        if split is not None and Split.of(*part) != split:
            continue
        if any(_within(part, share) for share in holding.shares):
            return True
    return False


def _flush(holding: Holding) -> bool:
    """Five of a suit that are no straight."""
    for suit in range(4):
        ranks, fixed = holding.cards >> 13 * suit & _SUIT, holding.fixed >> 13 * suit & _SUIT
        if fixed.bit_count() != holding.fixed.bit_count():
            continue
        free = _single_bits(ranks & ~fixed)
        for chosen in combinations(free, CARDS_IN_HAND - fixed.bit_count()):
            if fixed | sum(chosen) not in STRAIGHTS:
                return True
    return False


def _straight(holding: Holding, run: int) -> bool:
    """This run of ranks, not all in one suit."""
    suits_of_run = []
    taken = 0
    for rank in range(13):
        if not run >> rank & 1:
            continue
        fixed = holding.fixed >> rank & _ONE_RANK
        if fixed.bit_count() > 1:
            return False
        suits = fixed or holding.cards >> rank & _ONE_RANK
        if not suits:
            return False
        taken |= fixed << rank
        suits_of_run.append(suits)
    if taken != holding.fixed:
        return False
    # A straight flush is forced only if each rank is there in one suit, and that the same.
    return len(set(suits_of_run)) > 1 or suits_of_run[0].bit_count() > 1


def _pattern_fits(holding: Holding, pattern: tuple[int, ...]) -> bool:
    """Whether the ranks can be there as often as the pattern says, counting those that the hand has already."""
    available = [(holding.cards >> rank & _ONE_RANK).bit_count() for rank in range(13)]
    fixed = [(holding.fixed >> rank & _ONE_RANK).bit_count() for rank in range(13)]
    begun = [rank for rank in range(13) if fixed[rank]]
    others = sorted((available[rank] for rank in range(13) if not fixed[rank]), reverse=True)
    for parts in set(permutations(pattern, len(begun))):
        if not all(fixed[rank] <= part <= available[rank] for rank, part in zip(begun, parts, strict=True)):
            continue
        rest = list(pattern)
        for part in parts:
            rest.remove(part)
        rest.sort(reverse=True)
        if len(rest) <= len(others) and all(part <= others[place] for place, part in enumerate(rest)):
            return True
    return False


def _nothing(holding: Holding) -> bool:
    """Five different ranks that are neither straight nor flush. Half of all hands are: one is soon found."""
    free = _single_bits(holding.cards & ~holding.fixed)
    for chosen in combinations(free, CARDS_IN_HAND - holding.fixed.bit_count()):
        if classify_bits(holding.fixed | sum(chosen)) is Combination.NOTHING:
            return True
    return False


def _single_bits(bits: int) -> list[int]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low)
        bits ^= low
    return found
