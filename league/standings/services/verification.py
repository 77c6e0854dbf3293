"""Recomputing everything the league has stored: whatever differs from its facts is reported, nothing is changed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet

from league.models import Appearance, Competition, Division, Fixture, StandingsTable, Verification
from league.standings import ladders
from league.standings.queries import compute_division, read_facts


@dataclass(frozen=True, slots=True)
class Difference:
    """Something stored that its facts do not give."""

    where: str
    what: str
    stored: str
    computed: str
    is_stale: bool = False
    """A worker is still to compute it: nothing is wrong."""

    @property
    def place(self) -> str:
        """Where and of what kind, without the values: for a log, which others read than who may see a match."""
        return f"{self.where}: {self.what}"

    def __str__(self) -> str:
        waits = " (stale: a worker is still to compute it)" if self.is_stale else ""
        return f"{self.place} is stored as {self.stored} but follows as {self.computed}{waits}"


#: Who was verified in this night isn't verified in it again.
ONE_NIGHT = timedelta(hours=12)


def due(*, at: datetime) -> QuerySet[Competition]:
    """The competitions that were not verified in this night, the longest ago first."""
    done = Q(verification__at__gt=at - ONE_NIGHT)
    return Competition.objects.exclude(done).order_by(F("verification__at").asc(nulls_first=True), "pk")


def record(*, competition_id: int, found: Iterable[Difference], at: datetime) -> Verification:
    """Notes that the competition was verified, and how much differed."""
    is_stale = [difference.is_stale for difference in found]
    stale = sum(is_stale)
    row, _created = Verification.objects.update_or_create(
        competition_id=competition_id,
        defaults={"at": at, "wrong": len(is_stale) - stale, "stale": stale},
    )
    return row


def differences(*, competition: Competition) -> Iterator[Difference]:
    """Every difference of the competition's tables, results and appearances."""
    is_stale = Competition.objects.stale().filter(pk=competition.pk).exists()
    for division in competition.stage.divisions.all():
        for difference in _tables(competition, division):
            yield replace(difference, is_stale=is_stale)
        yield from _ladder(competition, division)
    yield from of_results(competition=competition)


def of_results(*, competition: Competition) -> Iterator[Difference]:
    """The differences of its results and appearances alone."""
    yield from _results(competition)
    yield from _appearances(competition)


def _tables(competition: Competition, division: Division) -> Iterator[Difference]:
    has_tables = competition.stage.is_league
    if competition.state == Competition.State.DRAFT or not has_tables:
        return
    computed = compute_division(read_facts(division)).tables
    stored = {table.after_round: table for table in StandingsTable.objects.filter(division=division)}
    for after_round in sorted(set(computed) | set(stored)):
        where = f"{competition} / {division}, table after round {after_round or 'all'}"
        kept, fresh = stored.get(after_round), computed.get(after_round)
        if kept is None or fresh is None:
            yield Difference(where, "the table", _presence(kept), _presence(fresh))
        elif (kept.digest, kept.content) != (fresh.digest, fresh.content):
            yield Difference(where, "the table", kept.digest[:12], fresh.digest[:12])
        elif kept.results_version != competition.results_version:
            yield Difference(
                where, "the results version", str(kept.results_version), str(competition.results_version)
            )


def _ladder(competition: Competition, division: Division) -> Iterator[Difference]:
    """The places of a ladder, folded again from its events as of the day on which they were stored."""
    ladder = ladders.of_division(division) if competition.stage.is_ladder else None
    if ladder is None:
        return
    places = ladders.standing(ladder, ladder.folded_on).places
    stored = ladders.places_of(division)
    for key in sorted({*places, *stored}, key=lambda each: (places.get(each, 0), each)):
        if places.get(key) != stored.get(key):
            where = f"{competition} / {division}, entry {key}"
            yield Difference(where, "the place", str(stored.get(key)), str(places.get(key)))


def _presence(table: object) -> str:
    return "missing" if table is None else "present"


def _results(competition: Competition) -> Iterator[Difference]:
    decided = {Fixture.Status.CONFIRMED, Fixture.Status.WALKOVER}
    for fixture in Fixture.with_rooms.of_competition(competition.pk).with_pairs():
        has_result = fixture.has_result
        if has_result != (fixture.status in decided):
            yield Difference(
                f"{competition}: {fixture}", "the result", _presence(has_result or None), fixture.status
            )


def _appearances(competition: Competition) -> Iterator[Difference]:
    rows = Appearance.objects.filter(round__stage__competition=competition, fixture__isnull=False)
    for row in rows.exclude(round=F("fixture__round")).with_pairs():
        yield Difference(
            f"{competition}: {row.entry}", "the appearance", str(row.fixture_id), "another fixture"
        )
    for fixture in Fixture.with_rooms.of_competition(competition.pk).with_pairs():
        orders = [side.order for side in fixture.sides]
        if len(orders) < 2 or orders != list(range(1, len(orders) + 1)):
            yield Difference(f"{competition}: {fixture}", "who appears", str(orders), "sides from 1 on")
        is_void = {side.outcome == Appearance.Outcome.VOID for side in fixture.sides}
        if is_void != {fixture.status == Fixture.Status.VOID}:
            outcomes = ", ".join(side.outcome for side in fixture.sides)
            yield Difference(
                f"{competition}: {fixture}", "what its sides made of it", outcomes, fixture.status
            )
