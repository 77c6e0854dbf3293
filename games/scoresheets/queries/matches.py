"""What the match page shows of a fixture: its state, its sheets' versions, and what this visitor can do next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.utils.translation import gettext as _

from games import policies as games_policies
from games.boards.queries.shut import shut_boards
from games.models import Match, Scoresheet, ScoresheetDraft, SilencePeriod
from games.proof import typed_sheets, vouches
from games.records.parsing import match_of
from games.scoresheets.services import matches
from league import policies
from league.actors import Visitor
from league.models import Competition, DateProposal, Entry, Fixture, Membership, Role, User
from league.web.local_time import Moment
from league.zones import at_local

Status = Fixture.Status
UNPLAYED = {Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY}


def sheets_of(match: Match | None) -> tuple[Scoresheet, ...]:
    """Every version of the match's sheet, the newest first."""
    if match is None:
        return ()
    sheets = tuple(
        match.sheets.select_related("entered_by", "verdict_by", "entered_for").prefetch_related("vouches")
    )
    for sheet in sheets:
        sheet.match = match
    return sheets


@dataclass(frozen=True, slots=True)
class Step:
    """A page where something else can be done with the match: the name of its address, and its label."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Silence:
    """That a sheet counts when nobody objects for so many days; `counts_at` once both sides were told."""

    days: int
    counts_at: datetime | None


@dataclass(frozen=True, slots=True)
class NextSteps:
    """What this visitor can do with the match now; `enter` is "enter", "continue", "correct" or empty."""

    enter: str = ""
    judge: Scoresheet | None = None
    object: Scoresheet | None = None
    silence: Silence | None = None
    waits: Scoresheet | None = None
    waits_for: str = ""
    others: tuple[Step, ...] = ()
    is_locked: bool = False
    locks_at: datetime | None = None
    helpers: tuple[str, ...] = ()
    is_official: bool = False


def next_steps(
    *, visitor: Visitor, fixture: Fixture, sheets: tuple[Scoresheet, ...], at: datetime
) -> NextSteps:
    """What this visitor can do now, by the policies and the state of the match."""
    match = match_of(fixture)
    pending = next((s for s in sheets if s.verdict == Scoresheet.Verdict.PENDING), None)
    confirmed = any(s.verdict == Scoresheet.Verdict.CONFIRMED for s in sheets)
    takes_part = policies.may(visitor, "sheet.enter", fixture)
    is_final = fixture.round.competition.state == Competition.State.FINISHED
    is_locked = match is not None and confirmed and matches.is_locked(match=match, at=at)
    is_settled = is_final or is_locked
    judges = pending is not None and not is_settled and policies.may(visitor, "sheet.judge", pending)
    may_enter = takes_part and not closed_because(visitor=visitor, fixture=fixture, pending=pending, at=at)
    return NextSteps(
        enter=_entering(visitor, fixture, sheets) if may_enter else "",
        judge=pending if judges else None,
        object=_objected(visitor, sheets) if not is_settled else None,
        silence=_silence(pending) if pending and takes_part else None,
        waits=pending if pending and takes_part and not judges else None,
        waits_for=waited_for(pending) if pending else "",
        others=tuple(_other_steps(visitor, fixture, confirmed=confirmed)),
        is_locked=is_locked and takes_part,
        locks_at=match.locks_at if match and confirmed and takes_part and not is_locked else None,
        helpers=directors_of(fixture) if is_locked and takes_part else (),
        is_official=takes_part and games_policies.enters_as_official(visitor, fixture),
    )


def _objected(visitor: Visitor, sheets: tuple[Scoresheet, ...]) -> Scoresheet | None:
    """The version that counted by silence and that this visitor may still reject."""
    counting = next((s for s in sheets if s.verdict == Scoresheet.Verdict.CONFIRMED), None)
    return counting if counting and policies.may(visitor, "sheet.object", counting) else None


def _silence(pending: Scoresheet) -> Silence | None:
    period: SilencePeriod | None = getattr(pending, "silence", None)
    return Silence(period.days, period.counts_at) if period is not None and period.due_at else None


def _other_steps(visitor: Visitor, fixture: Fixture, *, confirmed: bool) -> Iterator[Step]:
    if fixture.round.competition.state == Competition.State.FINISHED:
        return
    may_move = fixture.status in {Status.SCHEDULED, Status.POSTPONED}
    if may_move and policies.may(visitor, "fixture.propose_date", fixture):
        waits = open_proposal(fixture)
        yield Step("fixture_dates", _("Answer the proposed time") if waits else _("Propose another time"))
    if fixture.status in UNPLAYED and policies.may(visitor, "fixture.substitute", fixture):
        yield Step("fixture_substitute", _("Name a substitute"))
    if confirmed and policies.may(visitor, "match.reopen", fixture):
        yield Step("match_reopen", _("Reopen the match"))
    boards = shut_boards(fixture=fixture, visitor=visitor)
    if boards is not None and boards.has_something:
        label = _("Open the boards") if boards.is_shut else _("Allow early play")
        yield Step("match_boards", label)
    if policies.may(visitor, "fixture.arrange", fixture):
        yield Step("fixture_ruling", _("Director’s ruling"))


def _entering(visitor: Visitor, fixture: Fixture, sheets: tuple[Scoresheet, ...]) -> str:
    if draft_of(visitor, fixture) is not None:
        return "continue"
    return "correct" if sheets else "enter"


def closed_because(*, visitor: Visitor, fixture: Fixture, pending: Scoresheet | None, at: datetime) -> str:
    """Why nobody can enter a sheet now, in words; empty when they can. The services hold the same rules for writes."""
    state = fixture.round.competition.state
    if state == Competition.State.FINISHED:
        return _("This competition is finished. A director has to reopen it first.")
    if state == Competition.State.DRAFT:
        return _("This competition isn’t published yet, so you can’t enter a scoresheet.")
    if fixture.status in {Status.WALKOVER, Status.VOID}:
        return _("This match is “%(now)s”, so you can’t enter a scoresheet.") % {
            "now": fixture.get_status_display()
        }
    match = match_of(fixture)
    if fixture.status == Status.CONFIRMED and match is not None and matches.is_locked(match=match, at=at):
        return _("The time for corrections is over. A director can reopen this match.")
    if pending is not None and not _may_replace(visitor, fixture, pending):
        return _("%(who)s has entered a scoresheet. Please confirm it, or reject it with a reason.") % {
            "who": pending.entered_by
        }
    return ""


def played_early(fixture: Fixture, *, at: datetime) -> Moment | None:
    """When the match should be played, or its round begins, if that is more than a day ahead; else None."""
    zone = fixture.round.competition.club.time_zone
    planned = fixture.starts_at or at_local(fixture.round.starts_on, time(), zone)
    return Moment(planned, zone) if planned > at + timedelta(days=1) else None


def _may_replace(visitor: Visitor, fixture: Fixture, pending: Scoresheet) -> bool:
    if games_policies.enters_as_official(visitor, fixture) or pending.entered_by_id == visitor.pk:
        return True
    own = own_entry(visitor, fixture)
    return own is not None and pending.entered_for_id == own.pk


def waited_for(sheet: Scoresheet) -> str:
    """Whose confirmation a sheet waits for, in words."""
    if sheet.entered_as == Scoresheet.EnteredAs.OFFICIAL and not typed_sheets.asks_pairs(sheet.match.fixture):
        return _("another official")
    pairs = [str(entry) for entry in vouches.missing(sheet, sheet.vouches.all())]
    if not pairs:
        return _("a director who isn’t playing in this event")
    return all_of(pairs) if vouches.takes_every_side(sheet) else one_of(pairs)


def others(fixture: Fixture, entered_for_id: int | None) -> str:
    """Who has to confirm a sheet, in words: the other sides, or any side where an official enters it."""
    pairs = [str(entry) for entry in fixture.entries if entry.pk != entered_for_id]
    return one_of(pairs) if entered_for_id is None else all_of(pairs)


def all_of(names: Sequence[str]) -> str:
    """The names as a sentence lists them: "Anna, Ben and Carl"."""
    *first, last = names
    return _("%(home)s and %(away)s") % {"home": ", ".join(first), "away": last} if first else last


def one_of(names: Sequence[str]) -> str:
    """The names as a sentence offers them: "Anna, Ben or Carl"."""
    *first, last = names
    return _("%(home)s or %(away)s") % {"home": ", ".join(first), "away": last} if first else last


def own_entry(visitor: Visitor, fixture: Fixture) -> Entry | None:
    """The pair that this visitor plays for in the fixture."""
    return policies.entry_of(visitor, fixture)


def draft_of(visitor: Visitor, fixture: Fixture) -> ScoresheetDraft | None:
    """What this person has typed and not yet sent."""
    if not isinstance(visitor, User):
        return None
    return ScoresheetDraft.objects.filter(fixture=fixture, user=visitor).first()


def directors_of(fixture: Fixture) -> tuple[str, ...]:
    """Who can reopen the match."""
    club = fixture.round.competition.club
    people = Membership.objects.filter(club=club, role__in=[Role.DIRECTOR, Role.OWNER]).select_related("user")
    return tuple(str(membership.user) for membership in people if membership.user.is_active)


def open_proposal(fixture: Fixture) -> DateProposal | None:
    """The proposal of another time that waits for an answer."""
    return (
        DateProposal.objects.filter(fixture=fixture, state=DateProposal.State.OPEN)
        .select_related("entry")
        .first()
    )
