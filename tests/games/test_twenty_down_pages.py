"""The pages of Twenty Down: its rules, a scoresheet by taps, and a league from set-up to standings."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.twenty_down.game import TWENTY_DOWN
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
#: Three are in: seat 1 without a trick, seat 3 is out.
TAPPED = {"trump": "c", "tricks-1": "0", "tricks-2": "3", "tricks-3": "out", "tricks-4": "2"}
DEAL = {
    "trump": "c",
    "in": {"1": "yes", "2": "yes", "3": "no", "4": "yes"},
    "tricks": {"1": 0, "2": 3, "3": 0, "4": 2},
}


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), TWENTY_DOWN, 4, ((5, -3, 0, -2),) * 4)


def test_the_rules_show_a_deal_that_the_engine_has_scored() -> None:
    page = Client().get("/games/twenty-down/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    tricks = page.context["tricks"]
    assert len(tricks) == 5
    assert (tricks[0].who, tricks[0].cards, tricks[0].words) == ("Ben", ["Ac", "Qc", "7c"], "Ben takes it")
    assert "Clara is in, David is out, Anna is in. Three play the tricks:" in text
    assert "Anna has 3 tricks: −3." in text
    assert "Clara has 0 tricks: +5." in text
    assert "in, but without a trick" in Client().get("/games/twenty-down/scoring/").content.decode()


def test_a_tap_for_each_player_makes_the_points(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    names = [str(entry) for entry in played.entries]
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {**TAPPED, "save": "1"}
    page = client.post(where, {**seats, **typed, "running-1": "25"}, follow=True)
    assert draft_of(played)["deals"] == [{**DEAL, "running": {"1": 25}}]
    assert [*page.context["deal"].total.values()] == [5, -3, 0, -2]
    shown = page.content.decode()
    assert f"{names[1]}\u00a03, {names[3]}\u00a02" in shown
    for wrong, words in (
        ({"tricks-4": "1"}, "The total is 4. It must be 5."),
        ({"trump": "d"}, "With diamonds, and from the ninth deal on, everybody is in."),
        ({"tricks-2": "out", "tricks-4": "5"}, "Eldest is always in."),
        ({"total-2": "-2"}, "The other entries make this -3."),
        ({"running-1": "20"}, "The running total must be 25."),
        ({"running-1": "many"}, "many"),
    ):
        said = client.post(where, {**seats, **typed, **wrong}, follow=True).content.decode()
        assert words in said.replace("−", "-"), words


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("twenty-down").plain_form
    for record in (
        DEAL,
        {"in": {"1": "yes"}},
        {"total": {"1": 5, "2": -3}, "running": {"1": 25, "2": 17}},
    ):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_a_sheet_of_paper_asks_for_trumps_and_tricks(played: Played) -> None:
    page = played.client(played.users[0]).get(f"/matches/{played.fixture.pk}/scoresheet/print/")
    assert page.content.decode().count("Tricks") >= 4


def test_a_league_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: from 20 down to 0, and the lowest total is first."""
    league = League(played.scene, "twenty-down", players=4)
    assert league.competition.rules == {"start": 20, "deals": 24}
    deal = {
        **DEAL,
        "trump": "h",
        "in": dict.fromkeys("1234", "yes"),
        "tricks": {"1": 0, "2": 1, "3": 2, "4": 2},
    }
    fixture = league.confirm([deal] * 5)
    assert [side.score for side in fixture.sides] == [70, 10, 0, 0]
    assert [side.rank for side in fixture.sides] == [4, 3, 1, 1]
    assert league.first_in_table()
