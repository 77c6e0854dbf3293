"""The pages of Play or Pay: its rules, a scoresheet by taps, and a league of rounds of tables."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.play_or_pay.game import PLAY_OR_PAY
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), PLAY_OR_PAY, 4, ((-7, 21, -7, -7),) * 4)


def in_words(page: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/play-or-pay/")
    assert page.status_code == 200
    hearts, spades, diamonds = page.context["sequences"]
    # What the page says in words stands in its cards.
    assert (hearts.who, hearts.cards[0], hearts.cards[-1], len(hearts.cards)) == ("Ben", "8h", "7h", 13)
    assert (spades.who, spades.cards[-1]) == ("Ben", "Js")
    assert (diamonds.who, diamonds.cards[-1]) == ("David", "4d")
    assert "Anna paid 3, has cards left: 0, and scores +55." in in_words(page)
    assert "David paid 13, has cards left: 9, and scores −22." in in_words(page)
    assert "Each card you have left" in Client().get("/games/play-or-pay/scoring/").content.decode()


def test_what_was_paid_and_held_makes_the_scores(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    names = [str(entry) for entry in played.entries]
    page = client.get(where)
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {
        "winner": "2", "paid-1": "4", "left-1": "3", "paid-3": "6", "left-3": "1", "paid-4": "2", "left-4": "5",
        "save": "1",
    }  # fmt: skip
    page = client.post(where, {**seats, **typed}, follow=True)
    paid, left = {"1": 4, "3": 6, "4": 2}, {"1": 3, "3": 1, "4": 5}
    assert draft_of(played)["deals"] == [{"winner": "2", "paid": paid, "left": left}]
    assert [*page.context["deal"].total.values()] == [-7, 21, -7, -7]
    assert f"{names[0]} 4, {names[2]} 6" in in_words(page)
    assert not page.context["form"].has_typed()
    for wrong, sentence in (
        ({"left-2": "1"}, "The winner has no cards left."),
        ({"left-1": "0"}, "Only the winner has no cards left."),
        ({"left-1": "14"}, "13"),
        ({"total-1": "-8"}, "The other entries make this"),
    ):
        assert sentence in in_words(client.post(where, {**seats, **typed, **wrong}, follow=True))


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("play-or-pay").plain_form
    for record in (
        {"winner": "2"},
        {"winner": "1", "paid": {"1": 0, "2": 3}, "left": {"2": 2}, "total": {"1": 5, "2": -5}},
    ):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As its preset has it: six deals, no league points; the highest sum is first."""
    league = League(played.scene, "play-or-pay", players=8)
    assert league.competition.rules == {"deals": 6}
    assert league.competition.points == {"by": "rank", "places": [0, 0]}
    count = len(league.fixture.entries)
    assert count in {3, 4, 5}
    lost = {str(seat): seat for seat in range(1, count)}
    fixture = league.confirm([{"winner": str(count), "paid": lost, "left": lost}] * 6)
    won = sum(lost.values())
    assert [side.score for side in fixture.sides] == [-12 * seat for seat in range(1, count)] + [12 * won]
    assert fixture.sides[count - 1].rank == 1
    assert str(fixture.entries[count - 1]) in league.first_in_table()
