"""Setting up a competition, opening it to everyone, and closing it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, time
from fractions import Fraction
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.contest import exact, knockout
from engine.contest.points.parsing import read_scheme
from engine.contest.points.scheme import ByRank, HeadToHead
from engine.contest.standings.ranking import DEFAULT_TIE_BREAKS, read_tie_breaks
from engine.errors import ContestError
from league import (
    extension,
    formats,
    locks,
    policies,
    validation,
)
from league.actors import Actor
from league.audit.services import audit
from league.competitions import calendars, years
from league.competitions.services import divisions, drafts, extras
from league.competitions.services.divisions import DivisionPlan
from league.errors import Conflict, Invalid
from league.fixtures.services import telling
from league.models import Club, Competition, Fixture, Season, Stage
from league.models.competitions import USUAL_IMP_SCALE, USUAL_SILENCE
from league.standings import brackets
from league.standings.brackets import How, Tie
from league.standings.queries import worth_of_carried
from league.standings.services import ladders, standings
from league.web import slugs
from league.words import sentences

TeamMethod = Competition.TeamMethod
TIE_BREAKS: tuple[str, ...] = tuple(DEFAULT_TIE_BREAKS)
#: What a game is played for whose matches have more than two sides, where nothing else is said.
POINTS_AT_TABLES: Mapping[str, Any] = {"by": "rank"}
#: Of a Swiss the opponents say more than the few meetings among those who are tied.
TIE_BREAKS_OF_SWISS = (
    "league_points", "opponents_score_cut1", "opponents_score", "head_to_head", "points_difference", "draw_of_lots",
)  # fmt: skip
TIE_BREAKS_AT_TABLES = ("league_points", "points_scored", "matches_won", "head_to_head", "draw_of_lots")
#: Of teams (F67): victory points between those who are level, IMPs, net, lots; IMPs where they are what counts.
TIE_BREAKS_OF_TEAMS = {
    TeamMethod.IMPS: ("league_points", "head_to_head", "imps", "net", "draw_of_lots"),
    TeamMethod.POINT_A_BOARD: ("league_points", "head_to_head", "net", "draw_of_lots"),
    TeamMethod.TOTAL: ("league_points", "head_to_head", "matches_won", "draw_of_lots"),
}
#: A walkover and a bye are worth 12 of 20 (F28, F67), of the points of the boards the same share.
SHARE_WITHOUT_PLAY = Fraction(12, 20)
SCHEDULE = (
    "format", "planned_rounds", "terms", "ladder", "starts_on", "days_between_rounds", "weekdays", "days_off",
    "due_days", "play_time",
)  # fmt: skip
STAKES = ("game", "rules", "points", "tie_breaks", "team_method", "imp_scale", *SCHEDULE)
EARLIEST, LATEST = date(1950, 1, 1), date(2199, 12, 31)
State = Competition.State


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a director says of a competition; what is left out has a good default.

    `rules` are the game's options as its port reads them, `points` the scheme as engine.contest.points.parsing does
    ({} is 2/1/0). Without `season` the season of the first day is taken, or made (named by its years, such as
    "2026/27"). Without `slug` the address is made from the name, without `game` it is the first one. Rounds begin every
    `days_between_rounds`, or with `weekdays` (Monday is 0) on these, but never on one of `days_off` (first and last
    days); they are due `due_days` later, or with 0 the day before the next one. `terms` and `ladder` have what can be
    said of their formats (see `formats.ROUND_TERMS` and `TERMS`); what they leave out is usual. `extra` has the options
    of parts that games add, by the part's key; a part that is left out stays as it is.
    """

    name: str
    starts_on: date
    divisions: tuple[DivisionPlan, ...] = (DivisionPlan(),)
    season: str = ""
    slug: str = ""
    game: str = ""
    format: str = formats.SINGLE
    visibility: str = Competition.Visibility.PUBLIC
    rules: Mapping[str, Any] = field(default_factory=dict)
    points: Mapping[str, Any] = field(default_factory=dict)
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    planned_rounds: int = 0
    terms: Mapping[str, int] = field(default_factory=dict)
    ladder: Mapping[str, int] = field(default_factory=dict)
    team_method: str = ""
    imp_scale: int = USUAL_IMP_SCALE
    days_between_rounds: int = 7
    weekdays: tuple[int, ...] = ()
    days_off: tuple[tuple[date, date], ...] = ()
    due_days: int = 0
    play_time: time = time(19, 30)
    place: str = ""
    correction_hours: int = 48
    typed_sheets: str = Competition.TypedSheets.AUTOMATIC
    silence_days: int = USUAL_SILENCE
    extra: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@transaction.atomic
def set_up(*, actor: Actor, club: Club, data: Setup) -> Competition:
    """Makes a draft of a competition with its divisions, and its season where there is none."""
    policies.require(actor, "competition.set_up", club)
    data = _complete(club, data)
    competition = build(club, data)
    competition.slug = slugs.choose(
        wanted=data.slug,
        name=data.name,
        is_taken=lambda slug: Competition.objects.filter(club=club, slug=slug).exists(),
    )
    competition.season = _season(club, data)
    try:
        with transaction.atomic():
            competition.save()
            competition.stage.save()
    except IntegrityError as clash:
        raise Conflict(_("There is already a competition at this address. Choose another one.")) from clash
    divisions.arrange(competition, data.divisions)
    extras.write(competition, data.extra)
    audit.record(
        actor=actor,
        action="competition.set_up",
        summary=sentences.gettext("Competition set up"),
        competition=competition,
        after=facts(competition),
    )
    return competition


def usual_game(club: Club) -> str:
    """The key of the game that most of the club's competitions are in; of several the one of the newest."""
    by_game = club.competitions.values("game").annotate(count=Count("pk"), newest=Max("pk"))
    played = by_game.order_by("-count", "-newest").values_list("game", flat=True).first()
    return played if played and played in extension.layer().games else extension.first_game()


def build(club: Club, data: Setup, *, existing: Competition | None = None) -> Competition:
    """The competition's row as it would be, not saved: for a preview of the calendar. Raises Invalid with every fault.

    See league.competitions.calendars.calendar. `existing` is the competition that would be changed.
    """
    data = _complete(club, data, existing)
    points, tie_breaks = _worth(data, existing)
    competition = Competition(
        club=club,
        name=validation.one_line(data.name),
        game=data.game or usual_game(club),
        visibility=data.visibility,
        points=points,
        tie_breaks=tie_breaks,
        starts_on=data.starts_on,
        days_between_rounds=data.days_between_rounds,
        weekdays=sorted(set(data.weekdays)),
        days_off=[[first.isoformat(), last.isoformat()] for first, last in sorted(set(data.days_off))],
        due_days=data.due_days,
        play_time=data.play_time,
        place=validation.one_line(data.place),
        correction_hours=data.correction_hours,
        typed_sheets=data.typed_sheets,
        silence_days=data.silence_days,
        team_method=data.team_method,
        imp_scale=data.imp_scale,
        slug="unsaved",
    )
    competition.stage = Stage(competition=competition, format=data.format)
    if data.format in formats.OF_WAY:
        competition.stage.choose_format(data.format, data.planned_rounds, data.ladder, data.terms)
    faults = [
        *validation.faults_of(competition.stage),
        *_faults_of_rules(competition, data, existing),
        *divisions.faults(data.divisions),
        *extras.faults(competition.game, data.extra),
    ]
    validation.refuse([*validation.faults_of(competition), *faults])
    return competition


@transaction.atomic
def edit(*, actor: Actor, competition: Competition, data: Setup) -> Competition:
    """Changes a competition. Dates and format change before the draw only; what is at stake, in a draft only."""
    competition = locked(competition)
    policies.require(actor, "competition.set_up", competition)
    data = _complete(competition.club, data, competition)
    wanted = build(competition.club, data, existing=competition)
    _check_change(competition, wanted, data)
    before = facts(competition)
    if not _is_changed(competition, wanted, data):
        return competition
    drafts.remember(
        actor=actor,
        competition=competition,
        action="competition.edited",
        summary=sentences.gettext("Changed: %(what)s")
        % {"what": _changed_in_words(competition, wanted, data)},
        parts=("row", "divisions", "extra"),
    )
    for name in _EDITABLE:
        setattr(competition, name, getattr(wanted, name))
    competition.stage.choose_format(data.format, data.planned_rounds, data.ladder, data.terms)
    competition.stage.save(update_fields=["format", "options"])
    if competition.state == State.DRAFT:
        competition.season = _season(competition.club, data)
        divisions.arrange(competition, data.divisions)
        extras.write(competition, data.extra)
    competition.save(update_fields=[*_EDITABLE, "season"])
    if competition.state == State.DRAFT:
        validation.refuse(faults_of_carry_over(competition.stage))
    audit.record(
        actor=actor,
        action="competition.edited",
        summary=sentences.gettext("Competition edited"),
        competition=competition,
        before=before,
        after=facts(competition),
    )
    return competition


def faults_of_carry_over(stage: Stage) -> list[validation.Fault]:
    """Why the points of the stage before can't count on in this one, if they can't (F8)."""
    if stage.carry_over == Stage.CarryOver.NONE or worth_of_carried(stage):
        return []
    if stage.is_evening and stage.after is not None and stage.after.is_evening:
        return []
    if stage.is_bracket or stage.is_ladder:
        said = _(
            "This format has no points to begin with: the places before it give the seeds. Carry nothing over."
        )
    else:
        said = _("The points of these two formats can’t be compared. Carry nothing over.")
    return [validation.fault(said, "carry_over")]


@transaction.atomic
def publish(*, actor: Actor, competition: Competition) -> Competition:
    """Opens a drawn competition: the pairs see it, and results can come in."""
    competition = locked_with_last(competition)
    policies.require(actor, "competition.set_up", competition)
    if competition.state != State.DRAFT:
        raise Conflict(_("This competition is already published."))
    last = competition.follows
    if last is not None and last.state != State.FINISHED:
        raise Conflict(
            _("%(name)s was reopened. Finish it first: its final table decides who plays where.")
            % {"name": last}
        )
    if competition.stage.is_ladder:
        _check_sizes_of_ladder(competition)
    elif not competition.stage.rounds.exists():
        raise Conflict(_("Draw the rounds first, so that everyone can see who meets whom."))
    _change_state(actor, competition, State.RUNNING)
    if competition.stage.is_ladder:
        ladders.begin(competition=competition, at=timezone.now())
    standings.bump(competition=competition)
    extension.layer().drawn(actor=actor, competition=competition)
    telling.season_published(actor=actor, competition=competition)
    telling.rounds_published(competition=competition, fixtures=Fixture.objects.of_competition(competition.pk))
    return competition


def _check_sizes_of_ladder(competition: Competition) -> None:
    for division in competition.stage.divisions.all():
        if division.entries.active().count() < 2:
            raise Conflict(_("%(division)s needs two entries or more.") % {"division": division})


@transaction.atomic
def finish(*, actor: Actor, competition: Competition) -> Competition:
    """Closes a competition whose matches all have a result; the table is final."""
    competition = locked(competition)
    policies.require(actor, "competition.finish", competition)
    if competition.state != State.RUNNING:
        raise Conflict(_("Only a running competition can be finished."))
    if has_undrawn(competition):
        raise Conflict(_("Not all rounds are drawn yet. Draw them, or leave them out."))
    undecided = undecided_ties(competition)
    if undecided:
        said = _("It is not decided who goes on from %(match)s. Decide that first.")
        raise Conflict(said % {"match": undecided[0].fixture})
    waiting = Fixture.objects.of_competition(competition.pk).open().count()
    if waiting:
        raise Conflict(
            _("%(count)d matches have no result yet. Enter the results or give walkovers first.")
            % {"count": waiting}
        )
    _change_state(actor, competition, State.FINISHED)
    return competition


def has_undrawn(competition: Competition) -> bool:
    """Whether rounds are still to be drawn; a leg that nobody needs any more is not."""
    stage = competition.stage
    if not stage.is_by_round or not stage.rounds.filter(appearances__isnull=True).exists():
        return False
    return not stage.is_bracket or not all(
        brackets.of_division(each).is_over for each in stage.divisions.all()
    )


def undecided_ties(competition: Competition) -> list[Tie]:
    """Of a knock-out: the matches with a result, or made void, from which nobody goes on yet."""
    if not competition.stage.is_bracket:
        return []
    ties = (tie for each in competition.stage.divisions.all() for tie in brackets.of_division(each).undecided)
    return [tie for tie in ties if tie.how != How.OPEN]


@transaction.atomic
def reopen(*, actor: Actor, competition: Competition, reason: str) -> Competition:
    """Takes a finished competition up again, so that something can be put right."""
    competition = locked(competition)
    policies.require(actor, "competition.finish", competition)
    if competition.state != State.FINISHED:
        raise Conflict(_("This competition is not finished."))
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the competition."))
    _change_state(actor, competition, State.RUNNING, reason=reason)
    return competition


@transaction.atomic
def discard(*, actor: Actor, competition: Competition) -> None:
    """Deletes a draft; `drafts.bring_back` makes it again."""
    competition = locked(competition)
    policies.require(actor, "competition.set_up", competition)
    if competition.state != State.DRAFT:
        raise Conflict(_("Only a draft can be deleted."))
    drafts.remember(
        actor=actor,
        competition=competition,
        action=drafts.DELETED,
        summary=sentences.gettext("Draft deleted: %(name)s") % {"name": competition},
        parts=("row", "divisions", "extra", "draw", "answers"),
    )
    audit.record(
        actor=actor,
        action="competition.discarded",
        summary=sentences.gettext("Draft deleted: %(name)s") % {"name": competition},
        club=competition.club,
        before=facts(competition),
    )
    competition.stage.rounds.all().delete()
    competition.delete()
    # The season that was made for it goes, too; `bring_back` makes it again.
    Season.objects.filter(pk=competition.season_id, competitions__isnull=True).delete()


def set_state(competition: Competition, state: str) -> None:
    """Writes the state of a competition, and of its stage: for services that have checked that it may be so."""
    competition.state = competition.stage.state = state
    competition.save(update_fields=["state"])
    competition.stage.save(update_fields=["state"])


def setup_of(competition: Competition) -> Setup:
    """What the competition is set up as, for an edit that changes a part of it."""
    same = (
        "name", "starts_on", "game", "format", "planned_rounds", "terms", "ladder", "visibility", "rules", "points",
        "team_method", "imp_scale",
        "days_between_rounds", "due_days", "play_time", "place", "correction_hours", "typed_sheets", "silence_days",
    )  # fmt: skip
    return Setup(
        **{name: getattr(competition, name) for name in same},
        season=competition.season.name,
        extra=extras.read(competition),
        tie_breaks=tuple(competition.tie_breaks),
        weekdays=tuple(competition.weekdays),
        days_off=tuple(
            (date.fromisoformat(first), date.fromisoformat(last)) for first, last in competition.days_off
        ),
        divisions=divisions.plans_of(competition.stage.divisions.order_by("level")),
    )


def locked(competition: Competition) -> Competition:
    """The competition as it is now, its row locked: the lock for all that changes who takes part and who meets."""
    return locks.competition(competition.pk)


def locked_with_last(competition: Competition) -> Competition:
    """The same, with the competition whose next season it is locked first: neither changes under the other."""
    locks.competitions([key for key in (competition.follows_id, competition.pk) if key is not None])
    return locked(competition)


def check_not_final(competition: Competition) -> None:
    """Raises Conflict when the competition is finished: its table is final until a director reopens it."""
    if competition.state == State.FINISHED:
        raise Conflict(_("This competition is finished. Reopen it first."))


def facts(competition: Competition) -> dict[str, Any]:
    """What the audit trail keeps of a competition."""
    plain = {name: getattr(competition, name) for name in (*_OF_STAGE, *_EDITABLE)}
    plain["starts_on"] = competition.starts_on.isoformat()
    plain["play_time"] = competition.play_time.isoformat()
    return {
        **plain,
        **extras.read(competition),
        "season": competition.season.name,
        "slug": competition.slug,
        "divisions": [
            asdict(each) for each in divisions.plans_of(competition.stage.divisions.order_by("level"))
        ],
    }


_OF_STAGE = ("format", "planned_rounds", "terms", "ladder")
_EDITABLE = (
    "name", "game", "visibility", "rules", "points", "tie_breaks", "starts_on", "days_between_rounds", "weekdays",
    "days_off", "due_days", "play_time", "place", "correction_hours",
    "typed_sheets", "silence_days", "team_method", "imp_scale",
)  # fmt: skip


def _is_changed(competition: Competition, wanted: Competition, data: Setup) -> bool:
    if any(getattr(competition, name) != getattr(wanted, name) for name in (*_OF_STAGE, *_EDITABLE)):
        return True
    if competition.state != State.DRAFT:
        return False
    season = validation.one_line(data.season)
    is_other_season = season != competition.season.name if season else False
    if extras.differ(competition, data.extra):
        return True
    return is_other_season or divisions.differ(competition, data.divisions)


def _changed_in_words(competition: Competition, wanted: Competition, data: Setup) -> sentences.Joined:
    """Which parts of the set-up an edit changes, in the words of its pages."""
    parts = (
        (sentences.gettext("name"), ("name",)),
        (sentences.gettext("format"), _OF_STAGE),
        (sentences.gettext("rules of play"), ("game", "rules")),
        (sentences.gettext("points and tie-breaks"), ("points", "tie_breaks")),
        (sentences.gettext("teams of four"), ("team_method", "imp_scale")),
        (sentences.gettext("calendar"), tuple(name for name in SCHEDULE if name not in _OF_STAGE)),
        (sentences.pgettext("where it is played", "place"), ("place",)),
        (sentences.gettext("who can see it"), ("visibility",)),
        (sentences.gettext("time for corrections"), ("correction_hours",)),
        (sentences.gettext("when typed sheets count"), ("typed_sheets", "silence_days")),
    )
    said: list[object] = [
        word
        for word, names in parts
        if any(getattr(competition, name) != getattr(wanted, name) for name in names)
    ]
    if divisions.differ(competition, data.divisions):
        said.append(sentences.gettext("divisions"))
    said += extras.changed_in_words(competition, data.extra)
    return sentences.Joined(tuple(said) or (sentences.gettext("season"),))


def _faults_of_rules(
    competition: Competition, data: Setup, existing: Competition | None
) -> list[validation.Fault]:
    """Reads the rules of play, the points and the tie-breaks into the row; gives what is wrong with them."""
    faults: list[validation.Fault] = []
    if not EARLIEST <= data.starts_on <= LATEST:
        faults.append(validation.fault(_("The first round is too far in the future."), "starts_on"))
    faults += [*calendars.faults(competition), *_faults_of_format(competition, data)]
    port = extension.layer().games.get(competition.game)
    if competition.is_of_teams and port is not None and not port.has_boards_for_pairs:
        said = _("Teams of four are for games of two pairs whose boards can be played at several tables.")
        faults.append(validation.fault(said, "team_method"))
    elif competition.is_of_teams and data.format in formats.OF_WAY and competition.stage.is_ladder:
        said = _("There are no ladders of teams. Choose a round robin, a Swiss or a knock-out.")
        faults.append(validation.fault(said, "format"))
    try:
        rules = extras.rules(existing, competition.game, data.extra, data.rules)
        competition.rules = extension.game(competition.game).read_options(rules)
    except Invalid as refusal:
        faults += validation.under(refusal, "rules")
    return [*faults, *_faults_of_worth(competition, data)]


def _faults_of_format(competition: Competition, data: Setup) -> list[validation.Fault]:
    """What is wrong with rounds that are drawn one by one."""
    port = extension.layer().games.get(competition.game)
    if data.format in formats.OF_WAY and competition.stage.is_ladder:
        return _faults_of_ladder(data, is_for_two=port is None or port.is_for_two)
    if data.format not in formats.OF_WAY or not competition.stage.is_by_round:
        return []
    bounds = {name: (0, most) for name, most in formats.ALL_ROUND_TERMS.items()}
    faults = _faults_of_terms("terms", data.terms, bounds)
    if competition.stage.is_bracket:
        if data.terms.get(formats.LEGS, 0) not in {0, *knockout.LEGS}:
            said = _("A tie has 1, 2, 3 or 5 legs.")
            faults.append(validation.fault(said, "terms", formats.LEGS))
        if port and not port.is_for_two:
            said = _("A knock-out is for games in which two sides meet. Choose a round robin.")
            faults.append(validation.fault(said, "format"))
        return faults
    if competition.stage.is_at_tables:
        return [*faults, *_faults_of_tables(data, port)]
    if port and not port.is_for_two:
        said = _("A Swiss is for games in which two sides meet. Choose a round robin.")
        faults.append(validation.fault(said, "format"))
    elif port and competition.stage.partners_change and (port.lineup_size != 2 or competition.is_of_teams):
        said = _("Partners can change only where two pairs meet. Choose another format.")
        faults.append(validation.fault(said, "format"))
    if not 0 <= data.planned_rounds <= formats.MOST_ROUNDS:
        said = _("A Swiss has 1 to %(most)d rounds.") % {"most": formats.MOST_ROUNDS}
        faults.append(validation.fault(said, "planned_rounds"))
    return faults


def _faults_of_tables(data: Setup, port: extension.GamePort | None) -> list[validation.Fault]:
    """What is wrong with rounds of tables."""
    faults: list[validation.Fault] = []
    if port and not port.suits_tables:
        said = _("Tables are drawn for games in which three or more play, each alone. Choose another format.")
        faults.append(validation.fault(said, "format"))
    if not 0 <= data.planned_rounds <= formats.MOST_ROUNDS:
        said = _("Enter a number from %(least)d to %(most)d.") % {"least": 0, "most": formats.MOST_ROUNDS}
        faults.append(validation.fault(said, "planned_rounds"))
    return faults


def _faults_of_ladder(data: Setup, *, is_for_two: bool) -> list[validation.Fault]:
    """What is wrong with the terms of a ladder."""
    faults = []
    if not is_for_two:
        said = _("A ladder is for games in which two sides meet. Choose a round robin.")
        faults.append(validation.fault(said, "format"))
    bounds = {name: (int(name == "reach"), most) for name, (_usual, most) in formats.TERMS.items()}
    return [*faults, *_faults_of_terms("ladder", data.ladder, bounds)]


def _faults_of_terms(
    of: str, terms: Mapping[str, Any], bounds: Mapping[str, tuple[int, int]]
) -> list[validation.Fault]:
    """What is wrong with the terms of a format, each of which has a least and a most."""
    faults = []
    for name, value in terms.items():
        least, most = bounds.get(name, (0, -1))
        if type(value) is not type(most) or not least <= value <= most:
            said = _("Enter a number from %(least)d to %(most)d.") % {"least": least, "most": max(most, 0)}
            faults.append(validation.fault(said, of, name))
    return faults


def _worth(data: Setup, existing: Competition | None) -> tuple[dict[str, Any], list[str]]:
    """The points and tie-breaks: those given, or the usual ones where none are or the game has other sides now."""
    games = extension.layer().games
    port = games.get(data.game or extension.first_game())
    before = games.get(existing.game) if existing else None
    points = dict(data.points) if isinstance(data.points, Mapping) else {}
    tie_breaks = list(data.tie_breaks)
    if data.team_method in TIE_BREAKS_OF_TEAMS and port and data.format != formats.KNOCKOUT:
        return _worth_of_teams(data, existing, port, tie_breaks)
    if points.get("by") == "teams":
        points, tie_breaks = {}, list(TIE_BREAKS)
    if before and before.points and before is not port and points == before.points:
        points = {}
    if port and existing and before and before.is_for_two != port.is_for_two:
        points = {} if points == existing.points else points
        tie_breaks = list(TIE_BREAKS) if tie_breaks == existing.tie_breaks else tie_breaks
    if data.format == formats.KNOCKOUT:
        return dict(brackets.POINTS), list(brackets.TIE_BREAKS)
    if existing and existing.stage.is_bracket and points == existing.points:
        points, tie_breaks = {}, list(TIE_BREAKS)
    is_usual = tuple(tie_breaks) == TIE_BREAKS
    points = _without_usual(points, data, existing)
    if _is_at_tables(data) and port:
        points = _with_bye_at_tables(points, port)
        return points, list(TIE_BREAKS_AT_TABLES) if is_usual else tie_breaks
    if data.format in formats.OF_WAY and formats.OF_WAY[data.format].is_by_round:
        return _with_bye(points), list(TIE_BREAKS_OF_SWISS) if is_usual else tie_breaks
    if port is None or port.is_for_two:
        return points or (dict(port.points) if port else {}), tie_breaks
    return points or dict(port.points) or dict(POINTS_AT_TABLES), list(
        TIE_BREAKS_AT_TABLES
    ) if is_usual else tie_breaks


def _worth_of_teams(
    data: Setup, existing: Competition | None, port: extension.GamePort, tie_breaks: list[str]
) -> tuple[dict[str, Any], list[str]]:
    """Two teams make their points of the boards (F64); a walkover and a bye are worth what the method says."""
    try:
        boards = port.deals_in_match(
            port.read_options(extras.rules(existing, port.key, data.extra, data.rules))
        )
    except Invalid:
        boards = 1  # The rules are refused where they are read.
    without = {
        TeamMethod.IMPS: 20 * SHARE_WITHOUT_PLAY,
        TeamMethod.POINT_A_BOARD: boards * SHARE_WITHOUT_PLAY,
        TeamMethod.TOTAL: Fraction(0),
    }[TeamMethod(data.team_method)]
    written = exact.write(without)
    points = {"by": "teams", "walkover": {"winner": written, "loser": 0}, "bye": written}
    is_other = existing is None or existing.team_method != data.team_method
    if is_other or tuple(tie_breaks) in {TIE_BREAKS, brackets.TIE_BREAKS}:
        tie_breaks = list(TIE_BREAKS_OF_TEAMS[TeamMethod(data.team_method)])
    return points, tie_breaks


def _complete(club: Club, data: Setup, existing: Competition | None = None) -> Setup:
    """What is given, with what teams of four ask of the parts that games add."""
    if not data.team_method:
        return data
    return replace(data, extra=extras.for_teams(existing, data.game or usual_game(club), data.extra))


def _without_usual(points: dict[str, Any], data: Setup, existing: Competition | None) -> dict[str, Any]:
    """Nothing where tables become something else, or the other way round, and the points stayed as they were."""
    if existing is None or points != existing.points or existing.stage.is_at_tables == _is_at_tables(data):
        return points
    return {}


def _is_at_tables(data: Setup) -> bool:
    return data.format in formats.OF_WAY and formats.OF_WAY[data.format].is_at_tables


def _with_bye_at_tables(points: dict[str, Any], port: extension.GamePort) -> dict[str, Any]:
    """Where tables are of different sizes the first of each gets the same (C11); a bye is worth a table's average."""
    seats = formats.seats_of(port.usual_sizes)
    points = points or dict(port.points) or {"by": "rank", "first": 2 * (seats - 1)}
    try:
        scheme = read_scheme(points)
    except ContestError:
        return points
    if isinstance(scheme, ByRank):
        average = sum((scheme.of_place(place, seats) for place in range(1, seats + 1)), Fraction(0)) / seats
        return {"bye": exact.write(average), **points}
    return points


def _with_bye(points: dict[str, Any]) -> dict[str, Any]:
    """In a Swiss a bye is worth a win, if nothing else is said (F28)."""
    try:
        scheme = read_scheme(points)
    except ContestError:
        return points
    return (
        {"bye": exact.write(scheme.walkover_winner), **points} if isinstance(scheme, HeadToHead) else points
    )


def _faults_of_worth(competition: Competition, data: Setup) -> list[validation.Fault]:
    """What is wrong with the points and the tie-breaks, for the sides that the game's matches have."""
    faults: list[validation.Fault] = []
    games = extension.layer().games
    sides = games[competition.game].sides if competition.game in games else (2,)
    try:
        scheme = read_scheme(competition.points if isinstance(data.points, Mapping) else data.points)
        if not all(scheme.fits(number) for number in sides):
            said = _("Points for a win and a draw are for matches of two. Choose points by rank or by share.")
            faults.append(validation.fault(said, "points", "by"))
    except ContestError as refusal:
        faults += validation.under(validation.refused_by_rules(refusal), "points")
    try:
        metrics = read_tie_breaks(list(competition.tie_breaks))
    except ContestError as refusal:
        return [*faults, *validation.under(validation.refused_by_rules(refusal), "tie_breaks")]
    for number, metric in enumerate(metrics):
        if not metric.fits(max(sides)):
            said = _("“%(name)s” is not for this game: more than two meet in a match.")
            faults.append(validation.fault(said % {"name": _(metric.name)}, "tie_breaks", number))
    return faults


def _season(club: Club, data: Setup) -> Season:
    name = validation.one_line(data.season)
    first, last = years.playing_year(club, data.starts_on)
    if not name:
        current = club.seasons.filter(starts_on__lte=data.starts_on, ends_on__gte=data.starts_on).first()
        if current is not None:
            return current
        name = years.name_of(first)
    wanted = Season(club=club, name=name, starts_on=first, ends_on=last)
    validation.check(wanted)
    made, _is_new = Season.objects.get_or_create(
        club=club, name=name, defaults={"starts_on": first, "ends_on": last}
    )
    return made


def _check_change(competition: Competition, wanted: Competition, data: Setup) -> None:
    changed = {name for name in STAKES if getattr(competition, name) != getattr(wanted, name)}
    is_drawn = competition.stage.rounds.exists()
    is_other = divisions.differ(competition, data.divisions) or extras.differ(competition, data.extra)
    if competition.state != State.DRAFT and (changed or is_other):
        raise Conflict(
            _("This competition is running. You can change its name, its place and who can see it, "
              "but not its rules. To change points, use an adjustment.")
        )  # fmt: skip
    if is_drawn and changed & set(SCHEDULE):
        raise Conflict(
            _("The rounds have already been drawn. Undo the draw first, then change the dates or the format.")
        )


def _change_state(actor: Actor, competition: Competition, state: str, *, reason: str = "") -> None:
    actions = {
        (State.DRAFT, State.RUNNING): ("competition.published", sentences.gettext("Published")),
        (State.RUNNING, State.FINISHED): ("competition.finished", sentences.gettext("Finished")),
        (State.FINISHED, State.RUNNING): ("competition.reopened", sentences.gettext("Reopened")),
    }
    before = State(competition.state)
    action, summary = actions[before, State(state)]
    set_state(competition, state)
    audit.record(
        actor=actor,
        action=action,
        summary=summary,
        competition=competition,
        before={"state": before},
        after={"state": state},
        reason=reason,
    )
