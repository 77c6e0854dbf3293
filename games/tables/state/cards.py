"""The cards of a table's deal: of its board, or its own, which lie encrypted in its row."""

from engine import game
from engine.game import Game
from games import board_cards
from games.models import TableDeal
from league.storage import board_keys


def cards_of(deal: TableDeal) -> str:
    """The deal, in memory only. Raises Conflict where the key or a delayed value is missing."""
    if deal.board is not None:
        return str(board_cards.cards_of(deal.board.board_set)[deal.board.pk])
    return game.get(deal.table.game).read_deal(board_keys.decrypt(deal.secret), deal.table.players)


def encrypted(offered: Game, deal: str, players: int | None = None) -> str:
    """The deal as its row keeps it."""
    # Written so that what is read is what was dealt, whatever the game.
    if offered.read_deal(deal, players) != deal:
        raise ValueError("unreadable")
    return board_keys.encrypt(deal)
