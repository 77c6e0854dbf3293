"""Tables in the browser as lists: a person's own, those that look for players, and those that can be watched."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import game
from games.models import OnlinePlay, Table, TableSeat
from games.models.querysets import CALL_LASTS
from games.models.tables import Spectators
from games.tables.seating import table_begun
from games.tables.services import dealing
from league import policies
from league.actors import Visitor
from league.models import Club, Competition, Fixture, User

PLAYABLE = {Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED, Fixture.Status.IN_PLAY}
MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in a list: who sits there, and how far it is."""

    key: int
    title: str
    kind: str
    state: str
    progress: str
    people: tuple[str, ...]
    free: int
    is_own: bool
    is_called: bool
    """Whether it is the table of the visitor's match, and they do not sit there."""
    may_join: bool
    """Whether a free seat of a casual table is theirs to take."""
    may_fill: bool
    """Whether robots may take its free seats by their wish."""
    is_asking: bool
    """Whether the club has just been told that it looks for players; said to nobody else."""
    may_ask: bool
    """Whether the visitor may tell it."""
    terms: str
    """Of a table without a match: the game, how many deals, and the clock."""
    changed_at: datetime
    """When somebody sat down or stood up, or a deal began or ended: no action tells when it was done."""

    @property
    def is_open(self) -> bool:
        return self.state in {Table.State.WAITING, Table.State.PLAYING, Table.State.BETWEEN}


@dataclass(frozen=True, slots=True)
class TableLists:
    """What the page of all tables shows."""

    own: tuple[ListedTable, ...]
    wanted: tuple[ListedTable, ...]
    live: tuple[ListedTable, ...]
    clubs: tuple[Club, ...]


def table_lists(*, visitor: Visitor) -> TableLists:
    """The open tables of this visitor, those they may join or watch, the newest first, and where they may open one.

    Your own come first: the tables of your matches, whether you sit there yet or not, then the others.
    """
    # Who has left the club may still have a name on a chair there; the table is not theirs any more.
    called = _with_seats(_calling(visitor))
    seated = [*called, *_with_seats(_seated_at(visitor))]
    seated.sort(key=lambda table: table.fixture_id is None)
    own = [table for table in seated if _may_see(visitor, table)]
    # Somebody else's practice is never watched, and must not take the place of what can be.
    others = (
        _open_tables()
        .exclude(pk__in=[table.pk for table in own])
        .exclude(kind__in=[Table.Kind.PRACTICE, Table.Kind.DAILY])
    )
    live = [table for table in _with_seats(others[:MOST_SHOWN]) if _may_see(visitor, table)]
    # Those at which something happened are looked at; in the list they keep their places while it is read.
    live.sort(key=lambda table: table.pk, reverse=True)
    keys = {table.pk for table in called}
    rows = [_row(table, visitor) for table in live]
    return TableLists(
        own=tuple(_row(table, visitor, is_called=table.pk in keys) for table in own),
        wanted=tuple(sorted((row for row in rows if row.may_join), key=lambda row: not row.is_asking)),
        live=tuple(row for row in rows if not row.may_join),
        clubs=_clubs_of(visitor),
    )


def _calling(visitor: Visitor) -> QuerySet[Table]:
    found: QuerySet[Table] = Table.objects.none()
    if isinstance(visitor, User):
        found = Table.objects.calling(visitor).with_match().order_by("-seen_at", "-pk")
    return found


def _open_tables() -> QuerySet[Table]:
    found: QuerySet[Table] = Table.objects.open().with_match().order_by("-seen_at", "-pk")
    return found


def _with_seats(tables: QuerySet[Table]) -> list[Table]:
    seats = TableSeat.objects.select_related("user", "player", "guest").order_by("pk")
    return list(
        tables.prefetch_related("fixture__substitutions__substitute", Prefetch("seats", queryset=seats))
    )


def _seated_at(visitor: Visitor) -> QuerySet[Table]:
    if not isinstance(visitor, User):
        return Table.objects.none()
    # Asked within the query: people keep their seats at tables that are over, more and more of them.
    held = TableSeat.objects.filter(user=visitor, left_at__isnull=True)
    return _open_tables().filter(pk__in=held.values("table"))


def _may_see(visitor: Visitor, table: Table) -> bool:
    return policies.may(visitor, "table.watch", table)


def _clubs_of(visitor: Visitor) -> tuple[Club, ...]:
    if not isinstance(visitor, User):
        return ()
    return tuple(Club.objects.filter(memberships__user=visitor).order_by("name"))


def listed(tables: QuerySet[Table], visitor: Visitor) -> tuple[ListedTable, ...]:
    """Those that the visitor may see as rows of a list, in their order; a few queries besides the tables' own."""
    return tuple(_row(table, visitor) for table in _with_seats(tables) if _may_see(visitor, table))


def _row(table: Table, visitor: Visitor, *, is_called: bool = False) -> ListedTable:
    held = [seat for seat in table.seats.all() if seat.left_at is None]
    free = len(table.places) - len(held)
    is_casual = table.kind == Table.Kind.CASUAL
    is_own = isinstance(visitor, User) and any(seat.user_id == visitor.pk for seat in held)
    return ListedTable(
        key=table.pk,
        title=title_of(table),
        kind=table.get_kind_display(),
        state=table.state,
        progress=_progress(table),
        people=tuple(_name(seat, table) for seat in held),
        free=free,
        is_own=is_own,
        is_called=is_called,
        may_join=not is_own and free > 0 and is_casual and policies.may(visitor, "table.sit", table),
        may_fill=is_own and free > 0 and _may_fill(visitor, table),
        is_asking=is_asking(table) and policies.may(visitor, "table.sit", table),
        may_ask=is_own and may_ask(visitor, table),
        terms=_terms(table),
        changed_at=table.seen_at,
    )


def is_asking(table: Table) -> bool:
    """Whether the club was told within the hour that this casual table looks for players, and it still does."""
    return (
        _is_waiting(table) and table.called_at is not None and table.called_at > timezone.now() - CALL_LASTS
    )


def may_ask(visitor: Visitor, table: Table) -> bool:
    """Whether this visitor may tell the club of the table; that somebody has done so is asked when they do."""
    return (
        _is_waiting(table)
        and not is_asking(table)
        and table.spectators != Spectators.NOBODY
        and policies.may(visitor, "table.host", table)
    )


def _is_waiting(table: Table) -> bool:
    held = sum(seat.left_at is None for seat in table.seats.all())
    return table.kind == Table.Kind.CASUAL and table.state == Table.State.WAITING and held < len(table.places)


def _may_fill(visitor: Visitor, table: Table) -> bool:
    return table.kind == Table.Kind.CASUAL and table.robots and policies.may(visitor, "table.host", table)


def _terms(table: Table) -> str:
    if table.fixture_id is not None:
        return ""
    parts = [_(str(game.get(table.game).name))]
    deals = game.get(table.game).deals_of(table.players, table.options)
    if deals is not None:
        parts.append(ngettext("%(count)d deal", "%(count)d deals", deals) % {"count": deals})
    minutes = -(-table.clock_seconds // 60)
    parts.append(
        ngettext("%(count)d minute a side", "%(count)d minutes a side", minutes) % {"count": minutes}
        if minutes
        else _("no clock")
    )
    return ", ".join(parts)


def _name(seat: TableSeat, table: Table) -> str:
    if not seat.robot:
        return seat.name
    robots = {robot.key: robot for robot in game.get(table.game).robots}
    if seat.robot not in robots:
        return _("robot")
    return _("robot (%(kind)s)") % {"kind": _(str(robots[seat.robot].name))}


def _progress(table: Table) -> str:
    if table.deal_number == 0:
        return str(table.get_state_display())
    return _("%(state)s, deal %(number)d") % {
        "state": table.get_state_display(),
        "number": table.deal_number,
    }


@dataclass(frozen=True, slots=True)
class OnlineStep:
    """What a match page offers of the online table: the open one, or to open one, or why there is none."""

    table: int | None
    plays: bool
    why_not: str = ""
    goes_on: bool = False
    """Whether it is one that was closed, and goes on where it was."""


def online_step(*, visitor: Visitor, fixture: Fixture) -> OnlineStep | None:
    """The table that the match is played at, if the visitor may see it; else the offer to open one, to who may."""
    if fixture.status not in PLAYABLE or fixture.round.competition.state != Competition.State.RUNNING:
        return None
    table = Table.objects.open().filter(fixture=fixture).first()
    if table is not None:
        table.fixture = fixture
        plays = policies.may(visitor, "table.sit", table)
        return OnlineStep(table.pk, plays) if plays or _may_see(visitor, table) else None
    begun = table_begun(fixture)
    goes_on = begun is not None and begun.finished_at is None
    plays = policies.plays_in(visitor, fixture)
    if not plays and not (goes_on and policies.may(visitor, "table.open", fixture)):
        return None
    online = OnlinePlay.objects.filter(competition=fixture.round.stage.competition_id).first()
    if online is not None and not online.is_open:
        return None
    refusal = dealing.why_not(fixture, at=timezone.now())
    return OnlineStep(None, plays, why_not=refusal.message if refusal else "", goes_on=goes_on)


def title_of(table: Table) -> str:
    """What stands above the table: the two pairs, or the club and what kind of table it is."""
    if table.fixture is not None:
        return str(table.fixture)
    kind = table.get_kind_display()
    return f"{table.club.name}: {kind}" if table.club else capfirst(kind)
