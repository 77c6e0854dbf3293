"""Who may do what with matches and scoresheets: rules added to the league's one table."""

from games.embargo import players_among, plays_in_event, takes_part
from games.fixture_boards import boards_of
from games.models import AdjustedScore, BoardSet, Paper, Scoresheet
from league import policies
from league.actors import System, Visitor
from league.models import Club, Competition, Fixture, Player, Role, User
from league.policies import Rule


def enters_as_official(user: Visitor, fixture: Fixture) -> bool:
    """Whether this person enters the sheet for others: an official who plays for neither pair."""
    return policies.entry_of(user, fixture) is None and policies.scorer(user, fixture)


def _may_enter(user: Visitor, fixture: Fixture) -> bool:
    """A side or an official; who left a side for the season, or was only asked to stand in, is neither: the account
    counts to the pair."""
    if fixture.is_team_match:
        return False  # Its rooms have the sheets.
    is_somebody = policies.plays_in(user, fixture) or policies.scorer(user, fixture)
    return is_somebody and not policies.is_silent(user, fixture)


def is_second_person(user: Visitor, sheet: Scoresheet) -> bool:
    """Whether this person neither entered the sheet nor plays for the pair it was entered for."""
    if not isinstance(user, User) or user.pk == sheet.entered_by_id:
        return False
    fixture = sheet.match.fixture
    own = policies.entry_of(user, fixture)
    return own is None or sheet.entered_for_id != own.pk


def _may_judge(user: Visitor, sheet: Scoresheet) -> bool:
    """The other pair, or for a sheet typed in by an official any second person; never who entered it."""
    fixture = sheet.match.fixture
    if not is_second_person(user, sheet) or policies.is_silent(user, fixture):
        return False
    if policies.plays_in(user, fixture) or policies.director(user, fixture):
        return True
    return sheet.entered_for_id is None and policies.scorer(user, fixture)


def _sees_sheet(user: Visitor, sheet: Scoresheet) -> bool:
    """Those who see the match see how its result came about; only confirmed versions count, and pages say so."""
    return policies.may(user, "fixture.see", sheet.match.fixture)


def _sees_analysis(user: Visitor, sheet: Scoresheet) -> bool:
    """Those who see the version that counts: the analysis is of the cards that it shows."""
    return sheet.verdict == Scoresheet.Verdict.CONFIRMED and _sees_sheet(user, sheet)


def is_neutral(actor: Visitor, competition: Competition) -> bool:
    """Whether this is an official with no part in the event: neither entered, nor a substitute, nor ever at a board.

    Taking the cards out and judging sheets are duties: an official who does so and plays nowhere stays neutral, but
    may no longer sit down at those boards (games.proof.participations).
    """
    if isinstance(actor, System):
        return True
    if not isinstance(actor, User) or not actor.is_active:
        return False
    return policies.scorer(actor, competition) and not plays_in_event(actor, competition)


def has_neutral(competition: Competition, *, beside: User | None = None) -> bool:
    """Whether the club has a director who is neutral in this event, `beside` this one."""
    directors = competition.club.memberships.filter(
        role__in=[Role.DIRECTOR, Role.OWNER], user__is_active=True
    )
    accounts = set(directors.values_list("user", flat=True)) - {beside and beside.pk}
    return accounts > players_among(accounts, competition)


def is_believed(actor: Visitor, competition: Competition) -> bool:
    """Whether this official's word is enough: a neutral one's, or anybody's where the club has no neutral director."""
    return is_neutral(actor, competition) or not has_neutral(competition)


def may_take_cards(user: Visitor, thing: BoardSet | Competition) -> bool:
    """Whether nothing stands between this person and sealed cards: never for those who play, whatever their role.

    A club whose only director plays can allow it in its settings; everyone sees that.
    """
    competition = thing if isinstance(thing, Competition) else thing.competition
    if not plays_in_event(user, competition):
        return True
    return competition.club.lone_director_deals and isinstance(user, User) and not has_neutral(competition)


def may_release_cards(user: Visitor, thing: BoardSet | Competition) -> bool:
    """For making cards public: never for who plays. Boards open without them: games.boards.services.releases."""
    competition = thing if isinstance(thing, Competition) else thing.competition
    if not isinstance(user, User):
        return isinstance(user, System)
    return not plays_in_event(user, competition)


def _scores_boards(user: Visitor, fixture: Fixture) -> bool:
    """Points for a board of one table are points for all others: a director who plays in the event gives none while
    there is one who does not, and never in their own match."""
    is_ruling = policies.RULES["fixture.rule"](user, fixture) and not policies.plays_in(user, fixture)
    return is_ruling and is_believed(user, fixture.round.competition)


def _takes_award_back(user: Visitor, award: AdjustedScore) -> bool:
    """Who may give scores; and either side, where it was given by somebody who plays in the event."""
    fixture = award.play.fixture
    if award.is_neutral is False and policies.plays_in(user, fixture):
        return True
    is_enough = not award.is_neutral or is_neutral(user, fixture.round.competition)
    return is_enough and _scores_boards(user, fixture)


def _names_for_others(user: Visitor, fixture: Fixture) -> bool:
    """Where boards are played, the person a director names speaks for a side and may let boards open. So only a
    neutral director names them, if there is one."""
    if not policies.RULES["fixture.arrange"](user, fixture) or policies.plays_in(user, fixture):
        return False
    return not boards_of(fixture) or is_believed(user, fixture.round.competition)


def _decides_accounts(user: Visitor, thing: Club | Player) -> bool:
    """Whose account a player is says who speaks for a side, and who reads what it played: not for a director who plays
    in the same event while it has sealed boards, if there is one who does not."""
    if not policies.director(user, thing):
        return False
    if not isinstance(thing, Player):
        return True
    sealed = Competition.objects.filter(
        club=thing.club_id,
        state=Competition.State.RUNNING,
        board_sets__released_at=None,
        board_sets__discarded_at=None,
        board_sets__isnull=False,
    )
    return all(
        is_believed(user, each) or not takes_part(thing, each)
        for each in sealed.select_related("club").distinct()
    )


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
    """The person who asked for it and still may, or a director."""
    if not policies.scorer(user, paper) or not may_read_paper(user, paper):
        return False
    return paper.asked_by_id == user.pk or policies.director(user, paper)


RULES: dict[str, Rule] = {
    "player.decide_claim": _decides_accounts,
    "boards.make": policies.director,
    "boards.draw_out": _draws_out,
    "boards.release": _releases,
    "boards.settle": policies.director,
    "boards.name_neutral": policies.owner,
    "fixture.name_for_others": _names_for_others,
    "fixture.play_early": policies.RULES["fixture.rule"],
    "boards.mark": _scores_boards,
    "sheet.enter": _may_enter,
    "sheet.judge": _may_judge,
    "sheet.see": _sees_sheet,
    "analysis.see": _sees_analysis,
    "match.reopen": policies.RULES["fixture.rule"],
    "award.make": _scores_boards,
    "team.average": _scores_boards,
    "award.take_back": _takes_award_back,
    "comparison.settings": policies.director,
    "grade.state": policies.director,
    "grade.hide": lambda user, player: isinstance(user, User) and player.user_id == user.pk,
    "match.see_drafts": policies.director,
    "evening.run": policies.director,
    "paper.ask": policies.scorer,
    "paper.take": _takes_paper,
}
