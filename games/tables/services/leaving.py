"""Somebody leaves for good: first their seats at tables, then what tells their name."""

from collections.abc import Collection

from django.db.models import F, Q

from games.models import ChatLine, Paper, SheetPhoto, Table, TableGuest, TableSeat
from games.models.tables import OPEN
from games.tables.services import seats
from league.locks import take
from league.models import Competition, Entry, Fixture, User


def _seats_of(user: User) -> list[int]:
    held = TableSeat.objects.filter(user=user, left_at__isnull=True, robot="", table__state__in=OPEN)
    return list(held.order_by("table").values_list("table", flat=True))


def sits_somewhere(*, user: User) -> bool:
    """Whether this person has a seat at a table that is open."""
    return bool(_seats_of(user))


def stand_up(*, user: User) -> None:
    """The person leaves every seat they have, as by a press; each table in a transaction of its own."""
    for table in _seats_of(user):
        seats.stand_up(actor=user, table_id=table)


def erased(*, players: Collection[int], user: User | None) -> None:
    """Photos and papers that show the name go, and what the account said; tables are read again without the name."""
    entries = Entry.with_rooms.filter(lineup__members__player__in=players)
    played = Q(appearances__entry__in=entries) | Q(substitutions__substitute__in=players)
    fixtures = Fixture.with_rooms.filter(played)
    SheetPhoto.objects.filter(fixture__in=fixtures.values("pk")).delete()
    Paper.objects.filter(
        competition__in=Competition.objects.filter(entries__in=entries).values("pk")
    ).delete()
    if user is not None:
        ChatLine.objects.filter(user=user).delete()
        TableGuest.objects.filter(kept_by=user).update(name="", key=None)
    at_tables = TableSeat.objects.filter(player__in=players).values_list("table", flat=True)
    own = TableSeat.objects.filter(user=user).values_list("table", flat=True) if user is not None else ()
    matches = Table.objects.filter(fixture__in=fixtures.values("pk")).values_list("pk", flat=True)
    keys = {*at_tables, *own, *matches}
    take(Table.objects.filter(pk__in=keys))
    Table.objects.filter(pk__in=keys).update(version=F("version") + 1)
