"""The pages of Poch: its rules, a scoresheet by taps, and a league of rounds of tables from set-up to standings."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.poch.game import POCH_FOR_MANY
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
FIRST = {
    "best": {"A": "2", "K": "4", "Q": "4", "marriage": "4", "poch": "1"},
    "stakes": {"1": 2, "2": 1, "4": 2},
    "out": "1",
    "left": {"2": 3, "3": 5, "4": 1},
}
#: 7 for the board, the stakes, what was paid, and the cards left: 4 points lay on each place, 5 on the poch.
TOTAL = [-7 - 2 + 5 + 9, -7 - 1 + 4 - 3, -7 - 5, -7 - 2 + 12 - 1]


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), POCH_FOR_MANY, 4, ((0, 0, 0, 0),) * 4)


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/poch/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    # What the page says in words stands in its cards.
    assert page.context["paid"] == [
        ("Ace", "Anna"), ("King", "David"), ("Queen", "David"),
        ("Jack", "Clara"), ("Ten", "Clara"), ("Marriage", "David"),
    ]  # fmt: skip
    assert page.context["up"] == "7s"
    sequences = [[(line.who, *line.cards) for line in sequence] for sequence in page.context["sequences"]]
    assert sequences[0][0] == ("Anna", "8d")
    assert sequences[-1] == [("Anna", "Ad")]
    assert page.context["left"] == [("Ben", 1), ("Clara", 5), ("David", 4)]
    assert "Anna’s aces beat David’s queens and Clara’s eights" in text
    assert page.context["scores"] == [("Anna", 9), ("Ben", -8), ("Clara", -5), ("David", 0)]
    assert "The deal is worth: Anna +9 , Ben −8 , Clara −5 , David 0 ." in text
    german = Client(headers={"accept-language": "de"}).get("/games/poch/").content.decode()
    assert "Asse" in german
    assert "aces beat" not in german
    assert "Marriage" in Client().get("/games/poch/scoring/").content.decode()


def test_taps_make_the_points_and_nothing_of_them_is_lost(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {
        "best-A": "2", "best-K": "4", "best-Q": "4", "best-poch": "1", "out": "1", "save": "1",
        "stakes-1": "2", "stakes-2": "1", "stakes-4": "2", "left-2": "3", "left-3": "5", "left-4": "1",
    }  # fmt: skip
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [FIRST]
    assert [*page.context["deal"].total.values()] == TOTAL
    assert page.context["form"]["best-K"].value() == "4"
    assert f"marriage {played.entries[3]}" in page.content.decode()
    wrong = {
        "up": ("KD", "has the card that was turned up"),
        "left-2": ("0", "who is out has no cards left"),
        "stakes-3": ("99", "Nobody can stake more than"),
        "total-1": ("8", "The other entries make this"),
        "board-A": ("4", "What was paid out holds nothing"),
    }
    for name, (text, told) in wrong.items():
        said = client.post(where, {**seats, **typed, name: text}, follow=True).content.decode()
        assert told in said, name


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("poch").plain_form
    for record in (
        FIRST,
        {**FIRST, "vying": "shown", "up": "Jd", "trump": "d", "board": {"A": 0, "T": 4}},
        {"total": {"1": 1, "2": -3}},
    ):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: stakes up to 3, and everybody deals twice."""
    league = League(played.scene, "poch", players=8)
    assert league.competition.rules == {"deals": 0, "limit": 3, "raises": 3, "sequence_chip": False}
    fixture = league.fixture
    count = len(fixture.entries)
    # The last player takes ace and poch each time and is out, with all others holding two cards.
    last = str(count)
    deal = {
        "best": {"A": last, "poch": last},
        "stakes": {last: 1},
        "out": last,
        "left": {str(seat): 2 for seat in range(1, count)},
    }
    fixture = league.confirm([deal] * (2 * count))
    each = -7 + count + 2 * (count - 1)
    assert [side.score for side in fixture.sides] == [*[-9 * 2 * count] * (count - 1), 2 * count * each]
    assert [side.rank for side in fixture.sides][-1] == 1
    assert str(fixture.entries[-1]) in league.first_in_table()
