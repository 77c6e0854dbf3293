"""The combinations of Tien Len, and what beats what (TL1, TL5 to TL7, TL14).

A card's number is its rank's, from 0 for the three, times four, and its suit's (spades, clubs, diamonds, hearts): the
card with the higher number is the higher one. A set of cards is the sum of its cards' bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple

from engine.packs import pack

RANKS: Final = "3456789TJQKA2"
SUITS: Final = "scdh"
PACK: Final = pack()
CARDS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
TWO: Final = RANKS.index("2")
SINGLE, PAIR, TRIPLET, FOUR, SEQUENCE, DOUBLE_SEQUENCE = range(6)
OF_A_RANK: Final = (SINGLE, PAIR, TRIPLET, FOUR)
#: By the four bits of a rank and how many of them: the choices.
_CHOICES: Final = tuple(
    tuple(
        tuple(
            sum(1 << suit for suit in suits)
            for suits in combinations([s for s in range(4) if bits >> s & 1], size)
        )
        for size in range(5)
    )
    for bits in range(16)
)


class Kind(NamedTuple):
    """TL5: two plays are of a kind when form and number of cards agree."""

    form: int
    size: int


def numbers_of(cards: int) -> list[int]:
    """The numbers of the cards of a set, low ones first."""
    found = []
    while cards:
        low = cards & -cards
        found.append(low.bit_length() - 1)
        cards ^= low
    return found


def text_of(cards: int) -> str:
    """TL20: the cards run together, the lowest first."""
    return "".join([CARDS[number] for number in numbers_of(cards)])


@lru_cache(maxsize=1 << 14)
def kind_of(cards: int, *, twos: bool) -> Kind | None:
    """TL5 to TL7: the only form of these cards, or None; ``twos``: whether they stand in sequences."""
    ranks: dict[int, int] = {}
    for number in numbers_of(cards):
        ranks[number // 4] = ranks.get(number // 4, 0) + 1
    size = cards.bit_count()
    if len(ranks) == 1:
        return Kind(OF_A_RANK[size - 1], size)
    is_row = len(ranks) >= 3 and max(ranks) - min(ranks) == len(ranks) - 1 and (twos or TWO not in ranks)
    for each, form in ((1, SEQUENCE), (2, DOUBLE_SEQUENCE)):
        if is_row and set(ranks.values()) == {each}:
            return Kind(form, size)
    return None


def top_of(cards: int) -> int:
    """TL5: what decides between two of a kind: the highest card."""
    return cards.bit_length() - 1


def of_kind(hand: int, kind: Kind, above: int, *, twos: bool) -> Iterator[int]:
    """TL5: every combination of that kind in the hand whose highest card is above that one."""
    if kind.form in OF_A_RANK:
        for rank in range(max(0, above) // 4, len(RANKS)):
            for choice in _CHOICES[hand >> 4 * rank & 15][kind.size]:
                if choice << 4 * rank >> above + 1:
                    yield choice << 4 * rank
        return
    each = 1 if kind.form == SEQUENCE else 2
    length = kind.size // each
    for last in range(max(length - 1, above // 4), len(RANKS) if twos else TWO):
        rows = [
            [choice << 4 * rank for choice in _CHOICES[hand >> 4 * rank & 15][each]]
            for rank in range(last - length + 1, last + 1)
        ]
        rows[-1] = [choice for choice in rows[-1] if choice >> above + 1]
        if all(rows):
            yield from map(sum, product(*rows))


@lru_cache(maxsize=1 << 12)
def all_in(hand: int, *, twos: bool) -> tuple[int, ...]:
    """TL10: everything that may be led from this hand."""
    held = hand.bit_count()
    kinds = [Kind(form, form + 1) for form in OF_A_RANK]
    kinds += [Kind(SEQUENCE, size) for size in range(3, min(held, len(RANKS)) + 1)]
    kinds += [Kind(DOUBLE_SEQUENCE, 2 * length) for length in range(3, held // 2 + 1)]
    return tuple(cards for kind in kinds for cards in of_kind(hand, kind, -1, twos=twos))


def bombs_on(standing: int, kind: Kind) -> Sequence[Kind]:
    """TL14: what beats one, two or three twos besides higher ones."""
    if standing >> 4 * TWO == 0 or kind.form not in {SINGLE, PAIR, TRIPLET}:
        return ()
    fours = [Kind(FOUR, 4)] if kind.form == SINGLE else []
    return [*fours, *(Kind(DOUBLE_SEQUENCE, 2 * length) for length in range(3 + kind.form, 7))]
