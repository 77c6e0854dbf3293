"""Which rows of a club stand in its file, and of each which columns. What is named nowhere stands in no file.

Every model of the league and of the games is either one of the KINDS or LEFT_OUT, and every column of a kind is either
in the file or stays behind: tests/games/test_club_file_columns.py fails for one that is neither.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.db import models
from django.db.models import QuerySet

from games.models import (
    AdjustedScore,
    Agreement,
    Board,
    BoardAverage,
    BoardDraw,
    BoardSet,
    ConventionCard,
    Duplicate,
    EarlyPlay,
    Evening,
    FixtureBoard,
    Handicap,
    HandicapGrade,
    Match,
    MatchSeat,
    OnlinePlay,
    PlayedDeal,
    RobotHand,
    Ruling,
    Scoresheet,
    SectionMovement,
)
from league.models import (
    Adjustment,
    Appearance,
    Challenge,
    Club,
    Competition,
    DateProposal,
    Division,
    Entry,
    FinalPlace,
    Fixture,
    ForbiddenMeeting,
    Ladder,
    LadderEvent,
    LadderPlace,
    Lineup,
    LineupMember,
    LotDraw,
    NamedPairs,
    Player,
    PlayOff,
    RequestedBye,
    Round,
    RoundDraw,
    Season,
    SeasonAnswer,
    SeasonEnd,
    SeasonSubstitute,
    Stage,
    Substitution,
    TieDecision,
)
from league.querysets import DECIDED

Model: TypeAlias = type[models.Model]
Swap: TypeAlias = Callable[[Model, Any], int]
"""Gives the key under which a row is known on the other side. Raises ValueError where it is none."""
MOST_KEYS = 5000


@dataclass(frozen=True, slots=True)
class Scope:
    """What is exported: a whole club, or one competition with those who take part.

    `closed` are the sets that are not released as a whole: of their boards no card and no play stands in a file.
    `sealed` are the matches that play one of them.
    """

    club: Club
    competitions: Collection[int]
    is_whole: bool
    closed: frozenset[int]
    sealed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Kind:
    """How rows of a model stand in a file, after those that they point at.

    `path` leads from a row to its competition, as filters name it; "" where `rows` says which there are, beside those
    that others point at. `left` stays behind: accounts, secrets, and what is computed from the rest. Keys of rows stand
    in columns of `inner`, too. What is named in `later` points at rows that come after it. `same` are pairs of ways
    along the columns that must lead to one row.
    """

    model: Model
    columns: tuple[str, ...]
    left: tuple[str, ...] = ()
    path: str = ""
    rows: Callable[[Scope, "QuerySet[Any]"], "QuerySet[Any]"] = lambda _scope, rows: rows
    inner: Mapping[str, Callable[[Any, Swap], Any]] = field(default_factory=dict)
    later: tuple[str, ...] = ()
    same: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """What a line calls it."""
        return str(self.model._meta.label_lower)

    def found(self, scope: Scope, wanted: Collection[int]) -> "QuerySet[Any]":
        """The rows of the scope, in the order of their keys."""
        every: QuerySet[Any] = models.QuerySet(self.model)
        if self.path:
            chosen = self.rows(scope, every.filter(**{f"{self.path}__in": scope.competitions}))
        else:
            chosen = self.rows(scope, every) | every.filter(pk__in=wanted)
        return chosen.order_by("pk")


def _list_of(model: Model) -> Callable[[Any, Swap], Any]:
    def swapped(value: Any, swap: Swap) -> Any:
        if not isinstance(value, list) or len(value) > MOST_KEYS:
            raise ValueError
        return [swap(model, key) for key in value]

    return swapped


def _fixtures_with_status(value: Any, swap: Swap) -> Any:
    if not isinstance(value, list) or len(value) > MOST_KEYS:
        raise ValueError
    for each in value:
        if not isinstance(each, list) or len(each) != 2 or each[1] not in Fixture.Status.values:
            raise ValueError
    return [[swap(Fixture, key), status] for key, status in value]


def _seats(value: Any, swap: Swap) -> Any:
    if not isinstance(value, dict):
        raise ValueError
    seats = value.get("seats")
    if not isinstance(seats, dict) or len(seats) > 20:
        raise ValueError
    return {**value, "seats": {seat: swap(Player, key) for seat, key in seats.items()}}


def _whole(scope: Scope, rows: "QuerySet[Any]") -> "QuerySet[Any]":
    return rows.filter(club=scope.club) if scope.is_whole else rows.none()


def _present(scope: Scope, rows: "QuerySet[Any]") -> "QuerySet[Any]":
    return _whole(scope, rows).filter(merged_into=None)


def _no_more(_scope: Scope, rows: "QuerySet[Any]") -> "QuerySet[Any]":
    return rows.none()


def _open(path: str) -> Callable[[Scope, "QuerySet[Any]"], "QuerySet[Any]"]:
    """Those of matches that play no board of a closed set."""
    return lambda scope, rows: rows.exclude(**{f"{path}__in": scope.sealed})


def _of_open_sets(path: str) -> Callable[[Scope, "QuerySet[Any]"], "QuerySet[Any]"]:
    return lambda scope, rows: rows.exclude(**{f"{path}__in": scope.closed})


KINDS: tuple[Kind, ...] = (
    Kind(
        Club,
        (
            "name", "time_zone", "place", "weekday", "play_time", "year_begins", "about", "is_open",
            "lone_director_deals", "guests_enter", "unwanted_words", "may_be_embedded",
        ),
        left=("slug", "created_at"),
        rows=lambda scope, rows: rows.filter(pk=scope.club.pk),
    ),
    Kind(Season, ("club", "name", "starts_on", "ends_on"), rows=_whole),
    Kind(
        Player,
        ("club", "name", "public_name", "is_young", "number", "created_at"),
        left=("email", "email_by", "email_at", "user", "linked_by", "linked_at", "merged_into"),
        rows=_present,
    ),
    Kind(Lineup, ("club", "name", "captain", "created_at"), left=("members_key", "merged_into"), rows=_present),
    Kind(LineupMember, ("lineup", "player", "order"), rows=_no_more),
    Kind(Agreement, ("lineup", "text", "changed_at"), left=("changed_by",), rows=_no_more),
    Kind(ConventionCard, ("lineup", "game", "number", "content", "made_at"), left=("made_by",), rows=_no_more),
    Kind(
        Competition,
        (
            "club", "season", "name", "slug", "game", "state", "visibility", "rules", "points", "tie_breaks",
            "starts_on", "days_between_rounds", "weekdays", "days_off", "due_days", "play_time", "place",
            "correction_hours", "typed_sheets", "silence_days", "team_method", "imp_scale", "prizes", "follows",
            "created_at",
        ),
        left=("results_version",),
        path="pk",
        later=("follows",),
    ),
    Kind(
        Stage,
        ("competition", "order", "format", "options", "state", "draw_seed", "after", "carry_over"),
        path="competition",
        later=("after",),
    ),
    Kind(Division, ("stage", "name", "level", "is_parallel", "promoted", "relegated"), path="stage__competition"),
    Kind(Round, ("stage", "number", "starts_on", "closes_at"), path="stage__competition"),
    Kind(
        Entry,
        (
            "competition", "division", "lineup", "team", "number", "entered_at", "first_round", "is_house",
            "withdrawn_at", "withdrawal_reason", "withdrawal_fixtures",
        ),
        path="competition",
        inner={"withdrawal_fixtures": _fixtures_with_status},
        later=("withdrawal_fixtures",),
        same=(("competition", "division.stage.competition"), ("division", "team.division")),
    ),
    Kind(
        Adjustment,
        ("entry", "points", "reason", "round_number", "made_at", "revoked_at"),
        left=("made_by",),
        path="entry__competition",
    ),
    Kind(
        LotDraw,
        ("division", "seed", "order", "made_at"),
        left=("made_by",),
        path="division__stage__competition",
        inner={"order": _list_of(Entry)},
    ),
    Kind(
        RoundDraw,
        ("division", "round", "seed", "cost", "least", "missing", "made_at"),
        left=("made_by",),
        path="division__stage__competition",
        inner={"missing": _list_of(Fixture)},
        later=("missing",),
        same=(("division.stage", "round.stage"),),
    ),
    Kind(
        ForbiddenMeeting,
        ("one", "other", "first_round", "last_round", "made_at"),
        left=("made_by",),
        path="one__competition",
        same=(("one.division", "other.division"),),
    ),
    Kind(
        RequestedBye,
        ("entry", "round", "asked_at"),
        left=("asked_by",),
        path="entry__competition",
        same=(("entry.division.stage", "round.stage"),),
    ),
    Kind(
        SeasonEnd,
        ("competition", "sizes", "promotes", "closed_at"),
        left=("closed_by",),
        path="competition",
    ),
    Kind(
        FinalPlace,
        (
            "end", "lineup", "entry", "plan", "placed_in", "kept_by", "is_ruling", "reason", "place", "way",
            "next_level", "next_number",
        ),
        path="end__competition",
        same=(("end.competition", "entry.competition"),),
    ),
    Kind(
        PlayOff,
        ("end", "upper", "winner", "loser"),
        path="end__competition",
        same=(("end.competition", "winner.competition"), ("end.competition", "loser.competition")),
    ),
    Kind(
        SeasonAnswer,
        ("competition", "lineup", "asked_at", "is_in", "answered_at"),
        left=("answered_by",),
        path="competition",
    ),
    Kind(
        Fixture,
        (
            "division", "round", "status", "starts_at", "decided_at", "place", "table", "note", "team_match", "room",
        ),
        path="round__stage__competition",
        rows=lambda scope, rows: rows.exclude(team_match__isnull=False, pk__in=scope.sealed),
        same=(("division.stage", "round.stage"), ("round", "team_match.round")),
    ),
    Kind(
        Appearance,
        ("round", "entry", "fixture", "order", "outcome", "score", "rank", "made"),
        path="round__stage__competition",
        rows=lambda scope, rows: rows.exclude(fixture__team_match__isnull=False, fixture__in=scope.sealed),
        same=(
            ("round", "fixture.round"),
            ("round.stage", "entry.division.stage"),
            ("fixture.division", "entry.division"),
        ),
    ),
    Kind(
        NamedPairs,
        (
            "fixture", "entry", "open_one", "open_two", "closed_one", "closed_two", "has_stood", "named_at",
        ),
        left=("named_by",),
        path="entry__competition",
        # Of a match without a result a line-up may still be hidden.
        rows=lambda _scope, rows: rows.filter(fixture__status__in=DECIDED),
        same=(("fixture.division", "entry.division"),),
    ),
    Kind(
        Substitution,
        ("fixture", "entry", "absent", "substitute", "reason", "made_at"),
        left=("made_by", "answer"),
        path="fixture__round__stage__competition",
        same=(("fixture.division", "entry.division"),),
    ),
    Kind(
        SeasonSubstitute,
        ("entry", "absent", "substitute", "reason"),
        left=("made_by",),
        path="entry__competition",
    ),
    Kind(
        TieDecision,
        ("fixture", "extra", "winner", "reason", "made_at"),
        left=("made_by",),
        path="fixture__round__stage__competition",
        same=(("fixture.division", "winner.division"),),
    ),
    Kind(
        Ladder,
        ("division", "start", "begins_on", "folded_on", "due_on"),
        path="division__stage__competition",
        inner={"start": _list_of(Entry)},
    ),
    Kind(
        LadderPlace,
        ("ladder", "entry", "place"),
        path="entry__competition",
        same=(("ladder.division", "entry.division"),),
    ),
    Kind(
        Challenge,
        ("ladder", "challenger", "challenged", "state", "made_at", "ended_at", "fixture"),
        path="challenger__competition",
        same=(
            ("ladder.division", "challenger.division"),
            ("ladder.division", "challenged.division"),
            ("ladder.division", "fixture.division"),
        ),
    ),
    Kind(
        LadderEvent,
        ("ladder", "kind", "at", "challenge", "entry"),
        left=("made_by",),
        path="ladder__division__stage__competition",
        same=(("ladder", "challenge.ladder"), ("ladder.division", "entry.division")),
    ),
    Kind(
        DateProposal,
        ("fixture", "entry", "starts_at", "message", "state", "made_at", "decided_at"),
        left=("made_by",),
        path="fixture__round__stage__competition",
        same=(("fixture.division", "entry.division"),),
    ),
    Kind(
        OnlinePlay,
        (
            "competition", "is_open", "compares_robots", "clock_seconds", "on_timeout", "absence_seconds", "robots",
            "robot", "most_robot_hands", "helps", "single_press", "spectators", "delay_seconds",
        ),
        path="competition",
    ),
    Kind(
        Duplicate,
        ("competition", "measure", "method", "tops", "least_share", "delayed", "open_after_days"),
        left=("results_version",),
        path="competition",
    ),
    Kind(Handicap, ("competition", "share"), path="competition"),
    Kind(HandicapGrade, ("entry", "grade", "fixed_at"), path="entry__competition"),
    Kind(
        Evening,
        (
            "competition", "minutes_a_round", "round_number", "round_started_at", "paused_at", "paused_seconds",
        ),
        path="competition",
    ),
    Kind(
        SectionMovement,
        ("division", "kind", "tables", "even", "rounds", "arrow_switched", "phantom", "length", "barometer",
            "first_table",
        ),
        path="division__stage__competition",
    ),
    Kind(
        BoardSet,
        (
            "competition", "round", "origin", "first_number", "count", "reserve", "commitment", "delayed", "opened",
            "made_at", "released_at", "discarded_at",
        ),
        left=("secret", "made_by"),
        path="competition",
        same=(("competition", "round.stage.competition"),),
    ),
    Kind(
        Board,
        ("board_set", "purpose", "place", "number", "dealer", "stands_for", "deal", "released_at"),
        left=("results_version",),
        path="board_set__competition",
        later=("stands_for",),
    ),
    Kind(
        BoardDraw,
        ("board_set", "kind", "reason", "drawn_name", "drawn_at"),
        left=("drawn_by",),
        path="board_set__competition",
        rows=_of_open_sets("board_set"),
    ),
    Kind(
        EarlyPlay,
        ("fixture", "reason", "given_at"),
        left=("given_by",),
        path="fixture__round__stage__competition",
        rows=_open("fixture"),
    ),
    Kind(
        Ruling,
        ("fixture", "status", "is_neutral", "at"),
        left=("actor",),
        path="fixture__round__stage__competition",
    ),
    Kind(
        Match,
        ("fixture", "game", "options", "first_dealer", "confirmed_at", "locks_at"),
        path="fixture__round__stage__competition",
        rows=_open("fixture"),
    ),
    Kind(
        MatchSeat,
        ("match", "seat", "entry", "player"),
        path="match__fixture__round__stage__competition",
        rows=_open("match"),
        same=(("match.fixture.division", "entry.division"),),
    ),
    Kind(
        FixtureBoard,
        ("fixture", "position", "board", "version", "settled"),
        left=("fits", "is_proven"),
        path="fixture__round__stage__competition",
        rows=_open("fixture"),
        same=(("fixture.round.stage.competition", "board.board_set.competition"),),
    ),
    Kind(
        Scoresheet,
        (
            "match", "version", "content", "entered_for", "entered_at", "totals", "verdict", "verdict_at",
            "verdict_reason",
        ),
        left=("digest", "origin", "entered_by", "entered_as", "suspicious", "verdict_by"),
        path="match__fixture__round__stage__competition",
        rows=_open("match"),
        inner={"content": _seats},
        same=(("match.fixture.division", "entered_for.division"),),
    ),
    Kind(PlayedDeal, ("sheet", "number"), left=("dealer", "record", "score"), rows=_no_more),
    Kind(
        RobotHand,
        ("deal", "seat", "side", "number", "robot", "actions"),
        path="deal__sheet__match__fixture__round__stage__competition",
        rows=_open("deal__sheet__match"),
    ),
    Kind(
        BoardAverage,
        ("fixture", "board", "home", "away", "reason", "made_at", "revoked_at"),
        left=("made_by",),
        path="fixture__round__stage__competition",
        rows=_of_open_sets("board__board_set"),
    ),
    Kind(
        AdjustedScore,
        ("play", "content", "reason", "made_at", "is_neutral", "revoked_at"),
        left=("made_by", "revoked_by"),
        path="play__fixture__round__stage__competition",
        rows=_open("play__fixture"),
    ),
)  # fmt: skip

BY_LABEL: Mapping[str, Kind] = {kind.label: kind for kind in KINDS}

#: Rows of a club, or near one, that stand in no file, and why.
LEFT_OUT: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "league.user", "league.contact", "league.dayaway", "league.membership", "league.invitation",
            "league.joinrequest", "league.playerclaim", "league.notice", "league.noticechoice",
            "league.noticesettings", "league.pushsubscription", "league.pushdelivery", "league.apitoken",
            "league.calendaraddress", "games.learningprogress", "games.lobbychoice", "games.dailyplay",
            "games.hiddengrade",
        ),
        "belongs to an account",
    ),
    **dict.fromkeys(
        (
            "league.webhook", "league.webhookdelivery", "league.webhookattempt", "league.outboxmessage",
            "league.idempotencykey", "league.mailaccount", "league.importbatch", "league.sweepfailure",
            "league.erasure", "league.draftchange", "league.playermerge", "league.clubimport",
            "league.importedtrailline",
            "games.paper", "games.dailydeal", "games.scoresheetdraft", "games.silenceperiod", "games.silencenotice",
        ),
        "is of this installation, or for a time only",
    ),
    **dict.fromkeys(
        (
            "games.vouch", "games.participation", "games.boardconsent", "games.neutralinvitation", "games.gradestart",
        ),
        "is somebody's word or knowledge, which counts where it was given",
    ),
    **dict.fromkeys(
        (
            "league.standingstable", "league.verification", "games.analysis", "games.comparison", "games.eventranking",
            "games.playedside", "games.playedhand", "games.gradebook", "games.gradesource", "games.gradesession",
            "games.gradestep",
        ),
        "is computed from the rest",
    ),
    **dict.fromkeys(
        (
            "games.table", "games.tableseat", "games.tabledeal", "games.action", "games.tablerequest",
            "games.tableguest", "games.guestlink", "games.chatline", "games.sheetphoto",
        ),
        "is named as left out",
    ),
    "league.auditentry": "stands in the file as text",
}  # fmt: skip
