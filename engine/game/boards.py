"""Boards of any game whose deals are written as engine.packs writes them: numbers and deals, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import comb, factorial

from engine.boards.numbering import choice_number, numbered_choice
from engine.errors import DealError
from engine.game.capabilities import Boards
from engine.game.values import Json, Options
from engine.packs import Dealt, in_order, read_deal
from engine.text import gettext_noop


class PackBoards(Boards):
    """The deals of a pack over these seats, in hands of these sizes, what is left in the order of the stock.

    Equal cards count as different ones, as they do when people deal: so each deal is as likely as at the table, and one
    with equal cards in different places has several numbers. The cards are counted in the order of the pack: first the
    choice of the first seat's cards, then of the second's among those left, and so on; last the order of the stock.

    ``no_target`` are the options of a match on common boards where it would go to a target: a number of deals.
    """

    def __init__(
        self,
        pack: Sequence[str],
        seats: Sequence[str],
        sizes: Sequence[int],
        *,
        no_target: Mapping[str, Json] | None = None,
    ) -> None:
        self.pack, self.seats, self.sizes = tuple(pack), tuple(seats), tuple(sizes)
        self.no_target = dict(no_target or {})

    def options_for(self, options: Options, *, together: bool, is_new: bool) -> dict[str, Json]:  # noqa: ARG002
        """A number of deals instead of a target."""
        goes_to_target = together and not options.get("deals")
        return {**options, **self.no_target} if goes_to_target else dict(options)

    @property
    def deals(self) -> int:
        """Every choice of every hand, and every order of the stock."""
        found, left = 1, len(self.pack)
        for size in self.sizes:
            found *= comb(left, size)
            left -= size
        return found * factorial(left)

    def deal_of_number(self, number: int, dealer: str | None = None) -> str:  # noqa: ARG002
        """From 0."""
        check_number(number, self.deals)
        left, rest, hands = list(range(len(self.pack))), self.deals, []
        for size in self.sizes:
            rest //= comb(len(left), size)
            place, number = divmod(number, rest)
            hands.append(numbered_choice(place, left, size))
            left = [each for each in left if each not in hands[-1]]
        stock = []
        while left:
            place, number = divmod(number, factorial(len(left) - 1))
            stock.append(left.pop(place))
        return str(
            Dealt(tuple(in_order(map(self.pack.__getitem__, hand)) for hand in hands), self._cards(stock))
        )

    def number_of_deal(self, deal: str, dealer: str | None = None) -> int:  # noqa: ARG002
        """Of equal cards the first ones lie where they are counted first."""
        dealt, number, left = self._read(deal), 0, list(range(len(self.pack)))
        for hand in dealt.hands:
            taken = self._places(hand, left)
            number = number * comb(len(left), len(taken)) + choice_number(taken, left)
            left = [each for each in left if each not in taken]
        for place in self._places(dealt.stock, left):
            number = number * len(left) + left.index(place)
            left.remove(place)
        return number

    def hands(self, deal: str) -> Mapping[str, tuple[str, ...]]:
        """As they are written."""
        return dict(zip(self.seats, self._read(deal).hands, strict=True))

    def stock(self, deal: str) -> tuple[str, ...]:
        """As it is written."""
        return self._read(deal).stock

    def _read(self, deal: str) -> Dealt:
        return read_deal(deal, self.pack, self.sizes)

    def _cards(self, places: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.pack[place] for place in places)

    def _places(self, cards: Sequence[str], left: Sequence[int]) -> list[int]:
        """Where in the pack these cards are counted, each once, of those that are left."""
        found: list[int] = []
        for card in cards:
            found.append(next(each for each in left if self.pack[each] == card and each not in found))
        return found


class ShownCardBoards(Boards):
    """The deals of a game in which one of the dealer's cards is shown: "hands | card".

    There are as many deals for four hands as a hand has cards, as any of the dealer's cards may be shown. ``turn`` are
    the seats in the order of the turn, and ``sort`` puts a hand in the order of its players.
    """

    def __init__(
        self, hands: PackBoards, turn: Sequence[str], sort: Callable[[Iterable[str]], tuple[str, ...]]
    ) -> None:
        self.hands_only, self.turn, self.sort = hands, tuple(turn), sort
        self.size = hands.sizes[0]

    @property
    def deals(self) -> int:
        """Every choice of the hands, and of the card shown."""
        return self.hands_only.deals * self.size

    def deal_of_number(self, number: int, dealer: str | None = None) -> str:
        """From 0; the shown card is the dealer's (that of the first on turn, where nobody is named)."""
        check_number(number, self.deals)
        hands, shown = divmod(number, self.size)
        text = self.hands_only.deal_of_number(hands)
        return f"{text} | {self.hands_only.hands(text)[dealer or self.turn[0]][shown]}"

    def number_of_deal(self, deal: str, dealer: str | None = None) -> int:
        """By the dealer's hand; where nobody is named, by the first that holds the card."""
        hands, _bar, up = deal.partition(" | ")
        held = self.hands_only.hands(hands)
        shown = next(held[seat].index(up) for seat in ([dealer] if dealer else self.turn) if up in held[seat])
        return self.hands_only.number_of_deal(hands) * self.size + shown

    def hands(self, deal: str) -> Mapping[str, tuple[str, ...]]:
        """In the order of the turn, as players sort them."""
        held = self.hands_only.hands(deal.partition(" | ")[0])
        return {seat: self.sort(held[seat]) for seat in self.turn}

    def turned_up(self, deal: str) -> str:
        """The card shown."""
        return deal.partition(" | ")[2]


def check_number(number: int, deals: int) -> None:
    """Raises DealError for what is no number of so many deals."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < deals:
        template = gettext_noop("There’s no deal with that number. Deals are numbered from 0 to %(last)s.")
        raise DealError("deal-number", template, given=number, last=str(deals - 1))
