"""A deal: 52 cards over four seats, 13 each (R2), and its text."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

from engine.cards import FULL_PACK_BITS, RANK_LETTERS, Card, CardSet, Suit, cards_of
from engine.errors import DealError
from engine.seats import SEAT_OF_LETTER, SEATS, Seat
from engine.text import gettext_noop

CARDS_EACH = 13
#: No deal's text is longer; whatever is, is not read.
_LONGEST = 200
_TEXT_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
_NOT_A_DEAL = gettext_noop("These cards aren’t a deal: %(first)s")


@final
@dataclass(frozen=True, slots=True)
class Deal:
    """Who was dealt what; ``deal[Seat.N]`` is North's cards. Always 52 different cards, 13 a seat."""

    hands: tuple[CardSet, CardSet, CardSet, CardSet]

    def __post_init__(self) -> None:
        if faults := _faults(self.hands):
            raise _deal_error(faults)

    @classmethod
    def of(cls, cards: Mapping[Seat, CardSet]) -> Deal:
        """The deal in which each seat has these cards. Raises DealError."""
        empty = CardSet()
        return cls(tuple(cards.get(seat, empty) for seat in SEATS))  # type: ignore[arg-type]

    @classmethod
    def parse(cls, text: str) -> Deal:
        """The deal in PBN, ``N:spades.hearts.diamonds.clubs ...``. Raises DealError with every fault."""
        hands, faults = _read(text)
        if faults:
            raise _deal_error(faults)
        return cls(hands)  # type: ignore[arg-type]

    @classmethod
    def random(cls, rng: random.Random) -> Deal:
        """A deal in which every card is equally likely to be anywhere."""
        order = list(range(52))
        rng.shuffle(order)
        return cls(tuple(_set_of(order[13 * seat : 13 * seat + 13]) for seat in range(4)))  # type: ignore[arg-type]

    def __getitem__(self, seat: Seat) -> CardSet:
        return self.hands[seat.index]

    def to_text(self, first: Seat = Seat.N) -> str:
        """The deal in PBN, beginning with that seat."""
        seats = [first.after(step) for step in range(4)]
        return f"{first.letter}:" + " ".join(_hand_text(self[seat]) for seat in seats)

    def __str__(self) -> str:
        return self.to_text()


def _set_of(indices: Sequence[int]) -> CardSet:
    return CardSet(sum(1 << index for index in indices))


def _hand_text(cards: CardSet) -> str:
    return ".".join(cards.ranks_of(suit) for suit in _TEXT_SUITS)


def _fault(code: str, template: str, **params: Any) -> DealError:
    return DealError(code, template, **params)


def _deal_error(faults: Sequence[DealError]) -> DealError:
    return DealError(
        faults[0].code, _NOT_A_DEAL, causes=faults, first=" ".join(str(fault) for fault in faults)
    )


def _faults(hands: Sequence[CardSet]) -> list[DealError]:
    """Everything that keeps these four sets from being a deal."""
    if len(hands) != 4:
        return [_fault("deal-seats", gettext_noop("A deal needs the cards of four seats."))]
    bits = [cards.bits for cards in hands]
    if bits[0] | bits[1] | bits[2] | bits[3] == FULL_PACK_BITS and all(
        len(cards) == CARDS_EACH for cards in hands
    ):
        return []
    faults = []
    seen = 0
    for seat, cards in zip(SEATS, hands, strict=True):
        if len(cards) != CARDS_EACH:
            faults.append(
                _fault(
                    "deal-count",
                    gettext_noop("%(seat)s has %(count)d cards, not 13."),
                    seat=seat.title,
                    count=len(cards),
                )
            )
        faults += [
            _fault("card-twice", gettext_noop("The %(card)s appears twice."), card=card.symbol)
            for card in cards_of(seen & cards.bits)
        ]
        seen |= cards.bits
    return faults


def _read(text: str) -> tuple[tuple[CardSet, ...], list[DealError]]:
    words = text[:_LONGEST].split() if isinstance(text, str) else []
    start = SEAT_OF_LETTER.get(words[0][:1].upper()) if words and words[0][1:2] == ":" else None
    if start is None or len(text) > _LONGEST:
        return (), [_bad_shape(text)]
    words[0] = words[0][2:]
    if not words[0]:
        del words[0]
    if len(words) != len(SEATS):
        return (), [_bad_shape(text)]
    faults: list[DealError] = []
    # The words go round from the seat named; hands are kept from North on.
    hands = [_read_hand(words[index - start.index], SEATS[index], faults) for index in range(4)]
    return tuple(hands), faults


def _bad_shape(text: object) -> DealError:
    template = gettext_noop(
        "“%(given)s” isn’t a deal. Write N:spades.hearts.diamonds.clubs and so on for all four seats."
    )
    return _fault("deal-shape", template, given=text)


def _read_hand(word: str, seat: Seat, faults: list[DealError]) -> CardSet:
    suits = word.split(".")
    if len(suits) != 4:
        template = gettext_noop(
            "%(seat)s’s cards must be four suits with full stops in between, not “%(given)s”."
        )
        faults.append(_fault("deal-suits", template, seat=seat.title, given=word))
        return CardSet()
    bits = 0
    for suit, ranks in zip(_TEXT_SUITS, suits, strict=True):
        found = _rank_bits(ranks)
        if found is None:
            faults += _rank_faults(ranks, suit, seat)
        else:
            bits |= found << 13 * suit.index
    return CardSet(bits)


@lru_cache(maxsize=8192)
def _rank_bits(ranks: str) -> int | None:
    """The ranks of a suit as bits; None if something else is among them, or one is there twice."""
    letters = ranks.upper().replace("10", "T")
    bits = 0
    for letter in letters:
        bits |= 1 << RANK_LETTERS.find(letter) if letter in RANK_LETTERS else 0
    return bits if bits.bit_count() == len(letters) else None


def _rank_faults(ranks: str, suit: Suit, seat: Seat) -> Iterator[DealError]:
    letters = ranks.upper().replace("10", "T")
    for number, letter in enumerate(letters):
        if letter not in RANK_LETTERS:
            template = gettext_noop("“%(given)s” among %(seat)s’s cards isn’t a rank.")
            yield _fault("deal-rank", template, given=letter, seat=seat.title)
        elif letter in letters[:number]:
            card = Card.parse(letter + suit.letter).symbol
            yield _fault(
                "card-twice", gettext_noop("%(seat)s has the %(card)s twice."), seat=seat.title, card=card
            )
