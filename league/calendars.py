"""When the rounds of a competition are played: dates from its first day, in the club's time zone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from engine.contest.round_robin import Round as DrawnRound
from engine.contest.round_robin import berger, double_berger
from league.models import Competition
from league.zones import at_local

LAST_MINUTE = time(23, 59, 59)


@dataclass(frozen=True, slots=True)
class RoundDates:
    """When one round is played: its first day, the moment its matches begin, and the end of its last day."""

    number: int
    starts_on: date
    plays_at: datetime
    closes_at: datetime


@dataclass(frozen=True, slots=True)
class CalendarRound:
    """One round of a planned calendar, with how many matches and byes it has in all divisions."""

    dates: RoundDates
    matches: int
    byes: int


@dataclass(frozen=True, slots=True)
class Calendar:
    """What a competition of these sizes would be: nothing of it is written."""

    rounds: tuple[CalendarRound, ...]
    matches: int
    byes: int

    @property
    def ends_on(self) -> date | None:
        """The day of the last round."""
        return self.rounds[-1].dates.starts_on if self.rounds else None


def dates_of_round(competition: Competition, number: int) -> RoundDates:
    """When round `number` (from 1) is played. It stays open until the end of the day before the next one."""
    zone = competition.club.time_zone
    gap = competition.days_between_rounds
    first_day = competition.starts_on + timedelta(days=gap * (number - 1))
    return RoundDates(
        number=number,
        starts_on=first_day,
        plays_at=at_local(first_day, competition.play_time, zone),
        closes_at=at_local(first_day + timedelta(days=gap - 1), LAST_MINUTE, zone),
    )


def table_of(competition: Competition, pairs: int) -> tuple[DrawnRound, ...]:
    """The Berger rounds of a division with so many pairs; none for fewer than two."""
    if pairs < 2:
        return ()
    return double_berger(pairs) if competition.format == Competition.Format.DOUBLE else berger(pairs)


def calendar(competition: Competition, pairs: Sequence[int]) -> Calendar:
    """The calendar of a competition, saved or not, with so many pairs in each of its divisions."""
    drawn = [table_of(competition, size) for size in pairs]
    rounds = []
    for index in range(max((len(table) for table in drawn), default=0)):
        now = [table[index] for table in drawn if index < len(table)]
        rounds.append(
            CalendarRound(
                dates=dates_of_round(competition, index + 1),
                matches=sum(len(each.pairings) for each in now),
                byes=sum(each.bye is not None for each in now),
            )
        )
    return Calendar(tuple(rounds), sum(r.matches for r in rounds), sum(r.byes for r in rounds))
