"""The accounts of a contest: for each entry everything that its league points are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeAlias

from engine.contest.points.scheme import ZERO, Award, PointsScheme
from engine.contest.results import Adjustment, Bye, DrawOfLots, Key, Outcome, ResultKind, ResultLine, in_order

Event: TypeAlias = ResultLine | Bye | Adjustment


class Source(StrEnum):
    """Where a contribution to the league points comes from."""

    PLAYED = "played"
    WALKOVER = "walkover"
    """A match decided without play: won by walkover, or forfeited."""
    BYE = "bye"
    ADJUSTMENT = "adjustment"


@dataclass(frozen=True, slots=True)
class Contribution:
    """One line of the answer to "why so many points?", seen from one entry.

    Matches have a fixture, an opponent, an outcome and the score that counts; an adjustment has its reason.
    """

    source: Source
    round: int
    points: Fraction
    fixture: Key | None = None
    opponent: Key | None = None
    is_home: bool = False
    outcome: Outcome | None = None
    score_for: int = 0
    score_against: int = 0
    reason: str = ""


@dataclass(slots=True)
class Account:
    """The running account of one entry."""

    league_points: Fraction = ZERO
    match_points: Fraction = ZERO
    """League points from matches alone: without byes and adjustments."""
    won: int = 0
    drawn: int = 0
    lost: int = 0
    walkovers: int = 0
    forfeits: int = 0
    byes: int = 0
    score_for: int = 0
    score_against: int = 0
    contributions: list[Contribution] = field(default_factory=list)

    @property
    def played(self) -> int:
        """All matches with a result, walkovers and forfeits included."""
        return self.won + self.drawn + self.lost

    @property
    def matches(self) -> list[Contribution]:
        """The contributions that are matches, in round order."""
        return [line for line in self.contributions if line.opponent is not None]

    def enter(self, line: Contribution) -> None:
        """Book one contribution."""
        self.contributions.append(line)
        self.league_points += line.points
        if line.outcome is None:
            self.byes += line.source is Source.BYE
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


@dataclass(slots=True)
class Ledger:
    """All accounts, and the recorded draws of lots."""

    scheme: PointsScheme
    accounts: dict[Key, Account]
    draws: tuple[DrawOfLots, ...] = ()

    def enter(self, event: Event) -> None:
        """Book a counted result for both entries, or a bye or an adjustment for its entry."""
        match event:
            case ResultLine():
                home, away = self.scheme.awards(event.kind, event.home_score, event.away_score)
                self.accounts[event.home].enter(_match(event, event.away, home, is_home=True))
                self.accounts[event.away].enter(_match(event, event.home, away, is_home=False))
            case Bye():
                self.accounts[event.entry].enter(Contribution(Source.BYE, event.round, self.scheme.bye))
            case Adjustment():
                line = Contribution(Source.ADJUSTMENT, event.round, event.points, reason=event.reason)
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


def _match(line: ResultLine, opponent: Key, award: Award, *, is_home: bool) -> Contribution:
    return Contribution(
        source=Source.PLAYED if line.kind is ResultKind.PLAYED else Source.WALKOVER,
        round=line.round,
        points=award.points,
        fixture=line.fixture,
        opponent=opponent,
        is_home=is_home,
        outcome=award.outcome,
        score_for=award.score_for,
        score_against=award.score_against,
    )
