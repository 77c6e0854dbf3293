"""Tells the league what it must not know by itself: which games there are, and who may do what with a sheet."""

from django.utils.translation import gettext_lazy

from engine import game
from games import policies as games_policies
from games.boards.queries.items import matters as board_matters
from games.boards.services import duplicate_leagues, releases
from games.boards.setup_part import BoardsPart, OnlinePart
from games.comparisons.masked_reasons import masked_reasons
from games.comparisons.services import comparisons
from games.events.views.evening import evening_page
from games.events.views.tabs import duplicate_tabs, round_parts
from games.options import port_of
from games.proof import participations
from games.scoresheets import policies as sheet_rules
from games.scoresheets.queries.pending import odd_results, pending_sheets
from games.scoresheets.services import scoresheets
from games.sessions.queries.items import matters as evening_matters
from games.sessions.queries.own import own_evenings
from games.sessions.services import duplicate_rows, setting_up
from games.tables import policies as table_rules
from games.tables.queries.items import matters as table_matters
from games.tables.queries.own import own_tables
from league import extension, policies
from league.competitions.services import draft_rows
from league.extension import FormatPages
from league.models import Competition

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
        extension.register_game(port_of(offered))
    extension.register_pending_sheets(pending_sheets)
    extension.register_odd_results(odd_results)
    extension.register_rulings(scoresheets.close_pending)
    extension.register_rulings(releases.ruled)
    extension.register_substitutes(participations.substituted)
    extension.register_accounts(participations.linked)
    extension.register_reason_mask(masked_reasons)
    extension.register_matters(board_matters)
    extension.register_matters(evening_matters)
    extension.register_own_events(own_evenings)
    extension.register_own_events(own_tables)
    extension.register_matters(table_matters)
    extension.register_rulings(comparisons.ruled)
    draft_rows.register(setting_up.PART, duplicate_rows.PART)
    extension.register_setup_part(BoardsPart())
    extension.register_setup_part(OnlinePart())
    extension.register_draws(duplicate_leagues.supply)
    extension.register_tabs(duplicate_tabs)
    extension.register_round_parts(round_parts)
    extension.register_competition_page(
        Competition.Format.EVENING, FormatPages(evening_page, EVENING_TABS, director="evening_desk")
    )
