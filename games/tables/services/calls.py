"""Tables that call people: a match's its players, when it is opened or its time has come, a casual one members of the
club who want to be told that it looks for players. One mail each, to those who are not there."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Table
from games.models.querysets import CALL_LASTS
from games.models.tables import Spectators
from games.tables.seating import seating_at
from games.tables.services import rows
from league import locks, policies
from league.actors import User
from league.errors import Conflict
from league.models import Fixture
from league.notices import events
from league.notices.services.notices import notify

#: Who opens the table earlier than this before the match prepares it: the others are called when the time has come.
AHEAD = timedelta(minutes=15)


def due_at(table: Table, fixture: Fixture) -> datetime | None:
    """From when on the players are called; None where they were."""
    if table.called_at is not None:
        return None
    return table.opened_at if fixture.starts_at is None else max(fixture.starts_at - AHEAD, table.opened_at)


def call_if_time(table: Table, fixture: Fixture, *, at: datetime, by: User | None = None) -> bool:
    """Writes to the match's players who have an account and do not sit there, but for who opened it; whether it was
    time. In the transaction of the caller, who holds the table's row."""
    due = due_at(table, fixture)
    if due is None or at < due:
        return False
    sitting = [row for row in rows.seats_taken(table).values() if row.user_id is not None]
    there = {row.user_id for row in sitting} | {by.pk if by is not None else None}
    players = seating_at(table, fixture).players.values()
    context = {
        "match": str(fixture),
        "waiting": ", ".join(row.name for row in sitting),
        "path": table.get_absolute_url(),
    }
    absent = [player.user for player in players if player.user is not None and player.user_id not in there]
    notify(events.TABLE_CALLED, absent, context=context, club=table.club, at=at)
    table.called_at = at
    table.save(update_fields=["called_at"])
    return True


@transaction.atomic
def ask_club(*, actor: User, table_id: int, at: datetime | None = None) -> Table:
    """Tells the members of the club who want to know, and are not there, that a casual table waits for players.

    Once in an hour for all tables of one person. Conflict where nobody is waited for, or nobody is to know.
    """
    at = at or timezone.now()
    casual = Table.objects.filter(pk=table_id, kind=Table.Kind.CASUAL)
    club = casual.values_list("club", flat=True).first()
    if club is None:
        raise Conflict(_("This table isn’t waiting for players."), code="not_waiting")
    # Two tables of one person at once: the second finds the first one's call.
    locks.club(club)
    table = rows.lock_open(table_id)
    policies.require(actor, "table.host", table)
    sitting = rows.seats_taken(table).values()
    missing = len(table.places) - len(sitting)
    if table.state != Table.State.WAITING or not missing:
        raise Conflict(_("This table isn’t waiting for players."), code="not_waiting")
    if table.spectators == Spectators.NOBODY:
        raise Conflict(
            _("Nobody may watch this table, so we don’t tell the club about it."), code="hidden_table"
        )
    own = Table.objects.filter(kind=Table.Kind.CASUAL, opened_by=table.opened_by_id)
    if own.filter(called_at__gt=at - CALL_LASTS).exists():
        raise Conflict(_("The club was told less than an hour ago."), code="too_soon")
    there = {row.user_id for row in sitting if row.user_id is not None}
    willing = User.objects.filter(memberships__club=club, lobby_choice__wants_calls=True)
    context = {
        "club": str(table.club),
        # Not the guests': nobody in the club has chosen what they are called.
        "waiting": ", ".join(row.name for row in sitting if row.user_id is not None),
        "missing": missing,
        "path": table.get_absolute_url(),
    }
    people = willing.exclude(pk__in={*there, actor.pk})
    notify(events.TABLE_ASKS, people, context=context, club=table.club, at=at)
    table.called_at = at
    table.save(update_fields=["called_at"])
    return table


@transaction.atomic
def check(*, table_id: int, at: datetime) -> bool:
    """The same for the sweep: whether anybody was called."""
    table = rows.lock(table_id)
    fixture = Fixture.with_rooms.with_pairs().filter(pk=table.fixture_id or 0).first()
    return fixture is not None and table.state in rows.OPEN and call_if_time(table, fixture, at=at)
