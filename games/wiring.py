"""Tells the league what it must not know by itself: which games there are, and who may do what with a sheet."""

from engine import game
from games import policies as games_policies
from games.options import port_of
from games.selectors.pending import odd_results, pending_sheets
from games.services import scoresheets
from league import policies, ports


def connect() -> None:
    """Called once, when the application is ready."""
    policies.register(games_policies.RULES)
    for offered in game.all_games():
        ports.register_game(port_of(offered))
    ports.register_pending_sheets(pending_sheets)
    ports.register_odd_results(odd_results)
    ports.register_rulings(scoresheets.close_pending)
