"""A scoresheet as people see it: who led each hand, the cards and who played which, what it was and what it gave.

One way of showing for the match page, the preview and the entry; every sentence is in the reader's language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games.records.display.deal_names import DealNames
from games.templatetags.cards import SEATS, card_name

BEYOND, DONE, EMPTY, FAULTY, PARTIAL = "beyond", "done", "empty", "faulty", "partial"


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat and who sits there."""

    key: str
    title: str
    player: str
    pair: str

    @property
    def letter(self) -> str:
        """The seat in one letter of the reader's language."""
        return str(SEATS[self.key][2]) if self.key in SEATS else self.key

    @property
    def label(self) -> str:
        """The seat with who sits there; the seat alone where nobody is meant."""
        if not self.player:
            return self.title
        return _("%(seat)s (%(player)s)") % {"seat": self.title, "player": self.player}


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card of a hand, and who played it where that is known."""

    text: str
    seat: str
    by: str
    is_partners: bool

    @property
    def label(self) -> str:
        name = card_name(self.text)
        return _("%(card)s, from %(player)s") % {"card": name, "player": self.by} if self.by else name


@dataclass(frozen=True, slots=True)
class ShownHand:
    """One hand: `value` names what it is (as `value_key` does), `so_far` what too few
    cards form by now; `points` is None while they do not follow."""

    number: int
    leader: ShownSeat
    partner: ShownSeat
    pair: str
    cards: tuple[ShownCard, ...]
    value: str
    so_far: str
    words: str
    points: int | None

    @property
    def is_given(self) -> bool:
        return bool(self.cards or self.words or self.points is not None)


@dataclass(frozen=True, slots=True)
class ShownLeft:
    """What the losers had left: `to` is "home", "away" or empty, whoever scores it."""

    holder_title: str
    holders: tuple[ShownSeat, ...]
    to: str
    cards: tuple[ShownCard, ...]
    value: str
    words: str
    bonus: int | None

    @property
    def is_given(self) -> bool:
        return bool(self.cards or self.words)


@dataclass(frozen=True, slots=True)
class ShownDeal:
    """One deal; `made`, `so_far` and `total` map "home" and "away" to points, None where they do not follow."""

    number: int
    dealer: ShownSeat
    state: str
    hands: tuple[ShownHand, ...]
    left: ShownLeft
    made: Mapping[str, int | None]
    so_far: Mapping[str, int | None]
    total: Mapping[str, int | None]
    names: DealNames

    @property
    def name(self) -> str:
        """What it is called: "Deal 2", or "Board 6"."""
        return self.names.deal(self.number - 1)

    @property
    def called(self) -> int:
        """The number that people call it by: the board's, where it lay in one."""
        return self.names.number(self.number - 1)

    @property
    def has_hands(self) -> bool:
        return any(hand.is_given for hand in self.hands) or self.left.is_given

    @property
    def has_made(self) -> bool:
        return self.has_hands and any(points is not None for points in self.made.values())

    @property
    def is_given(self) -> bool:
        return self.state not in {EMPTY, BEYOND}


@dataclass(frozen=True, slots=True)
class ShownSheet:
    """A whole sheet; points by "home" and "away"."""

    deals: tuple[ShownDeal, ...]
    seats: tuple[ShownSeat, ...]
    sides: Mapping[str, str]
    pair_of_side: Mapping[str, str]
    names: Mapping[str, str]
    first_dealer: ShownSeat
    points: Mapping[str, int]
    bonus: Mapping[str, int]
    total: Mapping[str, int]
    counted: int
    is_over: bool
    result: str
    deal_names: DealNames

    @property
    def so_far(self) -> Mapping[str, int]:
        """Points of both pairs as the sheet is being filled in: finished deals, and the hands of the others."""
        if self.is_over or not self.deals:
            return self.total
        return {
            pair: sum(deal.total[pair] or deal.so_far[pair] or 0 for deal in self.deals)
            for pair in ("home", "away")
        }

    @property
    def has_bonus(self) -> bool:
        return any(self.bonus.values())

    @property
    def has_cards(self) -> bool:
        return any(hand.cards for deal in self.deals for hand in deal.hands)

    @property
    def given_deals(self) -> tuple[ShownDeal, ...]:
        return tuple(deal for deal in self.deals if deal.is_given)

    def without_deals(self) -> "ShownSheet":
        """What may be told of a match whose boards others still have to play: who sat where, and the totals."""
        return replace(self, deals=())
