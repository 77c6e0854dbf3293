"""The pages of Conquian: its rules, a scoresheet by a tap, and a league on common boards from set-up to table."""

import re
from random import Random
from typing import Any

import pytest
from django.test import Client

from engine.conquian.game import CONQUIAN
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), CONQUIAN, 2, ((1, 0), (0, 0)))


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/conquian/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert [line.words for line in page.context["done"]][:3] == [
        "takes the card and lays 2",
        "discards",
        "passes",
    ]
    assert "both pass" in text
    assert sum(len(meld) for meld in page.context["melds"]) == 11
    assert "Ben has eleven cards down and scores 1 point." in text
    assert "Eleven cards down" in Client().get("/games/conquian/scoring/").content.decode()


def test_a_tap_makes_the_points_and_the_rest_is_checked(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    one, _two = (str(entry) for entry in played.entries)
    assert f"Melds of {one}" in page.content.decode()
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {"winner": "1", "save": "1"}
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [{"winner": "1"}]
    assert page.context["deal"].total == {"home": 1, "away": 0}
    typed |= {"melds-1": "4C 5c", "left-2": "3", "turned": "12"}
    assert "neither a set nor a run" in client.post(where, {**seats, **typed}, follow=True).content.decode()
    typed["melds-1"] = "4c5c6c7C, 2s2h2d;  JdQdKd7D"
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"][0]["melds"] == {"1": ["4c5c6c7c", "2s2h2d", "JdQdKd7d"]}
    assert page.context["form"]["melds-1"].value() == "4c5c6c7c 2s2h2d JdQdKd7d"
    text = page.content.decode().replace("\u00a0", " ")
    assert "K♦ Q♦ J♦ 7♦" in text
    typed["melds-1"] = "4c5c6c"
    assert "eleven cards down, not 3" in client.post(where, {**seats, **typed}, follow=True).content.decode()


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_a_sheet_that_was_played_online_is_shown_in_its_form_as_it_was(played: Played) -> None:
    content = front.of("conquian").played_match(Random(4), CONQUIAN.read_options({"deals": 4}), (1, 1))
    form_of = front.of("conquian").plain_form
    for record in (*content["deals"], {"total": {"1": 0, "2": 1}}, {"total": {"1": 0, "2": 0}}):
        shown = form_of(fixture=played.fixture, content={"deals": [record]}, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content={"deals": [record]}, deal=0)
        assert again.is_valid()
        told = CONQUIAN.read_result(again.record())
        assert not told.problems
        assert dict(told.total) == record["total"]
        assert {**again.record(), "total": record["total"]} == {"winner": told.as_json()["winner"], **record}


def test_a_league_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: seven common boards."""
    league = League(played.scene, "conquian")
    assert league.competition.rules == {"deals": 7, "target": 0}
    assert [each.board.number for each in league.fixture.boards.order_by("position")] == [*range(1, 8)]
    fixture = league.confirm(
        [{"winner": "2"}] * 3 + [{"winner": "-"}] * 2 + [{"winner": "1"}, {"total": {"1": 0, "2": 1}}]
    )
    assert [side.score for side in fixture.sides] == [1, 4]
    assert [side.rank for side in fixture.sides] == [2, 1]
    assert str(fixture.entries[1]) in league.first_in_table()
