"""The line-ups of a team match as somebody sees them, and what this person can do about them."""

from collections.abc import Iterator
from dataclasses import dataclass

from league import policies
from league.actors import Visitor
from league.models import Competition, Entry, Fixture, NamedPairs, Player
from league.querysets import UNPLAYED
from league.teams.services import line_ups

Room = Fixture.Room


@dataclass(frozen=True, slots=True)
class LineUp:
    """What a team has said: `in_open` and `in_closed` are empty while this person may not know, or nothing was said."""

    entry: Entry
    captain: Player | None
    is_in: bool
    has_stood: bool
    in_open: tuple[Player, ...]
    in_closed: tuple[Player, ...]
    may_name: bool


@dataclass(frozen=True, slots=True)
class LineUps:
    """Both line-ups of a match. `may_open`: a director can let the last ones stand now."""

    teams: tuple[LineUp, ...]
    are_both_in: bool
    may_open: bool

    @property
    def to_name(self) -> tuple[LineUp, ...]:
        """Those that this person can name, or change."""
        return tuple(each for each in self.teams if each.may_name)


def of_match(fixture: Fixture, visitor: Visitor) -> LineUps:
    """The line-ups of a team match for this person."""
    teams = tuple(_line_ups(fixture, visitor))
    are_in = fixture.rooms.exists()
    return LineUps(
        teams,
        are_both_in=are_in,
        may_open=not are_in and _is_open(fixture) and policies.may(visitor, "team.open_rooms", fixture),
    )


def _line_ups(fixture: Fixture, visitor: Visitor) -> Iterator[LineUp]:
    rows = fixture.named_pairs.select_related("open_one", "open_two", "closed_one", "closed_two")
    named = {row.entry_id: row for row in rows}
    for entry in fixture.entries:
        row = named.get(entry.pk)
        place = NamedPairs(fixture=fixture, entry=entry)
        sees = row is not None and policies.may(visitor, "team.see_pairs", place)
        yield LineUp(
            entry=entry,
            captain=entry.lineup.captain,
            is_in=row is not None,
            has_stood=row is not None and row.has_stood,
            in_open=row.pair_in(Room.OPEN) if row is not None and sees else (),
            in_closed=row.pair_in(Room.CLOSED) if row is not None and sees else (),
            may_name=may_name(fixture, entry, visitor),
        )


def may_name(fixture: Fixture, entry: Entry, visitor: Visitor) -> bool:
    """Whether this person can name the team's pairs now: after both are in only a director, before a room has begun."""
    if not _is_open(fixture) or not policies.may(
        visitor, "team.name_pairs", NamedPairs(fixture=fixture, entry=entry)
    ):
        return False
    if not fixture.rooms.exists():
        return True
    has_begun = fixture.rooms.exclude(status=Fixture.Status.SCHEDULED).exists()
    return not has_begun and policies.may(visitor, "team.open_rooms", fixture)


def _is_open(fixture: Fixture) -> bool:
    competition = fixture.round.competition
    return competition.state == Competition.State.RUNNING and fixture.status in UNPLAYED


def proposed(fixture: Fixture, entry: Entry, visitor: Visitor) -> tuple[Player | None, ...]:
    """What the form begins with: what this person may know to be named, or the last line-up; open room first."""
    row = fixture.named_pairs.filter(entry=entry).first()
    if row is not None and policies.may(visitor, "team.see_pairs", NamedPairs(fixture=fixture, entry=entry)):
        return (*row.pair_in(Room.OPEN), *row.pair_in(Room.CLOSED))
    pairs = line_ups.last_pairs(fixture, entry)
    return (*pairs.in_open, *pairs.in_closed)
