"""A fixture's way from scheduled to decided. Nothing else changes a fixture's status, date or result."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import policies, ports, sentences, validation
from league.actors import Actor
from league.errors import Conflict, Invalid
from league.models import Competition, DateProposal, Fixture, FixtureResult, Round
from league.services import audit, standings

Status = Fixture.Status
RULING = "fixture.rule"

# From each status, where a fixture may go. A confirmed fixture is reopened first, so that its sheet is dealt with.
TRANSITIONS: dict[str, frozenset[str]] = {
    Status.SCHEDULED: frozenset(
        {
            Status.SCHEDULED,
            Status.POSTPONED,
            Status.IN_PLAY,
            Status.TO_CONFIRM,
            Status.WALKOVER,
            Status.VOID,
        }
    ),
    Status.POSTPONED: frozenset(
        {
            Status.SCHEDULED,
            Status.POSTPONED,
            Status.IN_PLAY,
            Status.TO_CONFIRM,
            Status.WALKOVER,
            Status.VOID,
        }
    ),
    Status.IN_PLAY: frozenset(
        {
            Status.SCHEDULED,
            Status.POSTPONED,
            Status.IN_PLAY,
            Status.TO_CONFIRM,
            Status.WALKOVER,
            Status.VOID,
        }
    ),
    Status.TO_CONFIRM: frozenset(
        {
            Status.TO_CONFIRM,
            Status.CONFIRMED,
            Status.DISPUTED,
            Status.IN_PLAY,
            Status.WALKOVER,
            Status.VOID,
        }
    ),
    Status.DISPUTED: frozenset(
        {
            Status.TO_CONFIRM,
            Status.CONFIRMED,
            Status.DISPUTED,
            Status.IN_PLAY,
            Status.WALKOVER,
            Status.VOID,
        }
    ),
    Status.CONFIRMED: frozenset({Status.CONFIRMED, Status.DISPUTED}),
    Status.WALKOVER: frozenset({Status.SCHEDULED}),
    Status.VOID: frozenset({Status.SCHEDULED}),
}


def locked(fixture: Fixture) -> Fixture:
    """The fixture as it is now, its row locked until the transaction ends.

    Its competition is locked first: whoever changes several fixtures of one (a withdrawal, a draw) begins there too,
    so that no two transactions ever wait for each other.
    """
    competition_id = Round.objects.values_list("competition_id", flat=True).get(pk=fixture.round_id)
    Competition.objects.select_for_update(no_key=True).get(pk=competition_id)
    return (
        Fixture.objects.select_for_update(of=("self",))
        .select_related(
            "round__competition__club",
            "division",
            "home__partnership__player_a",
            "home__partnership__player_b",
            "away__partnership__player_a",
            "away__partnership__player_b",
        )
        .get(pk=fixture.pk)
    )


def facts(fixture: Fixture) -> dict[str, Any]:
    """What the audit trail keeps of a fixture."""
    result = FixtureResult.objects.filter(fixture=fixture).first()
    return {
        "status": fixture.status,
        "starts_at": fixture.starts_at.isoformat() if fixture.starts_at else None,
        "place": fixture.place,
        "table": fixture.table,
        "result": result and {"kind": result.kind, "home": result.home_score, "away": result.away_score},
    }


def check_not_final(fixture: Fixture) -> None:
    """Raises Conflict when the fixture's competition is finished: its table is final until a director reopens it."""
    if fixture.round.competition.state == Competition.State.FINISHED:
        raise Conflict(_("This competition is finished. A director can reopen it first."))


def _move(fixture: Fixture, to: str) -> None:
    check_not_final(fixture)
    if to not in TRANSITIONS[fixture.status]:
        raise Conflict(
            _("This match is “%(now)s”; it cannot become “%(then)s”.")
            % {"now": fixture.get_status_display(), "then": Status(to).label}
        )
    fixture.status = to


def check_movable(fixture: Fixture) -> None:
    """Raises Conflict where a match is played when the room comes to it, and not by appointment."""
    if fixture.round.competition.format not in Competition.LEAGUE_FORMATS:
        raise Conflict(
            _("In an evening everybody plays a round together: its matches have no dates of their own.")
        )


def _needs_reason(reason: str) -> str:
    if not reason.strip():
        raise Invalid(_("Please give a reason: it is kept with the match."))
    return reason.strip()


@transaction.atomic
def arrange(
    *,
    actor: Actor,
    fixture: Fixture,
    starts_at: datetime | None,
    place: str = "",
    table: str = "",
    note: str = "",
    reason: str = "",
) -> Fixture:
    """A director sets date, place and table. A postponed fixture that gets a date stays marked as postponed."""
    fixture = locked(fixture)
    policies.require(actor, "fixture.arrange", fixture)
    check_not_final(fixture)
    before = facts(fixture)
    if fixture.status not in {Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY}:
        raise Conflict(_("This match is already “%(now)s”.") % {"now": fixture.get_status_display()})
    fixture.starts_at, fixture.place, fixture.table, fixture.note = starts_at, place, table, note
    validation.check(fixture)
    fixture.save(update_fields=["starts_at", "place", "table", "note"])
    # What a pair proposed before is not to overrule the director when it is accepted afterwards.
    proposals = DateProposal.objects.filter(fixture=fixture, state=DateProposal.State.OPEN)
    proposals.update(state=DateProposal.State.WITHDRAWN, decided_at=timezone.now())
    _tell(actor, "fixture.arranged", sentences.gettext("Date, place or table set"), fixture, before, reason)
    return fixture


@transaction.atomic
def postpone(*, actor: Actor, fixture: Fixture, reason: str, starts_at: datetime | None = None) -> Fixture:
    """Takes a fixture off its date. Those who arrange matches may give the new date with it; pairs agree on one."""
    fixture = locked(fixture)
    policies.require(actor, "fixture.postpone", fixture)
    if starts_at is not None:
        policies.require(actor, "fixture.arrange", fixture)
    check_movable(fixture)
    reason = _needs_reason(reason)
    before = facts(fixture)
    _move(fixture, Status.POSTPONED)
    fixture.starts_at = starts_at
    fixture.save(update_fields=["status", "starts_at"])
    _tell(actor, "fixture.postponed", sentences.gettext("Postponed"), fixture, before, reason)
    return fixture


@transaction.atomic
def set_date(*, actor: Actor, fixture: Fixture, starts_at: datetime) -> Fixture:
    """The date both pairs agreed on (see league.services.dates). Another date than the round's is a postponement."""
    fixture = locked(fixture)
    policies.require(actor, "fixture.propose_date", fixture)
    check_movable(fixture)
    before = facts(fixture)
    _move(fixture, Status.POSTPONED)
    fixture.starts_at = starts_at
    fixture.save(update_fields=["status", "starts_at"])
    _tell(actor, "fixture.date_agreed", sentences.gettext("New date agreed"), fixture, before, "")
    return fixture


@transaction.atomic
def begin(*, actor: Actor, fixture: Fixture) -> Fixture:
    """The pairs have started to play or to enter their sheet."""
    return _report(actor, fixture, Status.IN_PLAY, "fixture.begun", sentences.gettext("In play"))


@transaction.atomic
def await_confirmation(*, actor: Actor, fixture: Fixture) -> Fixture:
    """A scoresheet was submitted; the opponents (or a second person) have to confirm it."""
    return _report(
        actor,
        fixture,
        Status.TO_CONFIRM,
        "fixture.submitted",
        sentences.gettext("Result entered, to confirm"),
    )


@transaction.atomic
def dispute(*, actor: Actor, fixture: Fixture, reason: str) -> Fixture:
    """A scoresheet was rejected, or a confirmed one reopened: there is no result until one is confirmed."""
    fixture = locked(fixture)
    policies.require(actor, "fixture.report", fixture)
    before = facts(fixture)
    _move(fixture, Status.DISPUTED)
    fixture.save(update_fields=["status"])
    if before["result"]:
        FixtureResult.objects.filter(fixture=fixture).delete()
        standings.bump(competition=fixture.round.competition)
    _tell(actor, "fixture.disputed", sentences.gettext("Disputed"), fixture, before, _needs_reason(reason))
    return fixture


@transaction.atomic
def record_result(
    *, actor: Actor, fixture: Fixture, home_score: int, away_score: int, reason: str = ""
) -> Fixture:
    """A confirmed scoresheet's totals become the fixture's result, and the tables are computed anew."""
    fixture = locked(fixture)
    policies.require(actor, "fixture.report", fixture)
    before = facts(fixture)
    _move(fixture, Status.CONFIRMED)
    fixture.save(update_fields=["status"])
    _write_result(fixture, FixtureResult.Kind.PLAYED, home_score, away_score)
    _tell(
        actor,
        "fixture.confirmed",
        sentences.Joined((home_score, away_score), by="–"),
        fixture,
        before,
        reason,
    )
    standings.bump(competition=fixture.round.competition)
    return fixture


@transaction.atomic
def award_walkover(
    *, actor: Actor, fixture: Fixture, winner: str | None, reason: str, by: str = RULING
) -> Fixture:
    """A director gives the match to "home" or "away" without play; None: both lose it.

    `by` is the action that it is part of: a withdrawal decides by its rule, whoever enters it.
    """
    fixture = locked(fixture)
    policies.require(actor, by, fixture)
    kinds = {
        "home": FixtureResult.Kind.WALKOVER_HOME,
        "away": FixtureResult.Kind.WALKOVER_AWAY,
        None: FixtureResult.Kind.DOUBLE_FORFEIT,
    }
    if winner not in kinds:
        raise Invalid(_("Choose who gets the walkover: the home pair, the away pair or neither."))
    reason, before = _needs_reason(reason), facts(fixture)
    _move(fixture, Status.WALKOVER)
    fixture.save(update_fields=["status"])
    _write_result(fixture, kinds[winner], 0, 0)
    ports.tell_ruling(actor=actor, fixture=fixture, reason=reason)
    said = _ruled(actor, fixture, by, FixtureResult.Kind(kinds[winner]).label)
    _tell(actor, "fixture.walkover", said, fixture, before, reason)
    standings.bump(competition=fixture.round.competition)
    return fixture


@transaction.atomic
def void(*, actor: Actor, fixture: Fixture, reason: str, by: str = RULING) -> Fixture:
    """The match will not be played and counts for nobody.

    A confirmed match cannot be made void: reopen it first. After a withdrawal its result stays as a fact, and the
    standings apply the half-played rule to it.
    """
    fixture = locked(fixture)
    policies.require(actor, by, fixture)
    reason, before = _needs_reason(reason), facts(fixture)
    _move(fixture, Status.VOID)
    fixture.save(update_fields=["status"])
    ports.tell_ruling(actor=actor, fixture=fixture, reason=reason)
    said = _ruled(actor, fixture, by, sentences.gettext("Void"))
    _tell(actor, "fixture.void", said, fixture, before, reason)
    standings.bump(competition=fixture.round.competition)
    return fixture


@transaction.atomic
def restore(*, actor: Actor, fixture: Fixture, reason: str, by: str = RULING) -> Fixture:
    """Takes back a walkover or a void: the match is to be played after all."""
    fixture = locked(fixture)
    policies.require(actor, by, fixture)
    reason, before = _needs_reason(reason), facts(fixture)
    if fixture.status not in {Status.WALKOVER, Status.VOID}:
        raise Conflict(_("Only a walkover or a void match can be put back on the list."))
    _move(fixture, Status.SCHEDULED)
    fixture.save(update_fields=["status"])
    FixtureResult.objects.filter(fixture=fixture).delete()
    ports.tell_ruling(actor=actor, fixture=fixture, reason=reason)
    said = _ruled(actor, fixture, by, sentences.gettext("To be played after all"))
    _tell(actor, "fixture.restored", said, fixture, before, reason)
    standings.bump(competition=fixture.round.competition)
    return fixture


def _ruled(actor: Actor, fixture: Fixture, by: str, ruling: Any) -> sentences.Joined:
    """The ruling; the trail adds where somebody rules on a match of his own, since the club has nobody else."""
    if by != RULING or not policies.plays_in(actor, fixture):
        return sentences.Joined((ruling,))
    return sentences.Joined((ruling, sentences.gettext("(by a director who plays in this match)")), by=" ")


def _report(actor: Actor, fixture: Fixture, to: str, action: str, summary: sentences.Said) -> Fixture:
    fixture = locked(fixture)
    policies.require(actor, "fixture.report", fixture)
    before = facts(fixture)
    if fixture.status == to:
        return fixture
    _move(fixture, to)
    fixture.save(update_fields=["status"])
    _tell(actor, action, summary, fixture, before, "")
    return fixture


def _write_result(fixture: Fixture, kind: str, home: int, away: int) -> None:
    FixtureResult.objects.update_or_create(
        fixture=fixture, defaults={"kind": kind, "home_score": home, "away_score": away}
    )


def _tell(  # noqa: PLR0917 - always all six, in the order of the sentence
    actor: Actor, action: str, summary: sentences.Said, fixture: Fixture, before: dict[str, Any], reason: str
) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=summary,
        fixture=fixture,
        before=before,
        after=facts(fixture),
        reason=reason,
    )
