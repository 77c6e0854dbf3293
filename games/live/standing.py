"""Who somebody is at a table: found out once for a connection or a request, and applied to the facts of any version."""

from __future__ import annotations

from dataclasses import dataclass

from games.embargo import sees_sheets
from games.live.known import Facts
from games.live.views import Reader
from games.models import Table
from games.table_seating import seating_at
from league import policies
from league.actors import Visitor
from league.models import User


@dataclass(frozen=True, slots=True)
class Standing:
    """A visitor's rights at a table that do not change with its cards. `seats` are those that they may take."""

    user: int | None
    may_watch: bool
    may_rule: bool
    may_hear: bool
    """Of who rules: whether they may be told in people's own words what is wrong, which may tell of cards."""
    seats: tuple[str, ...]

    def reader(self, facts: Facts, window: str = "") -> Reader:
        """Who is told the table as these facts have it."""
        seat = facts.seat_of(self.user)
        free = tuple(each for each in self.seats if not facts.seats.get(each) or facts.seats[each].robot)
        return Reader(
            seat=seat,
            window=window,
            may_rule=self.may_rule and seat is None,
            may_hear=self.may_hear,
            may_sit=free if seat is None else (),
        )


def standing_of(visitor: Visitor, table: Table) -> Standing:
    """What the policies say of this visitor and this table."""
    may_sit = policies.may(visitor, "table.sit", table)
    may_rule = policies.may(visitor, "table.rule", table)
    return Standing(
        user=visitor.pk if isinstance(visitor, User) else None,
        may_watch=policies.may(visitor, "table.watch", table),
        may_rule=may_rule,
        may_hear=may_rule and (table.fixture is None or sees_sheets(visitor=visitor, fixture=table.fixture)),
        seats=_own_seats(visitor, table) if may_sit else (),
    )


def _own_seats(visitor: Visitor, table: Table) -> tuple[str, ...]:
    if table.fixture is None or not isinstance(visitor, User):
        return tuple(table.places)
    players = seating_at(table, table.fixture).players
    return tuple(seat for seat, player in players.items() if player.user_id == visitor.pk)
