"""The pages of Kowah: its rules, a scoresheet by taps, and a league of rounds of tables from set-up to standings."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.kowah.game import KOWAH
from engine.kowah.play import is_checki
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), KOWAH, 3, ((0, 1, 0),) * 3)


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/kowah/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    turns = page.context["turns"]
    assert (turns[0].who, turns[0].cards, turns[0].drawn) == ("Ben", ["7h"], ("5s",))
    # What the page says in words stands in its cards.
    assert (turns[-1].who, turns[-1].drawn) == ("Ben", ("6d",))
    assert is_checki(page.context["hand"], "6d")
    assert "Ben’s last discard is the third card of the pair: Clara claims it and wins." in text
    assert "with the pair ace of diamonds" in text
    assert "the third card of your pair" in Client().get("/games/kowah/scoring/").content.decode()


def test_a_tap_makes_the_points_and_wrong_ones_say_why(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    names = [str(entry) for entry in played.entries]
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    page = client.post(where, {**seats, "winner": "2", "save": "1"}, follow=True)
    assert draft_of(played)["deals"] == [{"ended": "won", "winner": "2"}]
    assert [*page.context["deal"].total.values()] == [0, 1, 0]
    typed = {"winner": "2", "how": "from-3", "shown-2": "7H", "turns": "9", "save": "1"}
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [
        {"ended": "won", "winner": "2", "by": "claim", "from": "3", "shown": {"2": "7h"}, "turns": 9}
    ]
    shown = page.content.decode()
    assert f"{names[1]}: seven of hearts" in shown
    for wrong, words in (
        ({"how": "from-2"}, "Nobody claims from themselves."),
        ({"how": "stock"}, "Only a deal that was won has a winner."),
        ({"shown-2": "", "shown-1": "7h"}, "The winner must have declared."),
        ({"shown-1": "7h"}, "Where two players show the same kind nobody can get a third."),
        ({"shown-2": "9c"}, "9c"),
        ({"stock": "many"}, "many"),
    ):
        said = client.post(where, {**seats, **typed, **wrong}, follow=True).content.decode()
        assert words in said, words
    page = client.post(where, {**seats, "winner": "-", "save": "1"}, follow=True)
    assert [*page.context["deal"].total.values()] == [0, 0, 0]


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("kowah").plain_form
    for record in (
        {"ended": "won", "winner": "2", "by": "claim", "from": "3", "shown": {"2": "7h"}, "stock": 3},
        {"ended": "won", "winner": "1", "by": "draw"},
        {"ended": "stalemate", "turns": 40},
        {"total": {"1": 0, "2": 0, "3": 0}},
    ):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record
    shown = form_of(fixture=played.fixture, content={"deals": [{"total": {"1": 0, "2": 1, "3": 0}}]}, deal=0)
    assert shown.initial["winner"] == "2"


def test_a_sheet_of_paper_asks_for_the_pair(played: Played) -> None:
    page = played.client(played.users[0]).get(f"/matches/{played.fixture.pk}/scoresheet/print/")
    assert page.content.decode().count("Pair") >= 3


def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: twelve deals, and whoever wins most of them is first."""
    league = League(played.scene, "kowah", players=8)
    assert league.competition.rules == {"deals": 12}
    assert len(league.fixture.entries) == 4
    fixture = league.confirm([{"winner": "2"}] * 7 + [{"winner": "1"}] * 4 + [{"ended": "stock"}])
    assert [side.score for side in fixture.sides][:2] == [4, 7]
    assert [side.rank for side in fixture.sides][:2] == [2, 1]
    assert str(fixture.entries[1]) in league.first_in_table()
