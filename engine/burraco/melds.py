"""Sets and runs of Burraco: what is one, how it lies, and what goes on it (BU4 to BU10)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import pairwise
from operator import or_
from typing import Final

from engine.burraco.cards import (
    OF_RANK,
    OF_SUIT,
    ONE,
    SUIT_WIDTH,
    TWOS,
    VALUE,
    WILD,
    cards_in,
    hand_of,
    is_wild,
    kinds,
    listed,
)
from engine.errors import ActionError
from engine.packs import JOKER, SUITS, read_cards
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
    def hand(self) -> int:
        """Its cards as a hand."""
        return hand_of(self.cards)

    @kept
    def of_rank(self) -> int:
        """Of a set: the digits of its rank."""
        return OF_RANK[self.rank] if self.rank else 0

    @kept
    def takes(self) -> int:
        """BU5 to BU8: one of each card that goes on this meld."""
        if self.rank:
            return _goes_on_set(self.rank, self.wild != "")
        # Runs of all suits do as one of spades does, and wild cards of other suits as the joker.
        place = SUITS.index(self.cards[0][1] if self.cards[0] != self.wild else self.cards[1][1])
        suit = OF_SUIT[SUITS[place]]
        spades = (self.hand & suit) >> SUIT_WIDTH * place
        goes, takes_wild = _goes_on_run(spades + ONE[JOKER] if self.hand & ~suit else spades)
        return goes << SUIT_WIDTH * place | (kinds(WILD & ~suit) if takes_wild else 0)


class Melds(tuple[Meld, ...]):
    """The melds of a side, in the order laid, with what each turn asks of all of them."""

    @kept
    def of_ranks(self) -> int:
        """The digits of the ranks that have a set."""
        return reduce(or_, [meld.of_rank for meld in self], 0)

    @kept
    def takes(self) -> tuple[int, ...]:
        """Of each meld one of each card that goes on it."""
        return tuple([meld.takes for meld in self])

    def with_one(self, place: int, meld: Meld) -> Melds:
        """With this meld in that place, which may be the next; what is true of the others is not found again."""
        found, takes = Melds((*self[:place], meld, *self[place + 1 :])), self.takes
        found.of_ranks = self.of_ranks | meld.of_rank
        found.takes = (*takes[:place], meld.takes, *takes[place + 1 :])
        return found


def meld_of(cards: Collection[str]) -> Meld | None:
    """The meld that these cards are, in whatever order; None where they are none."""
    # No meld is longer than a run, and more of a card than fifteen are no digit of a hand.
    return meld_in(hand_of(cards)) if len(cards) <= LONGEST_RUN else None


@lru_cache(maxsize=1 << 16)
def meld_in(hand: int) -> Meld | None:
    """The meld that the cards of a hand are; None where they are none."""
    natural, wild = listed(hand & ~WILD), listed(hand & WILD)
    return _set_of(natural, wild) or _run_of(natural, wild)


@lru_cache(maxsize=1 << 14)
def read_meld(text: str) -> Meld | None:
    """The meld with these cards; None where they are none. Raises CardError."""
    return meld_of(read_cards(text))


def _set_of(natural: Sequence[str], wild: Sequence[str]) -> Meld | None:
    """BU5: one rank, with at most one wild card."""
    if len(natural) + len(wild) < 3 or len(wild) > 1 or len({card[0] for card in natural}) != 1:
        return None
    return Meld((*natural, *wild), "".join(wild), natural[0][0])


def _run_of(natural: Sequence[str], wild: Sequence[str]) -> Meld | None:
    """BU5 to BU9: without a wild card first, then with the ace low."""
    if not 3 <= len(natural) + len(wild) <= LONGEST_RUN or len({card[1] for card in natural}) != 1:
        return None
    suit, two = natural[0][1], "2" + natural[0][1]
    others = [card for card in wild if card != two]
    twos = len(wild) - len(others)
    if len(others) > 1 or len(wild) > 2 or len(set(natural)) < len(natural):
        return None
    readings = []
    if not others and twos < 2:
        readings.append(("", twos))
    if others or twos:
        readings.append((others[0], twos) if others else (two, twos - 1))
    for substitute, natural_twos in readings:
        if natural_twos > 1:
            continue
        for ace in (LOW_ACE, HIGH_ACE) if "A" + suit in natural else (LOW_ACE,):
            found = _laid([card[0] for card in natural], natural_twos, ace, substitute)
            if found is not None:
                cards = [substitute if place is None else PLACES[place] + suit for place in found]
                return Meld(tuple(cards), substitute)
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


def extended(meld: Meld, card: str) -> Meld | None:
    """BU5 to BU8: the meld with this card on it; None where it does not go there."""
    found = meld_in(meld.hand + ONE[card])
    if found is None or found.rank != meld.rank or (meld.wild and found.wild and found.wild != meld.wild):
        return None
    return found


@lru_cache(maxsize=1 << 5)
def _goes_on_set(rank: str, has_wild: bool) -> int:
    """One of each card that goes on a set."""
    return kinds(OF_RANK[rank] | (0 if has_wild else WILD))


@lru_cache(maxsize=1 << 14)
def _goes_on_run(hand: int) -> tuple[int, bool]:
    """One of each spade that goes on this run of spades, and whether a wild card of another suit does."""
    run, each = meld_in(hand), kinds(hand)
    # Between a card and the run one place may be open, and the ace lies at either end; a two goes anywhere.
    reach = reduce(or_, [each << 4 * places | each >> 4 * places for places in (1, 2, 11, 12)])
    near = cards_in(kinds(OF_SUIT["s"]) & (reach & ~each | TWOS))
    spades = [card for card in near if run and extended(run, card)]
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
