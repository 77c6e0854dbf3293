"""Who may do what with scoresheets while others still have to play their boards: stricter than the rule without."""

from collections.abc import Sequence
from typing import Any

from games import embargo, entry_links
from games import policies as games_policies
from games.embargo import Sight
from games.fixture_boards import boards_of
from games.models import Scoresheet
from league import policies
from league.actors import Visitor
from league.models import Fixture
from league.policies import Rule
from league.querysets import DECIDED

REPORT = policies.RULES["fixture.report"]


def _sees_deals(user: Visitor, fixture: Fixture) -> bool:
    return embargo.sees_sheets(visitor=user, fixture=fixture)


def _may_enter(user: Visitor, fixture: Fixture) -> bool:
    """An official who still has to play the boards would read them while typing."""
    if games_policies.RULES["sheet.enter"](user, fixture):
        return _sees_deals(user, fixture)
    return entry_links.holds(user, fixture) and _enters_by_link(user, fixture)


def _enters_by_link(user: Visitor, fixture: Fixture) -> bool:
    """A member of the club who has the match's paper in hand, and has nothing to gain from reading it."""
    if not policies.member(user, fixture) or fixture.status in DECIDED:
        return False
    is_sealed = any(play.board.released_at is None for play in boards_of(fixture))
    return not is_sealed or not embargo.plays_in_event(user, fixture.round.competition)


def _may_report(user: Visitor, fixture: Fixture) -> bool:
    """Entering a sheet makes the match one that waits to be confirmed. Confirming it is another matter."""
    return REPORT(user, fixture) or (entry_links.holds(user, fixture) and _enters_by_link(user, fixture))


def _may_judge(user: Visitor, sheet: Scoresheet) -> bool:
    return games_policies.RULES["sheet.judge"](user, sheet) and _sees_deals(user, sheet.match.fixture)


def judged_for_others(user: Visitor, sheets: Sequence[Scoresheet]) -> list[Scoresheet]:
    """Those of these sheets that this person may confirm or reject, and does not play in: `_may_judge` of many at once.

    The sheets' matches with their pairs and substitutes are read with them.
    """
    wanted = [
        sheet
        for sheet in sheets
        if games_policies.RULES["sheet.judge"](user, sheet)
        and not policies.plays_in(user, sheet.match.fixture)
    ]
    sees = embargo.sees_sheets_of(visitor=user, fixtures=[sheet.match.fixture for sheet in wanted])
    return [sheet for sheet in wanted if sees[sheet.match_id]]


def _sees_analysis(user: Visitor, sheet: Scoresheet) -> bool:
    """It tells of cards that the sheet may not: those of the board. Officials wait for the release like anybody."""
    if not games_policies.RULES["analysis.see"](user, sheet):
        return False
    plays = boards_of(sheet.match.fixture)
    if not plays:
        return True
    sights: Any = embargo.sight(visitor=user, plays=plays)
    return all(sights[play.pk] >= Sight.OWN for play in plays)


RULES: dict[str, Rule] = {
    "sheet.enter": _may_enter,
    "fixture.report": _may_report,
    "sheet.enter_by_link": _enters_by_link,
    "sheet.judge": _may_judge,
    "sheet.see_deals": _sees_deals,
    "analysis.see": _sees_analysis,
}
