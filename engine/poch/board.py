"""The board of Poch, its pack, and who gets what by the cards that were dealt (PO1 to PO6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from engine.packs import RANKS, SUITS, pack
from engine.text import gettext_noop

HAND: Final = 5
#: PO1: so many play with the whole pack.
WHOLE_PACK: Final = 5
#: PO2.
MARRIAGE, SEQUENCE, POCH = "marriage", "sequence", "poch"
COURT: Final = ("A", "K", "Q", "J", "T")
PLACES: Final = (*COURT, MARRIAGE, SEQUENCE, POCH)
NAMES: Final = {
    "A": gettext_noop("ace"),
    "K": gettext_noop("king"),
    "Q": gettext_noop("queen"),
    "J": gettext_noop("jack"),
    "T": gettext_noop("ten"),
    MARRIAGE: gettext_noop("marriage"),
    SEQUENCE: gettext_noop("sequence 7-8-9"),
    POCH: gettext_noop("poch"),
}
#: PO2: what everybody puts on the board, a point to each place but the poch.
BOARD_STAKE: Final = len(PLACES) - 1

Hand = tuple[str, ...]


@cache
def pack_of(players: int) -> tuple[str, ...]:
    """PO1."""
    return pack() if players >= WHOLE_PACK else pack("AKQJT987")


def best_cards(hands: Sequence[Hand], trump: str) -> dict[str, int]:
    """PO4: who gets which place, by places at the table."""
    holder = {card: place for place, hand in enumerate(hands) for card in hand if card[1] == trump}
    found = {rank: holder[rank + trump] for rank in COURT if rank + trump in holder}
    for name, ranks in ((MARRIAGE, "KQ"), (SEQUENCE, "789")):
        places = {holder.get(rank + trump) for rank in ranks}
        place = next(iter(places))
        if len(places) == 1 and place is not None:
            found[name] = place
    return found


def paid_cards(best: Mapping[str, int], trump: str, place: int) -> tuple[str, ...]:
    """PO18: the cards of trump that this place was paid for: all know that it was dealt them."""
    ranks = "".join(
        "789" if name == SEQUENCE else name for name, by in best.items() if by == place and name != MARRIAGE
    )
    return tuple(rank + trump for rank in ranks)


def merit(hand: Hand) -> tuple[int, ...]:
    """PO6: how many of a rank, which, and the other cards from the highest down."""
    values = {rank: len(RANKS) - number for number, rank in enumerate(RANKS)}
    counts = Counter(card[0] for card in hand)
    rank = max(counts, key=lambda each: (counts[each], values[each]))
    size = counts[rank]
    rest = sorted((values[card[0]] for card in hand if size == 1 or card[0] != rank), reverse=True)
    return (size, values[rank] if size > 1 else 0, *rest)


def first_leads(hand: Hand) -> tuple[str, ...]:
    """PO11: the lowest card of the longest suit, of each of several."""
    suits = {suit: [card for card in hand if card[1] == suit] for suit in SUITS}
    longest = max(map(len, suits.values()))
    return tuple(
        min(cards, key=lambda card: -RANKS.index(card[0]))
        for cards in suits.values()
        if len(cards) == longest
    )


@cache
def higher(card: str) -> str:
    """PO12: the next higher card of the suit; empty after the ace."""
    at = RANKS.index(card[0])
    return RANKS[at - 1] + card[1] if at else ""


def board_of(board: Mapping[str, int]) -> tuple[int, ...]:
    """What lies on each place, in the order of PLACES."""
    return tuple(board[place] for place in PLACES)
