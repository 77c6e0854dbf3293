"""The ways in which people write cards, actions, seats and combinations, all read alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.cards import PACK, Card, Rank, Suit
from engine.concerto.play import PASS, PLAY, Action
from engine.concerto.poker import Combination
from engine.seats import SEATS, Seat

_RANKS: Final = {rank: {rank.letter, rank.letter.lower()} for rank in Rank}
_RANKS[Rank.TEN] |= {"10"}
_SUITS: Final = {suit: {suit.letter, suit.letter.upper(), suit.symbol} for suit in Suit}


def _spellings(card: Card) -> Iterator[str]:
    """Rank first or suit first: no rank's letter is a suit's, so both can be read."""
    for rank in sorted(_RANKS[card.rank]):
        for suit in sorted(_SUITS[card.suit]):
            yield rank + suit
            yield suit + rank


#: The card of every spelling.
CARDS: Final[dict[str, Card]] = {text: card for card in PACK for text in _spellings(card)}
#: The action of every spelling.
ACTIONS: Final[dict[str, Action]] = {
    **{text: Action(card.text) for text, card in CARDS.items()},
    **dict.fromkeys(("-", "–", "—", "pass", "Pass"), PASS),
    **dict.fromkeys((">", "play", "Play"), PLAY),
}
#: The seat of every spelling.
SEAT_NAMES: Final[dict[str, Seat]] = {
    text: seat
    for seat in SEATS
    for text in (seat.letter, seat.letter.lower(), str(seat.title), seat.title.lower(), seat.title.upper())
}
#: The combination of every key.
COMBINATIONS: Final[dict[str, Combination]] = {combination.key: combination for combination in Combination}
