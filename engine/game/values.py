"""The values that pass the seam: states, views, scores, records, results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeAlias, TypeVar

from engine.problems import Problem

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Options: TypeAlias = Mapping[str, Json]
"""The options of a deal, as a row keeps them: those of the competition, and what the match carries into the deal."""


class Shown(Protocol):
    """A frozen value made for people or programs to look at."""

    def as_json(self) -> Mapping[str, Json]:
        """All of it. Equal values give equal JSON."""


class View(Shown, Protocol):
    """All that one seat, or a spectator, may know of a state. It holds neither a state nor a deal."""


class Record(Shown, Protocol):
    """A deal as written down by people, complete or not; reading its JSON again gives an equal record."""


class Score(Protocol):
    """What a deal was worth."""

    @property
    def total(self) -> Mapping[str, int]:
        """Points of each side for the deal, all in all; besides the sides there may be an account (a kitty)."""

    def as_json(self) -> Mapping[str, Json]:
        """The score for a program, its totals under ``total``."""


class State(Protocol):
    """A deal being played: a frozen value. A state is always the replay of its tokens."""

    @property
    def turn(self) -> str | None:
        """The seat that has to act; None when the deal is over."""

    @property
    def is_over(self) -> bool:
        """Whether the deal is played out."""

    @property
    def history(self) -> tuple[str, ...]:
        """The tokens of all actions so far, in order, whole: what a seat sees of them, ``token_seen_by`` says."""

    def legal(self) -> tuple[str, ...]:
        """Every token that verify would accept now, always in the same order."""

    def verify(self, token: str) -> None:
        """Raise the ActionError that says why this action is not allowed now; do nothing if it is."""

    def apply(self, token: str) -> Self:
        """The state after this action. Raises as verify does."""

    def score(self) -> Score:
        """What the deal was worth. Raises ActionError while it is not over."""


@dataclass(frozen=True, slots=True)
class Points:
    """A score that is no more than its totals, and perhaps how they came about."""

    total: Mapping[str, int] = field(hash=False)
    detail: Mapping[str, Json] = field(default_factory=dict, hash=False)

    def as_json(self) -> dict[str, Json]:
        """The detail, and the totals."""
        return {**self.detail, "total": {str(side): points for side, points in self.total.items()}}


ScoreT_co = TypeVar("ScoreT_co", bound=Score, covariant=True)


@dataclass(frozen=True, slots=True)
class Checked(Generic[ScoreT_co]):
    """A record with everything wrong with it, and its score unless something wrong refuses it."""

    problems: tuple[Problem, ...]
    score: ScoreT_co | None

    @property
    def is_accepted(self) -> bool:
        """Whether nothing refuses the record."""
        return not any(problem.refuses for problem in self.problems)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match, as far as it has been played. ``counted`` deals count; later ones do not.

    ``winners`` has the sides that won it: none while it is not over, and none in a draw of all. ``ranks`` has each
    side's place, 1 for the best; sides that are level in all that decides share one.
    """

    counted: int
    points: Mapping[str, int]
    bonus: Mapping[str, int]
    total: Mapping[str, int]
    winners: tuple[str, ...]
    is_over: bool
    ranks: Mapping[str, int] = field(default_factory=dict)
    next_options: Options = field(default_factory=dict)
    """What lies on the table for the next deal: options that it is to be started with besides the competition's."""
    detail: Mapping[str, Json] = field(default_factory=dict)
    """What else stands in this game besides points: deals won, a target that moved, a kitty."""
    next_dealer: str | None = None
    """Who deals next where the deals before decide it; None where the deal just passes on."""

    @property
    def winner(self) -> str | None:
        """The only winner."""
        return self.winners[0] if len(self.winners) == 1 else None

    def as_json(self) -> dict[str, Json]:
        """The result for a program, sides by their keys."""
        return {
            "counted": self.counted,
            "points": {str(side): points for side, points in self.points.items()},
            "bonus": {str(side): points for side, points in self.bonus.items()},
            "total": {str(side): points for side, points in self.total.items()},
            "winner": str(self.winner) if self.winner else None,
            "is_over": self.is_over,
        }


@dataclass(frozen=True, slots=True)
class CheckedSheet:
    """A whole scoresheet, checked: each deal's record and score (None where there is none), and the match so far."""

    problems: tuple[Problem, ...]
    records: tuple[Record | None, ...]
    scores: tuple[Score | None, ...]
    result: MatchResult

    @property
    def is_accepted(self) -> bool:
        """Whether nothing refuses the sheet."""
        return not any(problem.refuses for problem in self.problems)
