"""How much time each side has left, told from the rows: nothing ticks on the server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.models import Table
from games.tables.state.snapshot import TableSnapshot

PLAYING = Table.State.PLAYING


@dataclass(frozen=True, slots=True)
class Clock:
    """Milliseconds left by side at a moment; `running` is the side whose time runs."""

    left: dict[str, int]
    limit: int
    running: str | None
    at: datetime

    def as_json(self) -> dict[str, Any]:
        return {
            "left_ms": self.left,
            "limit_ms": self.limit,
            "running": self.running,
            "at": self.at.isoformat(),
        }


def clock_of(facts: TableSnapshot, at: datetime) -> Clock | None:
    """The clocks of the deal on the table; None where it is played without."""
    seconds = int(facts.terms["clock_seconds"])
    deal = facts.deal
    if deal is None or not seconds:
        return None
    limit = (seconds + deal.extra_seconds) * 1000
    is_running = facts.state == PLAYING and deal.finished_at is None
    used = deal.fold.used_until(at, facts.pauses) if is_running else dict(deal.fold.used)
    left = {side: max(limit - used.get(side, 0), 0) for side in facts.sides}
    running = deal.fold.side_on_turn if is_running and not facts.is_paused else None
    return Clock(left, limit, running, at)


def side_out_of_time(facts: TableSnapshot, at: datetime) -> str | None:
    """The side on turn, if it has no time left in a deal that is being played."""
    clock = clock_of(facts, at)
    if clock is None or clock.running is None or clock.left[clock.running] > 0:
        return None
    return clock.running
