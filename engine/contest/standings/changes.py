"""What a change does to the table: shown to people before they make it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from engine.contest import exact
from engine.contest.results import Key
from engine.contest.standings.explanation import NameOf, ordinal
from engine.contest.standings.table import Row, Table
from engine.text import Message, gettext_noop


class ChangeKind(StrEnum):
    """What becomes different for an entry."""

    RISES = "rises"
    DROPS = "drops"
    COMES_TO_SHARE = "comes_to_share"
    """The same place, now with others."""
    HAS_ALONE = "has_alone"
    """The same place, now for itself."""
    TAKEN_OUT = "taken_out"
    PUT_IN = "put_in"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changes for one entry: its place (None where it has none), or its league points."""

    kind: ChangeKind
    entry: Key
    before: Fraction | None
    after: Fraction | None

    def as_json(self) -> dict[str, Any]:
        """The change as JSON values."""
        return {
            "kind": self.kind.value,
            "entry": self.entry,
            "before": None if self.before is None else exact.write(self.before),
            "after": None if self.after is None else exact.write(self.after),
        }


_TEMPLATES = {
    ChangeKind.RISES: gettext_noop("%(name)s move up from %(before)s to %(after)s"),
    ChangeKind.DROPS: gettext_noop("%(name)s drop from %(before)s to %(after)s"),
    ChangeKind.COMES_TO_SHARE: gettext_noop("%(name)s now share %(after)s place"),
    ChangeKind.HAS_ALONE: gettext_noop("%(name)s no longer share %(after)s place"),
    ChangeKind.TAKEN_OUT: gettext_noop("%(name)s are removed from the table"),
    ChangeKind.PUT_IN: gettext_noop("%(name)s join the table in %(after)s place"),
    ChangeKind.POINTS: gettext_noop("%(name)s have %(after)s league points instead of %(before)s"),
}


def consequences(before: Table, after: Table) -> tuple[Change, ...]:
    """Everything that differs for the entries, in the order of the later table; each with its place first."""
    known = {row.entry: row for row in (*before.rows, *before.withdrawn)}
    return tuple(
        change for row in (*after.rows, *after.withdrawn) for change in _changes(known.get(row.entry), row)
    )


def sentence(change: Change, name_of: NameOf) -> Message:
    """The change in words: "Riverside drops from 2nd to 3rd"."""
    shown = _figure if change.kind is ChangeKind.POINTS else _place
    return Message(
        _TEMPLATES[change.kind],
        {"name": name_of(change.entry), "before": shown(change.before), "after": shown(change.after)},
    )


def _changes(before: Row | None, after: Row) -> Iterator[Change]:
    was = None if before is None else before.place
    kind = _place_kind(before, after)
    if kind is not None:
        yield Change(kind, after.entry, _exact(was), _exact(after.place))
    if before is not None and before.league_points != after.league_points:
        yield Change(ChangeKind.POINTS, after.entry, before.league_points, after.league_points)


def _place_kind(before: Row | None, after: Row) -> ChangeKind | None:
    was = None if before is None else before.place
    if before is None or was is None:
        return None if after.place is None else ChangeKind.PUT_IN
    if after.place is None:
        return ChangeKind.TAKEN_OUT
    if after.place != was:
        return ChangeKind.RISES if after.place < was else ChangeKind.DROPS
    if after.is_shared != before.is_shared:
        return ChangeKind.COMES_TO_SHARE if after.is_shared else ChangeKind.HAS_ALONE
    return None


def _exact(place: int | None) -> Fraction | None:
    return None if place is None else Fraction(place)


def _place(place: Fraction | None) -> str:
    return "" if place is None else ordinal(int(place))


def _figure(points: Fraction | None) -> str:
    return "" if points is None else exact.shown(points)
