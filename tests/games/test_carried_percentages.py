"""An evening after an evening: its places, and the boards that count on (F8)."""

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.comparisons.reckoning import rankings
from games.comparisons.services.verification import differences
from games.sessions import services as evenings
from league.errors import Conflict, Invalid
from league.models import Competition
from league.seasons.services import stages
from league.seasons.services.stages import LaterStage
from tests.games import duplicate_events
from tests.games.duplicate_events import AT, Evening

pytestmark = pytest.mark.django_db


def played_out(evening: Evening) -> None:
    for number in range(1, evening.competition.stage.rounds.count() + 1):
        duplicate_events.begin_round(evening, number)
        duplicate_events.play_round(evening, number)
    evenings.finish(actor=evening.director, competition=evening.competition, at=AT)
    duplicate_events.settle(evening)
    evening.competition = Competition.objects.get(pk=evening.competition.pk)


def later(evening: Evening, **data: Any) -> Evening:
    """The second evening, seated."""
    wanted: dict[str, Any] = {
        "name": "Final",
        "starts_on": AT.date() + timedelta(days=7),
        "format": "evening",
        "last": 4,
        **data,
    }
    made = stages.begin(actor=evening.director, competition=evening.competition, data=LaterStage(**wanted))
    evenings.start(actor=evening.director, competition=made, at=AT)
    return Evening(evening.club, Competition.objects.get(pk=made.pk), evening.director)


def ranked(competition: Competition) -> dict[int, rankings.RankingRow]:
    (ranking,) = rankings.of_event(competition)
    return {row.pair.key: row for row in ranking.rows}


@pytest.mark.parametrize(("carry_over", "weight"), [("half", Fraction(1, 2)), ("all", Fraction(1))])
def test_f8_a_board_of_the_earlier_evening_weighs_half_a_board_or_one(
    carry_over: str, weight: Fraction
) -> None:
    first = duplicate_events.make_evening(pairs=4)
    played_out(first)
    before = ranked(first.competition)
    second = later(first, carry_over=carry_over)
    best = next(iter(before))
    assert second.competition.entries.get(number=1).lineup_id == best
    played_out(second)
    rows = ranked(second.competition)
    assert set(rows) == set(before)
    for key, row in rows.items():
        old = before[key]
        boards = weight * old.boards
        assert old.percent is not None
        assert row.percent is not None
        expected = (boards * old.percent + row.boards * row.percent) / (boards + row.boards)
        assert row.total == expected
        assert row.carried == (boards, old.percent)
        assert row.text.startswith(f"{float(expected):.2f}")
        assert "Carried over" in row.carried_line
    totals = [row.total or 0 for row in sorted(rows.values(), key=lambda row: row.rank or 0)]
    assert totals == sorted(totals, reverse=True)
    assert not list(differences(competition=second.competition))


def test_nothing_is_carried_over_where_the_director_says_so() -> None:
    first = duplicate_events.make_evening(pairs=4)
    played_out(first)
    second = later(first)
    played_out(second)
    assert all(row.total is None and not row.carried_line for row in ranked(second.competition).values())


def test_an_evening_goes_on_as_an_evening_and_nothing_else_does(client: Client) -> None:
    first = duplicate_events.make_evening(pairs=4)
    with pytest.raises(Conflict, match="Finish"):
        later(first)
    played_out(first)
    with pytest.raises(Invalid, match="goes on as an evening"):
        later(first, format="swiss")
    client.force_login(first.director)
    place = [first.club.slug, first.competition.slug]
    assert "Add a later stage" in client.get(reverse("evening_desk", args=place)).content.decode()
    page = client.get(reverse("competition_later_stage", args=place)).content.decode()
    assert 'value="evening"' in page
    assert 'value="knockout"' not in page
    sent = {
        "name": "Final",
        "starts_on": "2026-12-01",
        "format": "evening",
        "first": 1,
        "last": 4,
        "carry_over": "half",
    }
    answer = client.post(reverse("competition_later_stage", args=place), sent)
    assert answer.status_code == 302
    made = Competition.objects.get(name="Final")
    assert made.stage.after == first.competition.stage
    assert client.get(answer["Location"], follow=True).status_code == 200
