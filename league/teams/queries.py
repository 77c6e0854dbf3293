"""The line-ups of a team match as somebody sees them, and what this person can do about them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from league import policies
from league.actors import Visitor
from league.models import Competition, Entry, Fixture, NamedPairs, Player, Substitution
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
class Share:
    """In how many of the team's confirmed matches a player has played: a substitute, too."""

    player: Player
    played: int
    of: int

    @property
    def counts(self) -> bool:
        """F68: for places and prizes count those who played half of the boards, which is half of the matches."""
        return self.of > 0 and 2 * self.played >= self.of


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


def shares(entries: Iterable[Entry]) -> dict[int, tuple[Share, ...]]:
    """Who has played how much for these teams, by entry: everybody of the team, and who played besides."""
    teams = {entry.pk: entry for entry in entries}
    played: dict[int, Counter[Player]] = {key: Counter() for key in teams}
    matches = Counter[int]()
    rows = NamedPairs.objects.filter(entry__in=teams, fixture__status=Fixture.Status.CONFIRMED)
    rows = rows.select_related("open_one", "open_two", "closed_one", "closed_two")
    # Who took a seat after the rooms were open is their substitute.
    later = {
        (row.fixture.team_match_id, row.absent_id): row.substitute
        for row in Substitution.objects.filter(
            fixture__in=Fixture.with_rooms.filter(team_match__named_pairs__entry__in=teams)
        ).select_related("fixture", "substitute")
        if not row.is_waiting
    }
    for row in rows:
        matches[row.entry_id] += 1
        for player in (*row.pair_in(Room.OPEN), *row.pair_in(Room.CLOSED)):
            played[row.entry_id][later.get((row.fixture_id, player.pk), player)] += 1
    return {
        key: tuple(
            Share(player, played[key][player], matches[key])
            for player in dict.fromkeys((*entry.lineup.players, *sorted(played[key], key=_by_name)))
        )
        for key, entry in teams.items()
    }


def _by_name(player: Player) -> tuple[str, int]:
    return player.name, player.pk


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
