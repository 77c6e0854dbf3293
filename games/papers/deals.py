"""The boards of a set with their cards, for papers; in memory only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from engine.packs import JOKER, SUITS
from games import board_cards, seating
from games.models import Board, BoardSet
from games.templatetags.cards import card_name


@dataclass(frozen=True, slots=True)
class Dealt:
    """A numbered board with its cards; its repr does not show them."""

    number: int
    dealer: str
    is_spare: bool
    seats: Mapping[str, str]
    """What the seats are called, in their order."""
    deal: str = field(repr=False)
    hands: Mapping[str, tuple[str, ...]] = field(repr=False)
    stock: tuple[str, ...] = field(repr=False)
    turned_up: str = field(repr=False)
    """The dealer's card that is shown before play; empty where there is none."""
    board: Board = field(repr=False)

    @property
    def title(self) -> str:
        """What it is called."""
        if self.is_spare:
            return _("Reserve board %(number)d") % {"number": self.number}
        return _("Board %(number)d") % {"number": self.number}

    @property
    def deals(self) -> str:
        """Who deals it."""
        return _("%(seat)s deals") % {"seat": self.seats[self.dealer]}

    @property
    def deals_and_shows(self) -> str:
        """Who deals it, and which card is turned up: for a paper that shows the dealer's cards."""
        if not self.turned_up:
            return self.deals
        return _("%(who_deals)s · turned up: %(card)s") % {
            "who_deals": self.deals,
            "card": card_name(self.turned_up),
        }

    def cards(self, seat: str) -> dict[str, str]:
        """A seat's ranks by suit, and its jokers."""
        return by_suit(self.hands[seat])


def by_suit(cards: Sequence[str]) -> dict[str, str]:
    """The ranks of a hand by suit, high ones first; its jokers, if any, under the name of their text."""
    jokers = {JOKER: "★" * cards.count(JOKER)} if JOKER in cards else {}
    return {suit: "".join(card[0] for card in cards if card[1] == suit) for suit in SUITS} | jokers


def all_of(board_set: BoardSet) -> tuple[Dealt, ...]:
    """Every board that is in use, by number, then the reserve boards; derived from the seal."""
    cards = board_cards.cards_of(board_set)
    return tuple(_dealt(board, cards[board.pk]) for board in _in_use(board_set))


def released_of(board_set: BoardSet) -> tuple[Dealt, ...]:
    """The boards whose cards are public already."""
    return tuple(
        _dealt(board, board.deal)
        for board in _in_use(board_set)
        if board.released_at is not None and not is_spare(board)
    )


def is_spare(board: Board) -> bool:
    """Whether this is a reserve board that stands for no other."""
    return board.purpose == Board.Purpose.RESERVE and board.stands_for_id is None


def _in_use(board_set: BoardSet) -> list[Board]:
    found: Any = Board.objects.filter(board_set=board_set, replaced_by__isnull=True)
    boards = list(found.order_by("number", "pk"))
    for board in boards:
        board.board_set = board_set
    return sorted(boards, key=lambda board: (is_spare(board), board.number))


def _dealt(board: Board, deal: str) -> Dealt:
    game_key = board.board_set.competition.game
    numbering = board_cards.numbering_of(game_key)
    return Dealt(
        number=board.number,
        dealer=board.dealer,
        is_spare=is_spare(board),
        seats=seating.seat_titles(game_key),
        deal=deal,
        hands=numbering.hands(deal),
        stock=numbering.stock(deal),
        turned_up=numbering.turned_up(deal),
        board=board,
    )
