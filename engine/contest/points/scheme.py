"""What a match is worth in league points: the points scheme of a competition.

There are four: head-to-head for two sides, by rank and by share for two or more, and what two teams made of it. Make
one from JSON by `points.parsing.read_scheme`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from engine.contest import exact
from engine.contest.points.byes_and_late_entries import ZERO, WithoutMatch
from engine.contest.results import Ending, Outcome, ResultLine, Side


class Award(NamedTuple):
    """What one result is worth to one side, the place that it took at the table, and the score that counts for it."""

    outcome: Outcome
    points: Fraction
    score: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsScheme(WithoutMatch, ABC):
    """Points for every kind of result, and for rounds without a match."""

    walkover_score: int | None = None
    """The score that a walkover counts for its winner; None: a walkover adds to nobody's score."""

    @abstractmethod
    def fits(self, sides: int) -> bool:
        """Whether matches of so many sides can be worth points by it."""

    @abstractmethod
    def awards(self, line: ResultLine) -> tuple[Award | None, ...]:
        """What a result is worth to each of its sides, in their order; None for a side without a result."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """The scheme as `read_scheme` reads it back."""


@dataclass(frozen=True, slots=True)
class Band:
    """The points of winner and loser from a margin of the score on."""

    start: int
    winner: Fraction
    loser: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead(PointsScheme):
    """Points for a win, a draw and a loss, where two meet.

    A win is worth what its band says: the last one that starts at or below the margin. A scheme without
    margins, such as 2/1/0, has one band from 0.
    """

    bands: tuple[Band, ...]
    draw: Fraction
    walkover_winner: Fraction
    walkover_loser: Fraction = ZERO

    def __post_init__(self) -> None:
        if not self.bands or self.bands[0].start > 1:
            raise ValueError("the bands of a points scheme must cover the smallest margin")
        if any(upper.start <= lower.start for lower, upper in pairwise(self.bands)):
            raise ValueError("the bands of a points scheme must start at growing margins")

    @classmethod
    def plain(cls, win: int | str = 2, draw: int | str = 1, loss: int | str = 0) -> HeadToHead:
        """The scheme that pays the same for every win; without arguments 2/1/0."""
        winner = Fraction(win)
        return cls(bands=(Band(0, winner, Fraction(loss)),), draw=Fraction(draw), walkover_winner=winner)

    @property
    def average(self) -> Fraction:
        return self.draw

    def fits(self, sides: int) -> bool:
        return sides == 2

    def awards(self, line: ResultLine) -> tuple[Award | None, ...]:
        one, two = line.sides
        if one.ending is Ending.PLAYED:
            return self._played(one, two)
        return tuple(self._not_played(side.ending) for side in line.sides)

    def _played(self, one: Side, two: Side) -> tuple[Award, Award]:
        if one.rank == two.rank:
            drawn = self.draw
            return Award(Outcome.DRAWN, drawn, one.score, 1), Award(Outcome.DRAWN, drawn, two.score, 1)
        margin = abs(one.score - two.score)
        # Where the game ranked level scores, the smallest margin counts.
        fitting = [band for band in self.bands if band.start <= margin]
        band = fitting[-1] if fitting else self.bands[0]
        if one.rank < two.rank:
            won, lost = one, two
        else:
            won, lost = two, one
        best = Award(Outcome.WON, band.winner, won.score, 1)
        other = Award(Outcome.LOST, band.loser, lost.score, 2)
        return (best, other) if won is one else (other, best)

    def _not_played(self, ending: Ending) -> Award | None:
        if ending is Ending.WALKOVER_WON:
            return Award(Outcome.WON, self.walkover_winner, self.walkover_score or 0, 1)
        if ending is Ending.WALKOVER_LOST:
            return Award(Outcome.LOST, self.walkover_loser, 0, 2)
        return None

    def as_json(self) -> dict[str, Any]:
        wins: dict[str, Any]
        if len(self.bands) == 1 and self.bands[0].start == 0:
            wins = {"win": exact.write(self.bands[0].winner), "loss": exact.write(self.bands[0].loser)}
        else:
            wins = {"bands": [_band_as_json(band) for band in self.bands]}
        return {**wins, "draw": exact.write(self.draw), **_more_as_json(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ForTable(PointsScheme):
    """What the schemes for two or more sides have in common.

    Those who played stand before those who forfeit; where nobody played, those who came are level in front. Without
    points of its own a walkover is worth what these places give.
    """

    walkover_winner: Fraction | None = None
    walkover_loser: Fraction | None = None

    def fits(self, sides: int) -> bool:
        return sides >= 2

    def awards(self, line: ResultLine) -> tuple[Award | None, ...]:
        places = _places(line.sides)
        level = Counter(places)
        worth = self._worth(line)
        return tuple(
            self._award(side, place, points, level[place], len(places)) if place else None
            for side, place, points in zip(line.sides, places, worth, strict=True)
        )

    @abstractmethod
    def _worth(self, line: ResultLine) -> Sequence[Fraction]:
        """The points of each side, in their order, by how they stand at the table; 0 for a side without a result.

        What the scheme has for walkovers stands instead of these.
        """

    def _award(self, side: Side, place: int, points: Fraction, level: int, sides: int) -> Award:
        score = side.score
        if side.ending is Ending.WALKOVER_LOST:
            # Staying away is never worth more than coming last, and is worth nothing at best.
            points = min(points, ZERO) if self.walkover_loser is None else self.walkover_loser
            return Award(Outcome.LOST, points, 0, sides)
        if side.ending is Ending.WALKOVER_WON:
            points = points if self.walkover_winner is None else self.walkover_winner
            return Award(Outcome.WON, points, self.walkover_score or 0, place)
        if place > 1:
            return Award(Outcome.LOST, points, score, place)
        return Award(Outcome.WON if level == 1 else Outcome.DRAWN, points, score, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByRank(ForTable):
    """Points for the places at the table; sides that are level share what their places give.

    `places` has the points of the first, the second and so on, nothing beyond its end. Without it each side gets
    two points for every side behind it and one for every side level with it, so 6, 4, 2, 0 at a table of four. With
    `first` that is on a scale on which the first gets so many and the last nothing, whatever the size of the table.
    """

    places: tuple[Fraction, ...] = ()
    first: Fraction | None = None

    def __post_init__(self) -> None:
        if self.places and self.first is not None:
            raise ValueError("points by rank are a list or a scale, not both")

    def of_place(self, place: int, sides: int) -> Fraction:
        """What a place, from 1, gives to who has it alone at a table of so many sides."""
        if self.places:
            return self.places[place - 1] if place <= len(self.places) else min(self.places[-1], ZERO)
        behind = Fraction(sides - place)
        return 2 * behind if self.first is None else self.first * behind / (sides - 1)

    def _worth(self, line: ResultLine) -> Sequence[Fraction]:
        places = _places(line.sides)
        shared = {
            place: sum((self.of_place(place + n, len(places)) for n in range(many)), ZERO) / many
            for place, many in Counter(places).items()
            if place
        }
        return [shared.get(place, ZERO) for place in places]

    def as_json(self) -> dict[str, Any]:
        given: dict[str, Any] = {"by": "rank"}
        if self.places:
            given["places"] = [exact.write(points) for points in self.places]
        elif self.first is not None:
            given["first"] = exact.write(self.first)
        return {**given, **_more_as_json(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ByShare(ForTable):
    """A stake that those who played divide by their shares of all points scored at the table.

    Scores below nought count as nought. Where nobody scored, and in a walkover, the stake is divided equally. Where the
    lowest score is the best, a side's share is that of what the *others* scored.
    """

    stake: Fraction

    def _worth(self, line: ResultLine) -> Sequence[Fraction]:
        scored = [max(side.score, 0) if side.ending is Ending.PLAYED else None for side in line.sides]
        total = sum(score for score in scored if score is not None)
        if total == 0:
            return self._equally(line)
        if not line.lower_is_better:
            return [self.stake * (score or 0) / total for score in scored]
        others = sum(score is not None for score in scored) - 1
        return [
            ZERO if score is None else self.stake * (total - score) / (total * others) for score in scored
        ]

    def _equally(self, line: ResultLine) -> list[Fraction]:
        came = [side.ending in {Ending.PLAYED, Ending.WALKOVER_WON} for side in line.sides]
        return [self.stake / sum(came) if is_there else ZERO for is_there in came]

    def as_json(self) -> dict[str, Any]:
        return {"by": "share", "stake": exact.write(self.stake), **_more_as_json(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTeams(PointsScheme):
    """The points that two teams made of a match, board by board (F64 to F66); a walkover is worth 12 to 0 (F67)."""

    walkover_winner: Fraction = Fraction(12)
    walkover_loser: Fraction = ZERO

    @property
    def requested_bye(self) -> Fraction:
        """10 victory points where a bye is worth 12."""
        return self.bye * 5 / 6

    @property
    def average(self) -> Fraction:
        """10 where a walkover is 12."""
        return self.walkover_winner * 5 / 6

    def fits(self, sides: int) -> bool:
        return sides == 2

    def awards(self, line: ResultLine) -> tuple[Award | None, ...]:
        return tuple(
            self._award(side, other) for side, other in zip(line.sides, line.sides[::-1], strict=True)
        )

    def _award(self, side: Side, other: Side) -> Award | None:
        if side.ending is Ending.WALKOVER_WON:
            return Award(Outcome.WON, self.walkover_winner, self.walkover_score or 0, 1)
        if side.ending is Ending.WALKOVER_LOST:
            return Award(Outcome.LOST, self.walkover_loser, 0, 2)
        if side.ending is not Ending.PLAYED:
            return None
        points = side.made.points if side.made else ZERO
        if side.rank == other.rank:
            return Award(Outcome.DRAWN, points, side.score, 1)
        won = side.rank < other.rank
        return Award(Outcome.WON if won else Outcome.LOST, points, side.score, 1 if won else 2)

    def as_json(self) -> dict[str, Any]:
        return {"by": "teams", **_more_as_json(self)}


def _places(sides: Sequence[Side]) -> list[int]:
    """The place of each side at its table; 0 for one without a result."""
    lost = sum(side.ending is Ending.WALKOVER_LOST for side in sides)
    at = {Ending.WALKOVER_WON: 1, Ending.WALKOVER_LOST: len(sides) - lost + 1}
    return [side.rank or at.get(side.ending, 0) for side in sides]


def _band_as_json(band: Band) -> dict[str, Any]:
    return {"from": band.start, "winner": exact.write(band.winner), "loser": exact.write(band.loser)}


def _more_as_json(scheme: HeadToHead | ForTable | OfTeams) -> dict[str, Any]:
    walkover: dict[str, Any] = {
        "winner": _write(scheme.walkover_winner),
        "loser": _write(scheme.walkover_loser),
        "score": scheme.walkover_score,
    }
    more = {"walkover": walkover, "bye": exact.write(scheme.bye)}
    return {**more, "missed": exact.write(scheme.missed)} if scheme.missed else more


def _write(points: Fraction | None) -> int | str | None:
    return None if points is None else exact.write(points)
