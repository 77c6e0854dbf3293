"""The pages of Stealing Bundles: its rules, a scoresheet by cards or by the play, and a league from set-up to table."""

import re
from random import Random
from typing import Any

import pytest
from django.test import Client

from engine.stealing_bundles.game import STEALING_BUNDLES
from games import front
from games.models import ScoresheetDraft
from games.stealing_bundles.rules_page import TOKENS
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), STEALING_BUNDLES, 2, ((30, 22), (20, 32)))


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/stealing-bundles/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert [line.words for line in page.context["done"]][:9] == [
        "captures 2 cards",
        "steals the bundle, and has 4 cards",
        "captures 1 card",
        "captures 1 card",
        "stays on the table",
        "stays on the table",
        "stays on the table",
        "captures 1 card",
        "steals the bundle, and has 11 cards",
    ]
    assert "In the end Anna captures last and gets the 3 cards on the table." in text
    assert "Anna has 17 cards. Ben has 35 cards." in text
    assert "Each card of your bundle" in Client().get("/games/stealing-bundles/scoring/").content.decode()


def test_one_number_makes_the_points_and_the_rest_is_checked(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    one, _two = (str(entry) for entry in played.entries)
    assert f"Cards of {one}" in page.content.decode()
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {"total-1": "30", "save": "1"}
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [{"total": {"1": 30}}]
    assert page.context["deal"].total == {"home": 30, "away": 22}
    for wrong, said in (
        ({"winner": "2"}, "The winner has more cards."),
        ({"total-2": "21"}, "52 cards together"),
        ({"left_over": "14"}, "isn’t a whole number from 0 to 13"),
        ({"steals": "many"}, "isn’t a whole number"),
        ({"play": "7h7c"}, "isn’t a row of cards"),
    ):
        assert said in client.post(where, {**seats, **typed, **wrong}, follow=True).content.decode()


def test_the_play_makes_the_points_and_is_held_against_the_rules(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    seats = {each.html_name: each.value() for each in client.get(where).context["seats"]}
    typed = {"play": TOKENS.upper().replace("T", "10"), "save": "1"}
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [{"play": TOKENS.replace(" ", "")}]
    assert {*page.context["deal"].total.values()} == {17, 35}
    assert "7♥ 7♣ 2♣ K♦" in page.content.decode()
    swapped = TOKENS.split()
    swapped[0], swapped[4] = swapped[4], swapped[0]
    page = client.post(where, {**seats, **typed, "play": " ".join(swapped)}, follow=True)
    assert "Card 1 captures nothing, but another card in the hand would have." in page.content.decode()


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_a_sheet_that_was_played_online_is_shown_in_its_form_as_it_was(played: Played) -> None:
    own = front.of("stealing-bundles")
    content = own.played_match(Random(4), STEALING_BUNDLES.read_options({"deals": 4}), (1, 1))
    for record in (*content["deals"], {"total": {"1": 26, "2": 26}}, {"play": TOKENS.replace(" ", "")}):
        shown = own.plain_form(fixture=played.fixture, content={"deals": [record]}, deal=0)
        again = own.plain_form(shown.initial, fixture=played.fixture, content={"deals": [record]}, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_a_league_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: six deals; more deals won decide."""
    league = League(played.scene, "stealing-bundles")
    assert league.competition.rules == {"deals": 6}
    won, lost = {"total": {"1": 27, "2": 25}}, {"total": {"1": 2, "2": 50}}
    fixture = league.confirm([won, lost, won, won, lost, won])
    assert [side.score for side in fixture.sides] == [112, 200]
    assert [side.rank for side in fixture.sides] == [1, 2]
    assert league.first_in_table()
