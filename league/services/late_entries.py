"""A pair that joins when the rounds are drawn: which matches it plays, and in which rounds."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from engine.contest.late import home_in_turn, place_meetings
from engine.contest.results import Key
from league.calendars import RoundDates, round_dates, table_of
from league.models import Appearance, Competition, Division, Entry, Fixture, Round
from league.zones import at_local


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of the late pair: with whom, in which round, and whether the late pair is at home.

    `is_past` when the round is over already, `is_extra` when the round is made for it.
    """

    opponent: Entry
    round_number: int
    is_home: bool
    is_past: bool = False
    is_extra: bool = False


@dataclass(frozen=True, slots=True)
class LatePlan:
    """What a late entry does to the draw."""

    first_round: int
    meetings: tuple[Meeting, ...]
    """The matches it will play, in the order of the rounds."""
    missed: tuple[Meeting, ...]
    """Those whose round is over and that will not be played."""
    extra_rounds: tuple[RoundDates, ...]
    """Rounds to be added, because in none of the others both are free."""

    @property
    def takes_the_bye(self) -> bool:
        """Whether it fits into the draw as it is."""
        return not self.extra_rounds


def plan(division: Division, *, at: datetime, catch_up: bool, leaving_out: Entry | None = None) -> LatePlan:
    """How a pair joins the drawn division: nothing is written.

    It takes byes, first of the rounds that are still open, then (only with `catch_up`) of those that are over. For
    opponents who are never free, rounds are added at the end. It doesn't meet pairs that have withdrawn.
    """
    field = _Field(division, leaving_out)
    times = 2 if division.competition.format == Competition.Format.DOUBLE else 1
    wanted = [entry.pk for entry in field.opponents for _time in range(times)]
    open_rounds = {each.number: field.free_in(each) for each in field.rounds if each.closes_at > at}
    past_rounds = {each.number: field.free_in(each) for each in field.rounds if each.closes_at <= at}
    placed, rest = _place(wanted, open_rounds)
    late, rest = _place(rest, past_rounds)
    extra = _extra_rounds(field, len(rest), at)
    placed += [(opponent, dates.number) for opponent, dates in zip(rest, extra, strict=True)]
    chosen = sorted([*placed, *late], key=lambda each: each[1])
    meetings = _oriented(field, chosen, past=set(past_rounds), extra={dates.number for dates in extra})
    played = tuple(each for each in meetings if catch_up or not each.is_past)
    numbers = [each.round_number for each in played] or [field.last_number + 1]
    return LatePlan(
        first_round=min(numbers),
        meetings=played,
        missed=() if catch_up else tuple(each for each in meetings if each.is_past),
        extra_rounds=extra,
    )


def carry_out(entry: Entry, plan: LatePlan, *, at: datetime) -> list[Fixture]:
    """Writes the fixtures of the plan, and the rounds it adds: for services that hold the competition's lock."""
    competition = entry.competition
    Round.objects.bulk_create(
        Round(competition=competition, number=each.number, starts_on=each.starts_on, closes_at=each.closes_at)
        for each in plan.extra_rounds
    )
    rounds = {each.number: each for each in competition.rounds.all()}
    made = [_fixture(entry, each, rounds[each.round_number], at) for each in plan.meetings]
    fixtures = Fixture.objects.bulk_create(made)
    for fixture, meeting in zip(fixtures, plan.meetings, strict=True):
        # The opponent's bye, where there was one, is no bye any more.
        Appearance.objects.filter(round=fixture.round, entry=meeting.opponent, fixture__isnull=True).delete()
    Appearance.objects.bulk_create(
        Appearance(round=fixture.round, entry=each, fixture=fixture)
        for fixture in fixtures
        for each in (fixture.home, fixture.away)
    )
    return fixtures


def is_drawn(division: Division) -> bool:
    """Whether the division's rounds are drawn, so that a new pair comes late."""
    return Appearance.objects.filter(entry__division=division).exists()


class _Field:
    """What the draw of a division looks like to a pair that wants to join."""

    def __init__(self, division: Division, leaving_out: Entry | None) -> None:
        self.competition = division.competition
        self.rounds = list(self.competition.rounds.order_by("number"))
        self.last_number = self.rounds[-1].number if self.rounds else 0
        entries = division.entries.active().with_pairs().order_by("number")
        self.opponents = [entry for entry in entries if leaving_out is None or entry.pk != leaving_out.pk]
        self.by_key = {entry.pk: entry for entry in self.opponents}
        fixtures = Fixture.objects.filter(division=division).values_list("round_id", "home_id", "away_id")
        self._busy = {(round_id, entry) for round_id, *pair in fixtures for entry in pair}
        self.balances = _balances((home, away) for _round, home, away in fixtures)
        self._berger = _berger_homes(division)

    def free_in(self, round_: Round) -> AbstractSet[int]:
        """The pairs that have no match in this round."""
        return {key for key in self.by_key if (round_.pk, key) not in self._busy}

    def home_by_table(self, opponent: int, number: int) -> bool | None:
        """Whether the Berger table has the free number at home against this opponent in this round."""
        return self._berger.get((number, self.by_key[opponent].number))


def _balances(fixtures: Iterable[tuple[int, int]]) -> Counter[Key]:
    balances: Counter[Key] = Counter()
    for home, away in fixtures:
        balances[home] += 1
        balances[away] -= 1
    return balances


def _berger_homes(division: Division) -> dict[tuple[int, int], bool]:
    """By round and opponent's number: whether the number that the draw left free is at home."""
    first = Appearance.objects.filter(entry__division=division).order_by("round__number").first()
    if first is None:
        return {}
    drawn = Appearance.objects.filter(entry__division=division, round_id=first.round_id).count()
    if drawn % 2 == 0:
        return {}
    free = drawn + 1
    return {
        (each.number, pairing.home + pairing.away - free): pairing.home == free
        for each in table_of(division.competition, free)
        for pairing in each.pairings
        if free in {pairing.home, pairing.away}
    }


def _place(
    wanted: Sequence[int], free: Mapping[int, AbstractSet[int]]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Those of the wanted opponents who can be met in these rounds, with the round; and the others."""
    placement = place_meetings(wanted, free)
    placed = [(wanted[meeting], number) for meeting, number in placement.rounds.items()]
    return placed, [wanted[meeting] for meeting in placement.unplaced]


def _extra_rounds(field: _Field, count: int, at: datetime) -> tuple[RoundDates, ...]:
    """So many rounds after the last one, the first of them no earlier than tomorrow."""
    competition: Competition = field.competition
    today = at.astimezone(ZoneInfo(competition.club.time_zone)).date()
    following = (dates for dates in round_dates(competition) if dates.number > field.last_number)
    later = (dates for dates in following if dates.starts_on > today)
    numbers = range(field.last_number + 1, field.last_number + 1 + count)
    return tuple(replace(dates, number=number) for number, dates in zip(numbers, later, strict=False))


def _oriented(
    field: _Field, chosen: Sequence[tuple[int, int]], *, past: AbstractSet[int], extra: AbstractSet[int]
) -> list[Meeting]:
    in_turn = home_in_turn([opponent for opponent, _number in chosen], field.balances)
    by_table = [field.home_by_table(opponent, number) for opponent, number in chosen]
    # The table is followed as a whole or not at all: in parts it would not be even.
    at_home = by_table if None not in by_table else in_turn
    return [
        Meeting(
            opponent=field.by_key[opponent],
            round_number=number,
            is_home=bool(is_home),
            is_past=number in past,
            is_extra=number in extra,
        )
        for (opponent, number), is_home in zip(chosen, at_home, strict=True)
    ]


def _fixture(entry: Entry, meeting: Meeting, round_: Round, at: datetime) -> Fixture:
    competition = entry.competition
    plays_at = at_local(round_.starts_on, competition.play_time, competition.club.time_zone)
    is_to_come = plays_at > at
    home, away = (entry, meeting.opponent) if meeting.is_home else (meeting.opponent, entry)
    return Fixture(
        division=entry.division,
        round=round_,
        home=home,
        away=away,
        # A match whose usual time is past has yet to be arranged.
        status=Fixture.Status.SCHEDULED if is_to_come else Fixture.Status.POSTPONED,
        starts_at=plays_at if is_to_come else None,
        place=competition.place,
    )
