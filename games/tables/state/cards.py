"""The cards of a table's deal: of its board, or its own, which lie encrypted in its row."""

from typing import Any

from engine import game
from engine.game import AnyGame
from games import board_cards
from games.models import TableDeal
from league.storage import board_keys


def cards_of(deal: TableDeal) -> Any:
    """The deal, in memory only. Raises Conflict where the key or a delayed value is missing."""
    if deal.board is not None:
        return board_cards.cards_of(deal.board.board_set)[deal.board.pk]
    return game.get(deal.table.game).read_deal(board_keys.decrypt(deal.secret))


def encrypted(offered: AnyGame, deal: Any) -> str:
    """The deal as its row keeps it."""
    # Written so that what is read is what was dealt, whatever the game.
    text = str(deal)
    if offered.read_deal(text) != deal:
        raise ValueError("unreadable")
    return board_keys.encrypt(text)
