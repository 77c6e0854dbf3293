"""Cards: suits, ranks, the 52 cards and sets of them (R1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, final

from engine.errors import CardError
from engine.text import Word, gettext_noop


class Suit(Enum):
    """A suit; R1: suits are equal, the order is only that of writing."""

    CLUBS = ("c", "♣", gettext_noop("clubs"))
    DIAMONDS = ("d", "♦", gettext_noop("diamonds"))
    HEARTS = ("h", "♥", gettext_noop("hearts"))
    SPADES = ("s", "♠", gettext_noop("spades"))

    letter: str
    symbol: str
    title: Word
    index: int

    def __init__(self, letter: str, symbol: str, title: str) -> None:
        self.letter = letter
        self.symbol = symbol
        self.title = Word(title)
        self.index = "cdhs".index(letter)

    @property
    def is_red(self) -> bool:
        """Whether the suit is diamonds or hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)

    @property
    def same_colour(self) -> Suit:
        """The other suit of this colour."""
        return _SAME_COLOUR[self]


_SAME_COLOUR = {
    Suit.CLUBS: Suit.SPADES,
    Suit.SPADES: Suit.CLUBS,
    Suit.DIAMONDS: Suit.HEARTS,
    Suit.HEARTS: Suit.DIAMONDS,
}

RANK_LETTERS: Final = "23456789TJQKA"


class Rank(Enum):
    """A rank, two to ace; ``index`` counts from 0."""

    TWO = ("2", gettext_noop("two"))
    THREE = ("3", gettext_noop("three"))
    FOUR = ("4", gettext_noop("four"))
    FIVE = ("5", gettext_noop("five"))
    SIX = ("6", gettext_noop("six"))
    SEVEN = ("7", gettext_noop("seven"))
    EIGHT = ("8", gettext_noop("eight"))
    NINE = ("9", gettext_noop("nine"))
    TEN = ("T", gettext_noop("ten"))
    JACK = ("J", gettext_noop("jack"))
    QUEEN = ("Q", gettext_noop("queen"))
    KING = ("K", gettext_noop("king"))
    ACE = ("A", gettext_noop("ace"))

    letter: str
    title: Word
    index: int

    def __init__(self, letter: str, title: str) -> None:
        self.letter = letter
        self.title = Word(title)
        self.index = RANK_LETTERS.index(letter)


@final
class Card:
    """One of the 52 cards; there is exactly one object for each, so ``is`` compares them.

    ``index`` counts clubs, diamonds, hearts, spades, each from the two up; ``bit`` is the card's place in a
    CardSet.
    """

    __slots__ = ("bit", "index", "rank", "suit", "text")

    rank: Rank
    suit: Suit
    index: int
    bit: int
    text: str

    def __new__(cls, rank: Rank, suit: Suit) -> Card:
        """The card of that rank and suit: always the same object."""
        return _CARDS[suit.index * 13 + rank.index]

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written rank first, lower-case suit second: ``As``, ``Td``, ``2c``. Raises CardError."""
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError):
            raise CardError(
                "card-unknown",
                gettext_noop(
                    "“%(given)s” isn’t a card. Write the rank (2 to 9, T, J, Q, K, A), then c, d, h or s."
                ),
                given=text,
            ) from None

    @classmethod
    def at(cls, index: int) -> Card:
        """The card with that index, 0 to 51."""
        return _CARDS[index]

    @property
    def symbol(self) -> str:
        """The card as people read it: ``10♠``, ``A♥``."""
        return _SYMBOLS[self.index]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card does not change: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a card does not change: {name}")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text})"

    def __hash__(self) -> int:
        # By index and not by address: sets of cards are then walked in the same order in every run.
        return self.index

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def __reduce__(self) -> tuple[Any, ...]:
        return (Card.parse, (self.text,))


def _new_card(rank: Rank, suit: Suit) -> Card:
    card = object.__new__(Card)
    index = suit.index * 13 + rank.index
    for name, value in (
        ("rank", rank),
        ("suit", suit),
        ("index", index),
        ("bit", 1 << index),
        ("text", rank.letter + suit.letter),
    ):
        object.__setattr__(card, name, value)
    return card


_CARDS: Final = tuple(_new_card(rank, suit) for suit in Suit for rank in Rank)
_BY_TEXT: Final = {card.text: card for card in _CARDS}
_BY_BIT: Final = {card.bit: card for card in _CARDS}
_SYMBOLS: Final = tuple(
    ("10" if card.rank is Rank.TEN else card.rank.letter) + card.suit.symbol for card in _CARDS
)

FULL_PACK_BITS: Final = (1 << 52) - 1


@final
@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards that does not change; walked in the order of the pack."""

    bits: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.bits <= FULL_PACK_BITS:
            raise CardError("cards-outside-pack", gettext_noop("These cards aren’t from one pack."))

    @classmethod
    def of(cls, cards: Iterable[Card]) -> CardSet:
        """The set of these cards. Raises CardError when one is there twice."""
        bits = 0
        for card in cards:
            if bits & card.bit:
                raise CardError(
                    "card-twice",
                    gettext_noop("The %(card)s appears twice."),
                    given=card.text,
                    card=card.symbol,
                )
            bits |= card.bit
        return cls(bits)

    @classmethod
    def parse(cls, text: str) -> CardSet:
        """The set written as cards with spaces between. Raises CardError."""
        return cls.of(Card.parse(word) for word in text.split())

    def __iter__(self) -> Iterator[Card]:
        bits = self.bits
        while bits:
            low = bits & -bits
            yield _BY_BIT[low]
            bits ^= low

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return self.bits != 0

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and self.bits & card.bit != 0

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits | other.bits)

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits & other.bits)

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits & ~other.bits)

    def __le__(self, other: CardSet) -> bool:
        """Whether every card of this set is in the other."""
        return self.bits & ~other.bits == 0

    def of_suit(self, suit: Suit) -> CardSet:
        """The cards of that suit."""
        return CardSet(self.bits & (0x1FFF << 13 * suit.index))

    def ranks_of(self, suit: Suit) -> str:
        """The ranks held in that suit, highest first, as in a deal's text: ``AQT7``."""
        return "".join(card.rank.letter for card in reversed(tuple(self.of_suit(suit))))

    def __str__(self) -> str:
        return " ".join(card.text for card in self)


#: R1: the pack.
PACK: Final = CardSet(FULL_PACK_BITS)


def card_of_bit(bit: int) -> Card:
    """The card whose only bit this is."""
    return _BY_BIT[bit]


def cards_of(bits: int) -> list[Card]:
    """The cards of a bit set, in the order of the pack."""
    found = []
    while bits:
        low = bits & -bits
        found.append(_BY_BIT[low])
        bits ^= low
    return found
