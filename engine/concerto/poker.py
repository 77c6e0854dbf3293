"""What five cards form (the combinations of R9, and the straights of R10)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final

from engine.cards import Card, CardSet
from engine.errors import CardError
from engine.text import Word, gettext_noop


class Combination(Enum):
    """A combination; as in R9's table, a later member is higher. ``significant`` counts its own cards."""

    NOTHING = ("nothing", gettext_noop("nothing"), 0)
    PAIR = ("pair", gettext_noop("one pair"), 2)
    TWO_PAIR = ("two-pair", gettext_noop("two pair"), 4)
    THREES = ("threes", gettext_noop("threes"), 3)
    STRAIGHT = ("straight", gettext_noop("straight"), 5)
    FLUSH = ("flush", gettext_noop("flush"), 5)
    FULL_HOUSE = ("full-house", gettext_noop("full house"), 5)
    FOURS = ("fours", gettext_noop("fours"), 4)
    STRAIGHT_FLUSH = ("straight-flush", gettext_noop("straight flush"), 5)
    # Six cards: it exists among the cards that remain only (R11), and no five cards are ever classified as it.
    THREE_PAIRS = ("three-pairs", gettext_noop("three pairs"), 6)

    key: str
    title: Word
    significant: int
    order: int

    def __init__(self, key: str, title: str, significant: int) -> None:
        self.key = key
        self.title = Word(title)
        self.significant = significant
        self.order = len(type(self).__members__)


#: The nine that five cards can form.
FIVE_CARD_COMBINATIONS: Final = tuple(Combination)[:9]

_SUIT: Final = 0x1FFF


def _straights() -> tuple[int, ...]:
    """R10: the ten runs of ranks as bits, A-2-3-4-5 to T-J-Q-K-A; none goes round the ace."""
    wheel = 1 << 12 | 0b1111
    return (wheel, *(0b11111 << low for low in range(9)))


#: The runs of five ranks, lowest first, each as the bits of its ranks.
STRAIGHTS: Final = _straights()
_STRAIGHT_SET: Final = frozenset(STRAIGHTS)


def classify(cards: Iterable[Card]) -> Combination:
    """The highest combination that these five cards form. Raises CardError unless they are five."""
    bits = cards.bits if isinstance(cards, CardSet) else CardSet.of(cards).bits
    if bits.bit_count() != 5:
        count = bits.bit_count()
        raise CardError(
            "not-five-cards", gettext_noop("A hand must have five cards, not %(count)d."), count=count
        )
    return classify_bits(bits)


def classify_bits(bits: int) -> Combination:
    """As ``classify``, for a bit set that is known to hold five cards."""
    clubs, diamonds, hearts, spades = bits & _SUIT, bits >> 13 & _SUIT, bits >> 26 & _SUIT, bits >> 39
    ranks = clubs | diamonds | hearts | spades
    different = ranks.bit_count()
    if different == 5:
        flush = ranks in (clubs, diamonds, hearts, spades)
        if ranks in _STRAIGHT_SET:
            return Combination.STRAIGHT_FLUSH if flush else Combination.STRAIGHT
        return Combination.FLUSH if flush else Combination.NOTHING
    if different == 4:
        return Combination.PAIR
    if different == 3:
        # Ranks there once or three times: one in 2+2+1, three in 3+1+1.
        odd = clubs ^ diamonds ^ hearts ^ spades
        return Combination.TWO_PAIR if odd & (odd - 1) == 0 else Combination.THREES
    return Combination.FOURS if clubs & diamonds & hearts & spades else Combination.FULL_HOUSE


def significant_bits(bits: int, combination: Combination) -> int:
    """The cards among these that make the combination (R9's last column), as bits."""
    if combination.significant == 5:
        return bits
    clubs, diamonds, hearts, spades = bits & _SUIT, bits >> 13 & _SUIT, bits >> 26 & _SUIT, bits >> 39
    if combination is Combination.FOURS:
        ranks = clubs & diamonds & hearts & spades
    else:
        # In the combinations left, exactly the ranks held more than once count.
        ranks = clubs & (diamonds | hearts | spades) | diamonds & (hearts | spades) | hearts & spades
    return bits & (ranks | ranks << 13 | ranks << 26 | ranks << 39)
