"""What waits for a person: matches to play, results to confirm, proposals to answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse

from league import extension, formats, policies
from league.extension import PendingSheet
from league.fixtures.queries import FixtureLine, Pair, by_competition, lines
from league.models import (
    Competition,
    DateProposal,
    Fixture,
    Membership,
    NamedPairs,
    Player,
    PlayerClaim,
    Substitution,
    User,
)
from league.querysets import DECIDED, OPEN, UNPLAYED, UNSETTLED
from league.web.local_time import Moment

Status = Fixture.Status
LATEST_RESULTS = 8
STAND_INS = ("substitutions__substitute", "substitutions__absent")


class Step(StrEnum):
    """What this person can do next about a match, the most urgent first."""

    CONFIRM = "confirm"
    SETTLE = "settle"
    ANSWER = "answer"
    ENTER = "enter"
    WAIT = "wait"
    NOTHING = ""


URGENCY = tuple(Step)


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open proposal of another time."""

    key: int
    by: Pair
    time: Moment
    message: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class StandIn:
    """Who plays for whom in one match."""

    key: int
    absent: str
    substitute: str
    is_mine: bool
    is_waiting: bool


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match of this person, from their side."""

    line: FixtureLine
    club: str
    own: Pair
    opponent: str
    is_home: bool | None
    """None where more than two meet."""
    step: Step
    may_move: bool
    due: datetime
    is_late: bool
    proposal: Proposal | None
    stand_ins: tuple[StandIn, ...]
    room: str = ""
    """Of a team match, in words; its page is that of the room."""
    line_up: int | None = None
    """Of a team match without rooms: the team whose line-up this person can name; 0 where somebody else does."""
    why: str = ""
    """Where a Swiss says why these two meet."""


@dataclass(frozen=True, slots=True)
class Mine:
    """All open matches, sorted by what they ask of the person."""

    to_do: tuple[MyMatch, ...]
    upcoming: tuple[MyMatch, ...]
    waiting: tuple[MyMatch, ...]

    @property
    def next(self) -> MyMatch | None:
        """The one match to look at first: one with a result to settle, else the next one to be played."""
        urgent = [match for match in self.to_do if match.step in {Step.CONFIRM, Step.SETTLE}]
        coming = sorted((*self.to_do, *self.upcoming), key=lambda match: match.due)
        return next(iter((*urgent, *coming)), None)

    @property
    def others(self) -> tuple[MyMatch, ...]:
        """What there is besides the next one; what waits for the person leads."""
        return tuple(match for match in (*self.to_do, *self.upcoming) if match is not self.next)

    @property
    def others_to_do(self) -> tuple[MyMatch, ...]:
        """What else waits for the person."""
        return tuple(match for match in self.to_do if match is not self.next)


@dataclass(frozen=True, slots=True)
class MyClub:
    """A club the person belongs to or plays for."""

    name: str
    slug: str
    role: str
    player: int | None
    player_name: str
    claimed: str


def matches(user: User, *, at: datetime, competition: Competition | None = None) -> Mine:
    """The person's open matches, in a fixed number of queries."""
    chosen, pending = _open(user, at, competition)
    return _sorted(_seen_by(user, Fixture.with_rooms.by_keys(chosen, *STAND_INS), pending, at))


def matches_and_results(user: User, *, at: datetime) -> tuple[Mine, tuple[FixtureLine, ...]]:
    """The person's open matches and the latest decided ones."""
    chosen, pending = _open(user, at)
    results = Fixture.objects.of_user(user).decided().order_by("-round__closes_at", "-pk")
    latest = list(results[:LATEST_RESULTS].values_list("pk", flat=True))
    # What both lists show is read at once.
    found = {each.pk: each for each in Fixture.with_rooms.by_keys([*chosen, *latest], *STAND_INS)}
    own, decided = ([found[key] for key in keys if key in found] for keys in (chosen, latest))
    return _sorted(_seen_by(user, own, pending, at)), by_competition(lines(decided, pending=pending))


def _open(
    user: User, at: datetime, competition: Competition | None = None
) -> tuple[list[int], Mapping[int, PendingSheet]]:
    """The keys of the person's open matches in their order, and the sheets that wait in any of theirs."""
    own = Fixture.with_rooms.of_user(user).filter(round__stage__competition__state=Competition.State.RUNNING)
    # Once a team match has its rooms, it is the room that waits for who plays in it.
    own = own.filter(~Exists(Fixture.with_rooms.filter(team_match=OuterRef("pk"))))
    if competition is not None:
        own = own.filter(round__stage__competition=competition)
    # To a seat in a room the room's own pages lead; what is entered there waits here as everywhere.
    seats = Q(status__in=UNPLAYED) & ~Q(round__stage__format__in=formats.LEAGUES)
    found = own.exclude(seats).filter(status__in=[*OPEN, *DECIDED]).in_order()
    states = dict(found.values_list("pk", "status"))
    pending = extension.layer().pending_sheets(list(states)) if states else {}
    # A correction of a confirmed result waits to be confirmed as well, as long as it can be.
    corrected = {key for key, sheet in pending.items() if sheet.is_open(at)}
    return [key for key, status in states.items() if status in OPEN or key in corrected], pending


def _sorted(mine: list[MyMatch]) -> Mine:
    by_urgency = sorted(mine, key=lambda match: URGENCY.index(match.step))
    to_do = {Step.CONFIRM, Step.SETTLE, Step.ANSWER}
    return Mine(
        to_do=tuple(match for match in by_urgency if match.step in to_do),
        upcoming=tuple(match for match in mine if match.step is Step.ENTER),
        waiting=tuple(match for match in mine if match.step is Step.WAIT),
    )


def match_of(user: User, fixture: Fixture, *, at: datetime) -> MyMatch | None:
    """One match seen by this person; None where the person has no part in it."""
    pending = extension.layer().pending_sheets([fixture.pk])
    return next(iter(_seen_by(user, [fixture], pending, at)), None)


def clubs(user: User) -> tuple[MyClub, ...]:
    """The person's clubs: role, own player, and a claim that waits."""
    memberships = {m.club_id: m for m in Membership.objects.filter(user=user).select_related("club")}
    players = {p.club_id: p for p in Player.objects.present().filter(user=user).select_related("club")}
    open_claims = PlayerClaim.objects.filter(user=user, state=PlayerClaim.State.OPEN)
    claims = {claim.player.club_id: claim for claim in open_claims.select_related("player__club")}
    found = {
        **{key: claim.player.club for key, claim in claims.items()},
        **{key: player.club for key, player in players.items()},
        **{key: membership.club for key, membership in memberships.items()},
    }
    return tuple(
        MyClub(
            name=club.name,
            slug=club.slug,
            role=memberships[key].get_role_display() if key in memberships else "",
            player=players[key].pk if key in players else None,
            player_name=players[key].name if key in players else "",
            claimed=claims[key].player.name if key in claims else "",
        )
        for key, club in sorted(found.items(), key=lambda item: item[1].name)
    )


def _seen_by(
    user: User, fixtures: list[Fixture], waiting: Mapping[int, PendingSheet], at: datetime
) -> list[MyMatch]:
    pending = {key: sheet for key, sheet in waiting.items() if sheet.is_open(at)}
    proposals = {
        proposal.fixture_id: proposal
        for proposal in DateProposal.objects.filter(fixture__in=fixtures, state=DateProposal.State.OPEN)
    }
    seen = []
    for fixture, line in zip(fixtures, lines(fixtures, pending=waiting), strict=True):
        own = policies.entry_of(user, fixture)
        if own is not None and not policies.is_silent(user, fixture):
            sheet, proposal = pending.get(fixture.pk), proposals.get(fixture.pk)
            seen.append(_seen(user, fixture, line, own_key=own.pk, sheet=sheet, proposal=proposal, at=at))
    return seen


def _seen(
    user: User,
    fixture: Fixture,
    line: FixtureLine,
    *,
    own_key: int,
    sheet: PendingSheet | None,
    proposal: DateProposal | None,
    at: datetime,
) -> MyMatch:
    own = next(pair for pair in line.sides if pair.entry == own_key)
    competition = fixture.round.competition
    offered = _proposal(proposal, line, own) if proposal else None
    due = fixture.starts_at or fixture.round.closes_at
    return MyMatch(
        line=line,
        club=competition.club.name,
        own=own,
        is_home=None if len(line.sides) > 2 else own is line.home,
        opponent=", ".join(each.name for each in line.opponents_of(own.entry)),
        step=_step(user, line.status, own, sheet, offered),
        may_move=line.status in {Status.SCHEDULED, Status.POSTPONED}
        and len(line.sides) == 2
        and competition.stage.is_league,
        due=due,
        is_late=due < at,
        proposal=offered,
        stand_ins=_stand_ins(fixture.substitutions.all(), own),
        room=fixture.get_room_display() if fixture.room else "",
        line_up=_line_up(user, fixture, own_key) if fixture.is_team_match else None,
        why=_why(fixture, own, line) if fixture.round.stage.is_swiss and not fixture.room else "",
    )


def _why(fixture: Fixture, own: Pair, line: FixtureLine) -> str:
    competition = fixture.round.competition
    place = [competition.club.slug, competition.slug, fixture.round.number, fixture.division_id]
    if fixture.round.stage.partners_change:
        return f"{reverse('round_why', args=place)}#why"
    query = urlencode({"who": own.entry, "whom": line.opponents_of(own.entry)[0].entry})
    return f"{reverse('round_why', args=place)}?{query}#why"


def _line_up(user: User, fixture: Fixture, own: int) -> int:
    place = NamedPairs(fixture=fixture, entry=next(each for each in fixture.entries if each.pk == own))
    return own if policies.may(user, "team.name_pairs", place) else 0


def _step(user: User, status: str, own: Pair, sheet: PendingSheet | None, proposal: Proposal | None) -> Step:
    if sheet is not None:
        is_own = own.entry in {sheet.entered_for, *sheet.vouched} or sheet.entered_by == user.pk
        return Step.WAIT if is_own else Step.CONFIRM
    if status in UNSETTLED:
        return Step.SETTLE
    if proposal is not None and not proposal.is_mine:
        return Step.ANSWER
    playable = {Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY}
    return Step.ENTER if status in playable else Step.NOTHING


def _proposal(proposal: DateProposal, line: FixtureLine, own: Pair) -> Proposal:
    by = line.side_of({proposal.entry_id}) or own
    zone = line.closes.zone if line.closes else "UTC"
    return Proposal(
        key=proposal.pk,
        by=by,
        time=Moment(proposal.starts_at, zone),
        message=proposal.message,
        is_mine=proposal.entry_id == own.entry,
    )


def _stand_ins(substitutions: Iterable[Substitution], own: Pair) -> tuple[StandIn, ...]:
    return tuple(
        StandIn(each.pk, each.absent.name, each.substitute.name, each.entry_id == own.entry, each.is_waiting)
        for each in substitutions
    )
