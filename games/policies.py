"""Who may do what with matches and scoresheets: rules added to the league's one table."""

from games.models import Scoresheet
from league import policies
from league.actors import Visitor
from league.models import Fixture, User
from league.policies import Rule


def enters_as_official(user: Visitor, fixture: Fixture) -> bool:
    """Whether this person enters the sheet for others: an official who plays for neither pair."""
    return policies.side_of(user, fixture) is None and policies.scorer(user, fixture)


def _may_enter(user: Visitor, fixture: Fixture) -> bool:
    return policies.plays_in(user, fixture) or policies.scorer(user, fixture)


def is_second_person(user: Visitor, sheet: Scoresheet) -> bool:
    """Whether this person neither entered the sheet nor plays for the pair it was entered for."""
    if not isinstance(user, User) or user.pk == sheet.entered_by_id:
        return False
    fixture = sheet.match.fixture
    own = {"home": fixture.home_id, "away": fixture.away_id}.get(policies.side_of(user, fixture) or "")
    return own is None or sheet.entered_for_id != own


def _may_judge(user: Visitor, sheet: Scoresheet) -> bool:
    """The other pair, or for a sheet typed in by an official any second person; never who entered it."""
    if not is_second_person(user, sheet):
        return False
    fixture = sheet.match.fixture
    if policies.side_of(user, fixture) is not None or policies.director(user, fixture):
        return True
    return sheet.entered_for_id is None and policies.scorer(user, fixture)


def _sees_sheet(user: Visitor, sheet: Scoresheet) -> bool:
    """Whoever sees the match sees how its result came about; only confirmed versions count, and pages say so."""
    return policies.may(user, "fixture.see", sheet.match.fixture)


def _directs_without_playing(user: Visitor, fixture: Fixture) -> bool:
    return policies.director(user, fixture) and policies.side_of(user, fixture) is None


RULES: dict[str, Rule] = {
    "sheet.enter": _may_enter,
    "sheet.judge": _may_judge,
    "sheet.see": _sees_sheet,
    "match.reopen": _directs_without_playing,
    "match.see_drafts": policies.director,
}
