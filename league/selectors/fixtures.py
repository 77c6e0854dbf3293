"""Fixtures as lines of a list: who meets whom, when, and how it ended."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter

from django.db.models import Count
from django.utils.translation import gettext as _

from league import ports
from league.actors import Reader
from league.models import Appearance, Competition, Entry, Fixture, FixtureResult, Partnership, Round, User
from league.moments import Moment, moment
from league.ports import PendingSheet

Status = Fixture.Status
Kind = FixtureResult.Kind
# A page of all fixtures opens so many of them, and in any case the rounds before, now and next.
MOST_LINES = 150
FEWEST_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair as pages name it: `entry` is its key in the competition, `key` the partnership's."""

    entry: int
    key: int
    name: str
    players: str
    is_withdrawn: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class FixtureLine:
    """One fixture. The scores are the result, or what was entered and waits to be confirmed; else None."""

    key: int
    competition: str
    division: str
    round_number: int
    closes: Moment | None
    home: Pair
    away: Pair
    status: str
    starts: Moment | None
    place: str
    table: str
    note: str
    kind: str = ""
    home_score: int | None = None
    away_score: int | None = None
    is_mine: bool = False

    @property
    def when(self) -> Moment | str:
        """The date for matches to come, nothing for those with a score or decided otherwise."""
        to_come = self.status in {Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY}
        return self.starts if to_come and self.starts else ""

    @property
    def detail(self) -> str:
        """What has to be said besides: who got a walkover, at which table."""
        match self.kind:
            case Kind.WALKOVER_HOME:
                return _("home pair wins")
            case Kind.WALKOVER_AWAY:
                return _("away pair wins")
            case Kind.DOUBLE_FORFEIT:
                return _("lost by both")
        return _("table %(table)s") % {"table": self.table} if self.table and self.when else ""

    @property
    def is_decided(self) -> bool:
        """Whether the fixture counts in the table."""
        return self.status in {Status.CONFIRMED, Status.WALKOVER}

    def opponent_of(self, entry: int) -> Pair:
        """The pair that this entry meets."""
        return self.away if self.home.entry == entry else self.home

    def scores_of(self, entry: int) -> tuple[int | None, int | None]:
        """Own points and the opponents' points."""
        own = (self.home_score, self.away_score)
        return own if self.home.entry == entry else (self.away_score, self.home_score)

    def outcome_of(self, entry: int) -> str:
        """W, D or L for a decided fixture, else nothing."""
        if not self.is_decided:
            return ""
        if self.kind in {Kind.WALKOVER_HOME, Kind.WALKOVER_AWAY}:
            return "W" if (self.kind == Kind.WALKOVER_HOME) == (self.home.entry == entry) else "L"
        if self.kind == Kind.DOUBLE_FORFEIT:
            return "L"
        own, other = self.scores_of(entry)
        return "D" if own == other else "W" if (own or 0) > (other or 0) else "L"


@dataclass(frozen=True, slots=True)
class DivisionFixtures:
    """The fixtures of one division in a round, and the pairs that sit out."""

    name: str
    fixtures: tuple[FixtureLine, ...]
    byes: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class RoundFixtures:
    """A round with everything that is played in it; of a folded one only `counted`, how many fixtures it has."""

    number: int
    starts_on: date
    closes: Moment
    is_current: bool
    divisions: tuple[DivisionFixtures, ...]
    is_folded: bool = False
    counted: int = 0

    @property
    def anchor(self) -> str:
        """Where the round stands on the page of all fixtures; a folded one has a place there as well."""
        return f"#round-{self.number}"

    @property
    def decided(self) -> int:
        """How many of the fixtures have a result."""
        return sum(line.is_decided for part in self.divisions for line in part.fixtures)

    @property
    def total(self) -> int:
        """How many fixtures there are."""
        return sum(len(part.fixtures) for part in self.divisions)


def pair_of(entry: Entry) -> Pair:
    """The entry's pair; its players must have been read with it."""
    pair: Partnership = entry.partnership
    return Pair(
        entry=entry.pk,
        key=pair.pk,
        name=str(pair),
        players=_("%(one)s and %(other)s") % {"one": pair.player_a.name, "other": pair.player_b.name},
        is_withdrawn=entry.withdrawn_at is not None,
    )


def lines(fixtures: Iterable[Fixture], *, mine: Collection[int] = ()) -> tuple[FixtureLine, ...]:
    """The fixtures (read `with_pairs`) as lines; `mine` are the entries of the visitor."""
    listed = list(fixtures)
    waiting = [f.pk for f in listed if f.status in {Status.TO_CONFIRM, Status.DISPUTED}]
    pending = ports.pending_sheets(waiting)
    return tuple(_line(fixture, pending, mine) for fixture in listed)


def own_entries(user: Reader, competition: Competition | None = None) -> frozenset[int]:
    """The entries that this account plays for, in one competition or in all."""
    if not isinstance(user, User):
        return frozenset()
    entries = Entry.objects.of_user(user)
    if competition is not None:
        entries = entries.filter(competition=competition)
    return frozenset(entries.values_list("pk", flat=True))


def current_round(competition: Competition, *, at: datetime) -> Round | None:
    """The first round that is not closed; after the end the last one."""
    rounds = competition.rounds.order_by("number")
    return rounds.filter(closes_at__gte=at).first() or rounds.last()


def by_round(competition: Competition, user: Reader, *, at: datetime) -> tuple[RoundFixtures, ...]:
    """All rounds with their fixtures and byes, in a fixed number of queries.

    Of a long season the rounds around the current one are opened, the others folded.
    """
    rounds = list(competition.rounds.order_by("number").annotate(counted=Count("fixtures")))
    current = current_round(competition, at=at)
    opened = _opened(rounds, current)
    whole = {found.number: found for found in _rounds(competition, opened, user, current)}
    return tuple(
        whole.get(each.number)
        or RoundFixtures(
            number=each.number,
            starts_on=each.starts_on,
            closes=Moment(each.closes_at, competition.club.time_zone),
            is_current=False,
            divisions=(),
            is_folded=True,
            counted=each.counted,
        )
        for each in rounds
    )


def _opened(rounds: Sequence[Round], current: Round | None) -> list[Round]:
    """The rounds to show whole: the one before the current, it, and what follows while there is room; at least these.

    Where the season ends before the room does, earlier ones as well.
    """
    numbers = [each.number for each in rounds]
    start = max(numbers.index(current.number) - 1, 0) if current is not None else 0
    order = [*rounds[start:], *reversed(rounds[:start])]
    chosen: list[Round] = []
    room = MOST_LINES
    for each in order:
        room -= each.counted  # type: ignore[attr-defined]
        if room < 0 and len(chosen) >= FEWEST_ROUNDS:
            break
        chosen.append(each)
    return sorted(chosen, key=attrgetter("number"))


def of_round(found: Round, user: Reader, *, at: datetime) -> RoundFixtures:
    """One round with its fixtures and byes."""
    competition = found.competition
    return _rounds(competition, [found], user, current_round(competition, at=at))[0]


def _rounds(
    competition: Competition, chosen: Sequence[Round], user: Reader, now: Round | None
) -> tuple[RoundFixtures, ...]:
    fixtures = Fixture.objects.with_pairs().filter(round__in=chosen)
    ordered = fixtures.order_by("round__number", "division__level", "pk")
    drawn = lines(ordered, mine=own_entries(user, competition))
    byes = _byes(chosen)
    divisions = list(competition.divisions.values_list("name", flat=True))
    zone = competition.club.time_zone
    by_place = {
        place: tuple(group) for place, group in groupby(drawn, key=lambda f: (f.round_number, f.division))
    }
    return tuple(
        RoundFixtures(
            number=each.number,
            starts_on=each.starts_on,
            closes=Moment(each.closes_at, zone),
            is_current=now is not None and now.pk == each.pk,
            divisions=tuple(
                DivisionFixtures(
                    name, by_place.get((each.number, name), ()), byes.get((each.number, name), ())
                )
                for name in divisions
                if (each.number, name) in by_place or (each.number, name) in byes
            ),
        )
        for each in chosen
    )


def _byes(rounds: Collection[Round]) -> dict[tuple[int, str], tuple[Pair, ...]]:
    sitting_out = Appearance.objects.filter(round__in=rounds, fixture__isnull=True).select_related(
        "round", "entry__division", "entry__partnership__player_a", "entry__partnership__player_b"
    )
    byes: dict[tuple[int, str], tuple[Pair, ...]] = {}
    for appearance in sitting_out.order_by("entry__number"):
        place = (appearance.round.number, appearance.entry.division.name)
        byes[place] = (*byes.get(place, ()), pair_of(appearance.entry))
    return byes


def _line(fixture: Fixture, pending: Mapping[int, PendingSheet], mine: Collection[int]) -> FixtureLine:
    zone = fixture.round.competition.club.time_zone
    result: FixtureResult | None = getattr(fixture, "result", None)
    sheet = pending.get(fixture.pk)
    scores: tuple[int | None, int | None] = (None, None)
    if result is not None and result.kind == Kind.PLAYED and fixture.status == Status.CONFIRMED:
        scores = (result.home_score, result.away_score)
    elif sheet is not None and fixture.status == Status.TO_CONFIRM:
        scores = (sheet.home_total, sheet.away_total)
    return FixtureLine(
        key=fixture.pk,
        competition=fixture.round.competition.name,
        division=fixture.division.name,
        round_number=fixture.round.number,
        closes=moment(fixture.round.closes_at, zone),
        home=pair_of(fixture.home),
        away=pair_of(fixture.away),
        status=fixture.status,
        starts=moment(fixture.starts_at, zone),
        place=fixture.place or fixture.round.competition.place,
        table=fixture.table,
        note=fixture.note,
        kind=result.kind if result is not None and fixture.status == Status.WALKOVER else "",
        home_score=scores[0],
        away_score=scores[1],
        is_mine=fixture.home_id in mine or fixture.away_id in mine,
    )
