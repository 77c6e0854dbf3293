"""The pages of Bouillotte: its rules, a scoresheet by taps, and a league from set-up to standings."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.bouillotte.game import BOUILLOTTE
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
CARRE = {
    "dealer": "4",
    "outcome": "showdown",
    "winner": "2",
    "with": "brelan-carre",
    "put": {"1": 0, "2": 4, "3": 0, "4": 4},
    "folded": {"1": "yes", "2": "no", "3": "yes", "4": "no"},
    "side": {"2": 2},
    "up": "9s",
    "hands": {"2": "9h9d9c"},
    "pot": 8,
}


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), BOUILLOTTE, 4, ((1, -1, 0, 0),) * 4)


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/bouillotte/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert "Hearts are the best suit, and Clara holds their ace." in text
    assert "Clara takes the pot of 12 points." in text
    assert dict(page.context["made"]) == {"Anna": -5, "Ben": 0, "Clara": 7, "David": -2}
    assert "spades 31 , hearts 38 , diamonds 27 , clubs 29" in text
    german = Client(headers={"accept-language": "de"}).get("/games/bouillotte/").content.decode()
    assert "Wer gewinnt" in german
    assert "brelan" in Client().get("/games/bouillotte/scoring/").content.decode()


def draft_of(played: Played) -> Any:
    return ScoresheetDraft.objects.get(fixture=played.fixture).content["deals"]


def test_taps_and_stakes_make_the_scores_and_nothing_of_them_is_lost(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {
        "winner": "2",
        "with": "brelan-carre",
        "folded": ["1", "3"],
        "dealer": "4",
        "up": "9S",
        "pot": "8",
        "put-1": "0",
        "put-2": "4",
        "put-3": "0",
        "put-4": "4",
        "hand-2": "9H 9d 9c",
        "save": "1",
    }
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played) == [CARRE]
    assert [*page.context["deal"].total.values()] == [-2, 10, -2, -6]
    text = page.content.decode()
    assert "brelan carré" in text
    assert "9♥\u00a09♦\u00a09♣" in text
    assert page.context["form"]["folded"].value() == ["1", "3"]
    wrongs = (
        ({"folded": ["2", "3"]}, "can’t win"),
        ({"put-4": "3"}, "have put in the same"),
        ({"put-2": "31"}, "30"),
        ({"pot": "9"}, "The pot must hold 8"),
        ({"hand-2": "9h9dKc"}, "no such hand"),
        ({"total-1": "5"}, "make this -2"),
    )
    for wrong, why in wrongs:
        assert why in client.post(where, {**seats, **typed, **wrong}, follow=True).content.decode()


def test_when_all_folded_two_taps_are_enough_and_the_same_player_deals_again(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    seats = {each.html_name: each.value() for each in client.get(where).context["seats"]}
    dealer = seats["first_dealer"]
    typed = {**seats, "winner": "-", "dealer": dealer, "save": "1"}
    page = client.post(where, typed, follow=True)
    assert draft_of(played) == [{"outcome": "passed-out", "dealer": dealer}]
    assert sorted(page.context["deal"].total.values()) == [-1, 0, 0, 0]
    assert "all folded" in page.content.decode()
    second = client.get(where.replace("/1/", "/2/"))
    assert second.context["sheet"].deals[1].dealer.key == dealer


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("bouillotte").plain_form
    for record in (
        CARRE,
        {"outcome": "passed-out", "dealer": "1"},
        {"outcome": "unseen", "winner": "3", "put": {"1": 1, "2": 0, "3": 3, "4": 0}},
        {"outcome": "showdown", "winner": "3", "with": "point", "side": {"1": 1}},
        {"total": {"1": 1, "2": -3}},
    ):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: sixteen deals, ante 1; more points are better."""
    league = League(played.scene, "bouillotte")
    assert league.competition.rules == {"deals": 16, "ante": 1}
    won = {"outcome": "unseen", "winner": "2", "put": {"1": 1, "2": 3, "3": 0, "4": 2}}
    fixture = league.confirm([won] * 16)
    assert [side.score for side in fixture.sides] == [-16, 48, 0, -32]
    assert [side.rank for side in fixture.sides] == [3, 1, 2, 4]
    assert str(fixture.entries[1]) in league.first_in_table()
    paper = league.director.get(f"/matches/{fixture.pk}/scoresheet/print/")
    assert [len(sheet.deals) for sheet in paper.context["sheets"]] == [16]
