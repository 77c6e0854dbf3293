"""When the rounds of a competition are played: dates from its first day, in the club's time zone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import count, islice, pairwise

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from engine.contest.draws.tables import TableRound
from league import extension, formats, validation
from league.models import Competition
from league.standings import round_names
from league.zones import at_local

MOST_TIMES_OFF, LONGEST_OFF = 60, timedelta(days=366)
ONE_DAY = timedelta(days=1)
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

    name: str
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


def faults(competition: Competition) -> list[validation.Fault]:
    """What is wrong with the weekdays and the days off of a competition that is set up."""
    found = []
    if not set(competition.weekdays) <= set(range(7)):
        found.append(validation.fault(_("Choose from the seven days of the week."), "weekdays"))
    off = [(date.fromisoformat(first), date.fromisoformat(last)) for first, last in competition.days_off]
    if len(off) > MOST_TIMES_OFF:
        said = _("Please enter no more than %(most)d breaks.") % {"most": MOST_TIMES_OFF}
        found.append(validation.fault(said, "days_off"))
    for first, last in off:
        if not first <= last <= first + LONGEST_OFF:
            said = _(
                "A break has to end after it begins, and can last a year at most: %(first)s to %(last)s."
            )
            days = {"first": date_format(first), "last": date_format(last)}
            found.append(validation.fault(said % days, "days_off"))
    return found


def first_days(competition: Competition) -> Iterator[date]:
    """The days on which the competition's rounds begin, one after the other, without end; days off are left out."""
    off = [(date.fromisoformat(first), date.fromisoformat(last)) for first, last in competition.days_off]
    for day in _regular_days(competition):
        if not any(first <= day <= last for first, last in off):
            yield day


def _regular_days(competition: Competition) -> Iterator[date]:
    start, gap = competition.starts_on, competition.days_between_rounds
    if not competition.weekdays:
        yield from (start + timedelta(days=gap * number) for number in count())
        return
    # On the chosen weekdays of every week, or of every second one where two weeks lie between, and so on.
    monday, step = start - timedelta(days=start.weekday()), 7 * max(1, gap // 7)
    for number in count():
        for weekday in sorted(competition.weekdays):
            day = monday + timedelta(days=step * number + weekday)
            if day >= start:
                yield day


def round_dates(competition: Competition) -> Iterator[RoundDates]:
    """When round 1, 2, 3, ... is played, without end: until its deadline, or the day before the next one begins.

    An evening goes on after midnight: its rounds are due the day after.
    """
    if competition.stage.is_on_one_day:
        day = competition.starts_on
        yield from (_dates(competition, number, day, day + 2 * ONE_DAY) for number in count(1))
        return
    for number, (first, following) in enumerate(pairwise(first_days(competition)), start=1):
        yield _dates(competition, number, first, following)


def dates_of_rounds(competition: Competition, rounds: int) -> tuple[RoundDates, ...]:
    """When the first so many rounds are played."""
    return tuple(islice(round_dates(competition), rounds))


def _dates(competition: Competition, number: int, first: date, following: date) -> RoundDates:
    zone, due = competition.club.time_zone, competition.due_days
    last = first + timedelta(days=due) if due else following - ONE_DAY
    return RoundDates(
        number=number,
        starts_on=first,
        plays_at=at_local(first, competition.play_time, zone),
        closes_at=at_local(last, LAST_MINUTE, zone),
    )


def table_of(competition: Competition, pairs: int) -> tuple[TableRound, ...]:
    """The rounds of a division with so many pairs; none for fewer than a match needs."""
    draw = formats.FORMATS[competition.stage.format].draw
    port = extension.game(competition.game)
    is_enough = draw is not None and pairs >= port.sides[0]
    return draw(pairs, competition.stage.options, port.sizes_for(pairs)) if draw and is_enough else ()


def calendar(competition: Competition, pairs: Sequence[int]) -> Calendar:
    """The calendar of a competition, saved or not, with so many pairs in each of its divisions."""
    drawn = [table_of(competition, size) for size in pairs]
    length = max(map(len, drawn), default=0)
    names = round_names.foreseen(competition.stage, range(1, length + 1), pairs)
    rounds = []
    for index, dates in enumerate(dates_of_rounds(competition, length)):
        now = [table[index] for table in drawn if index < len(table)]
        rounds.append(
            CalendarRound(
                name=names[dates.number],
                dates=dates,
                matches=sum(len(each.tables) for each in now),
                byes=sum(len(each.byes) for each in now),
            )
        )
    return Calendar(tuple(rounds), sum(r.matches for r in rounds), sum(r.byes for r in rounds))
