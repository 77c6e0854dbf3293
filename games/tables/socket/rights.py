"""What people's rights at tables hang on, read for many connections at once.

It says nothing of what the rights are: where it is another than before, the policies are asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from games.models import Table
from league.models import Membership, Role, Substitution, User

_COMPETITION = "fixture__round__stage__competition__"
# Of a table: its club, and in a match who may see it and who plays.
_HANGS_ON = (
    "club_id",
    "seating",
    "fixture_id",
    "fixture__status",
    f"{_COMPETITION}state",
    f"{_COMPETITION}visibility",
    *(
        f"fixture__{side}__partnership__{player}__user_id"
        for side in ("home", "away")
        for player in ("player_a", "player_b")
    ),
)
_DIRECTORS = (Role.DIRECTOR, Role.OWNER)


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it is now: its version, and what of it rights hang on."""

    version: int
    club: int
    mark: Hashable


def tables_now(keys: Collection[int]) -> Mapping[int, Seen]:
    """The tables that are still there; two queries."""
    rows = list(Table.objects.filter(pk__in=keys).values_list("pk", "version", *_HANGS_ON))
    fixtures = [row[2 + _HANGS_ON.index("fixture_id")] for row in rows]
    stand_ins = _stand_ins([key for key in fixtures if key is not None])
    return {
        key: Seen(version, club, (str(rest), stand_ins.get(fixture, ())))
        for fixture, (key, version, club, *rest) in zip(fixtures, rows, strict=True)
    }


def _stand_ins(fixtures: Collection[int]) -> Mapping[int, tuple[Any, ...]]:
    if not fixtures:
        return {}
    found: dict[int, tuple[Any, ...]] = {}
    rows = Substitution.objects.filter(fixture__in=fixtures).order_by("pk")
    for fixture, absent, user in rows.values_list("fixture_id", "absent_id", "substitute__user_id"):
        found[fixture] = (*found.get(fixture, ()), (absent, user))
    return found


class Roles:
    """What some people are in some clubs, and who directs these clubs; one query."""

    def __init__(self, people: Collection[int], clubs: Collection[int]) -> None:
        self._of: dict[tuple[int, int], str] = {}
        self._directors: dict[int, set[int]] = {}
        wanted = Membership.objects.filter(Q(user__in=people) | Q(role__in=_DIRECTORS), club__in=clubs)
        for user, club, role in wanted.values_list("user_id", "club_id", "role"):
            self._of[user, club] = role
            if role in _DIRECTORS:
                self._directors.setdefault(club, set()).add(user)

    def mark(self, user: User | None, club: int) -> Hashable:
        """Of a person, or of somebody without an account: whether others direct decides what a director may."""
        if user is None:
            return None
        return (
            user.is_superuser,
            self._of.get((user.pk, club)),
            frozenset(self._directors.get(club, ())),
        )


def mark_of(user: User | None, table_id: int) -> Hashable:
    """The same for one person at one table: what a connection begins with; three queries."""
    seen = tables_now([table_id]).get(table_id)
    if seen is None:
        return None
    return (seen.mark, Roles([user.pk] if user else [], [seen.club]).mark(user, seen.club))
