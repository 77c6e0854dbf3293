"""A scoresheet as people see it: who sat where, and what each deal gave.

One way of showing for the match page, the preview and the entry; every sentence is in the reader's language.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from games.records.display.deal_names import DealNames
from games.templatetags.cards import SEATS

BEYOND, DONE, EMPTY, FAULTY, PARTIAL = "beyond", "done", "empty", "faulty", "partial"
NOTHING = "–"


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
class ShownDeal:
    """One deal; `so_far` and `total` map the sides to points, None where they do not follow, in the match's order."""

    template: ClassVar[str] = "games/_deal.html"

    number: int
    dealer: ShownSeat
    state: str
    so_far: Mapping[str, int | None]
    total: Mapping[str, int | None]
    names: DealNames
    facts: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    """What the sheet tells of it besides points, each with its name."""
    robots: tuple[str, ...] = field(default=(), kw_only=True)
    """What robots did in it for whom, in sentences."""

    @property
    def name(self) -> str:
        """What it is called: "Deal 2", or "Board 6"."""
        return self.names.deal(self.number - 1)

    @property
    def called(self) -> int:
        """The number that people call it by: the board's, where it lay in one."""
        return self.names.number(self.number - 1)

    @property
    def is_scored(self) -> bool:
        """Whether the points of a side are known."""
        return any(points is not None for points in self.total.values())

    @property
    def is_given(self) -> bool:
        return self.state not in {EMPTY, BEYOND}

    @property
    def has_cards(self) -> bool:
        """Whether it tells cards."""
        return False

    def hand_by_hand(self) -> Sequence[Any]:
        """The hands that were played in it, where the sheet tells of them."""
        return ()

    def rest(self) -> Any:
        """What was worth something besides, with `title`, `words`, `bonus` and `to`; None where nothing was."""
        return None

    def parts(self) -> Iterator[tuple[str, str]]:
        """Everything that it tells, as text with its place: what two versions of a sheet are compared by."""
        name = self.names.deal(self.number - 1)
        yield from ((f"{name}, {what}", told) for what, told in self.facts)
        yield self.names.sum(self.number - 1), self.total_in_words()

    def total_in_words(self) -> str:
        """All totals: "18–12"."""
        return "–".join(NOTHING if points is None else str(points) for points in self.total.values())


@dataclass(frozen=True, slots=True)
class ShownSheet:
    """A whole sheet; points by side, as the seating names them. Each deal is a ShownDeal, or the game's own."""

    deals: tuple[Any, ...]
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
    total_name: str = ""
    """What the totals are, where they aren't the sums of the deals' points."""

    @property
    def so_far(self) -> Mapping[str, int]:
        """Points of all sides as the sheet is being filled in: finished deals, and the hands of the others."""
        if self.is_over or not self.deals:
            return self.total
        return {
            pair: sum(deal.total[pair] or deal.so_far[pair] or 0 for deal in self.deals)
            for pair in self.names
        }

    @property
    def has_bonus(self) -> bool:
        return any(self.bonus.values())

    @property
    def has_cards(self) -> bool:
        return any(deal.has_cards for deal in self.deals)

    @property
    def given_deals(self) -> tuple[Any, ...]:
        return tuple(deal for deal in self.deals if deal.is_given)

    def without_deals(self) -> "ShownSheet":
        """What may be told of a match whose boards others still have to play: who sat where, and the totals."""
        return replace(self, deals=())
