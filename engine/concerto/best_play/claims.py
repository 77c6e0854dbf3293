"""What a hand is said to have been, as the cards that could have made it."""

from __future__ import annotations

from itertools import combinations, product
from typing import Final, NamedTuple, final

from engine.cards import cards_of
from engine.concerto.options import SPLIT_VALUES, Split, needs_split
from engine.concerto.poker import STRAIGHTS, Combination
from engine.concerto.records.facts import HandFacts

_SUIT: Final = 0x1FFF
_ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
_STRAIGHT_FLUSHES: Final = frozenset(run << 13 * suit for suit in range(4) for run in STRAIGHTS)
#: How many cards besides the significant ones a hand has.
_FILLERS: Final = {
    Combination.NOTHING: 5,
    Combination.PAIR: 3,
    Combination.TWO_PAIR: 1,
    Combination.THREES: 2,
    Combination.FOURS: 1,
}


@final
class Claim(NamedTuple):
    """One hand: the sets of significant cards that it may have been made with, and how many more cards it takes."""

    cores: tuple[int, ...]
    fillers: int = 0
    is_nothing: bool = False


@final
class Asked(NamedTuple):
    """One hand as it was written: five cards, or a combination, split like that if a split counts and is given."""

    cards: int
    combination: Combination
    split: Split | None
    leads: int
    """The cards of which one must be in the hand (R4)."""

    def claim(self, one: int, other: int) -> Claim:
        """The claim that this is where two partners have these cards."""
        if self.cards:
            return Claim((self.cards,))
        return claim(self.combination, self.split, one, other, self.leads)


def asked_of(hand: HandFacts, leads: int) -> Asked | None:
    """What was written for a hand; None where it does not say enough."""
    if hand.has_five_cards and hand.combination is not None:
        return Asked(hand.bits, hand.combination, None, leads)
    entry = hand.entry
    if entry is None or entry.combination is None or entry.cards or not entry.is_sound:
        return None
    split = entry.split
    if not needs_split(entry.combination) or split not in SPLIT_VALUES[entry.combination]:
        split = None
    return Asked(0, entry.combination, split, leads)


def claim(
    combination: Combination, split: Split | None, one: int, other: int, leads: int | None = None
) -> Claim:
    """What two partners' cards offer for this combination, split like that if a split is given."""
    if combination is Combination.NOTHING:
        return Claim((0,), _FILLERS[combination], is_nothing=True)
    cores = _cores(combination, one | other)
    if split is not None:
        cores = [core for core in cores if _split_of(core, one) == split]
    fillers = _FILLERS.get(combination, 0)
    if leads is not None and not fillers:
        cores = [core for core in cores if core & leads]
    return Claim(tuple(cores), fillers)


def _split_of(core: int, one: int) -> Split:
    by_one = (core & one).bit_count()
    return Split.of(by_one, core.bit_count() - by_one)


def _cores(combination: Combination, cards: int) -> list[int]:
    """The sets of cards that make just this combination."""
    if combination is Combination.STRAIGHT_FLUSH:
        return [core for core in _STRAIGHT_FLUSHES if core & ~cards == 0]
    if combination is Combination.FLUSH:
        return _flushes(cards)
    if combination is Combination.STRAIGHT:
        return _straights(cards)
    if combination is Combination.FULL_HOUSE:
        return _two_ranks(_alike(cards, 3), _alike(cards, 2))
    if combination is Combination.TWO_PAIR:
        pairs = _alike(cards, 2)
        return sorted(set(_two_ranks(pairs, pairs)))
    size = {Combination.PAIR: 2, Combination.THREES: 3, Combination.FOURS: 4}
    return _alike(cards, size[combination])


def _flushes(cards: int) -> list[int]:
    suits = [[card.bit for card in cards_of(cards & _SUIT << 13 * suit)] for suit in range(4)]
    found = [sum(chosen) for suit in suits for chosen in combinations(suit, 5)]
    return [core for core in found if core not in _STRAIGHT_FLUSHES]


def _straights(cards: int) -> list[int]:
    found = []
    for run in STRAIGHTS:
        ranks = [_cards_of_rank(cards, rank) for rank in range(13) if run >> rank & 1]
        found += [sum(chosen) for chosen in product(*ranks)]
    return [core for core in found if core not in _STRAIGHT_FLUSHES]


def _cards_of_rank(cards: int, rank: int) -> list[int]:
    return [card.bit for card in cards_of(cards & _ONE_RANK << rank)]


def _alike(cards: int, size: int) -> list[int]:
    """Every so many cards of one rank."""
    return [sum(chosen) for rank in range(13) for chosen in combinations(_cards_of_rank(cards, rank), size)]


def _two_ranks(some: list[int], others: list[int]) -> list[int]:
    """Each of the one kind with each of the other, of different ranks."""
    return [one | other for one in some for other in others if _rank(one) != _rank(other)]


def _rank(alike: int) -> int:
    return ((alike & -alike).bit_length() - 1) % 13
