"""A round of a knock-out goes by its name wherever it is named; other rounds by their numbers."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.papers import pairings
from league.fixtures import queries
from league.models import Fixture
from league.standings import brackets, round_names
from tests.games.test_pairing_papers import order, text_of
from tests.league import factories
from tests.league.draws.test_knockout_legs import cup, draw_next, legs
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene()


def client_of(user=None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def test_every_page_of_a_cup_calls_its_rounds_by_their_names(scene):
    competition, division = cup(scene, 4)
    first = legs(division, 1)[0]
    player = factories.account_of(first.home.lineup)
    where = [scene.club.slug, competition.slug]
    dora = scene.users["dora"]
    pages = {
        reverse("match", args=[first.pk]): None,
        reverse("round", args=[*where, 1]): None,
        reverse("competition", args=where): None,
        reverse("competition_fixtures", args=where): None,
        reverse("my"): player,
        reverse("fixture_ruling", args=[first.pk]): dora,
        reverse("round_print", args=[*where, 1]): dora,
        reverse("desk_matches", args=[scene.club.slug]): dora,
    }
    for address, user in pages.items():
        page = client_of(user).get(address)
        assert page.status_code == 200, address
        assert "Semi-finals" in page.text, address
        assert "ound 1" not in page.text.replace("Winter League, First Division, Round 1", ""), address


def test_papers_tables_and_the_desk_call_it_so_too(scene):
    competition, _division = cup(scene, 4)
    by_table, by_name = text_of(pairings.pairing_list(order(competition)).content)
    assert "Semi-finals: Tables" in by_table
    assert "Semi-finals: By name" in by_name
    assert "Points" not in by_table, "nobody has any in a knock-out"
    client = client_of(scene.users["dora"])
    for kind in ("fixtures", "pairings", "names"):
        sent = client.get(reverse("competition_file", args=[scene.club.slug, competition.slug, kind, "csv"]))
        rows = list(csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig"))))
        assert {row["Round"] for row in rows} == {"Semi-finals"}, kind


def test_legs_and_the_match_for_place_3_are_named(scene):
    competition, division = cup(scene, 4, legs=2, third_place=True)
    draw_next(scene, division)
    for number, scores in ((1, (60, 40)), (2, (40, 60))):
        for each in legs(division, number):
            factories.decided(each, scores=scores)
    draw_next(scene, division)
    found = Fixture.objects.of_competition(competition.pk).with_pairs().order_by("round__number", "pk")
    assert [line.round_name for line in queries.lines(found)] == [
        *["Semi-finals, leg 1"] * 2, *["Semi-finals, leg 2"] * 2, "Final, leg 1", "Match for place 3",
    ]  # fmt: skip
    with translation.override("de"):
        assert round_names.of_fixture(found[2]) == "Halbfinale, Durchgang 2"


def test_all_pages_of_a_cup_take_the_same_round_for_the_current_one(scene):
    """The semi-finals are drawn before the days of the quarter-finals are over."""
    competition, division = cup(scene, 8)
    for each in legs(division, 1):
        factories.decided(each, scores=(60, 40))
    draw_next(scene, division)
    where = [scene.club.slug, competition.slug]
    page = client_of().get(reverse("competition_fixtures", args=where))
    assert [each.name for each in page.context["rounds"] if each.is_current] == ["Semi-finals"]
    assert page.context["head"].current_text == "Semi-finals"


def test_a_round_that_two_brackets_call_differently_goes_by_its_number(scene, monkeypatch):
    """A division of 4 and one of 8: the first plays semi-finals while the second plays quarter-finals."""
    competition, _division = cup(scene, 8)
    rounds = list(competition.stage.rounds.select_related("stage").order_by("number"))
    monkeypatch.setattr(brackets, "rounds_of_stages", lambda stages: {key: {2, 3} for key in stages})
    assert list(round_names.of_rounds(rounds).values()) == ["Round 1", "Round 2", "Final"]


def test_the_names_cost_one_query_however_many_matches_there_are(scene, django_assert_num_queries):
    for size in (4, 32):
        _competition, division = cup(scene, size)
        found = list(Fixture.objects.filter(division=division).with_pairs())
        with django_assert_num_queries(1):
            assert set(round_names.of_fixtures(found).values()) == {"Semi-finals" if size == 4 else "Round 1"}
        rounds = list(division.stage.rounds.select_related("stage"))
        with django_assert_num_queries(1):
            assert round_names.of_rounds(rounds)[rounds[-1].pk] == "Final"
    league = list(Fixture.objects.of_competition(scene.competition.pk).with_pairs())
    with django_assert_num_queries(0):
        assert {name.split()[0] for name in round_names.of_fixtures(league).values()} == {"Round"}
