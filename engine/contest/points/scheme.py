"""What a match is worth in league points: the points scheme of a competition."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from engine.contest import exact
from engine.contest.results import Outcome, ResultKind

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Award:
    """What one result is worth to one entry, and the score that counts for it."""

    outcome: Outcome
    points: Fraction
    score_for: int
    score_against: int


@dataclass(frozen=True, slots=True)
class Band:
    """The points of winner and loser from a margin of the score on."""

    start: int
    winner: Fraction
    loser: Fraction


@dataclass(frozen=True, slots=True)
class PointsScheme:
    """Points for every kind of result.

    A win is worth what its band says: the last one that starts at or below the margin. A scheme without
    margins, such as 2/1/0, has one band from 0. Make it by `plain`, or from JSON by
    `points_reading.read_scheme`.
    """

    bands: tuple[Band, ...]
    draw: Fraction
    walkover_winner: Fraction
    walkover_loser: Fraction = ZERO
    walkover_score: int | None = None
    """The score that a walkover counts for its winner; None: a walkover adds to nobody's score."""
    bye: Fraction = ZERO

    def __post_init__(self) -> None:
        if not self.bands or self.bands[0].start > 1:
            raise ValueError("the bands of a points scheme must cover the smallest margin")
        if any(upper.start <= lower.start for lower, upper in pairwise(self.bands)):
            raise ValueError("the bands of a points scheme must start at growing margins")

    @classmethod
    def plain(cls, win: int | str = 2, draw: int | str = 1, loss: int | str = 0) -> PointsScheme:
        """The scheme that pays the same for every win; without arguments 2/1/0."""
        winner = Fraction(win)
        return cls(bands=(Band(0, winner, Fraction(loss)),), draw=Fraction(draw), walkover_winner=winner)

    def awards(self, kind: ResultKind, home_score: int, away_score: int) -> tuple[Award, Award]:
        """What a counted result is worth to the home entry and to the away entry."""
        match kind:
            case ResultKind.PLAYED:
                return self._played(home_score, away_score)
            case ResultKind.WALKOVER_HOME:
                return self._walkover()
            case ResultKind.WALKOVER_AWAY:
                winner, loser = self._walkover()
                return loser, winner
            case ResultKind.DOUBLE_FORFEIT:
                forfeit = Award(Outcome.LOST, self.walkover_loser, 0, 0)
                return forfeit, forfeit
            case _:
                raise ValueError(f"a {kind} fixture is worth nothing to anybody")

    def _played(self, home_score: int, away_score: int) -> tuple[Award, Award]:
        if home_score == away_score:
            drawn = Award(Outcome.DRAWN, self.draw, home_score, away_score)
            return drawn, drawn
        margin = abs(home_score - away_score)
        band = [band for band in self.bands if band.start <= margin][-1]
        high, low = max(home_score, away_score), min(home_score, away_score)
        won = Award(Outcome.WON, band.winner, high, low)
        lost = Award(Outcome.LOST, band.loser, low, high)
        return (won, lost) if home_score > away_score else (lost, won)

    def _walkover(self) -> tuple[Award, Award]:
        score = self.walkover_score or 0
        return (
            Award(Outcome.WON, self.walkover_winner, score, 0),
            Award(Outcome.LOST, self.walkover_loser, 0, score),
        )

    def as_json(self) -> dict[str, Any]:
        """The scheme as `read_scheme` reads it back."""
        wins: dict[str, Any]
        if len(self.bands) == 1 and self.bands[0].start == 0:
            wins = {"win": exact.write(self.bands[0].winner), "loss": exact.write(self.bands[0].loser)}
        else:
            wins = {"bands": [_band_as_json(band) for band in self.bands]}
        walkover: dict[str, Any] = {
            "winner": exact.write(self.walkover_winner),
            "loser": exact.write(self.walkover_loser),
            "score": self.walkover_score,
        }
        return {**wins, "draw": exact.write(self.draw), "walkover": walkover, "bye": exact.write(self.bye)}


def _band_as_json(band: Band) -> dict[str, Any]:
    return {"from": band.start, "winner": exact.write(band.winner), "loser": exact.write(band.loser)}
