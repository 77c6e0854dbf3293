"""Who somebody is at a table: found out once for a connection or a request, and applied to the facts of any version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _

from games.embargo import sees_sheets
from games.fixture_boards import fetch_boards
from games.models import Table, TableGuest
from games.tables.seating import STAND_INS, seating_at
from games.tables.state.snapshot import TableSnapshot
from league import policies
from league.actors import Guest, Visitor
from league.errors import NotAllowed
from league.models import User


@dataclass(frozen=True, slots=True)
class Reader:
    """Who is told: the seat that they hold, the window they look through, and whether they direct this table.

    Who directs it and still has to play its boards elsewhere may not hear people's own words.
    """

    seat: str | None = None
    window: str = ""
    may_rule: bool = False
    may_close: bool = False
    may_hear: bool = False
    may_sit: tuple[str, ...] = ()
    plays: str = ""
    """Their own seat in a match, even if somebody else holds it now."""
    is_inside: bool = False
    """Whether they read names as members of the club do."""
    has_stood_up: bool = False
    """Whether they have left it by a press in the deal that is being played."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A visitor's rights at a table that do not change with its cards. `seats` are theirs to take, and to play."""

    visitor: Visitor
    may_watch: bool
    may_rule: bool
    may_close: bool
    may_hear: bool
    """Of who rules: whether they may be told in people's own words what is wrong, which may tell of cards."""
    seats: tuple[str, ...]
    is_inside: bool = False

    def check_plays(self) -> None:
        """Raises NotAllowed where no seat is theirs; whether they hold one, and are on turn, is asked later."""
        if not self.seats:
            raise NotAllowed(_("You don’t have a seat at this table."), code="no_seat")

    def reader(self, facts: TableSnapshot, window: str = "") -> Reader:
        """Who is told the table as these facts have it."""
        held = facts.seat_of(self.visitor)
        # Who holds a seat that somebody else plays by now, or has left the club, looks on from outside.
        seat = held if held in self.seats else None
        free = tuple(each for each in self.seats if not facts.seats.get(each) or facts.seats[each].robot)
        own = self.seats[0] if facts.fixture is not None and self.seats else ""
        has_stood_up = bool(own) and seat is None and self.visitor.pk in facts.stood_up
        return Reader(
            seat=seat,
            window=window,
            may_rule=self.may_rule and seat is None,
            # A match's table is closed by who rules there, a casual one also from a seat at it.
            may_close=self.may_close and (facts.fixture is None or seat is None),
            may_hear=self.may_hear,
            may_sit=free if seat is None and not has_stood_up else (),
            plays=own,
            is_inside=self.is_inside,
            has_stood_up=has_stood_up,
        )


def table_for(visitor: Visitor, table_id: int) -> tuple[Table, Standing] | None:
    """The table and the visitor's rights there; None where there is none, or not for them."""
    table = Table.objects.with_match().prefetch_related(STAND_INS).filter(pk=table_id).first()
    if table is None:
        return None
    standing = standing_of(visitor, table)
    return (table, standing) if standing.may_watch else None


def standings_of(asked: Sequence[tuple[Visitor, int]]) -> list[Standing | None]:
    """The same for visitors and the tables that they visit; the tables are read together."""
    tables = Table.objects.with_match().prefetch_related(STAND_INS, "seats")
    found = tables.in_bulk({table for _visitor, table in asked})
    fetch_boards([table.fixture for table in found.values() if table.fixture is not None])
    standings = [standing_of(who, found[table]) if table in found else None for who, table in asked]
    return [standing if standing and standing.may_watch else None for standing in standings]


def standing_now(visitor: Visitor, table_id: int) -> Standing | None:
    """The rights of a person as the rows say now; None where there is no such table, or not for them.

    A guest who was removed is a stranger.
    """
    now: Visitor | None = None
    if isinstance(visitor, User):
        now = User.objects.filter(pk=visitor.pk).first()
    elif isinstance(visitor, Guest):
        is_here = (
            TableGuest.objects.current(at=timezone.now()).filter(pk=visitor.row, table=table_id).exists()
        )
        now = visitor if is_here else None
    found = table_for(now or AnonymousUser(), table_id)
    return found[1] if found else None


def standing_of(visitor: Visitor, table: Table) -> Standing:
    """What the policies say of this visitor and this table."""
    may_sit = policies.may(visitor, "table.sit", table)
    may_rule = policies.may(visitor, "table.rule", table)
    return Standing(
        visitor=visitor,
        may_watch=policies.may(visitor, "table.watch", table),
        may_rule=may_rule,
        may_close=policies.may(visitor, "table.close", table),
        may_hear=may_rule and (table.fixture is None or sees_sheets(visitor=visitor, fixture=table.fixture)),
        seats=_own_seats(visitor, table) if may_sit else (),
        is_inside=_is_inside(visitor, table),
    )


def _is_inside(visitor: Visitor, table: Table) -> bool:
    if table.club is None:
        return visitor.pk is not None and visitor.pk == table.opened_by_id
    return policies.is_inside(visitor, table.club)


def _own_seats(visitor: Visitor, table: Table) -> tuple[str, ...]:
    if table.fixture is None or not isinstance(visitor, User):
        return tuple(table.places)
    players = seating_at(table, table.fixture).players
    return tuple(seat for seat, player in players.items() if player.user_id == visitor.pk)
