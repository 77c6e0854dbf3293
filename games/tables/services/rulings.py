"""What a director does at a table: back to any action, more time, and an answer to a call."""

from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.embargo import sees_sheets
from games.models import Table, TableDeal, TableRequest
from games.tables.policies import holds_a_seat
from games.tables.services import requests, rows, seats
from games.tables.state import facts as reading
from games.tables.state.seat_view import may_go_back
from league import policies
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Fixture, User
from league.words import sentences

State, Kind, Asked = Table.State, TableRequest.Kind, TableRequest.State
LONGEST_EXTRA_MINUTES = 600


@transaction.atomic
def roll_back(*, actor: Actor, table_id: int, to: int, reason: str, at: datetime | None = None) -> Table:
    """Takes the deal on the table back to its first `to` actions, for a reason that everybody may read."""
    at = at or timezone.now()
    table = _ruled(actor, rows.lock_open(table_id))
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the table."), code="no_reason")
    facts = reading.under_lock(table)
    deal = facts.deal
    if deal is None or table.state not in {State.PLAYING, State.BETWEEN}:
        raise Conflict(_("There’s no deal to roll back."), code="no_deal")
    if deal.finished_at is not None and not may_go_back(facts):
        raise Conflict(
            _("This deal is over, and its replay shows all cards. You can’t play on."), code="deal_over"
        )
    _check_target(actor, table, to, len(deal.fold.counting))
    requests.write_back(deal, back_to=to, at=at, person_id=actor.pk, reason=reason.strip())
    if deal.finished_at is not None:
        TableDeal.objects.filter(pk=deal.row).update(finished_at=None, score=None)
        table.state = State.PLAYING
    rows.lapse(table, Kind.TAKE_BACK, at=at)
    said = sentences.gettext("Deal %(deal)d rolled back to an earlier action") % {"deal": deal.number}
    _tell(actor, table, "table.rolled_back", said, reason, action=to)
    rows.changed(table, "state", is_seen=deal.finished_at is not None)
    rows.hint_robots(table)
    return table


@transaction.atomic
def add_time(
    *, actor: Actor, table_id: int, minutes: int, reason: str = "", limit_ms: int | None = None
) -> Table:
    """More time for both sides in the deal on the table; those who had run out of it play again.

    `limit_ms` is the limit that the director saw: a press that is sent twice gives time once.
    """
    table = _ruled(actor, rows.lock_open(table_id))
    if not 1 <= minutes <= LONGEST_EXTRA_MINUTES:
        raise Invalid(
            _("Please enter a number of minutes from 1 to %(most)d.") % {"most": LONGEST_EXTRA_MINUTES}
        )
    if not table.clock_seconds:
        raise Conflict(_("This table plays without a clock."), code="no_clock")
    deal = TableDeal.objects.filter(table=table, finished_at__isnull=True).first()
    if deal is None:
        raise Conflict(_("No deal is being played at this table."), code="no_deal")
    if limit_ms not in {None, 1000 * (table.clock_seconds + deal.extra_seconds)}:
        raise Conflict(_("More time has already been given. Please look at the clocks."), code="decided")
    TableDeal.objects.filter(pk=deal.pk).update(extra_seconds=F("extra_seconds") + 60 * minutes)
    said = sentences.gettext("%(minutes)d minutes more") % {"minutes": minutes}
    at = timezone.now()
    times = TableRequest.objects.filter(table=table, deal=deal, kind=Kind.TIME)
    # Also those that were settled: from now on the time can be up again.
    times.update(granted_at=at)
    times.filter(answer="").update(state=Asked.DONE, answer=str(said), answered_by=person(actor), ended_at=at)
    _tell(actor, table, "table.time_added", said, reason)
    rows.changed(table)
    return table


@transaction.atomic
def settle(*, actor: Actor, table_id: int, request_id: int, answer: str) -> Table:
    """A director has seen to a call, and says what was decided; also when the table is over by then."""
    table = _ruled(actor, rows.lock(table_id))
    asked = TableRequest.objects.filter(table=table, pk=request_id, state=Asked.OPEN).first()
    if asked is None or asked.kind not in {Kind.DIRECTOR, Kind.TIME}:
        raise Conflict(_("This has already been decided."), code="decided")
    if not answer.strip():
        raise Invalid(_("Please say what was decided."), code="no_reason")
    asked.state, asked.answer = Asked.DONE, answer.strip()[:300]
    asked.answered_by, asked.ended_at = person(actor), timezone.now()
    asked.save(update_fields=["state", "answer", "answered_by", "ended_at"])
    _tell(actor, table, "table.settled", sentences.gettext("The director’s answer to a call"), answer)
    rows.changed(table)
    return table


def _ruled(actor: Actor, table: Table) -> Table:
    policies.require(actor, "table.rule", table)
    if isinstance(actor, User) and holds_a_seat(actor, table):
        # The people who run the site neither.
        raise NotAllowed(_("You’re playing at this table. Please leave this to someone else."))
    return table


def _check_target(actor: Actor, table: Table, to: int, count: int) -> None:
    """Who still plays these boards is not told how many actions there are, not even whether there is one."""
    fixture = seats.fixture_of(table) if table.fixture_id else None
    if fixture is not None and isinstance(actor, User) and not sees_sheets(visitor=actor, fixture=fixture):
        if to != 0:
            raise Invalid(
                _("You play these boards elsewhere, so you can only roll the deal back to its start."),
                code="no_such_action",
            )
    elif not 0 <= to < count:
        raise Invalid(_("Choose one of the %(count)d actions.") % {"count": count}, code="no_such_action")


def _tell(actor: Actor, table: Table, name: str, summary: sentences.Said, reason: str, **more: int) -> None:
    fixture = Fixture.with_rooms.with_pairs().get(pk=table.fixture_id) if table.fixture_id else None
    audit.record(
        actor=actor,
        action=name,
        summary=summary,
        club=table.club,
        fixture=fixture,
        after={"table": table.pk, **more},
        reason=reason,
    )
