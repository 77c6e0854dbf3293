"""The pages of Pontoon: its rules, a scoresheet by hands, and a league of rounds of tables from set-up to standings."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.pontoon.game import PONTOON
from games import front
from games.models import ScoresheetDraft
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
#: The first seat banks with 20: a pontoon, a hand that was split, and a lower total.
FIRST = {
    "hands": {
        "1": [{"kind": "plain", "total": 20}],
        "2": [{"kind": "pontoon", "stake": 3}],
        "3": [{"kind": "plain", "total": 21, "stake": 2}, {"kind": "bust", "stake": 2}],
        "4": [{"kind": "plain", "total": 19, "stake": 8}],
    },
}
TOTAL = [8 - 6, 6, 0, -8]


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), PONTOON, 4, ((0, 0, 0, 0),) * 4)


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/pontoon/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    # What the page says in words stands in its cards.
    assert [(name, words) for name, _cards, words in page.context["ends"]] == [
        ("Ben", "total 20"), ("Clara", "bust"), ("David", "pontoon"), ("Anna", "total 21"),
    ]  # fmt: skip
    assert page.context["scores"] == [("Anna", -3), ("Ben", -5), ("Clara", -2), ("David", 10)]
    assert "Ben loses 5 to a higher total, Clara loses 2 for a stake and a card" in text
    german = Client(headers={"accept-language": "de"}).get("/games/pontoon/").content.decode()
    assert "a higher total" in text
    assert "a higher total" not in german
    assert "Five-card trick" in Client().get("/games/pontoon/scoring/").content.decode()


def test_taps_and_totals_make_the_points_and_nothing_of_them_is_lost(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    assert f"{played.entries[0]} (banker)" in page.content.decode()
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {
        "count-1": "20", "kind-2": "pontoon", "stake-2": "3", "count-3": "21", "more-3": "bust", "stake-3": "2",
        "kind-4": "plain", "count-4": "19", "stake-4": "8", "save": "1",
    }  # fmt: skip
    page = client.post(where, {**seats, **typed}, follow=True)
    assert draft_of(played)["deals"] == [FIRST]
    assert [*page.context["deal"].total.values()] == TOTAL
    assert page.context["form"]["more-3"].value() == "bust"
    assert "21, stake 2; bust, stake 2" in page.content.decode()
    wrong = {
        "banker": ("2", "is the banker"),
        "first-4": ("3", "No purchases make this stake"),
        "count-2": ("20", "A pontoon counts 21"),
        "cards-4": ("KsQd", "These cards count at least 20."),
        "total-2": ("5", "The other entries make this"),
        "more-4": ("seven", "isn’t a hand"),
    }
    for name, (text, told) in wrong.items():
        changed = {**typed, "stake-4": "5"} if name == "first-4" else typed
        said = client.post(where, {**seats, **changed, name: text}, follow=True).content.decode()
        assert told in said, name


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("pontoon").plain_form
    five = {"kind": "five", "total": 14, "stake": 12, "cards": "5c3d3s2hAd"}
    for record in (
        FIRST,
        {"first": {"2": 4}, "hands": {"2": [five], "3": [{"kind": "bust", "total": 25}]}},
        {"total": {"1": 1, "2": -3}},
    ):
        content = {"first_dealer": "1", "deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: stakes from 1 to 5, and the bank goes round."""
    league = League(played.scene, "pontoon", players=8)
    assert league.competition.rules == {"deals": 0, "min": 1, "max": 5, "bank": "board"}
    count = len(league.fixture.entries)
    deals = []
    for number in range(2 * count):
        hands = {str(seat): [{"kind": "plain", "total": 18, "stake": 5}] for seat in range(1, count + 1)}
        hands[str(number % count + 1)] = [{"kind": "plain", "total": 20}]
        hands[str(count)][0]["total"] = 21
        deals.append({"hands": hands})
    fixture = league.confirm(deals)
    # The last player always has 21 and wins 5 of every bank, or of everybody as the banker.
    last = 5 * 2 * (count - 1) + 2 * 5 * (count - 1)
    assert fixture.sides[-1].score == last
    assert sum(side.score or 0 for side in fixture.sides) == 0
    assert fixture.sides[-1].rank == 1
    assert str(fixture.entries[-1]) in league.first_in_table()
