"""Row locks from the club down to the match's fixture, taken in one order everywhere (docs/locking.md).

A service locks the highest row that it needs first. To lock a row again that the transaction holds already costs a
query and never waits. Nothing outside this module and `games.locks` asks the database for a row lock.
"""

from collections.abc import Collection
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

from league.models import Club, Competition, Division, Fixture, Lineup, Player

Row = TypeVar("Row", bound=Model)

#: Rows of other kinds are locked last; `games.locks` adds its own kinds behind these.
ORDER: tuple[type[Model], ...] = (Club, Competition, Player, Lineup, Division, Fixture)


def take(rows: QuerySet[Row]) -> list[Row]:
    """These rows as they are now, locked in the order of their keys until the transaction ends.

    A weak lock is enough to keep other services out, and lets rows that point at these be added meanwhile.
    """
    return list(rows.order_by("pk").select_for_update(of=("self",), no_key=True))


def lease(rows: QuerySet[Row], *, most: int) -> list[Row]:
    """The first of these rows that no other worker has locked just now: nobody waits for them."""
    return list(rows.select_for_update(of=("self",), no_key=True, skip_locked=True)[:most])


def hold(rows: list[Row]) -> list[Row]:
    """Those of these leased rows that no other session holds; this one holds them now, until it ends or holds others.

    A worker that is killed, or whose database is, lets go of what it held. SQLite knows no sessions: there nobody does.
    """
    if connection.vendor != "postgresql":
        return []
    held = []
    with connection.cursor() as cursor:
        for row in rows:
            names = (row._meta.db_table, row.pk)
            cursor.execute("SELECT pg_try_advisory_lock(hashtext(%s), %s::bigint::bit(32)::int)", names)
            if cursor.fetchone() == (True,):
                held.append(row)
    return held


def let_go() -> None:
    """This session holds no leased rows any more."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")


def one(rows: QuerySet[Row]) -> Row:
    """The only one of these rows, locked. Raises DoesNotExist where it is gone."""
    found = take(rows)
    return found[0] if found else rows.get()


def club(pk: int) -> Club:
    """A club: its settings, members, imports and claims."""
    return one(Club.objects.filter(pk=pk))


def competition(pk: int) -> Competition:
    """A competition: the lock for who takes part and who meets, and for all matches, boards and rankings of it."""
    return one(Competition.objects.filter(pk=pk).select_related("club", "season"))


def competitions(pks: Collection[int]) -> None:
    """Several competitions at once."""
    take(Competition.objects.filter(pk__in=pks))


def players(pks: Collection[int]) -> dict[int, Player]:
    """Players by their keys, with their club."""
    return {player.pk: player for player in take(Player.objects.filter(pk__in=pks).select_related("club"))}


def player(pk: int) -> Player:
    """A player, with the club."""
    return one(Player.objects.filter(pk=pk).select_related("club"))


def pairs(rows: QuerySet[Lineup]) -> list[Lineup]:
    """These pairs; their players' locks come first where both are needed."""
    return take(rows)


def pair(pk: int) -> Lineup:
    """A pair, with its players and club."""
    found: QuerySet[Lineup] = Lineup.objects.filter(pk=pk).with_players()
    return one(found)


def division(pk: int) -> Division:
    """A division: its stored tables."""
    return one(Division.objects.filter(pk=pk))


def fixture(row: Fixture) -> Fixture:
    """A fixture with its pairs, after its competition."""
    take(Competition.objects.filter(pk=row.round.stage.competition_id))
    found: QuerySet[Any] = Fixture.with_rooms.filter(pk=row.pk).with_pairs()
    return one(found)
