"""What a clock or a lost message leaves to be done at tables; found in the rows, every few seconds.

A change makes its table due a moment later (`rows.changed`); an action, after which it is known what is to come, when
that comes (`play.next_look`). The sweep then looks at it, without a lock, does what
is to be done, or writes down when it is to look again.
"""

from datetime import datetime, timedelta

from games.models import Table
from games.models.tables import OPEN
from games.tables.services import (
    calls,
    opening,
    play,
    requests,
    results,
    rows,
)
from games.tables.state import facts as reading
from games.tables.state.clocks import side_out_of_time
from games.tables.state.snapshot import TableSnapshot
from league.background import announce, sweeps

State = Table.State
MOST_AT_ONCE = 500
# Robots that have been told wait for others who think: not each sweep tells them once more.
AGAIN = timedelta(seconds=10)


def sweep(*, at: datetime) -> int:
    """Times that are up, robots on turn, matches to record, tables left behind; gives at how many tables."""
    return sweeps.run(
        work="table",
        rows=Table.objects.filter(due_at__lte=at).order_by("due_at", "pk"),
        do=lambda key: _look(key, at),
        at=at,
        most=MOST_AT_ONCE,
    )


def _look(table_id: int, at: datetime) -> bool:
    facts = reading.current(table_id)
    if _is_idle(facts, at):
        opening.close(actor=rows.TABLE, table_id=table_id, at=at)
        return True
    if _carried_out(facts, at):
        return True
    # Unless somebody has changed the table meanwhile: then it is due again.
    Table.objects.filter(pk=table_id, version=facts.version).update(due_at=_due(facts, at))
    return False


def _carried_out(facts: TableSnapshot, at: datetime) -> bool:
    """Whether there was anything to do, and it is done."""
    if facts.state == State.FINISHED:
        return not facts.fault and results.record(table_id=facts.table)
    if (
        facts.state == State.WAITING
        and facts.fixture is not None
        and calls.check(table_id=facts.table, at=at)
    ):
        return True
    if facts.state in {State.WAITING, State.BETWEEN}:
        return play.next_deal(facts, at).version > facts.version
    if side_out_of_time(facts, at) is not None:
        return requests.check_time(table_id=facts.table, at=at)
    if play.is_robots_turn(facts):
        # Robots think among themselves: here all that is due, and results, would wait for them.
        announce.after_commit(rows.PLAY_ROBOTS, facts.table)
    return False


def _is_idle(facts: TableSnapshot, at: datetime) -> bool:
    idle = Table.objects.filter(pk=facts.table, state__in=OPEN, fixture=None, changed_at__lt=at - play.IDLE)
    return facts.fixture is None and idle.exists()


def _due(facts: TableSnapshot, at: datetime) -> datetime | None:
    """When there may be something to do although nobody changes anything."""
    if facts.state not in OPEN:
        return None
    if facts.state == State.WAITING and facts.fixture is not None:
        return _call_due(facts)
    return at + AGAIN if play.is_robots_turn(facts) else play.next_look(facts, at)


def _call_due(facts: TableSnapshot) -> datetime | None:
    """When the players of a match that has not begun are to be called."""
    table = Table.objects.select_related("fixture").get(pk=facts.table)
    return calls.due_at(table, table.fixture) if table.fixture is not None else None
