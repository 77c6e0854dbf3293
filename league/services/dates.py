"""Players agree on another time: one pair proposes, the other accepts or declines."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league import policies, sentences
from league.actors import Actor, person
from league.errors import Conflict, Invalid, NotAllowed
from league.models import DateProposal, Entry, Fixture
from league.services import audit, fixtures

State = DateProposal.State


def _own_entry(actor: Actor, fixture: Fixture) -> Entry:
    side = policies.side_of(actor, fixture)
    if side is None:
        raise NotAllowed(_("Only the two pairs can agree on another time."))
    return fixture.home if side == "home" else fixture.away


@transaction.atomic
def propose(
    *, actor: Actor, fixture: Fixture, starts_at: datetime, at: datetime, message: str = ""
) -> DateProposal:
    """Asks the other pair for another time. A newer proposal takes the place of an open one."""
    fixture = fixtures.locked(fixture)
    policies.require(actor, "fixture.propose_date", fixture)
    fixtures.check_movable(fixture)
    if fixture.status not in {Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED}:
        raise Conflict(_("This match is already “%(now)s”.") % {"now": fixture.get_status_display()})
    if starts_at <= at:
        raise Invalid(_("The proposed time is in the past."))
    open_ones = DateProposal.objects.filter(fixture=fixture, state=State.OPEN)
    open_ones.update(state=State.WITHDRAWN, decided_at=at)
    proposal = DateProposal.objects.create(
        fixture=fixture,
        entry=_own_entry(actor, fixture),
        starts_at=starts_at,
        message=message[:300],
        made_by=person(actor),
    )
    audit.record(
        actor=actor,
        action="fixture.date_proposed",
        summary=sentences.gettext("Another time proposed"),
        fixture=fixture,
        after={"starts_at": starts_at.isoformat()},
        reason=message,
    )
    return proposal


@transaction.atomic
def withdraw(*, actor: Actor, proposal: DateProposal, at: datetime) -> DateProposal:
    """The pair that proposed a time takes its proposal back: the match keeps its date."""
    fixture = fixtures.locked(proposal.fixture)
    proposal = DateProposal.objects.select_for_update().get(pk=proposal.pk)
    policies.require(actor, "fixture.propose_date", fixture)
    if proposal.state != State.OPEN:
        raise Conflict(_("This proposal was already answered."))
    if _own_entry(actor, fixture).pk != proposal.entry_id:
        raise NotAllowed(_("Only the pair that proposed a time can take it back."))
    proposal.state, proposal.decided_at = State.WITHDRAWN, at
    proposal.save(update_fields=["state", "decided_at"])
    audit.record(
        actor=actor,
        action="fixture.date_withdrawn",
        summary=sentences.gettext("Proposed time taken back"),
        fixture=fixture,
        before={"starts_at": proposal.starts_at.isoformat()},
    )
    return proposal


@transaction.atomic
def answer(*, actor: Actor, proposal: DateProposal, accept: bool, at: datetime) -> DateProposal:
    """The other pair accepts (the fixture gets the date) or declines."""
    fixture = fixtures.locked(proposal.fixture)
    proposal = DateProposal.objects.select_for_update().get(pk=proposal.pk)
    policies.require(actor, "fixture.propose_date", fixture)
    if proposal.state != State.OPEN:
        raise Conflict(_("This proposal was already answered."))
    if _own_entry(actor, fixture).pk == proposal.entry_id:
        raise NotAllowed(_("The other pair answers your proposal."))
    if accept and proposal.starts_at <= at:
        raise Conflict(_("The proposed time is past by now. Propose another one."))
    proposal.state = State.ACCEPTED if accept else State.DECLINED
    proposal.decided_at = at
    proposal.save(update_fields=["state", "decided_at"])
    if accept:
        fixtures.set_date(actor=actor, fixture=fixture, starts_at=proposal.starts_at)
    else:
        audit.record(
            actor=actor,
            action="fixture.date_declined",
            summary=sentences.gettext("Proposed time declined"),
            fixture=fixture,
            before={"starts_at": proposal.starts_at.isoformat()},
        )
    return proposal
