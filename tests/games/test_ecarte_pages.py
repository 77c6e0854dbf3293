"""The pages of Écarté: its rules, a scoresheet by taps, and a league of two players from the set-up to the table."""

import re
from random import Random
from typing import Any

import pytest
from django.test import Client

from engine.ecarte.game import ECARTE
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
POINT = {"tricks": {"1": 3, "2": 2}, "king": "-", "turned_king": "-", "vulnerable": "2"}


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), ECARTE, 2, ((2, 0), (1, 1), (0, 3)))


def test_the_rules_show_a_deal_that_the_engine_has_scored() -> None:
    page = Client().get("/games/ecarte/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert [line.words for line in page.context["said"]][-2:] == ["refuses", "shows the king of trumps"]
    assert "Ben takes it" in text
    assert "Anna has 3 tricks, Ben 2" in text
    assert "the deal ends 1 to 1" in text
    assert "The vole: all five tricks" in Client().get("/games/ecarte/scoring/").content.decode()
    assert "best of five games" in Client().get("/games/").content.decode()


def test_taps_make_the_points_and_nothing_of_them_is_lost(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    one, two = (str(entry) for entry in played.entries)
    # The fields name the players, as the sides are single players.
    assert f"Tricks, {one} first" in page.content.decode()
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {"tricks": "3", "king": "-", "vulnerable": "2", "save": "1"}
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [POINT]
    form, text = page.context["form"], page.content.decode()
    assert [form[name].value() for name in ("tricks", "king", "vulnerable")] == ["3", "-", "2"]
    assert page.context["deal"].total == {"home": 2, "away": 0}
    assert f"{one}\u00a03, {two}\u00a02" in text
    wrong = client.post(where, {**seats, **typed, "exchanges": "2"}, follow=True).content.decode()
    assert "After an exchange nobody is vulnerable." in wrong
    typed = {
        "tricks": "5",
        "king": "turned-1",
        "vulnerable": "-",
        "exchanges": "1",
        "turned": "KD",
        "save": "1",
    }
    page = client.post(where, {**seats, **typed}, follow=True)
    assert page.context["deal"].total == {"home": 3, "away": 0}
    assert page.context["form"]["king"].value() == "turned-1"
    assert "king of diamonds" in page.content.decode()
    refused = client.post(where, {**seats, **typed, "king": "turned-2"}, follow=True).content.decode()
    assert "counts for the dealer" in refused


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_a_sheet_that_was_played_online_is_shown_in_its_form_as_it_was(played: Played) -> None:
    """Whatever robots make of deals: what the form shows of them, sent again, says the same."""
    content = front.of("ecarte").played_match(Random(4), {"target": 0, "deals": 12, "games": 1}, (1, 1))
    form_of = front.of("ecarte").plain_form
    for number, record in enumerate(content["deals"]):
        shown = form_of(fixture=played.fixture, content=content, deal=number)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=number)
        assert again.is_valid()
        told = ECARTE.read_result({**again.record(), "dealer": record["dealer"]})
        assert not told.problems
        assert dict(told.total) == record["total"]
        assert told.score is not None
        read = ECARTE.read_result(record).score
        assert read is not None
        assert told.score.as_json().get("marks") == read.as_json().get("marks")


def test_a_match_of_games_is_played_by_the_demo_to_its_end() -> None:
    options = ECARTE.read_options({"games": 3})
    content = front.of("ecarte").played_match(Random(1), options, (2, 0))
    checked = ECARTE.check_sheet(content, content["first_dealer"], options)
    assert not [problem for problem in checked.problems if problem.refuses]
    assert checked.result.is_over
    assert max(checked.result.total.values()) == 3


def test_the_paper_has_room_for_a_match_to_a_target(played: Played) -> None:
    competition = played.fixture.round.competition
    competition.rules = ECARTE.read_options({"games": 3})
    competition.save()
    page = played.client(played.users[0]).get(f"/matches/{played.fixture.pk}/scoresheet/print/")
    (sheet,) = page.context["sheets"]
    assert len(sheet.deals) == 16
    assert "Vulnerable" in page.content.decode()


def test_a_league_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: games to 5, the best of five."""
    league = League(played.scene, "ecarte")
    assert league.competition.rules == {"target": 5, "deals": 0, "games": 3}
    vole = {"tricks": {"1": 0, "2": 5}, "king": "2", "vulnerable": "1"}
    fixture = league.confirm([POINT] * 3 + [vole, {"total": {"1": 0, "2": 1}}] * 3)
    assert [side.score for side in fixture.sides] == [1, 3]
    assert [side.rank for side in fixture.sides] == [2, 1]
    page = league.director.get(f"/matches/{fixture.pk}/").content.decode()
    assert "King shown" in page
    assert "Games won" in page
    assert str(fixture.entries[1]) in league.first_in_table()
