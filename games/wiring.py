"""Tells the league what it must not know by itself: which games there are, and who may do what with a sheet."""

from django.utils.translation import gettext_lazy

from engine import game
from games import policies as games_policies
from games import sheet_rules, table_rules
from games.options import port_of
from games.selectors.board_matters import matters as board_matters
from games.selectors.evening_matters import matters as evening_matters
from games.selectors.masked_reasons import masked_reasons
from games.selectors.own_evenings import own_evenings
from games.selectors.own_tables import own_tables
from games.selectors.pending import odd_results, pending_sheets
from games.selectors.table_matters import matters as table_matters
from games.services import comparisons, duplicate_leagues, duplicate_rows, releases, scoresheets
from games.services.evenings import setting_up
from games.setup_part import BoardsPart
from games.views.evening_page import evening_page
from games.views.event_tabs import duplicate_tabs, round_parts
from league import policies, ports
from league.models import Competition
from league.ports import FormatPages
from league.services import draft_rows

EVENING_TABS = (
    ("competition", gettext_lazy("Ranking")),
    ("evening_room", gettext_lazy("The room")),
    ("competition_fixtures", gettext_lazy("Rounds")),
)


def connect() -> None:
    """Called once, when the application is ready."""
    policies.register(games_policies.RULES)
    policies.register(sheet_rules.RULES)
    policies.register(table_rules.RULES)
    for offered in game.all_games():
        ports.register_game(port_of(offered))
    ports.register_pending_sheets(pending_sheets)
    ports.register_odd_results(odd_results)
    ports.register_rulings(scoresheets.close_pending)
    ports.register_rulings(releases.ruled)
    ports.register_reason_mask(masked_reasons)
    ports.register_matters(board_matters)
    ports.register_matters(evening_matters)
    ports.register_own_events(own_evenings)
    ports.register_own_events(own_tables)
    ports.register_matters(table_matters)
    ports.register_rulings(comparisons.ruled)
    draft_rows.register(setting_up.PART, duplicate_rows.PART)
    ports.register_setup_part(BoardsPart())
    ports.register_draws(duplicate_leagues.supply)
    ports.register_tabs(duplicate_tabs)
    ports.register_round_parts(round_parts)
    ports.register_competition_page(
        Competition.Format.EVENING, FormatPages(evening_page, EVENING_TABS, director="evening_desk")
    )
