"""Late entries: finding rounds for the meetings of a pair that joins when the draw is made.

The pair meets one opponent a round, and an opponent can be met only in a round in which it is free. So meetings and
rounds are matched with each other; what finds no round needs rounds of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from engine.contest.results import Key


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the late pair's meetings find a place; meetings are named by their index in the list asked for.

    As many as possible are placed, and earlier rounds are preferred as long as that costs no meeting.
    """

    rounds: Mapping[int, int]
    """The round's number by meeting."""
    unplaced: tuple[int, ...]
    """The meetings for which no round is left."""


def place_meetings(opponents: Sequence[Key], free: Mapping[int, AbstractSet[Key]]) -> Placement:
    """Match meetings with rounds: each at most one of the other.

    `opponents` has one item a meeting, so an opponent to be met twice stands there twice. `free` gives for each
    round in which the late pair itself can play those who are free as well.
    """
    meeting_of: dict[int, int] = {}
    for number in sorted(free):
        _augment(number, opponents, free, meeting_of, set())
    rounds = {meeting: number for number, meeting in meeting_of.items()}
    unplaced = tuple(meeting for meeting in range(len(opponents)) if meeting not in rounds)
    return Placement(rounds, unplaced)


def _augment(
    number: int,
    opponents: Sequence[Key],
    free: Mapping[int, AbstractSet[Key]],
    meeting_of: dict[int, int],
    tried: set[int],
) -> bool:
    """Give the round a meeting, moving meetings of other rounds where that makes room (Kuhn's algorithm)."""
    round_of = {meeting: other for other, meeting in meeting_of.items()}
    for meeting, opponent in enumerate(opponents):
        if opponent not in free[number] or meeting in tried:
            continue
        tried.add(meeting)
        holder = round_of.get(meeting)
        if holder is None or _augment(holder, opponents, free, meeting_of, tried):
            meeting_of[number] = meeting
            return True
    return False


def home_in_turn(opponents: Sequence[Key], balances: Mapping[Key, int]) -> tuple[bool, ...]:
    """Whether the late pair is at home in each of its meetings, in the order in which they are played.

    `balances` gives for each opponent how much oftener it is at home than away. The one that has been at home oftener
    goes away; where that decides nothing, home and away change from meeting to meeting. Who is met a second time is
    met the other way round.
    """
    at_home: list[bool] = []
    own = 0
    for index, opponent in enumerate(opponents):
        if opponent in opponents[:index]:
            is_home = not at_home[opponents.index(opponent)]
        else:
            difference = balances[opponent] - own
            is_home = difference > 0 if difference else not (at_home and at_home[-1])
        at_home.append(is_home)
        own += 1 if is_home else -1
    return tuple(at_home)
