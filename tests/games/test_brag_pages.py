"""The pages of the three games of Brag: their rules, a scoresheet by taps, and a league from set-up to standings."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.brag.game import NINE_CARDS, SEVEN_CARDS, SIX_CARDS
from games import front
from games.models import ScoresheetDraft
from games.tables.queries import labels
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), NINE_CARDS, 3, ((2, -1, -1), (-1, -1, -1), (-1, 5, -1), (2, -1, -1)))


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("brag-nine", "Clara’s prial of aces and her run are the best in their places"),
        ("brag-seven", "Ben and Clara have the same run"),
        ("brag-six", "Anna and Clara have the same run"),
    ],
)
def test_the_rules_show_a_deal_that_the_engine_has_played(key: str, said: str) -> None:
    page = Client().get(f"/games/{key}/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert said in text
    assert "Anna −1, Ben −1, Clara +2." in text
    anna, ben, clara = page.context["dealt"]
    assert {card for each in (anna, ben, clara) for hand in each.hands for card in hand.cards} <= {
        card for each in (anna, ben, clara) for card in each.cards
    }
    if key == "brag-nine":
        assert [hand.is_best for hand in clara.hands] == [True, True, False]
        assert [hand.is_best for hand in anna.hands] == [False, False, True]
        assert anna.hands[2].name == "flush"
    else:
        level = {"brag-seven": ben, "brag-six": anna}[key]
        assert level.hands[0].is_level
        assert clara.hands[0].is_level
        assert clara.hands[1].is_best
    # Each example of a kind is one, the best first.
    assert [name for _cards, name in page.context["kinds"]][:2] == ["prial", "running flush"]
    assert "the pot − 1" in Client().get(f"/games/{key}/scoring/").content.decode()


def test_a_tap_makes_the_points_and_the_pot_is_carried(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain"
    client = played.client(played.users[0])
    names = [str(entry) for entry in played.entries]
    page = client.get(f"{where}/1/")
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    page = client.post(f"{where}/1/", {**seats, "winner": "-", "save": "1"}, follow=True)
    assert [*page.context["deal"].total.values()] == [-1, -1, -1]
    page = client.post(f"{where}/2/", {**seats, "winner": "3", "save": "1"}, follow=True)
    assert draft_of(played)["deals"] == [{"outcome": "stays"}, {"outcome": "won", "winner": "3"}]
    assert [*page.context["deal"].total.values()] == [-1, -1, 5]
    assert f"Who takes the pot {names[2]}" in in_words(page)
    page = client.post(
        f"{where}/3/",
        {**seats, "winner": "1", "at_once": "four-of-a-kind", "fours-1": "10", "save": "1"},
        follow=True,
    )
    assert draft_of(played)["deals"][2] == {"outcome": "four-of-a-kind", "winner": "1", "fours": {"1": "T"}}
    assert [*page.context["deal"].total.values()] == [2, -1, -1]
    assert f"{names[0]}, four of a kind" in in_words(page)


def test_hands_that_were_laid_are_held_against_what_was_tapped(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {
        "hands-1": "QC jc 10c 5s3s4c, khjh9h", "hands-2": "8c7c6c/KsTs6s/Ah6d3c", "hands-3": "AsAdAc QsKdJd 2h8d2d",
        "winner": "3", "save": "1",
    }  # fmt: skip
    said = in_words(client.post(where, {**seats, **typed}, follow=True))
    assert "must be 3 hands of three cards" in said
    typed["hands-1"] = "QC jc 10c 5s3s4c khjh9h"
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"][0]["hands"]["1"] == "QcJcTc/5s3s4c/KhJh9h"
    assert [*page.context["deal"].total.values()] == [-1, -1, 2]
    assert page.context["form"].has_typed()
    for wrong, sentence in (
        ({"winner": "1"}, "By the hands laid this isn’t how the deal ended."),
        ({"points-1": "2"}, "By the hands laid this player wins 1."),
        ({"pot": "4"}, "The pot must hold 3: what stayed before, and the antes."),
        ({"hands-2": "8c7c6c KsTs6s Ah6dAc"}, "A card is there twice."),
        (
            {"winner": "-", "at_once": "four-of-a-kind"},
            "With four of a kind somebody takes the pot: say who.",
        ),
        ({"at_once": "four-pairs"}, "Nobody wins a pot that stays."),
    ):
        assert sentence in in_words(client.post(where, {**seats, **typed, **wrong}, follow=True))


def in_words(page: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("brag-nine").plain_form
    for record in (
        {"outcome": "stays", "pot": 3},
        {"outcome": "four-pairs", "total": {"1": -1, "2": -1, "3": -1}},
        {"outcome": "four-of-a-kind", "winner": "2", "fours": {"2": "9", "3": "T"}, "pot": 3},
        {
            "outcome": "won", "winner": "3", "points": {"1": 1, "2": 0, "3": 2},
            "hands": {"1": "QcJcTc/5s3s4c/KhJh9h", "3": "AsAdAc/QsKdJd/2h8d2d"},
        },
    ):  # fmt: skip
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_no_four_pairs_with_six_or_seven_cards() -> None:
    scene = make_scene()
    for offered in (SIX_CARDS, SEVEN_CARDS):
        played = Played(scene, offered, 2, ((1, -1),) * 4)
        page = played.client(played.users[0]).get(f"/matches/{played.fixture.pk}/scoresheet/plain/1/")
        assert [key for key, _name in page.context["form"].fields["at_once"].choices] == [
            "",
            "four-of-a-kind",
        ]


def test_a_hand_is_sorted_by_rank_with_the_best_card_first() -> None:
    for key, first in (("brag-nine", "9A"), ("brag-seven", "7A"), ("brag-six", "6A")):
        order = labels.table_labels(key)["order"]
        assert order["by"] == "rank"
        assert order["ranks"].startswith(first)


@pytest.mark.parametrize("key", ["brag-nine", "brag-seven", "brag-six"])
def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(key: str) -> None:
    """As the preset has it: twelve deals, ante 1; whoever has most points is first."""
    league = League(make_scene(), key, players=8)
    assert league.competition.rules == {"deals": 12, "ante": 1}
    count = len(league.fixture.entries)
    last = str(count)
    stays: dict[str, Any] = {"outcome": "stays"}
    fixture = league.confirm([stays] * 4 + [{"outcome": "won", "winner": last}] + [{"winner": "1"}] * 7)
    assert fixture.sides[0].score == 7 * (count - 1) - 5
    assert fixture.sides[-1].score == 5 * count - 12
    assert fixture.sides[0].rank == 1
    assert str(fixture.entries[0]) in league.first_in_table()


def test_paper_has_room_for_the_pot(played: Played) -> None:
    (sheet,) = (
        played.client(played.users[0])
        .get(f"/matches/{played.fixture.pk}/scoresheet/print/")
        .context["sheets"]
    )
    assert len(sheet.deals) == 4
