"""The pages of Primiera and Primero: rules, scoresheets by taps, and leagues from set-up to standings."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.primiera.game import PRIMERO, PRIMIERA
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
CLAIMED = {
    "outcome": "claim",
    "winner": "3",
    "with": "fifty-five",
    "count": 65,
    "draws": 1,
    "pot": 4,
    "hands": {"2": "KsQh4d3c", "3": "As7s6sJc"},
}
RAISED = {
    "outcome": "showdown",
    "winner": "3",
    "with": "supremus",
    "count": 65,
    "put": {"1": 1, "2": 4, "3": 4, "4": 1},
    "folded": {"1": "yes", "2": "no", "3": "no", "4": "yes"},
    "pot": 10,
    "hands": {"3": "As7s6sJc"},
}


def primiera() -> Played:
    return Played(make_scene(), PRIMIERA, 4, ((3, -1, -1, -1),) * 4)


def primero() -> Played:
    return Played(make_scene(), PRIMERO, 4, ((3, -1, -1, -1),) * 4)


def draft_of(played: Played) -> Any:
    return ScoresheetDraft.objects.get(fixture=played.fixture).content["deals"]


def test_the_rules_show_deals_that_the_engine_has_played() -> None:
    for key, told in (
        ("primiera", "Clara holds a fifty-five, which is better. Clara takes the pot of 8 points."),
        ("primero", "Ben has a primiera, Clara a supremus. Clara takes the pot of 10 points."),
    ):
        page = Client().get(f"/games/{key}/")
        text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
        assert page.status_code == 200
        assert told in text
        german = Client(headers={"accept-language": "de"}).get(f"/games/{key}/").content.decode()
        assert "Was die Karten zählen" in german or "Jede Karte zählt" in german
        scoring = " ".join(
            re.sub(r"<[^>]*>", " ", Client().get(f"/games/{key}/scoring/").content.decode()).split()
        )
        assert "7 ♥ 21 6 ♥ 18 A ♥ 16" in scoring
    assert "reconstruction" in text


def test_taps_make_the_scores_of_primiera_and_nothing_of_them_is_lost() -> None:
    played = primiera()
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    seats = {each.html_name: each.value() for each in client.get(where).context["seats"]}
    tapped = {
        **seats,
        "winner": "3",
        "with": "fifty-five",
        "draws": "1",
        "count": "65",
        "pot": "4",
        "save": "1",
    }
    typed = {**tapped, "hand-2": "ks qh 4d 3c", "hand-3": "As7s6sJc"}
    page = client.post(where, typed, follow=True)
    assert draft_of(played) == [CLAIMED]
    assert [*page.context["deal"].total.values()] == [-1, -1, 3, -1]
    assert "A♠\u00a07♠\u00a06♠\u00a0J♣" in page.content.decode()
    for wrong, why in (
        ({"count": "90"}, "84"),
        ({"count": "40"}, "from 65 to 76"),
        ({"pot": "5"}, "The pot must hold 4"),
        ({"with": "flush", "count": ""}, "somebody else wins"),
        ({"total-1": "4"}, "make this -1"),
    ):
        hands = {"hand-2": "7h6h5h4h"} if "with" in wrong else {}
        said = client.post(where, {**seats, **typed, **hands, **wrong}, follow=True).content.decode()
        assert why in said
    page = client.post(where, {**seats, "winner": "-", "draws": "1", "save": "1"}, follow=True)
    assert [*page.context["deal"].total.values()] == [-1, -1, -1, -1]
    assert "equal hands" in page.content.decode()


def test_stakes_make_the_scores_of_primero_and_nothing_of_them_is_lost() -> None:
    played = primero()
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    seats = {each.html_name: each.value() for each in client.get(where).context["seats"]}
    typed = {
        **seats,
        **{f"put-{seat}": str(points) for seat, points in RAISED["put"].items()},  # type: ignore[attr-defined]
        "winner": "3",
        "with": "supremus",
        "count": "65",
        "pot": "10",
        "folded": ["1", "4"],
        "hand-3": "As7s6sJc",
        "save": "1",
    }
    page = client.post(where, typed, follow=True)
    assert draft_of(played) == [RAISED]
    assert [*page.context["deal"].total.values()] == [-1, -4, 6, -1]
    for wrong, why in (
        ({"put-2": "3"}, "has put in as much as the winner"),
        ({"put-2": "11"}, "from 1 to 10"),
        ({"winner": "1"}, "can’t win"),
        ({"with": "chorus"}, "no such hand"),
    ):
        assert why in client.post(where, {**typed, **wrong}, follow=True).content.decode()


@pytest.mark.parametrize("key", ["primiera", "primero"])
def test_what_the_form_shows_of_a_record_says_the_same_again(key: str) -> None:
    played = primiera() if key == "primiera" else primero()
    form_of = front.of(key).plain_form
    own: dict[str, Any] = {"unseen": {"outcome": "unseen", "winner": "1", "put": {"1": 3, "2": 1}}}
    for record in (
        CLAIMED if key == "primiera" else RAISED,
        {"outcome": "annulled"} if key == "primiera" else own["unseen"],
        {"total": {"1": 3, "2": -1}},
    ):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_leagues_are_set_up_from_the_pages_played_and_followed() -> None:
    scene = make_scene()
    league = League(scene, "primiera")
    assert league.competition.rules == {
        "deals": 12, "ante": 1, "second_stake": 1, "draws": 1, "best_suit": False, "sets": False,
    }  # fmt: skip
    fixture = league.confirm([{"outcome": "claim", "winner": "2", "with": "primiera", "draws": 1}] * 12)
    assert [side.score for side in fixture.sides] == [-24, 72, -24, -24]
    assert str(fixture.entries[1]) in league.first_in_table()


def test_a_league_of_primero_is_set_up_from_the_pages_played_and_followed() -> None:
    league = League(make_scene(), "primero")
    assert league.competition.rules == {"deals": 12, "ante": 1, "limit": 3, "raises": 3}
    fixture = league.confirm([{"outcome": "unseen", "winner": "4", "put": dict.fromkeys("1234", 1)}] * 12)
    assert [side.score for side in fixture.sides] == [-12, -12, -12, 36]
    assert str(fixture.entries[3]) in league.first_in_table()
