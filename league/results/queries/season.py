"""What the matches of a competition add up to: points per match, how they are spread, how they came about."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from fractions import Fraction

from league.actors import Reader
from league.fixtures.queries import current_round, own_entries
from league.models import Competition, Fixture, Substitution
from league.results.queries.progress import labels_of
from league.standings import credits as credits_
from league.standings.credits import Credits

Status = Fixture.Status


class Coming(IntEnum):
    """How a match came about; the order is that of the pictures."""

    IN_TIME = 0
    SUBSTITUTE = 1
    LATE = 2
    NOT_PLAYED = 3
    OPEN = 4


@dataclass(frozen=True, slots=True)
class Average:
    """A pair's points per match played at a table."""

    label: str
    points: Fraction
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Attendance:
    """How the matches of a round came about: a count for each member of Coming."""

    round_number: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Season:
    """The sums of one division. `own` is the visitor's own average, if they play in it."""

    name: str
    averages: tuple[Average, ...]
    scores: tuple[int, ...]
    own: Fraction | None
    attendance: tuple[Attendance, ...]


def of_competition(competition: Competition, user: Reader, *, at: datetime) -> tuple[Season, ...]:
    """The sums of every division, in a fixed number of queries."""
    now = current_round(competition, at=at)
    fixtures = list(
        Fixture.objects.of_competition(competition.pk)
        .filter(round__number__lte=now.number if now else 0)
        .select_related("round")
        .prefetch_related("appearances")
        .order_by("round__number", "pk")
    )
    substituted = frozenset(
        Substitution.objects.filter(fixture__round__stage__competition=competition).values_list(
            "fixture", flat=True
        )
    )
    names = {entry.pk: str(entry) for entry in competition.entries.with_pairs().order_by("number")}
    mine, credited = own_entries(user, competition), credits_.of_stage(competition.stage)
    found = []
    for division in competition.stage.divisions.order_by("level"):
        own = [fixture for fixture in fixtures if fixture.division_id == division.pk]
        attendance = _attendance(own, substituted)
        found.append(_season(division.name, _scores(own, credited), names, mine, attendance))
    return tuple(found)


def _season(
    name: str,
    made: Mapping[int, list[int]],
    names: Mapping[int, str],
    mine: frozenset[int],
    attendance: tuple[Attendance, ...],
) -> Season:
    means = {entry: Fraction(sum(scores), len(scores)) for entry, scores in made.items()}
    order = sorted(means, key=lambda entry: (-means[entry], entry))
    labels = labels_of(order, names)
    return Season(
        name=name,
        averages=tuple(Average(labels[entry], means[entry], entry in mine) for entry in order),
        scores=tuple(score for scores in made.values() for score in scores),
        own=next((means[entry] for entry in order if entry in mine), None),
        attendance=attendance,
    )


def _scores(fixtures: Iterable[Fixture], credited: Credits) -> dict[int, list[int]]:
    """The points that each entry made in its matches at a table."""
    made: dict[int, list[int]] = {}
    for fixture in fixtures:
        if fixture.status == Status.CONFIRMED:
            for side in fixture.sides:
                if side.score is not None:
                    for entry in credited.of(side.entry_id):
                        made.setdefault(entry, []).append(side.score)
    return made


def _attendance(fixtures: Sequence[Fixture], substituted: frozenset[int]) -> tuple[Attendance, ...]:
    found: dict[int, Counter[Coming]] = {}
    for fixture in fixtures:
        found.setdefault(fixture.round.number, Counter())[_coming(fixture, substituted)] += 1
    return tuple(
        Attendance(number, tuple(counts[coming] for coming in Coming)) for number, counts in found.items()
    )


def _coming(fixture: Fixture, substituted: frozenset[int]) -> Coming:
    if fixture.status in {Status.WALKOVER, Status.VOID}:
        return Coming.NOT_PLAYED
    if fixture.status in {Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY}:
        return Coming.OPEN
    if fixture.pk in substituted:
        return Coming.SUBSTITUTE
    is_late = fixture.starts_at is not None and fixture.starts_at > fixture.round.closes_at
    return Coming.LATE if is_late else Coming.IN_TIME
