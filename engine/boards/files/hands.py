"""Thirteen cards in other notations: ranks by suit, owners by card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.boards.numbering import DEALING_ORDER
from engine.cards import PACK, Card, CardSet, Rank, Suit
from engine.deals import CARDS_EACH, Deal
from engine.errors import CardError, DealError, RuleError
from engine.seats import SEATS, Seat
from engine.text import gettext_noop

#: The order in which every format writes the suits.
WRITTEN_SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)

#: The cards of the four seats; None where a hand is hidden.
Hands = tuple[CardSet | None, CardSet | None, CardSet | None, CardSet | None]
HIDDEN: Final[Hands] = (None, None, None, None)

_RANKS: Final = {rank.letter: rank for rank in Rank}
_LONGEST_SUIT: Final = 40


def suit_cards(ranks: str, suit: Suit, seat: Seat) -> CardSet:
    """A seat's cards of one suit from their ranks, ``AQ107``, in any order. Raises CardError."""
    letters = ranks.upper().replace("10", "T") if len(ranks) <= _LONGEST_SUIT else ranks
    for letter in letters:
        if letter not in _RANKS:
            template = gettext_noop("“%(given)s” among %(seat)s’s cards isn’t a rank.")
            raise CardError("rank-unknown", template, given=letter, seat=seat.title)
    return CardSet.of(Card(_RANKS[letter], suit) for letter in letters)


def hand_of_suits(suits: Sequence[str], seat: Seat) -> CardSet:
    """A seat's cards from the ranks of spades, hearts, diamonds and clubs. Raises CardError."""
    bits = 0
    for suit, ranks in zip(WRITTEN_SUITS, suits, strict=True):
        bits |= suit_cards(ranks, suit, seat).bits
    return CardSet(bits)


def check_hands(hands: Hands) -> list[RuleError]:
    """Everything that keeps the hands that are shown from belonging to one deal."""
    faults: list[RuleError] = []
    seen = CardSet()
    for seat, cards in zip(SEATS, hands, strict=True):
        if cards is None:
            continue
        if len(cards) != CARDS_EACH:
            template = gettext_noop("%(seat)s has %(count)d cards, not 13.")
            faults.append(DealError("deal-count", template, seat=seat.title, count=len(cards)))
        faults += [
            DealError("card-twice", gettext_noop("The %(card)s appears twice."), card=card.symbol)
            for card in cards & seen
        ]
        seen |= cards
    return faults


def whole_deal(hands: Hands) -> Deal | None:
    """The deal, when it is known: one hidden hand follows from the others. The hands must be sound."""
    hidden = [seat for seat, cards in zip(SEATS, hands, strict=True) if cards is None]
    if len(hidden) > 1:
        return None
    shown = {seat: cards for seat, cards in zip(SEATS, hands, strict=True) if cards is not None}
    if hidden:
        shown[hidden[0]] = CardSet(PACK.bits - sum(cards.bits for cards in shown.values()))
    return Deal.of(shown)


def owners(deal: Deal) -> list[int]:
    """Who has each card, ace of spades first: 0 North, 1 East, 2 South, 3 West."""
    return [next(seat.index for seat in SEATS if card in deal[seat]) for card in DEALING_ORDER]


def deal_of_owners(indices: Sequence[int]) -> Deal:
    """The deal in which each card, ace of spades first, belongs to that seat. Raises DealError."""
    bits = [0, 0, 0, 0]
    for card, index in zip(DEALING_ORDER, indices, strict=True):
        bits[index] |= card.bit
    return Deal.of({seat: CardSet(bits[seat.index]) for seat in SEATS})


def hand_text(cards: CardSet, marks: Iterable[str]) -> str:
    """The ranks of each suit, highest first, behind its mark."""
    return "".join(mark + cards.ranks_of(suit) for mark, suit in zip(marks, WRITTEN_SUITS, strict=True))


def seat_of_letter(text: str) -> Seat | None:
    """The seat that this names by its first letter, in either case."""
    return next((seat for seat in SEATS if seat.letter == text[:1].upper()), None)
