"""A pair that joins when the rounds are drawn: which matches it plays, when, and what it gets for the rounds before.

The rule of that price is with the points: engine.contest.points.byes_and_late_entries.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from django.db.models import Max
from django.utils.translation import gettext as _

from engine.contest import exact
from engine.contest.draws.free_rounds import home_in_turn, place_meetings
from engine.contest.points.parsing import read_scheme
from engine.contest.results import Key
from league.competitions.calendars import RoundDates, round_dates, table_of
from league.errors import Conflict
from league.fixtures.services import meetings
from league.models import Appearance, Competition, Division, Entry, Fixture, Round
from league.standings import brackets, ladders, round_names
from league.standings.brackets import How
from league.zones import at_local

#: The order of the side that is at home.
HOME = 1


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

    @property
    def round_name(self) -> str:
        """What the opponent's division calls the round."""
        division = self.opponent.division
        return str(round_names.in_division(Round(stage=division.stage, number=self.round_number), division))


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
    is_by_round: bool = False
    """Whether whom it meets is drawn round by round."""
    is_ladder: bool = False
    """Whether it begins at the bottom of a ladder."""
    is_bracket: bool = False
    """Whether it takes a bye of a knock-out."""
    for_missed: str = "0"
    """What it gets for each round of a Swiss before it came, by the competition's points (F30)."""
    rounds_before: int = 0
    ends_before: date | None = None
    """The day of the last round as it is drawn now."""

    @property
    def takes_the_bye(self) -> bool:
        """Whether it fits into the draw as it is."""
        return not self.extra_rounds

    @property
    def rounds_after(self) -> int:
        """How many rounds there will be."""
        return self.rounds_before + len(self.extra_rounds)

    @property
    def ends_after(self) -> date | None:
        """The day of the last round with this pair."""
        return self.extra_rounds[-1].starts_on if self.extra_rounds else self.ends_before


@dataclass(frozen=True, slots=True)
class Way:
    """How a late pair gets its matches.

    `replaces` names the pair that withdrew whose matches it takes over: the same opponents in the same rounds.
    `new_rounds` leaves the drawn rounds as they are. With neither it plays where both pairs are free. `catch_up`:
    the matches of rounds that are over are arranged too; else they are not played.
    """

    catch_up: bool = False
    replaces: Entry | None = None
    new_rounds: bool = False


AT_FREE_DATES = Way()


def plan(
    division: Division,
    *,
    at: datetime,
    way: Way = AT_FREE_DATES,
    leaving_out: Entry | None = None,
    against: Sequence[int] | None = None,
) -> LatePlan:
    """How a pair joins the drawn division: nothing is written.

    Where both pairs are free (they have a bye, or a match that was made void), it plays in the rounds that are still
    open, then (only with `way.catch_up`) in those that are over. For opponents who are never free, rounds are added
    at the end. It doesn't meet pairs that have withdrawn. `against`: only these, by key.
    """
    if division.stage.is_ladder:
        return LatePlan(1, (), (), (), is_ladder=True)
    if division.stage.is_bracket:
        return _plan_in_bracket(division)
    if division.stage.is_by_round:
        return _plan_by_round(division)
    if not division.competition.is_for_two:
        raise Conflict(
            _("The tables are full. As long as no match has begun, you can add them and draw again.")
        )
    field = _Field(division, leaving_out)
    if way.replaces is not None:
        return _plan_in_place_of(field, way.replaces, at=at, catch_up=way.catch_up)
    times = division.stage.options["meetings"]
    wanted = [entry.pk for entry in field.opponents for _time in range(times)] if against is None else against
    placed, late, extra = _find_rounds(field, wanted, at=at, only_new=way.new_rounds)
    past = {number for _opponent, number in late}
    chosen = sorted([*placed, *late], key=lambda each: each[1])
    meetings = _oriented(field, chosen, past=past, extra={dates.number for dates in extra})
    return _as_plan(field, meetings, extra, catch_up=way.catch_up)


def _plan_by_round(division: Division) -> LatePlan:
    """It plays from the round that is drawn next; for those before it gets what the points say (F30)."""
    rounds = list(division.stage.rounds.order_by("number"))
    drawn = Appearance.objects.of_division(division).aggregate(last=Max("round__number"))["last"] or 0
    if drawn >= len(rounds):
        raise Conflict(_("All rounds are drawn: nobody can join any more."))
    return LatePlan(
        drawn + 1,
        (),
        (),
        (),
        is_by_round=True,
        for_missed=exact.shown(price_of_round(division)),
        rounds_before=len(rounds),
        ends_before=rounds[-1].starts_on,
    )


def price_of_round(division: Division) -> Fraction:
    """What a late entry gets for each round before it came: in a Swiss what the competition's points say (F30)."""
    return read_scheme(division.competition.points).missed if division.stage.is_swiss else Fraction(0)


def _plan_in_bracket(division: Division) -> LatePlan:
    """It meets the lowest seed that has a bye, while the first round has not begun (F50)."""
    rounds = list(division.stage.rounds.order_by("number"))
    bracket = brackets.of_division(division)
    first = bracket.rounds[0] if bracket.rounds else ()
    played = {tie.fixture.status for tie in first if tie.fixture is not None}
    if bracket.last > 1 or not played <= {Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED}:
        raise Conflict(_("The first round has begun: nobody can join this knock-out any more."))
    byes = [tie.winner for tie in first if tie.how == How.BYE and tie.winner is not None]
    if not byes:
        raise Conflict(_("Every place of the bracket is taken: nobody can join any more."))
    opponent = max(byes, key=lambda entry: bracket.seeds[entry.pk])
    meeting = Meeting(opponent, 1, is_home=False)
    return LatePlan(
        1, (meeting,), (), (), is_bracket=True, rounds_before=len(rounds), ends_before=rounds[-1].starts_on
    )


def _find_rounds(
    field: "_Field",
    wanted: Sequence[int],
    *,
    at: datetime,
    only_new: bool = False,
    taken: AbstractSet[int] = frozenset(),
) -> tuple[list[tuple[int, int]], list[tuple[int, int]], tuple[RoundDates, ...]]:
    """Opponents with rounds that are open or added, opponents with rounds that are over, and the added rounds."""
    usable = [each for each in field.rounds if not only_new and each.number not in taken]
    placed, rest = _place(
        wanted, {each.number: field.free_in(each) for each in usable if each.closes_at > at}
    )
    late, rest = _place(rest, {each.number: field.free_in(each) for each in usable if each.closes_at <= at})
    extra = _extra_rounds(field, len(rest), at)
    return [*placed, *((who, dates.number) for who, dates in zip(rest, extra, strict=True))], late, extra


def _plan_in_place_of(field: "_Field", left: Entry, *, at: datetime, catch_up: bool) -> LatePlan:
    """Takes over the matches that became void when `left` withdrew: same opponents, rounds, home and away.

    What `left` had played already is played again only to catch up, where both pairs are free.
    """
    over = {each.number for each in field.rounds if each.closes_at <= at}
    kept, played = _matches_of(field, left, over)
    if not catch_up:
        return _as_plan(field, [*kept, *played], (), catch_up=False)
    taken = {each.round_number for each in kept}
    placed, late, extra = _find_rounds(field, [each.opponent.pk for each in played], at=at, taken=taken)
    chosen = sorted([*placed, *late], key=lambda each: each[1])
    again = _oriented(field, chosen, past=over, extra={dates.number for dates in extra})
    return _as_plan(field, [*kept, *again], extra, catch_up=True)


def _matches_of(
    field: "_Field", left: Entry, over: AbstractSet[int] = frozenset()
) -> tuple[list[Meeting], list[Meeting]]:
    """Of a pair that withdrew: the matches that another pair can take over, and the others."""
    kept: list[Meeting] = []
    others: list[Meeting] = []
    theirs = Fixture.objects.of_entry(left.pk).select_related("round").prefetch_related("appearances")
    for fixture in theirs.order_by("round__number"):
        is_home = fixture.home_id == left.pk
        met = [side.entry_id for side in fixture.sides if side.entry_id != left.pk]
        opponent = field.by_key.get(met[0])
        if opponent is None or len(met) > 1:
            continue
        number = fixture.round.number
        is_free = fixture.status == Fixture.Status.VOID and opponent.pk in field.free_in(fixture.round)
        meeting = Meeting(opponent, number, is_home, is_past=number in over or not is_free)
        (kept if is_free else others).append(meeting)
    return kept, others


def _as_plan(
    field: "_Field", meetings: Sequence[Meeting], extra: tuple[RoundDates, ...], *, catch_up: bool
) -> LatePlan:
    in_order = sorted(meetings, key=lambda each: each.round_number)
    played = tuple(each for each in in_order if catch_up or not each.is_past)
    return LatePlan(
        first_round=min((each.round_number for each in played), default=field.last_number + 1),
        meetings=played,
        missed=tuple(each for each in in_order if each.is_past and not catch_up),
        extra_rounds=extra,
        rounds_before=len(field.rounds),
        ends_before=field.rounds[-1].starts_on if field.rounds else None,
    )


def places_to_take(division: Division) -> list[Entry]:
    """The pairs that withdrew and left matches void that another pair can take over."""
    left = division.entries.with_pairs().filter(withdrawn_at__isnull=False).order_by("number")
    field = _Field(division, None)
    return [each for each in left if _matches_of(field, each)[0]]


def carry_out(entry: Entry, plan: LatePlan, *, at: datetime) -> list[Fixture]:
    """Writes the fixtures of the plan, and the rounds it adds: for services that hold the competition's lock."""
    competition = entry.competition
    Round.objects.bulk_create(
        Round(stage=competition.stage, number=each.number, starts_on=each.starts_on, closes_at=each.closes_at)
        for each in plan.extra_rounds
    )
    rounds = {each.number: each for each in competition.stage.rounds.all()}
    for each in plan.meetings:
        # The opponent's bye is taken now.
        byes = Appearance.objects.byes()
        byes.filter(round=rounds[each.round_number], entry=each.opponent).delete()
    return meetings.meet(_planned(entry, each, rounds[each.round_number], at) for each in plan.meetings)


def takes_late(competition: Competition) -> bool:
    """Whether who enters now comes late: the rounds are drawn, or the ladder stands, before its first match too."""
    begun = competition.stage.is_ladder and competition.state != Competition.State.DRAFT
    return begun or competition.stage.rounds.exists()


def is_drawn(division: Division) -> bool:
    """Whether the division's rounds are drawn, or its ladder has begun, so that a new pair comes late."""
    if division.stage.is_ladder:
        return ladders.of_division(division) is not None
    return Appearance.objects.of_division(division).exists()


class _Field:
    """What the draw of a division looks like to a pair that wants to join."""

    def __init__(self, division: Division, leaving_out: Entry | None) -> None:
        self.competition = division.competition
        self.rounds = list(self.competition.stage.rounds.order_by("number"))
        self.last_number = self.rounds[-1].number if self.rounds else 0
        entries = division.entries.active().with_pairs().order_by("number")
        self.opponents = [entry for entry in entries if leaving_out is None or entry.pk != leaving_out.pk]
        for entry in self.opponents:
            # Its stage is read already: the rounds are named by it.
            entry.division = division
        self.by_key = {entry.pk: entry for entry in self.opponents}
        places = Appearance.objects.meeting().of_division(division)
        live = list(places.values_list("round_id", "entry_id", "order"))
        self._busy = {(round_id, entry) for round_id, entry, _order in live}
        self.balances = _balances((entry, order == HOME) for _round, entry, order in live)
        self._berger = _berger_homes(division)

    def free_in(self, round_: Round) -> AbstractSet[int]:
        """The pairs that have no match in this round."""
        return {key for key in self.by_key if (round_.pk, key) not in self._busy}

    def home_by_table(self, opponent: int, number: int) -> bool | None:
        """Whether the Berger table has the free number at home against this opponent in this round."""
        return self._berger.get((number, self.by_key[opponent].number))


def _balances(places: Iterable[tuple[int, bool]]) -> Counter[Key]:
    """By how many matches more each is at home than away."""
    balances: Counter[Key] = Counter()
    for entry, is_home in places:
        balances[entry] += 1 if is_home else -1
    return balances


def _berger_homes(division: Division) -> dict[tuple[int, int], bool]:
    """By round and opponent's number: whether the number that the draw left free is at home."""
    first = Appearance.objects.of_division(division).order_by("round__number").first()
    if first is None:
        return {}
    drawn = division.entries.filter(appearances__round=first.round_id).distinct().count()
    if drawn % 2 == 0:
        return {}
    free = drawn + 1
    return {
        (each.number, home + away - free): home == free
        for each in table_of(division.competition, free)
        for home, away in each.tables
        if free in {home, away}
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


def _planned(
    entry: Entry, meeting: Meeting, round_: Round, at: datetime
) -> tuple[Fixture, tuple[Entry, Entry]]:
    """The fixture, not saved, and its sides."""
    competition = entry.competition
    plays_at = at_local(round_.starts_on, competition.play_time, competition.club.time_zone)
    is_to_come = plays_at > at
    fixture = Fixture(
        division=entry.division,
        round=round_,
        # A match whose usual time is past has yet to be arranged.
        status=Fixture.Status.SCHEDULED if is_to_come else Fixture.Status.POSTPONED,
        starts_at=plays_at if is_to_come else None,
        place=competition.place,
    )
    return fixture, (entry, meeting.opponent) if meeting.is_home else (meeting.opponent, entry)
