"""What happened in the matches of a contest: the facts that a table is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

#: What names an entry or a fixture: the caller's own key.
Key: TypeAlias = int | str


def in_order(key: Key) -> tuple[bool, int, str]:
    """What keys are sorted by: numbers by size, then texts."""
    return (False, key, "") if isinstance(key, int) else (True, 0, key)


class Ending(StrEnum):
    """How a fixture ended for one of its sides."""

    OPEN = "open"
    """Drawn and not played yet: counts for nothing, but is a match to play, or to forfeit on withdrawal."""
    PLAYED = "played"
    WALKOVER_WON = "won_by_walkover"
    WALKOVER_LOST = "lost_by_walkover"
    """The side forfeits. The others have won by walkover, or played without it."""
    VOID = "void"
    """Counts for nothing, as if it had never been drawn."""

    @property
    def is_counted(self) -> bool:
        """Whether a side with such an ending gets points for it."""
        return self not in _UNCOUNTED


_UNCOUNTED = frozenset((Ending.OPEN, Ending.VOID))


#: What the two sides of a match have of each kind of result, the home side's first.
ENDINGS_OF_TWO = {
    "played": (Ending.PLAYED, Ending.PLAYED),
    "walkover_home": (Ending.WALKOVER_WON, Ending.WALKOVER_LOST),
    "walkover_away": (Ending.WALKOVER_LOST, Ending.WALKOVER_WON),
    "double_forfeit": (Ending.WALKOVER_LOST, Ending.WALKOVER_LOST),
    "void": (Ending.VOID, Ending.VOID),
    "unplayed": (Ending.OPEN, Ending.OPEN),
}


class Outcome(StrEnum):
    """How a match ended for one entry, as the form shows it."""

    WON = "W"
    """First, alone."""
    DRAWN = "D"
    """First, level with another side."""
    LOST = "L"
    """Behind another side."""


class TeamFigures(NamedTuple):
    """What a team made of a match, where that doesn't follow from the two scores (F62 to F66)."""

    points: Fraction
    imps: int = 0
    net: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a fixture. Score and rank mean something only where it played.

    Sides that are level have one rank, as in 1, 2, 2, 4.
    """

    entry: Key
    ending: Ending = Ending.OPEN
    score: int = 0
    rank: int = 0
    made: TeamFigures | None = None
    """Of a team match that was played."""
    partner: Key | None = None
    """Where partners change, the other player of the pair: both are credited with what it makes (F123)."""

    def __post_init__(self) -> None:
        if (self.ending is Ending.PLAYED) != (self.rank > 0):
            raise ValueError("a side has a rank if it played, and only then")

    @property
    def players(self) -> tuple[Key, ...]:
        """Who is credited with it: the entry, and its partner of this match."""
        return (self.entry,) if self.partner is None else (self.entry, self.partner)


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One fixture with its sides in order: two or more. Where two meet, the first is at home."""

    fixture: Key
    round: int
    sides: tuple[Side, ...]
    lower_is_better: bool = False
    """Whether the lowest score is the best, for the tie-breaks that count scores."""
    is_void: bool = False
    """Of an open match: nobody gets anything by a withdrawal. It is a match to play for the half-played rule."""

    @classmethod
    def of(
        cls,
        fixture: Key,
        round: int,  # noqa: A002 - the name of the field
        sides: Iterable[tuple[Key, Ending, int]],
        *,
        lower_is_better: bool = False,
    ) -> ResultLine:
        """A fixture of entries with their endings and scores; the scores of those who played give their ranks."""
        listed = tuple(sides)
        played = [score for _, ending, score in listed if ending is Ending.PLAYED]
        ranks = iter(ranks_by_score(played, lower_is_better=lower_is_better))
        made = tuple(
            Side(entry, ending, score, next(ranks)) if ending is Ending.PLAYED else Side(entry, ending)
            for entry, ending, score in listed
        )
        return cls(fixture, round, made, lower_is_better)

    @property
    def entries(self) -> tuple[Key, ...]:
        """Who sits at the table, in order."""
        return tuple([player for side in self.sides for player in side.players])

    @property
    def is_counted(self) -> bool:
        """Whether anybody gets points for it."""
        return any(side.ending.is_counted for side in self.sides)

    def ending_as(self, ending: Ending, *, is_void: bool = False) -> ResultLine:
        """The fixture with one ending for all its sides, without scores."""
        sides = tuple(Side(side.entry, ending, partner=side.partner) for side in self.sides)
        return replace(self, sides=sides, is_void=is_void)

    def with_scores(self, scores: Sequence[int]) -> ResultLine:
        """The fixture as played by all its sides, with these scores in their order."""
        ranks = ranks_by_score(scores, lower_is_better=self.lower_is_better)
        made = zip(self.sides, scores, ranks, strict=True)
        return replace(
            self,
            sides=tuple(
                Side(side.entry, Ending.PLAYED, score, rank, partner=side.partner)
                for side, score, rank in made
            ),
            is_void=False,
        )

    def without(self, gone: AbstractSet[Key]) -> ResultLine | None:
        """The fixture as if these had never been drawn; None where fewer than two sides are left.

        The ranks of those left close up. Who played against nobody else that is left has a walkover against those who
        forfeit; a walkover against nobody is void.
        """
        if gone.isdisjoint(self.entries):
            return self
        left = [side for side in self.sides if gone.isdisjoint(side.players)]
        if len(left) < 2:
            return None
        ranks = sorted(side.rank for side in left if side.ending is Ending.PLAYED)
        if all(side.ending is Ending.WALKOVER_WON for side in left):
            left = [Side(side.entry, Ending.VOID, partner=side.partner) for side in left]
        elif len(ranks) == 1:
            left = [Side(s.entry, Ending.WALKOVER_WON, partner=s.partner) if s.rank else s for s in left]
        else:
            left = [replace(s, rank=1 + ranks.index(s.rank)) if s.rank else s for s in left]
        return replace(self, sides=tuple(left))


def ranks_by_score(scores: Sequence[int], *, lower_is_better: bool = False) -> tuple[int, ...]:
    """The ranks of those who made these scores: 1 for the best; equal scores share one, as in 1, 2, 2, 4."""
    ordered = sorted(scores, reverse=not lower_is_better)
    return tuple(1 + ordered.index(score) for score in scores)


@dataclass(frozen=True, slots=True)
class Entry:
    """Who takes part in a contest: a pair, a player, a team.

    The seed orders those who share a place; a late entry has a later first round. One that is not `is_ranked` has no
    standing: its matches count for the others (F32).
    """

    key: Key
    seed: int = 0
    first_round: int = 1
    is_ranked: bool = True


@dataclass(frozen=True, slots=True)
class Bye:
    """A round in which an entry had no opponent: a bye, or it asked to sit out (F29), or came later (F30)."""

    entry: Key
    round: int
    is_requested: bool = False
    is_missed: bool = False


@dataclass(frozen=True, slots=True)
class Adjustment:
    """League points given (taken, when negative) by a director, from a round on; 0 is from the beginning.

    Or, where it `is_carried`, points of an earlier stage that count on; the reason then says which (F8).
    """

    entry: Key
    points: Fraction
    reason: str
    round: int = 0
    is_carried: bool = False


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An entry that left the contest; `engine.contest.standings.withdrawal` decides what becomes of its matches."""

    entry: Key
    reason: str = ""
    results_stand: bool = False
    """Whether its results stand, however few it has played."""


@dataclass(frozen=True, slots=True)
class DrawOfLots:
    """Lots that were drawn and recorded: the order in which tied entries are placed."""

    order: tuple[Key, ...]
