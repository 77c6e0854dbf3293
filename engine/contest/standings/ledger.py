"""The accounts of a contest: for each entry everything that its league points are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from engine.contest.points.byes_and_late_entries import ZERO
from engine.contest.points.scheme import Award, PointsScheme
from engine.contest.results import (
    Adjustment,
    Bye,
    DrawOfLots,
    Ending,
    Key,
    Outcome,
    ResultLine,
    Side,
    TeamFigures,
    in_order,
)

Event: TypeAlias = ResultLine | Bye | Adjustment


class Source(StrEnum):
    """Where a contribution to the league points comes from."""

    PLAYED = "played"
    WALKOVER = "walkover"
    """A match decided without play: won by walkover, or forfeited."""
    BYE = "bye"
    REQUESTED_BYE = "requested_bye"
    MISSED = "missed"
    """A round before a late entry came."""
    ADJUSTMENT = "adjustment"
    CARRIED = "carried"
    """Points of an earlier stage."""


_HALVES = {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0}


class Opponent(NamedTuple):
    """Another side of a match, how the entry did against it, and the score that counts for it."""

    entry: Key
    outcome: Outcome
    score: int = 0
    is_absent: bool = False
    """Whether the entry played without it, because it forfeited."""

    @property
    def halves(self) -> int:
        """Two for beating it, one for being level with it."""
        return _HALVES[self.outcome]


@dataclass(frozen=True, slots=True)
class Contribution:
    """One line of the answer to "why so many points?", seen from one entry.

    Matches have a fixture with so many sides, the entry's order among them and its place at the table, its opponents,
    an outcome and the score that counts; an adjustment has its reason, and what was carried over, where it is from.
    Those who were not met (sides that have not played yet, and others who won the same walkover) are no opponents.
    """

    source: Source
    round: int
    points: Fraction
    fixture: Key | None = None
    sides: int = 0
    order: int = 0
    outcome: Outcome | None = None
    place: int = 0
    score_for: int = 0
    opponents: tuple[Opponent, ...] = ()
    reason: str = ""
    made: TeamFigures | None = None
    partner: Key | None = None
    """Of a match in which the entry had a partner for this round alone."""

    @property
    def opponent(self) -> Key | None:
        """The other side, where two met; of a pair whose partners change, one of them."""
        return self.opponents[0].entry if self.sides == 2 else None

    @property
    def score_against(self) -> int:
        """The other side's score, where two met."""
        return self.opponents[0].score if self.sides == 2 else 0

    @property
    def is_home(self) -> bool:
        """Whether the entry is at home, where two met."""
        return self.sides == 2 and self.order == 1

    @property
    def is_level(self) -> bool:
        """Whether it shares its place at the table."""
        return any(met.outcome is Outcome.DRAWN for met in self.opponents)


@dataclass(slots=True)
class Account:
    """The running account of one entry."""

    match_points: Fraction = ZERO
    """League points from matches alone: without byes and adjustments."""
    other_points: Fraction = ZERO
    """League points from byes and adjustments."""
    won: int = 0
    drawn: int = 0
    lost: int = 0
    walkovers: int = 0
    forfeits: int = 0
    byes: int = 0
    score_for: int = 0
    score_against: int = 0
    """Where two met: there is no score against at a table of more."""
    imps: int = 0
    net: int = 0
    """Of teams: the sums over their matches (F67)."""
    contributions: list[Contribution] = field(default_factory=list)
    met: dict[Key, int] = field(default_factory=dict)
    """How often each opponent was met."""
    halves: dict[Key, int] = field(default_factory=dict)
    """Against each opponent met: two for every match in which the entry beat it, one for every draw."""

    @property
    def league_points(self) -> Fraction:
        """All points that the entry has."""
        return self.match_points + self.other_points if self.other_points else self.match_points

    @property
    def played(self) -> int:
        """All matches with a result, walkovers and forfeits included."""
        return self.won + self.drawn + self.lost

    @property
    def matches(self) -> list[Contribution]:
        """The contributions that are matches, in round order."""
        return [line for line in self.contributions if line.outcome is not None]

    def enter(self, line: Contribution) -> None:
        """Book one contribution."""
        self.contributions.append(line)
        if line.outcome is None:
            self.other_points += line.points
            self.byes += line.source in (Source.BYE, Source.REQUESTED_BYE)
            return
        self.match_points += line.points
        self.won += line.outcome is Outcome.WON
        self.drawn += line.outcome is Outcome.DRAWN
        self.lost += line.outcome is Outcome.LOST
        if line.source is Source.WALKOVER:
            self.walkovers += line.outcome is Outcome.WON
            self.forfeits += line.outcome is Outcome.LOST
        self.score_for += line.score_for
        self.score_against += line.score_against
        if line.made is not None:
            self.imps += line.made.imps
            self.net += line.made.net
        for opponent in line.opponents:
            key = opponent.entry
            self.met[key] = self.met.get(key, 0) + 1
            self.halves[key] = self.halves.get(key, 0) + opponent.halves


@dataclass(slots=True)
class Ledger:
    """All accounts, and the recorded draws of lots."""

    scheme: PointsScheme
    accounts: dict[Key, Account]
    draws: tuple[DrawOfLots, ...] = ()
    most_sides: int = 2
    """How many sides the largest fixture of the contest has."""
    lower_is_better: bool = False
    """Whether the lowest scores are the best."""
    partners_change: bool = False
    """Whether entries are players who have another partner in each round."""
    results: int = 0
    """How many results have been booked."""
    rounds: set[int] = field(default_factory=set)
    """The rounds of which a result or a bye has been booked."""

    def enter(self, event: Event) -> None:
        """Book a counted result for its entries, or a bye or an adjustment for its entry."""
        match event:
            case ResultLine():
                self.results += 1
                self.rounds.add(event.round)
                for entry, line in _matches(event, self.scheme.awards(event)):
                    self.accounts[entry].enter(line)
            case Bye():
                self.rounds.add(event.round)
                late = Source.MISSED if event.is_missed else Source.BYE
                source = Source.REQUESTED_BYE if event.is_requested else late
                points = self.scheme.of_bye(event)
                self.accounts[event.entry].enter(Contribution(source, event.round, points))
            case Adjustment():
                source = Source.CARRIED if event.is_carried else Source.ADJUSTMENT
                line = Contribution(source, event.round, event.points, reason=event.reason)
                self.accounts[event.entry].enter(line)

    def enter_all(self, events: Iterable[Event]) -> None:
        """Book events one after the other."""
        for event in events:
            self.enter(event)


def in_round_order(events: Iterable[Event]) -> list[Event]:
    """The events in the one order in which they are booked, however they came.

    By round; in a round adjustments first, then results, then byes; each by its key.
    """
    return sorted(events, key=_booking_order)


def _booking_order(event: Event) -> tuple[Any, ...]:
    match event:
        case Adjustment():
            return event.round, 0, in_order(event.entry), event.reason, event.points
        case ResultLine():
            return event.round, 1, in_order(event.fixture)
        case Bye():
            return event.round, 2, in_order(event.entry)


def _matches(line: ResultLine, awards: Sequence[Award | None]) -> Iterator[tuple[Key, Contribution]]:
    """The contribution of a result for each of its sides that has one."""
    counted = [
        (order, side, award)
        for order, (side, award) in enumerate(zip(line.sides, awards, strict=True), start=1)
        if award is not None
    ]
    for order, side, award in counted:
        is_played = side.ending is Ending.PLAYED
        opponents = []
        for _, other, its in counted:
            outcome = None if other is side else _against(side, other)
            if outcome is not None:
                is_absent = is_played and other.ending is Ending.WALKOVER_LOST
                opponents += [Opponent(key, outcome, its.score, is_absent) for key in other.players]
        made = Contribution(
            source=Source.PLAYED if is_played else Source.WALKOVER,
            round=line.round,
            points=award.points,
            fixture=line.fixture,
            sides=len(awards),
            order=order,
            outcome=award.outcome,
            place=award.place,
            score_for=award.score,
            opponents=tuple(opponents),
            made=side.made,
            partner=side.partner,
        )
        yield side.entry, made
        if side.partner is not None:
            yield side.partner, replace(made, partner=side.entry)


def _against(side: Side, other: Side) -> Outcome | None:
    """How one counted side did against another; None where they did not meet."""
    if side.rank and other.rank:
        if side.rank == other.rank:
            return Outcome.DRAWN
        return Outcome.WON if side.rank < other.rank else Outcome.LOST
    if side.ending is Ending.WALKOVER_LOST:
        return Outcome.LOST
    return Outcome.WON if other.ending is Ending.WALKOVER_LOST else None
