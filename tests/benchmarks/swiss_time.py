"""What a round of a large Swiss, of players and of a cup of 1,000 takes from facts to published rows, and the pages.

`make swiss-time` prints the table of docs/performance.md. Ordinary runs leave this file alone.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from time import perf_counter, process_time

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.draws.services import rounds
from league.models import Appearance, Division, Fixture, RoundDraw
from league.standings.services import standings
from tests.league import factories
from tests.league.factories import DIRECTOR, NOW

ROUNDS, DRAWN = 9, 8


def drawn(pairs: int, kind: str = "swiss") -> Division:
    """A competition of so many pairs, or players, that is published."""
    competition = factories.competition(factories.club(), pairs=pairs, format=kind)
    if not competition.stage.is_bracket:
        competition.stage.options["rounds"] = ROUNDS
        competition.stage.save()
    return factories.drawn(competition).stage.divisions.get()


def played(division: Division, before: int = DRAWN) -> Division:
    """With the results of all rounds before this one."""
    chance = Random(20)
    for number in range(1, before):
        if not RoundDraw.objects.filter(division=division, round__number=number).exists() and (
            number > 1 or division.stage.has_register
        ):
            publish(division, number)
        sides = list(
            Appearance.objects.filter(round__number=number, fixture__division=division).order_by(
                "fixture", "order"
            )
        )
        for home, away in zip(sides[::2], sides[1::2], strict=True):
            home.score, away.score = chance.sample(range(20, 100), 2)
            home.rank, away.rank = 1 + (home.score < away.score), 1 + (away.score < home.score)
            home.outcome = away.outcome = Appearance.Outcome.PLAYED
        Appearance.objects.bulk_update(sides, ["score", "rank", "outcome"])
        of_round = Fixture.objects.filter(division=division, round__number=number)
        of_round.update(status=Fixture.Status.CONFIRMED, decided_at=timezone.now())
    standings.bump(competition=division.competition)
    standings.sweep(at=NOW)
    return division


def publish(division: Division, number: int) -> RoundDraw:
    """The round as it is proposed. The proposal is seen by a page before."""
    round_ = division.stage.rounds.get(number=number)
    seen = rounds.proposal_of(division=division, round_=round_).digest
    return rounds.publish(actor=DIRECTOR, division=division, number=number, at=NOW, seen=seen)


@pytest.mark.django_db
@pytest.mark.parametrize("pairs", [300, 600])
def test_a_round_of_a_large_swiss(pairs: int, capsys: pytest.CaptureFixture[str]) -> None:
    division = played(drawn(pairs))
    competition = division.competition
    round_ = division.stage.rounds.get(number=DRAWN)
    seen = rounds.propose(division=division, round_=round_).digest
    words = [competition.club.slug, competition.slug]
    with capsys.disabled():
        print(
            f"\n\n| {connection.vendor}, {pairs} pairs | queries | processor | by the clock |\n|---|---:|---:|---:|"
        )
        measure(
            "round 8, from facts to published rows",
            lambda: rounds.publish(actor=DIRECTOR, division=division, number=DRAWN, at=NOW, seen=seen),
        )
        client = Client()
        pages = {
            "the standings": reverse("competition", args=words),
            "opponents by round": reverse("competition_cross_table", args=words),
            "the fixtures": reverse("competition_fixtures", args=words),
            "the round": reverse("round", args=[*words, DRAWN]),
            "how it was drawn": reverse("round_why", args=[*words, DRAWN, division.pk]),
            "pairings as CSV": reverse("competition_file", args=[*words, "names", "csv"]),
        }
        for name, address in pages.items():
            cache.clear()
            assert client.get(address).status_code == 200
            measure(name, partial(client.get, address))
    assert Fixture.objects.filter(division=division, round=round_).count() == pairs // 2


@pytest.mark.django_db
def test_a_cup_of_a_thousand(capsys: pytest.CaptureFixture[str]) -> None:
    competition = factories.competition(factories.club(), pairs=1000, format="knockout")
    with capsys.disabled():
        print(
            f"\n\n| {connection.vendor}, a cup of 1,000 | queries | processor | by the clock |\n|---|---:|---:|---:|"
        )
        measure("drawn and published", lambda: factories.drawn(competition))
        division = played(competition.stage.divisions.get(), before=2)
        measure("round 2, from results to published rows", lambda: publish(division, 2))
        words = [competition.club.slug, competition.slug]
        pages = {
            "the bracket": reverse("competition", args=words),
            "the fixtures": reverse("competition_fixtures", args=words),
            "the round": reverse("round", args=[*words, 2]),
            "the bracket, API": reverse("api_bracket", args=[division.pk]),
        }
        client = Client()
        for name, address in pages.items():
            cache.clear()
            answer = client.get(address)
            assert answer.status_code == 200
            measure(f"{name} ({len(answer.content) // 1000:,} kB)", partial(client.get, address))


@pytest.mark.django_db
def test_a_swiss_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    division = played(drawn(300, "swiss_players"), before=4)
    with capsys.disabled():
        print("\n\n| 300 players | queries | processor | by the clock |\n|---|---:|---:|---:|")
        measure("round 4, from facts to published rows", lambda: publish(division, 4))
    assert Fixture.objects.filter(division=division, round__number=4).count() == 75


def measure(name: str, work: Callable[[], object]) -> None:
    """A line of the table."""
    clock, processor = perf_counter(), process_time()
    with CaptureQueriesContext(connection) as queries:
        work()
    took, used = perf_counter() - clock, process_time() - processor
    print(f"| {name} | {len(queries)} | {used:.2f} s | {took:.2f} s |")
