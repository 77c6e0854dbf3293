"""What it takes to close a season of a pyramid of 40 divisions: the preview of all movements, the closing, undoing it.

    nice .venv/bin/pytest tests/benchmarks/pyramid_time.py -n0 -q

prints the figures of docs/performance.md. Ordinary runs leave this file alone.
"""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from random import Random
from time import perf_counter, process_time

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.competitions.services.divisions import MOST
from league.models import Appearance, Competition, Division, FinalPlace, Fixture
from league.seasons.queries import ending
from league.seasons.services import finishing
from league.standings.services import standings
from tests.league import factories
from tests.league.factories import DIRECTOR

PAIRS, MOVING = 8, 2


def played() -> Competition:
    """A season of as many divisions as a competition can have, two up and two down between each two, all played."""
    competition = factories.competition(factories.club(), pairs=PAIRS, divisions=MOST)
    divisions = list(competition.stage.divisions.order_by("level"))
    for upper, lower in pairwise(divisions):
        upper.relegated = lower.promoted = MOVING
    Division.objects.bulk_update(divisions, ["relegated", "promoted"])
    competition = factories.drawn(competition)
    chance = Random(15)
    sides = list(
        Appearance.objects.filter(fixture__round__stage__competition=competition).order_by("fixture", "pk")
    )
    for home, away in zip(sides[::2], sides[1::2], strict=True):
        # Nobody is level: who entered first always wins.
        home.score, away.score = sorted((chance.randint(20, 60), chance.randint(61, 100)))
        if home.entry_id < away.entry_id:
            home.score, away.score = away.score, home.score
        home.rank, away.rank = 1 + (home.score < away.score), 1 + (away.score < home.score)
        home.outcome = away.outcome = Appearance.Outcome.PLAYED
    Appearance.objects.bulk_update(sides, ["score", "rank", "outcome"], batch_size=400)
    long_ago = timezone.now() - timedelta(days=60)
    Fixture.objects.of_competition(competition.pk).update(
        status=Fixture.Status.CONFIRMED, decided_at=long_ago
    )
    standings.bump(competition=competition)
    standings.sweep(at=timezone.now())
    return competition


@pytest.mark.django_db
def test_closing_a_pyramid(capsys: pytest.CaptureFixture[str]) -> None:
    competition = played()
    at = timezone.now()
    seen = ending.of_competition(competition, at=at)
    assert not seen.blockers
    assert len(seen.moves) == MOST * PAIRS
    browser = Client()
    browser.force_login(factories.member(competition.club, "director"))
    page = reverse("competition_finish", args=[competition.club.slug, competition.slug])
    with capsys.disabled():
        print(
            f"\n{MOST} divisions of {PAIRS} pairs, {Fixture.objects.of_competition(competition.pk).count()} matches"
        )
        took("preview", lambda: ending.of_competition(competition, at=at))
        took("page of the preview", lambda: browser.get(page))
        took(
            "closing",
            lambda: finishing.finish(actor=DIRECTOR, competition=competition, at=at, seen=seen.digest),
        )
        took("undone", lambda: finishing.reopen(actor=DIRECTOR, competition=competition, reason="A look"))
        took("closing again", lambda: finishing.finish(actor=DIRECTOR, competition=competition, at=at))
    assert FinalPlace.objects.exclude(way="").count() == MOST * PAIRS


def took(what: str, work: Callable[[], object]) -> None:
    """Prints queries and seconds."""
    with CaptureQueriesContext(connection) as asked:
        began, busy = perf_counter(), process_time()
        work()
        print(
            f"{what:<22}{len(asked):5} queries {process_time() - busy:6.2f} s processor {perf_counter() - began:6.2f} s"
        )
