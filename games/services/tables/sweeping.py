"""What a clock or a lost message leaves to be done at tables; found in the rows, every few seconds."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import structlog

from games.live import facts as reading
from games.live.clocks import side_out_of_time
from games.models import Table
from games.services.tables import opening, play, requests, results, rows

log = structlog.get_logger(__name__)
State = Table.State
# Where something has just happened, whoever made it happen has sent the message.
QUIET = timedelta(seconds=2)
# Nobody has acted for so long: the chairs are put up.
IDLE = timedelta(hours=12)
MOST_AT_ONCE = 500


def sweep(*, at: datetime) -> int:
    """Times that are up, robots on turn, matches to record, tables left behind; gives how much was done."""
    quiet = Table.objects.filter(state=State.PLAYING, changed_at__lt=at - QUIET).order_by("pk")
    done = 0
    for facts in reading.current_of(quiet[:MOST_AT_ONCE]):
        # Looked at without a lock: mostly there is nothing to do.
        if side_out_of_time(facts, at) is not None:
            done += _carried_out(requests.check_time, table_id=facts.table, at=at)
        elif play.is_robots_turn(facts):
            done += _carried_out(play.play_robots, table_id=facts.table)
    for table_id in results.waiting():
        done += _carried_out(results.record, table_id=table_id)
    idle = Table.objects.open().filter(fixture__isnull=True, changed_at__lt=at - IDLE)
    for table_id in list(idle.values_list("pk", flat=True)[:MOST_AT_ONCE]):
        done += _carried_out(opening.close, actor=rows.TABLE, table_id=table_id, at=at)
    return done


def _carried_out(work: Callable[..., Any], **keys: Any) -> int:
    """Whether the work did anything. One table's failure is for whoever reads the log, and holds up no other."""
    try:
        return int(bool(work(**keys)))
    except Exception:
        log.exception("table_not_swept", work=work.__name__, table=keys.get("table_id"))
        return 0
