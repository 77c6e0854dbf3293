"""What lies on the table when a deal begins: what the deals before it left there."""

from typing import Any

from engine import game
from engine.game import MatchResult, Points
from games.models import Table, TableDeal


def options_of_deal(table: Table, number: int, *, is_board: bool) -> dict[str, Any]:
    """The options that this deal is played by. A board begins with nothing on the table, wherever it is played."""
    if is_board or not game.get(table.game).carried:
        return dict(table.options)
    return {**table.options, **match_before(table, number).next_options}


def dealer_of_deal(table: Table, number: int) -> str:
    """Who deals it: whom the deals before name, else the player to the left of who dealt last."""
    last = TableDeal.objects.filter(table=table, number=number - 1).first()
    if last is None:
        return table.first_dealer
    named = match_before(table, number).next_dealer
    return named or game.get(table.game).dealer_after(last.dealer, players=table.players)


def match_before(table: Table, number: int) -> MatchResult:
    """The match as it stood before this deal."""
    rows = TableDeal.objects.filter(table=table, number__lt=number, score__isnull=False).order_by("number")
    scores = [Points(row.score["total"], row.score) for row in rows if row.score is not None]
    return game.get(table.game).match(scores, table.options, players=table.players)
