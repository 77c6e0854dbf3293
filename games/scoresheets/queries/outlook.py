"""What a result does to the table, for people: only the pairs whose place or figures change; and to a bracket."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.contest.results import Key
from league.fixtures.services import advancement
from league.models import Appearance, Entry, Fixture
from league.standings import brackets
from league.standings import queries as standings
from league.web import lookup
from league.web.number_format import exact_text


@dataclass(frozen=True, slots=True)
class OutlookLine:
    """One pair before and after."""

    pair: str
    before: int | None
    after: int | None
    points_before: str
    points_after: str
    is_in_match: bool

    @property
    def moves(self) -> int:
        """How many places it goes up (below 0: down)."""
        return (self.before or 0) - (self.after or 0)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The table before and after, shortened to what changes."""

    lines: tuple[OutlookLine, ...]
    unchanged: int


def outlook(fixture: Fixture, *, scores: Sequence[int] | None) -> Outlook:
    """What these scores of its sides do to the division's table; None: what it does that there are none."""
    found = standings.consequences(fixture, scores=scores)
    names: dict[Key, str] = {
        entry.pk: str(entry) for entry in Entry.with_rooms.filter(division=fixture.division).with_pairs()
    }
    lines = []
    for row in found.after.rows:
        old = found.before.row_of(row.entry) or row
        is_in_match = fixture.side_of(int(row.entry)) is not None
        if is_in_match or (old.place, old.league_points) != (row.place, row.league_points):
            lines.append(
                OutlookLine(
                    pair=names.get(row.entry, "?"),
                    before=old.place,
                    after=row.place,
                    points_before=exact_text(old.league_points),
                    points_after=exact_text(row.league_points),
                    is_in_match=is_in_match,
                )
            )
    return Outlook(tuple(lines), len(found.after.rows) - len(lines))


def of_reopening(fixture: Fixture) -> Outlook | None:
    """What reopening the match does to the table of league points, where the competition has one."""
    if lookup.is_directed_elsewhere(fixture.round.competition):
        return None
    return outlook(fixture, scores=None)


@dataclass(frozen=True, slots=True)
class Turned:
    """What follows in the bracket if another result puts `entry` through."""

    match: Fixture
    entry: Entry
    change: advancement.Change


def turned(fixture: Fixture, *, ranks: Sequence[int] | None, scores: Sequence[int] = ()) -> Turned | None:
    """What this result would change in the next round of a knock-out (F49); None while that is not drawn.

    Without ranks it is what changes if the other side goes on after a correction. Nothing where a director has said
    who goes on, nor from the result of one room of a match of teams.
    """
    match = fixture.team_match or fixture
    if not match.round.stage.is_bracket or (ranks and match != fixture):
        return None
    tie = brackets.of_division(match.division).tie_of(match.pk)
    if tie is None or tie.goes_on is None or (tie.decision is not None and tie.decision.winner_id):
        return None
    entry = next(each for each in tie.entries if each != tie.goes_on)
    if ranks:
        leg = next(each for each in tie.legs if each.pk == match.pk)
        leg.status = Fixture.Status.CONFIRMED
        for side, rank, score in zip(leg.sides, ranks, scores, strict=True):
            side.outcome, side.rank, side.score = Appearance.Outcome.PLAYED, rank, score
        if brackets.decide(tie.legs, tie.decision).winner != entry.pk:
            return None
    change = advancement.foreseen(fixture=match, winner=entry)
    return Turned(match, entry, change) if change.meetings else None
