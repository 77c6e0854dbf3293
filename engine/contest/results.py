"""What happened in the matches of a contest: the facts that a table is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

#: What names an entry or a fixture: the caller's own key.
Key: TypeAlias = int | str


def in_order(key: Key) -> tuple[bool, int, str]:
    """What keys are sorted by: numbers by size, then texts."""
    return (False, key, "") if isinstance(key, int) else (True, 0, key)


class ResultKind(StrEnum):
    """How a fixture ended."""

    PLAYED = "played"
    WALKOVER_HOME = "walkover_home"
    """The home pair gets the walkover; the away pair forfeits."""
    WALKOVER_AWAY = "walkover_away"
    """The away pair gets the walkover; the home pair forfeits."""
    DOUBLE_FORFEIT = "double_forfeit"
    VOID = "void"
    """Counts for nothing, as if it had never been drawn."""
    UNPLAYED = "unplayed"
    """Drawn and not played yet: counts for nothing, but is a match to play, or to forfeit on withdrawal."""

    @property
    def is_counted(self) -> bool:
        """Whether such a result is worth points in the table."""
        return self not in {ResultKind.VOID, ResultKind.UNPLAYED}


class Outcome(StrEnum):
    """How a match ended for one entry, as the form shows it."""

    WON = "W"
    DRAWN = "D"
    LOST = "L"


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One fixture with its result; the scores mean something only where the match was played."""

    fixture: Key
    round: int
    home: Key
    away: Key
    kind: ResultKind = ResultKind.UNPLAYED
    home_score: int = 0
    away_score: int = 0
    is_void: bool = False
    """Of an unplayed match: nobody gets anything by a withdrawal. It is a match to play for the half-played rule."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair in a contest. The seed orders those who share a place; a late entry has a later first round."""

    key: Key
    seed: int = 0
    first_round: int = 1


@dataclass(frozen=True, slots=True)
class Bye:
    """A round in which an entry had no opponent."""

    entry: Key
    round: int


@dataclass(frozen=True, slots=True)
class Adjustment:
    """League points given (taken, when negative) by a director, from a round on; 0 is from the beginning."""

    entry: Key
    points: Fraction
    reason: str
    round: int = 0


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An entry that left the contest; `engine.contest.standings.withdrawal` decides what becomes of its matches."""

    entry: Key
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DrawOfLots:
    """Lots that were drawn and recorded: the order in which tied entries are placed."""

    order: tuple[Key, ...]
