"""Who may do what with scoresheets while others still have to play their boards: stricter than the rule without."""

from collections.abc import Sequence
from typing import Any

from games import embargo
from games import policies as games_policies
from games.embargo import Sight
from games.fixture_boards import boards_of
from games.models import Scoresheet, SheetPhoto, Vouch
from games.scoresheets import entry_links
from league import policies
from league.actors import Visitor
from league.models import Competition, Fixture, User
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
    """Who has the match's paper in hand, and has nothing to gain from reading it: a member, or, if the club has it so,
    a guest.

    A guest may be anybody: not where boards are sealed, nor in what only members see.
    """
    if fixture.status in DECIDED or fixture.is_team_match:
        return False
    is_sealed = any(play.board.released_at is None for play in boards_of(fixture))
    if entry_links.is_guest(user):
        competition = fixture.round.competition
        is_public = competition.visibility == Competition.Visibility.PUBLIC
        return competition.club.guests_enter and is_public and not is_sealed
    if not policies.member(user, fixture):
        return False
    return not is_sealed or not embargo.plays_in_event(user, fixture.round.competition)


def _may_report(user: Visitor, fixture: Fixture) -> bool:
    """Entering a sheet makes the match one that waits to be confirmed. Confirming it is another matter."""
    return REPORT(user, fixture) or (entry_links.holds(user, fixture) and _enters_by_link(user, fixture))


def _may_judge(user: Visitor, sheet: Scoresheet) -> bool:
    """No side vouches twice; an official who plays in the event leaves it to one who does not, if there is one."""
    fixture = sheet.match.fixture
    if not games_policies.RULES["sheet.judge"](user, sheet) or not _sees_deals(user, fixture):
        return False
    own = policies.entry_of(user, fixture)
    if own is None:
        return games_policies.is_believed(user, fixture.round.competition)
    # Of a sheet that is settled the service says who was first.
    is_settled = sheet.verdict != Scoresheet.Verdict.PENDING
    return is_settled or all(each.entry_id != own.pk for each in sheet.vouches.all())


def _may_object(user: Visitor, sheet: Scoresheet) -> bool:
    """Somebody of a side that had said nothing to a sheet which counted by silence."""
    fixture = sheet.match.fixture
    own = policies.entry_of(user, fixture)
    if own is None or sheet.verdict != Scoresheet.Verdict.CONFIRMED or policies.is_silent(user, fixture):
        return False
    given = Vouch.objects.filter(sheet=sheet)
    return given.filter(kind=Vouch.Kind.SILENCE).exists() and not given.filter(entry=own).exists()


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
    fixtures = [sheet.match.fixture for sheet in wanted]
    sees = embargo.sees_sheets_of(visitor=user, fixtures=fixtures)
    events = {each.round.stage.competition_id: each.round.competition for each in fixtures}
    believed = {key for key, event in events.items() if games_policies.is_believed(user, event)}
    return [
        sheet
        for sheet in wanted
        if sees[sheet.match_id] and sheet.match.fixture.round.stage.competition_id in believed
    ]


def _sees_analysis(user: Visitor, sheet: Scoresheet) -> bool:
    """It tells of cards that the sheet may not: those of the board. Officials wait for the release like anybody."""
    if not games_policies.RULES["analysis.see"](user, sheet):
        return False
    plays = boards_of(sheet.match.fixture)
    if not plays:
        return True
    sights: Any = embargo.sight(visitor=user, plays=plays)
    return all(sights[play.pk] >= Sight.OWN for play in plays)


def _adds_photo(user: Visitor, fixture: Fixture) -> bool:
    return policies.may(user, "sheet.enter", fixture)


def _sees_photo(user: Visitor, photo: SheetPhoto) -> bool:
    """Those who see the deals of the match's sheets: the paper shows the same."""
    return policies.may(user, "fixture.see", photo.fixture) and _sees_deals(user, photo.fixture)


def _removes_photo(user: Visitor, photo: SheetPhoto) -> bool:
    """Who added it, until a sheet has counted; and a neutral official, for whom it is evidence."""
    if not isinstance(user, User):
        return False
    if games_policies.is_neutral(user, photo.fixture.round.competition):
        return True
    has_counted = Scoresheet.objects.counted().filter(match=photo.fixture_id).exists()
    return photo.added_by_id == user.pk and not has_counted


RULES: dict[str, Rule] = {
    "sheet.enter": _may_enter,
    "fixture.report": _may_report,
    "sheet.enter_by_link": _enters_by_link,
    "sheet.judge": _may_judge,
    "sheet.object": _may_object,
    "sheet.see_deals": _sees_deals,
    "analysis.see": _sees_analysis,
    "photo.add": _adds_photo,
    "photo.see": _sees_photo,
    "photo.remove": _removes_photo,
}
