"""What the server does for the most visited pages: queries and milliseconds, on the demo and on a season of 60 pairs;
and for a sheet that is entered by the API and confirmed.

`make server-time` prints the tables of docs/performance.md. Ordinary runs leave this file alone: it takes a minute.
"""

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from league.models import Competition, Fixture, Lineup, User
from tests.league import factories
from tests.league.reading import make_league
from tests.reliability import writers

TIMES = 3
PAIRS = 60
PLAYED = 120

Season = tuple[User, Competition]


def demo() -> Season:
    """The demo club, seen by one of its players."""
    call_command("demo", verbosity=0)
    competition = Competition.objects.order_by("pk").first()
    assert competition is not None
    return User.objects.get(email="anna.berg@example.org"), competition


def large() -> Season:
    """Everybody meets everybody among 60 pairs, the first four rounds played."""
    league = make_league(pairs=PAIRS)
    for number, fixture in enumerate(league.open()[:PLAYED]):
        factories.result(fixture, 60 + number * 37 % 90, 60 + number * 53 % 90)
    league.compute()
    return league.anna, league.competition


@pytest.mark.django_db
@pytest.mark.parametrize("make", [demo, large])
def test_the_most_visited_pages(make: Callable[[], Season], capsys: pytest.CaptureFixture[str]) -> None:
    user, competition = make()
    with capsys.disabled():
        print(f"\n\n| page, {make.__name__} season | queries | milliseconds | bytes |\n|---|---:|---:|---:|")
        for address in addresses(user, competition):
            measure(user, address)


def addresses(user: User, competition: Competition) -> list[str]:
    """The pages that people open most."""
    url = competition.get_absolute_url()
    pair = Lineup.objects.with_players().filter(members__player__user=user)[0]
    match = Fixture.objects.of_competition(competition.pk).decided().order_by("pk").first()
    return [
        "/",
        competition.club.get_absolute_url(),
        url,
        f"{url}fixtures/",
        f"{url}cross-table/",
        f"{url}progress/",
        f"{url}rounds/1/",
        *([match.get_absolute_url()] if match else []),
        pair.get_absolute_url(),
        pair.players[0].get_absolute_url(),
        "/my/",
    ]


def measure(user: User, address: str) -> None:
    """Print the row of one page: processor time, median of several askings after a first."""
    client = Client()
    client.force_login(user)
    asked: list[str] = []

    def counting(execute: Any, sql: str, *more: Any) -> Any:
        asked.append(sql)
        return execute(sql, *more)

    with connection.execute_wrapper(counting):
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    times = []
    for _ in range(TIMES):
        before = process_time()
        client.get(address)
        times.append((process_time() - before) * 1000)
    print(f"| {address} | {len(asked)} | {median(times):.0f} | {len(answer.content):,} |", flush=True)


@pytest.mark.django_db
def test_a_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    """Processor time of entering one and of confirming it, without what a worker or the database does for it."""
    factories.running(factories.club(), pairs=9)
    client, taken = Client(), (list[float](), list[float]())
    for fixture in Fixture.objects.with_pairs():
        sheets = f"/api/v1/matches/{fixture.pk}/sheets/"
        content: dict[str, Any] = writers.TOTALS
        for side, address, times in zip(fixture.entries, (sheets, f"{sheets}1/confirm/"), taken, strict=True):
            client.force_login(factories.account_of(side.lineup))
            before = process_time()
            answer = client.post(address, content, content_type="application/json")
            times.append((process_time() - before) * 1000)
            content = {"digest": answer.json()["digest"]}
            assert answer.status_code in {200, 201}, answer.json()
    with capsys.disabled():
        print(
            f"\n\nA sheet is entered in {median(taken[0]):.0f} ms and confirmed in {median(taken[1]):.0f} ms."
        )
