"""The pages of Fünfzehnern: its rules, a scoresheet by what was taken, and a league of rounds of tables."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.fuenfzehnern.game import FUENFZEHNERN
from games import front
from games.fuenfzehnern.rules_page import TOKENS
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), FUENFZEHNERN, 4, ((10, 5, 0, -15),) * 2)


def test_the_rules_show_a_deal_that_the_engine_has_scored() -> None:
    page = Client().get("/games/fuenfzehnern/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    tricks = page.context["tricks"]
    assert len(tricks) == 8
    # What the page says in words stands in its cards.
    assert tricks[0].cards == ["Qd", "Ad", "Jd"]
    assert tricks[0].words == "says “Zwang”; Clara takes it"
    assert (tricks[1].who, tricks[1].cards[0], tricks[1].cards[2]) == ("Clara", "8d", "Kd")
    assert "Anna takes 21 points and scores +6." in text
    assert "Clara takes 10 points and scores −5." in text
    assert "5" in Client().get("/games/fuenfzehnern/scoring/").content.decode()


def test_what_was_taken_makes_the_scores_and_the_last_one_follows(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    names = [str(entry) for entry in played.entries]
    assert f"Tricks of {names[3]}" in page.content.decode()
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {"taken-1": "25", "taken-2": "20", "taken-3": "15", "save": "1"}
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [{"taken": {"1": 25, "2": 20, "3": 15}}]
    assert [*page.context["deal"].total.values()] == [10, 5, 0, -15]
    assert f"{names[0]}\u00a025" in page.content.decode()
    said = client.post(where, {**seats, **typed, "taken-4": "1"}, follow=True).content.decode()
    assert "The total is 61. It must be 60." in said
    said = client.post(where, {**seats, **typed, "tricks-1": "0"}, follow=True).content.decode()
    assert "A player without a trick can’t take points." in said
    page = client.post(where, {**seats, **typed, "total-1": "11"}, follow=True)
    assert "The score must be what was taken less 15." in page.content.decode()
    assert page.context["form"].has_more()


def test_the_play_makes_everything_and_stands_there_as_it_was_typed(played: Played) -> None:
    three = Played(played.scene, FUENFZEHNERN, 3, ((0, 0, 0),))
    where = f"/matches/{three.fixture.pk}/scoresheet/plain/1/"
    client = three.client(three.users[0])
    seats = {each.html_name: each.value() for each in client.get(where).context["seats"]}
    page = client.post(where, {**seats, "play": TOKENS.upper().replace("T", "10"), "save": "1"}, follow=True)
    assert draft_of(three)["deals"] == [{"play": TOKENS.replace(" ", "")}]
    assert sum(page.context["deal"].total.values()) == 0
    assert page.context["form"]["play"].value() == TOKENS.replace(" ", "")
    assert "Q♦! A♦ J♦" in page.content.decode()


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_three_players_have_six_deals_and_four_have_eight(played: Played) -> None:
    competition = played.fixture.round.competition
    competition.rules = FUENFZEHNERN.read_options({})
    competition.save()
    client = played.client(played.users[0])
    (sheet,) = client.get(f"/matches/{played.fixture.pk}/scoresheet/print/").context["sheets"]
    assert len(sheet.deals) == 8
    three = Played(played.scene, FUENFZEHNERN, 3, ((0, 0, 0),))
    three.fixture.round.competition.rules = FUENFZEHNERN.read_options({})
    three.fixture.round.competition.save()
    page = three.client(three.users[0]).get(f"/matches/{three.fixture.pk}/scoresheet/plain/1/")
    assert len(page.context["tabs"]) == 6


def test_a_record_is_shown_in_the_form_as_it_was(played: Played) -> None:
    form_of = front.of("fuenfzehnern").plain_form
    record = {
        "taken": {"1": 25, "2": 20, "3": 15, "4": 0}, "tricks": {"1": 4, "2": 3, "3": 1, "4": 0},
        "total": {"1": 10, "2": 5, "3": 0, "4": -15},
    }  # fmt: skip
    content = {"deals": [record]}
    shown = form_of(fixture=played.fixture, content=content, deal=0)
    again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
    assert again.is_valid()
    assert again.record() == record


def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As its page has it: everybody deals twice, and the highest sum is first."""
    league = League(played.scene, "fuenfzehnern", players=8)
    assert league.competition.rules == {"deals": 0}
    count = len(league.fixture.entries)
    assert count == 4
    fixture = league.confirm([{"taken": {"1": 0, "2": 15, "3": 20, "4": 25}}] * 8)
    assert [side.score for side in fixture.sides] == [-120, 0, 40, 80]
    assert [side.rank for side in fixture.sides] == [4, 3, 2, 1]
    assert str(fixture.entries[3]) in league.first_in_table()
