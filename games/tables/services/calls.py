"""A match's table calls its players: one mail to those who are not there, when it is opened or its time has come."""

from datetime import datetime, timedelta

from django.db import transaction

from games.models import Table
from games.tables.seating import seating_at
from games.tables.services import rows
from league.actors import User
from league.models import Fixture
from league.notices.services import outbox
from league.notices.services.outbox import Event

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
    outbox.notify(Event("table_called", context, club=table.club), absent)
    table.called_at = at
    table.save(update_fields=["called_at"])
    return True


@transaction.atomic
def check(*, table_id: int, at: datetime) -> bool:
    """The same for the sweep: whether anybody was called."""
    table = rows.lock(table_id)
    fixture = Fixture.objects.with_pairs().filter(pk=table.fixture_id or 0).first()
    return fixture is not None and table.state in rows.OPEN and call_if_time(table, fixture, at=at)
