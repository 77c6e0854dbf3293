"""The boards of a set with their cards, for papers; in memory only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from engine.boards.files.hands import WRITTEN_SUITS
from engine.deals import Deal
from engine.seats import SEATS, Seat
from games import board_cards
from games.models import Board, BoardSet


@dataclass(frozen=True, slots=True)
class Dealt:
    """A numbered board with its cards; its repr does not show them."""

    number: int
    dealer: Seat
    is_spare: bool
    deal: Deal = field(repr=False)
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
        return _("%(seat)s deals") % {"seat": _(self.dealer.title)}

    def cards(self, seat: Seat) -> dict[str, str]:
        """A seat's ranks by suit."""
        held = self.deal[seat]
        return {suit.letter: held.ranks_of(suit) for suit in WRITTEN_SUITS}


def letters() -> dict[str, str]:
    """How the seats are abbreviated."""
    return {seat.letter: _(seat.title)[:1] for seat in SEATS}


def all_of(board_set: BoardSet) -> tuple[Dealt, ...]:
    """Every board that is in use, by number, then the reserve boards; derived from the seal."""
    cards: Mapping[int, Deal] = board_cards.cards_of(board_set)
    return tuple(_dealt(board, cards[board.pk]) for board in _in_use(board_set))


def released_of(board_set: BoardSet) -> tuple[Dealt, ...]:
    """The boards whose cards are public already."""
    return tuple(
        _dealt(board, Deal.parse(board.deal))
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


def _dealt(board: Board, deal: Deal) -> Dealt:
    return Dealt(board.number, Seat.parse(board.dealer), is_spare(board), deal, board)
