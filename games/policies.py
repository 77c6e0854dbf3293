"""Who may do what with matches and scoresheets: rules added to the league's one table."""

from games.embargo import players_among, plays_in_event
from games.models import BoardSet, Paper, Scoresheet
from league import policies
from league.actors import System, Visitor
from league.models import Competition, Fixture, Role, User
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


def _sees_analysis(user: Visitor, sheet: Scoresheet) -> bool:
    """Of the version that counts, whoever sees it: what is analysed are the very cards that stand in it."""
    return sheet.verdict == Scoresheet.Verdict.CONFIRMED and _sees_sheet(user, sheet)


def has_director_who_does_not_play(competition: Competition, besides: User) -> bool:
    """Whether the club has another director who plays nowhere in the competition."""
    directors = competition.club.memberships.filter(
        role__in=[Role.DIRECTOR, Role.OWNER], user__is_active=True
    ).exclude(user=besides)
    accounts = set(directors.values_list("user", flat=True))
    return accounts > players_among(accounts, competition)


def may_take_cards(user: Visitor, thing: BoardSet | Competition) -> bool:
    """Whether nothing stands between this person and sealed cards: not for who plays, whatever his office.

    A club whose only director plays can allow it in its settings; everyone sees that.
    """
    competition = thing if isinstance(thing, Competition) else thing.competition
    if not plays_in_event(user, competition):
        return True
    return competition.club.lone_director_deals and may_release_cards(user, competition)


def may_release_cards(user: Visitor, thing: BoardSet | Competition) -> bool:
    """The same for making cards public: who plays leaves it to another director, as long as the club has one."""
    competition = thing if isinstance(thing, Competition) else thing.competition
    if not isinstance(user, User):
        return isinstance(user, System)
    return not plays_in_event(user, competition) or not has_director_who_does_not_play(competition, user)


def _draws_out(user: Visitor, thing: BoardSet | Competition) -> bool:
    return policies.director(user, thing) and may_take_cards(user, thing)


def _releases(user: Visitor, thing: BoardSet | Competition) -> bool:
    return policies.director(user, thing) and may_release_cards(user, thing)


def may_read_paper(user: Visitor, paper: Paper) -> bool:
    """Whether nothing of sealed cards stands between this person and a paper: only who drew them out has them."""
    sealed = BoardSet.objects.filter(pk=paper.parameters.get("set"), released_at=None)
    if not paper.parameters.get("sealed") or not sealed.exists():
        return True
    return paper.asked_by_id == user.pk and may_take_cards(user, paper.competition)


def _takes_paper(user: Visitor, paper: Paper) -> bool:
    """Whoever asked for it and still may, or a director."""
    if not policies.scorer(user, paper) or not may_read_paper(user, paper):
        return False
    return paper.asked_by_id == user.pk or policies.director(user, paper)


RULES: dict[str, Rule] = {
    "boards.make": policies.director,
    "boards.draw_out": _draws_out,
    "boards.release": _releases,
    "boards.mark": policies.RULES["fixture.rule"],
    "sheet.enter": _may_enter,
    "sheet.judge": _may_judge,
    "sheet.see": _sees_sheet,
    "analysis.see": _sees_analysis,
    "match.reopen": policies.RULES["fixture.rule"],
    "award.make": policies.RULES["fixture.rule"],
    "comparison.settings": policies.director,
    "match.see_drafts": policies.director,
    "evening.run": policies.director,
    "paper.ask": policies.scorer,
    "paper.take": _takes_paper,
}
