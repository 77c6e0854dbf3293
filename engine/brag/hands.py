"""Hands of three cards in Brag, and how nine, seven or six cards can be divided into them (BN2, BN7 to BN9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from engine.packs import RANKS, SUITS, cards_text, in_order
from engine.text import gettext_noop

SIZE: Final = 3
PACK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
#: BN5: so many of a rank.
FOUR: Final = 4
#: BN9, the weakest first.
HIGH, PAIR, FLUSH, RUN, RUNNING_FLUSH, PRIAL = range(6)
KIND_NAMES: Final = (
    gettext_noop("high card"),
    gettext_noop("pair"),
    gettext_noop("flush"),
    gettext_noop("run"),
    gettext_noop("running flush"),
    gettext_noop("prial"),
)
#: BN9: ranks in their natural order, for runs.
_NATURAL: Final = {rank: len(RANKS) - place for place, rank in enumerate(RANKS)}
_BEST_RUN: Final = frozenset("A23")


@dataclass(frozen=True, slots=True)
class Variant:
    """What the three games differ in."""

    cards: int
    hands: int
    best: str
    """BN2, BV2, BX2: the best rank."""
    pairs: int = 0
    """BN6: so many pairs make the deal dead; 0: none do."""

    @property
    def order(self) -> str:
        """The ranks, the best first."""
        return self.best + RANKS.replace(self.best, "")


NINE: Final = Variant(9, 3, "9", pairs=4)
SEVEN: Final = Variant(7, 2, "7")
SIX: Final = Variant(6, 2, "6")

Strength = tuple[int, ...]


@lru_cache(maxsize=1 << 17)
def strength(cards: tuple[str, ...], order: str) -> Strength:
    """BN9: the kind, and what decides between two of it; of equal hands it is equal."""
    ranks = [card[0] for card in cards]
    value = sorted((len(order) - order.index(rank) for rank in ranks), reverse=True)
    if len({*ranks}) == 1:
        return PRIAL, value[0]
    is_flush = len({card[1] for card in cards}) == 1
    natural = sorted(_NATURAL[rank] for rank in ranks)
    if {*ranks} == _BEST_RUN:
        return (RUNNING_FLUSH if is_flush else RUN), len(RANKS) + 1
    if natural[2] - natural[1] == natural[1] - natural[0] == 1:
        return (RUNNING_FLUSH if is_flush else RUN), natural[2]
    if is_flush:
        return FLUSH, *value
    if len({*ranks}) == 2:
        odd = value[0] if value[1] == value[2] else value[2]
        return PAIR, value[1], odd
    return HIGH, *value


def four_of(cards: Sequence[str], order: str) -> int:
    """BN5: how high the best four of a kind is, 0 where there is none."""
    if len({card[0] for card in cards}) > len(cards) - FOUR + 1:
        return 0
    counts = Counter(card[0] for card in cards)
    return max((len(order) - order.index(rank) for rank, count in counts.items() if count == FOUR), default=0)


def has_pairs(cards: Iterable[str], pairs: int) -> bool:
    """BN6: so many pairs and one card besides, all of different ranks."""
    if len({card[0] for card in cards}) != pairs + 1:
        return False
    counts = sorted(Counter(card[0] for card in cards).values())
    return bool(pairs) and counts == [1] + [2] * pairs


@lru_cache(maxsize=1 << 17)
def _lies(hand: tuple[str, ...], order: str) -> tuple[Strength, str]:
    """BN8, BN15: by this a hand in order stands before others: the best first, equal ones by their texts."""
    return tuple(-value for value in strength(hand, order)), cards_text(hand)


def laid(hands: Iterable[Iterable[str]], order: str) -> tuple[tuple[str, ...], ...]:
    """BN8, BN15: the hands as they lie."""
    return tuple(sorted(map(in_order, hands), key=lambda hand: _lies(hand, order)))


def token_of(hands: Iterable[Sequence[str]]) -> str:
    """BN15, of hands as they lie."""
    return "/".join(map("".join, hands))


def groupings(cards: tuple[str, ...], variant: Variant) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """BN7, BV4, BX4: every way to lay these cards, which are in order, as they lie."""
    return tuple(grouped(cards, pattern, variant) for pattern in patterns(len(cards), variant.hands))


def grouped(
    cards: tuple[str, ...], pattern: Sequence[Sequence[int]], variant: Variant
) -> tuple[tuple[str, ...], ...]:
    """BN7, BV4, BX4: one way to lay cards that are in order, as they lie."""
    hands = [(cards[one], cards[two], cards[three]) for one, two, three in pattern]
    order = variant.order
    return tuple(sorted(hands, key=lambda hand: _lies(hand, order)))


@lru_cache(maxsize=256)
def tokens(cards: tuple[str, ...], variant: Variant) -> tuple[str, ...]:
    """BN15: the same ways as they are written."""
    return tuple(map(token_of, groupings(cards, variant)))


@cache
def patterns(cards: int, hands: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """BN7, BV4, BX4: every way to take so many hands from so many cards, which are their places; each way once."""
    return tuple(_taken(tuple(range(cards)), hands))


def _taken(cards: tuple[int, ...], hands: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    for hand in combinations(cards, SIZE):
        if hands == 1:
            yield (hand,)
            continue
        rest = tuple(card for card in cards if card not in hand)
        yield from ((hand, *others) for others in _taken(rest, hands - 1) if hand < others[0])
