"""What it takes to close a season of a pyramid of many divisions: the preview, closing, undoing, and the pages.

`make season-time` prints the table of docs/performance.md. Ordinary runs leave this file alone.
"""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.db import connection

from league.models import Appearance, Competition, Division, FinalPlace, Fixture
from league.seasons.queries import ending
from league.seasons.services import finishing
from league.standings.services import standings
from tests.benchmarks.swiss_time import measure
from tests.league import factories
from tests.league.factories import DIRECTOR, NOW

DIVISIONS, PAIRS = 40, 8
LATER = datetime.now(UTC) + timedelta(days=60)


def played() -> Competition:
    """Levels of two parallel divisions, two up and two down at each boundary, every match with a result."""
    competition = factories.running(factories.club(), pairs=PAIRS, divisions=DIVISIONS)
    divisions = list(Division.objects.filter(stage__competition=competition).order_by("level"))
    for division in divisions:
        division.is_parallel = division.level % 2 == 0
        division.promoted = 2 if division.level > 2 else 0
        division.relegated = 2 if division.level <= DIVISIONS - 2 else 0
    Division.objects.bulk_update(divisions, ["is_parallel", "promoted", "relegated"])
    chance = Random(40)
    sides = list(
        Appearance.objects.filter(fixture__round__stage__competition=competition).order_by("fixture")
    )
    for home, away in zip(sides[::2], sides[1::2], strict=True):
        # Better numbers win, so that no place across a boundary is shared.
        home.score, away.score = 60 + chance.randint(0, 9), 40
        if home.entry_id > away.entry_id:
            home.score, away.score = away.score, home.score
        home.rank, away.rank = 1 + (home.score < away.score), 1 + (away.score < home.score)
        home.outcome = away.outcome = Appearance.Outcome.PLAYED
    Appearance.objects.bulk_update(sides, ["score", "rank", "outcome"], batch_size=500)
    Fixture.objects.of_competition(competition.pk).update(status=Fixture.Status.CONFIRMED, decided_at=NOW)
    standings.bump(competition=competition)
    standings.sweep(at=NOW)
    return Competition.objects.get(pk=competition.pk)


@pytest.mark.django_db
def test_closing_a_pyramid_of_forty_divisions(capsys: pytest.CaptureFixture[str]) -> None:
    competition = played()
    with capsys.disabled():
        print(
            f"\n\n| {connection.vendor}, {DIVISIONS} divisions of {PAIRS} | queries | processor | by the clock |"
        )
        print("|---|---:|---:|---:|")
        measure("the preview of everybody's way", lambda: ending.of_competition(competition, at=LATER))
        measure("closing", lambda: finishing.finish(actor=DIRECTOR, competition=competition, at=LATER))
        assert FinalPlace.objects.count() == DIVISIONS * PAIRS
        measure(
            "undoing",
            lambda: finishing.reopen(actor=DIRECTOR, competition=competition, reason="A wrong sheet"),
        )
