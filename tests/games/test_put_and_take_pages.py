"""The pages of Put and Take: its rules, a scoresheet by points or cards, and a league that gives no points."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.put_and_take.game import PUT_AND_TAKE
from games import front
from games.models import ScoresheetDraft
from league.models import StandingsTable
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
#: The first seat deals. By these cards the second seat pays twice 1 and takes 5, the others pay and take nothing.
CARDS = {
    "put": "9c4dKs8h2s",
    "take": "3hTd6s7cAs",
    "hands": {"2": "AhQh9d9hQs", "3": "JsJhJdJcQd", "4": "Qc5s5h5d5c"},
}
TOTAL = [-3, 3, 0, 0]


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), PUT_AND_TAKE, 4, ((0, 0, 0, 0),) * 4)


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/put-and-take/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert page.context["scores"] == [("Anna", -6), ("Ben", 7), ("Clara", 1), ("David", -2)]
    assert "The pot lacked 6 points, which Anna paid." in text
    assert [line.who for line in page.context["turned"]][4:6] == ["Put 5", "Take 1"]
    german = Client(headers={"accept-language": "de"}).get("/games/put-and-take/").content.decode()
    assert "The pot lacked" not in german
    assert "Card 5" in Client().get("/games/put-and-take/scoring/").content.decode()


def test_the_cards_make_the_points_and_nothing_of_them_is_lost(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    seats = {each.html_name: each.value() for each in client.get(where).context["seats"]}
    typed = {"put": "9c 4d ks 8h 2s", "take": CARDS["take"], "save": "1"}
    typed |= {f"hand-{seat}": hand for seat, hand in CARDS["hands"].items()}  # type: ignore[attr-defined]
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [CARDS]
    assert [*page.context["deal"].total.values()] == TOTAL
    assert "9♣\xa04♦\xa0K♠\xa08♥\xa02♠" in page.content.decode()
    wrong = {
        "dealer": ("2", "deals this one"),
        "total-2": ("5", "The other entries make this 3"),
        "total-3": ("30", "Nobody but the dealer wins or loses more than 29"),
        "hand-3": ("JsJhJdJc9c", "A card is there twice"),
        "hand-1": ("KcKdKh2c2d", "The dealer has no cards"),
    }
    for name, (text, told) in wrong.items():
        said = client.post(where, {**seats, **typed, name: text}, follow=True).content.decode()
        assert told in said, name


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("put-and-take").plain_form
    for record in (CARDS, {**CARDS, "dealer": "1"}, {"total": {"1": 1, "2": -3}}):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_a_league_counts_points_in_the_deals_and_gives_none_of_the_league(played: Played) -> None:
    """As the preset has it: six deals, and no league points unless the director says otherwise."""
    league = League(played.scene, "put-and-take", players=8)
    assert league.competition.rules == {"deals": 6, "doubling": False}
    assert [*map(str, league.competition.points["places"])] == ["0", "0"]
    count = len(league.fixture.entries)
    deal = {"total": {str(seat): 1 for seat in range(1, count)} | {str(count): 1 - count}}
    fixture = league.confirm([deal] * 6)
    assert [side.score for side in fixture.sides] == [*[6] * (count - 1), 6 * (1 - count)]
    table = StandingsTable.objects.get(division__stage=league.competition.stage, after_round=0).content
    assert {str(row["metrics"]["league_points"]) for row in table["rows"]} == {"0"}
    assert [side.rank for side in fixture.sides] == [*[1] * (count - 1), count]
