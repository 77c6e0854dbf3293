"""What programs read: complete, in bounded queries, filtered as asked."""

import pytest

from league.fixtures.services import fixtures
from league.models import Appearance, Fixture, FixtureResult
from league.standings.services import standings
from tests.league import factories


def test_a_competition_tells_its_rules_in_words(league, program):
    shown = program().get(f"/api/v1/competitions/{league.competition.pk}/").json()
    assert shown["club"] == league.club.slug
    assert [entry["number"] for entry in shown["divisions"][0]["entries"]] == [1, 2, 3, 4]
    assert [r["number"] for r in shown["rounds"]] == [1, 2, 3]
    assert shown["points"]["words"][0] == "Win: 2 points; the other side: 0 points."
    assert shown["tie_breaks"][0]["key"] == "league_points"
    assert {"name", "value", "label", "text"} == set(shown["rules"][0])


def test_lists_of_competitions(league, program):
    factories.competition(league.club)
    other = factories.running(factories.club())
    assert program().get("/api/v1/competitions/").json()["count"] == 2
    assert program(league.director).get("/api/v1/competitions/").json()["count"] == 3
    of_club = program().get("/api/v1/competitions/", {"club": other.club.slug}).json()
    assert [c["id"] for c in of_club["results"]] == [other.pk]
    assert program().get("/api/v1/competitions/", {"state": "finished"}).json()["count"] == 0


def test_fixtures_are_filtered(league, program):
    def count(client=None, **query):
        answer = (client or program()).get("/api/v1/fixtures/", query)
        assert answer.status_code == 200, answer.json()
        return answer.json()["count"]

    assert count() == 6
    assert count(round=1) == 2
    assert count(competition=league.competition.pk, division=league.fixture.division_id) == 6
    assert count(competition=league.competition.pk + 1) == 0
    assert count(club=league.club.slug) == 6
    assert count(client=program(league.home), mine="true") == 3
    assert count(client=program(league.home), mine="false") == 3
    assert count(mine="true") == 0
    factories.result(league.fixture, 60, 41)
    assert count(status="confirmed") == 1
    assert count(status=["confirmed", "scheduled"]) == 6


def test_days_are_those_of_the_club(league, program):
    """In Auckland it is the 8th already when it is the 7th in UTC."""
    league.club.time_zone = "Pacific/Auckland"
    league.club.save()
    Fixture.objects.filter(pk=league.fixture.pk).update(starts_at="2026-10-07T19:30:00Z")

    def found(**query):
        return league.fixture.pk in {
            f["id"] for f in program().get("/api/v1/fixtures/", query).json()["results"]
        }

    assert found(**{"from": "2026-10-08", "to": "2026-10-08"})
    assert not found(to="2026-10-07")
    assert not found(**{"from": "2026-10-09"})


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "1899-12-31", "2026-02-30"])
def test_days_that_nobody_means(league, program, day):
    assert program().get("/api/v1/fixtures/", {"from": day}).status_code == 400


def test_standings_and_their_history(league, program):
    path = f"/api/v1/competitions/{league.competition.pk}/standings/"
    waiting = program().get(path).json()[0]
    assert waiting["is_stale"] is (waiting["table"] is None)
    factories.result(league.fixture, 60, 41)
    standings.compute(competition_id=league.competition.pk, at=factories.NOW)
    [current] = program().get(path).json()
    assert current["is_stale"] is False
    first, second = current["table"]["rows"][:2]
    assert first["entry"]["id"] == league.fixture.home_id
    assert (first["place"], first["metrics"]["league_points"]) == (1, "2")
    assert second["separated_by"]["text"].startswith("League points")
    [after] = program().get(path, {"after_round": 1}).json()
    assert after["table"]["rows"] == current["table"]["rows"]
    assert program().get(path, {"after_round": 9}).json() == []
    [progress] = program().get(f"{path}history/").json()
    assert [(r["after_round"], r["round_name"]) for r in progress["rounds"]] == [(1, "Round 1")]
    assert (current["round_name"], after["round_name"]) == (None, "Round 1")
    assert [line["round_name"] for line in first["contributions"]] == ["Round 1"]
    assert progress["rounds"][0]["rows"][0]["league_points"] == "2"


def test_people_are_shown_without_what_is_private(league, program):
    player = league.fixture.home.lineup.players[0]
    player.email, player.number = "secret@example.org", "M-17"
    player.save()
    for client in (program(), program(league.director)):
        shown = client.get(f"/api/v1/players/{player.pk}/")
        assert shown.json()["name"] == player.name
        assert "secret" not in shown.content.decode()
        assert "M-17" not in shown.content.decode()
    pair = program().get(f"/api/v1/pairs/{league.fixture.home.lineup_id}/").json()
    assert [entry["competition"]["id"] for entry in pair["entries"]] == [league.competition.pk]


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/api/v1/clubs/", 3),
        ("/api/v1/competitions/", 3),
        ("/api/v1/fixtures/", 4),
        ("/api/v1/competitions/{competition}/", 8),
        ("/api/v1/competitions/{competition}/standings/", 8),
        ("/api/v1/matches/{match}/", 12),
    ],
)
def test_the_number_of_queries_is_bounded(league, program, django_assert_max_num_queries, path, most):
    client = program()
    with django_assert_max_num_queries(most):
        shown = client.get(path.format(competition=league.competition.pk, match=league.fixture.pk))
    assert shown.status_code == 200


def test_a_fixture_tells_what_each_side_made_of_it(league, program):
    def sides():
        shown = program().get("/api/v1/fixtures/", {"round": 1}).json()["results"]
        fixture = next(each for each in shown if each["id"] == league.fixture.pk)
        assert [each["order"] for each in fixture["sides"]] == [1, 2]
        for side, name in zip(fixture["sides"], ("home", "away"), strict=True):
            assert {"entry": side["entry"], "pair": side["pair"]} == fixture[name]
        return [(each["outcome"], each["score"], each["rank"]) for each in fixture["sides"]]

    assert sides() == [(None, None, None)] * 2
    factories.result(league.fixture, 41, 60)
    assert sides() == [("played", 41, 2), ("played", 60, 1)]


@pytest.mark.parametrize(
    ("kind", "home", "away", "sides"),
    [
        ("played", 50, 50, [("played", 50, 1), ("played", 50, 1)]),
        ("walkover_home", 0, 0, [("won_by_walkover", None, None), ("lost_by_walkover", None, None)]),
        ("walkover_away", 0, 0, [("lost_by_walkover", None, None), ("won_by_walkover", None, None)]),
        ("double_forfeit", 0, 0, [("lost_by_walkover", None, None)] * 2),
    ],
)
def test_the_result_follows_from_what_the_sides_made(kind, home, away, sides):
    fixture = Fixture(status="confirmed")
    fixture.sides = tuple(
        Appearance(entry_id=order, order=order, outcome=outcome, score=score, rank=rank)
        for order, (outcome, score, rank) in enumerate(sides, start=1)
    )
    assert fixture.has_result
    assert fixture.result == FixtureResult(kind, home, away)


def test_nobody_has_a_score_in_a_void_fixture(league):
    fixtures.void(actor=factories.DIRECTOR, fixture=league.fixture, reason="Flood")
    fixture = Fixture.objects.get(pk=league.fixture.pk)
    assert [(side.outcome, side.score, side.rank) for side in fixture.sides] == [("void", None, None)] * 2
    assert (fixture.has_result, fixture.result) == (False, None)
