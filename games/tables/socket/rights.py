"""What people's rights at tables hang on, read for many connections at once.

It says nothing of what the rights are: where it is another than before, the policies are asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils import timezone

from games.models import Table, TableGuest
from league.actors import Guest, Visitor
from league.models import Appearance, Membership, Role, Substitution, User

_COMPETITION = "fixture__round__stage__competition__"
# Of a table: its club, and in a match who may see it and who plays.
_HANGS_ON = (
    "club_id",
    "seating",
    "fixture_id",
    "fixture__status",
    f"{_COMPETITION}state",
    f"{_COMPETITION}visibility",
)
_DIRECTORS = (Role.DIRECTOR, Role.OWNER)


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it is now: its version, and what of it rights hang on."""

    version: int
    club: int | None
    mark: Hashable


def tables_now(keys: Collection[int]) -> Mapping[int, Seen]:
    """The tables that are still there; three queries."""
    rows = list(Table.objects.filter(pk__in=keys).values_list("pk", "version", *_HANGS_ON))
    fixtures = [row[2 + _HANGS_ON.index("fixture_id")] for row in rows]
    playing = _who_plays([key for key in fixtures if key is not None])
    return {
        key: Seen(version, club, (str(rest), playing.get(fixture, ())))
        for fixture, (key, version, club, *rest) in zip(fixtures, rows, strict=True)
    }


def _who_plays(fixtures: Collection[int]) -> Mapping[int, tuple[Any, ...]]:
    """The accounts of the matches' players, and who stands in for whom."""
    if not fixtures:
        return {}
    found: dict[int, tuple[Any, ...]] = {}
    sides = Appearance.objects.filter(fixture__in=fixtures).order_by("order", "entry__lineup__members__pk")
    for fixture, user in sides.values_list("fixture_id", "entry__lineup__members__player__user_id"):
        found[fixture] = (*found.get(fixture, ()), user)
    rows = Substitution.objects.filter(fixture__in=fixtures).order_by("pk")
    for fixture, *stands_in in rows.values_list("fixture_id", "absent_id", "substitute__user_id"):
        found[fixture] = (*found.get(fixture, ()), tuple(stands_in))
    return found


class Roles:
    """What some people are in some clubs, and who directs these clubs; one query."""

    def __init__(self, people: Collection[int], clubs: Collection[int | None]) -> None:
        self._of: dict[tuple[int, int | None], str] = {}
        self._directors: dict[int | None, set[int]] = {}
        wanted = Membership.objects.filter(Q(user__in=people) | Q(role__in=_DIRECTORS), club__in=clubs)
        for user, club, role in wanted.values_list("user_id", "club_id", "role"):
            self._of[user, club] = role
            if role in _DIRECTORS:
                self._directors.setdefault(club, set()).add(user)

    def mark(self, user: User | None, club: int | None) -> Hashable:
        """Of a person, or of a stranger: whether others direct decides what a director may."""
        if user is None:
            return None
        return (
            user.is_superuser,
            self._of.get((user.pk, club)),
            frozenset(self._directors.get(club, ())),
        )


def guests_now(keys: Collection[int]) -> frozenset[int]:
    """Those of these guests whom nobody has removed; one query if there are any."""
    found = (
        TableGuest.objects.current(at=timezone.now()).filter(pk__in=keys)
        if keys
        else TableGuest.objects.none()
    )
    return frozenset(found.values_list("pk", flat=True))


def marks_of(asked: Sequence[tuple[Visitor, int]]) -> list[Hashable]:
    """The same for visitors and the tables that they visit: what connections begin with; four queries, for many as for
    one."""
    tables = tables_now({table for _visitor, table in asked})
    clubs = {seen.club for seen in tables.values()}
    roles = Roles({visitor.pk for visitor, _table in asked if isinstance(visitor, User)}, clubs)
    guests = guests_now({visitor.row for visitor, _table in asked if isinstance(visitor, Guest)})

    def mark(visitor: Visitor, seen: Seen | None) -> Hashable:
        if seen is None:
            return None
        if isinstance(visitor, Guest):
            return (seen.mark, visitor.row in guests)
        return (seen.mark, roles.mark(visitor if isinstance(visitor, User) else None, seen.club))

    return [mark(visitor, tables.get(table)) for visitor, table in asked]
