"""Sets and runs of Burraco: what is one, how it lies, and what goes on it (BU4 to BU10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from engine.burraco.cards import (
    OF_RANK,
    OF_SUIT,
    SUIT_WIDTH,
    VALUE,
    WILD,
    hand_of,
    is_wild,
    kinds,
)
from engine.errors import ActionError
from engine.packs import JOKER, RANKS, SUITS, in_order, read_cards
from engine.states import kept
from engine.text import gettext_noop

#: BU10: so many cards are a burraco.
BURRACO: Final = 7
LONGEST_RUN: Final = 13
#: The places of a run; the ace is at the first or at the last of them.
PLACES: Final = "A23456789TJQKA"
LOW_ACE, TWO, HIGH_ACE = 0, 1, 13


@dataclass(frozen=True)
class Meld:
    """Cards as they lie, low to high; ``wild`` is the one that stands for another, empty where none does."""

    cards: tuple[str, ...]
    wild: str = ""
    rank: str = ""
    """Of a set."""

    @property
    def is_burraco(self) -> bool:
        """BU10."""
        return len(self.cards) >= BURRACO

    @property
    def is_semi_clean(self) -> bool:
        """The option: a run whose wild card lies beside at least seven natural cards in a row."""
        if not self.wild or self.rank:
            return False
        at = self.wild_at
        return max(at, len(self.cards) - at - 1) >= BURRACO

    @property
    def wild_at(self) -> int:
        """Where the wild card of a run lies: of two equal twos the one that is not in the place of the two."""
        places = [place for place, card in enumerate(self.cards) if card == self.wild]
        if len(places) == 1:
            return places[0]
        neighbours = {place: self.cards[place + 1 : place + 2] for place in places}
        natural = [place for place in places if neighbours[place] and neighbours[place][0][0] == "3"]
        return next(place for place in places if place not in natural)

    @property
    def points(self) -> int:
        """BU4: what its cards are worth."""
        return sum(VALUE[card] for card in self.cards)

    @kept
    def of_rank(self) -> int:
        """Of a set: the digits of its rank."""
        return OF_RANK[self.rank] if self.rank else 0

    @kept
    def takes(self) -> int:
        """BU5 to BU8: one of each card that goes on this meld."""
        if self.rank:
            return kinds(self.of_rank | (0 if self.wild else WILD))
        # Runs of all suits do as one of spades does, and wild cards of other suits as the joker.
        suit = next(card for card in self.cards if card != self.wild)[1]
        text = "".join(self.cards)
        if self.wild and self.wild[1] != suit:
            text = text.replace(self.wild, JOKER)
        spades, takes_wild = _goes_on_run(text.replace(suit, "s"))
        return spades << SUIT_WIDTH * SUITS.index(suit) | takes_wild * kinds(WILD & ~OF_SUIT[suit])


@lru_cache(maxsize=1 << 16)
def meld_of(cards: tuple[str, ...]) -> Meld | None:
    """The meld that these cards are, in whatever order; None where they are none."""
    return _set_of(cards) or _run_of(cards)


@lru_cache(maxsize=1 << 14)
def read_meld(text: str) -> Meld | None:
    """The meld with these cards; None where they are none. Raises CardError."""
    return meld_of(in_order(read_cards(text)))


def _set_of(cards: Sequence[str]) -> Meld | None:
    """BU5: one rank, with at most one wild card."""
    natural = [card for card in cards if not is_wild(card)]
    wild = [card for card in cards if is_wild(card)]
    if len(cards) < 3 or len(wild) > 1 or len({card[0] for card in natural}) != 1:
        return None
    return Meld((*in_order(natural), *wild), "".join(wild), natural[0][0])


def _run_of(cards: Sequence[str]) -> Meld | None:
    """BU5 to BU9: without a wild card first, then with the ace low."""
    natural = [card for card in cards if not is_wild(card)]
    if not 3 <= len(cards) <= LONGEST_RUN or len({card[1] for card in natural}) != 1:
        return None
    suit, two = natural[0][1], "2" + natural[0][1]
    others = [card for card in cards if is_wild(card) and card != two]
    twos = len(cards) - len(natural) - len(others)
    if len(others) > 1 or twos > 2 or len(others) + twos > 2 or len(set(natural)) < len(natural):
        return None
    readings = []
    if not others and twos < 2:
        readings.append(("", twos))
    if others or twos:
        readings.append((others[0], twos) if others else (two, twos - 1))
    for wild, natural_twos in readings:
        if natural_twos > 1:
            continue
        for ace in (LOW_ACE, HIGH_ACE):
            found = _laid([card[0] for card in natural], natural_twos, ace, wild)
            if found is not None:
                return Meld(tuple(wild if place is None else PLACES[place] + suit for place in found), wild)
    return None


def _laid(ranks: Sequence[str], twos: int, ace: int, wild: str) -> list[int | None] | None:
    """BU7: the places of a run in order, None where the wild card lies; None where there is no such run."""
    places = sorted([TWO] * twos + [ace if rank == "A" else PLACES.index(rank, TWO) for rank in ranks])
    gaps = [high for low, high in pairwise(places) if high > low + 1]
    if not wild:
        return None if gaps else [*places]
    if not gaps:
        return [*places, None] if places[0] == LOW_ACE else [None, *places]
    if len(gaps) > 1 or gaps[0] - 2 not in places:
        return None
    at = places.index(gaps[0])
    return [*places[:at], None, *places[at:]]


@lru_cache(maxsize=1 << 16)
def extended(meld: Meld, card: str) -> Meld | None:
    """BU5 to BU8: the meld with this card on it; None where it does not go there."""
    found = meld_of(in_order((*meld.cards, card)))
    if found is None or found.rank != meld.rank or (meld.wild and found.wild not in {"", meld.wild}):
        return None
    return found


@lru_cache(maxsize=1 << 14)
def _goes_on_run(text: str) -> tuple[int, bool]:
    """One of each spade that goes on this run of spades, and whether a wild card of another suit does."""
    run = read_meld(text)
    spades = [rank + "s" for rank in RANKS if run and extended(run, rank + "s")]
    return hand_of(spades), bool(run and extended(run, JOKER))


def why_no_meld(cards: Sequence[str], given: str) -> ActionError:
    """BU20: why these cards, at least three, are no meld."""
    natural = [card for card in cards if not is_wild(card)]
    two = "2" + natural[0][1] if natural else ""
    if not natural:
        return ActionError("set-of-wilds", gettext_noop("Twos and jokers alone are no meld."), given=given)
    if len(cards) - len(natural) - (two in cards) > 1 or (
        len(cards) - len(natural) > 1 and len({card[0] for card in natural}) == 1
    ):
        return ActionError("two-wilds", gettext_noop("A meld has one wild card at most."), given=given)
    if [card[0] for card in natural].count("A") > 1 and len({card[0] for card in natural}) > 1:
        template = gettext_noop("A run has one ace only: at its low end or at its high end.")
        return ActionError("two-aces", template, given=given)
    template = gettext_noop(
        "These cards are no meld: you need three of a rank, or three neighbours of a suit."
    )
    return ActionError("no-meld", template, given=given)
