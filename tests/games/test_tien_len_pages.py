"""The pages of Tien Len: its rules, a scoresheet by taps, and a league of rounds of tables from set-up to standings."""

import re
from typing import Any

import pytest
from django.test import Client

from engine.tien_len.game import TIEN_LEN
from games import front
from games.models import ScoresheetDraft
from games.tables.queries import labels
from league.manage.services import evenings
from tests.games.small_leagues import League
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
LOST = (1, 1, 1, -3)


@pytest.fixture
def played() -> Played:
    return Played(make_scene(), TIEN_LEN, 4, (LOST,) * 4)


def test_the_rules_show_a_deal_that_the_engine_has_played() -> None:
    page = Client().get("/games/tien-len/")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert len(page.context["tricks"]) == 7
    assert "Anna is first out, then Ben and David; Clara is last." in text
    # What the page says in words stands in its cards.
    tricks = page.context["tricks"]
    assert (tricks[0][0].who, tricks[0][0].cards[0]) == ("David", "3s")
    assert [line.cards for line in tricks[1]][-2:] == [["2d"], ["9s", "9c", "9d", "9h"]]
    assert tricks[1][-1].who == "Clara"
    assert "First out" in Client().get("/games/tien-len/scoring/").content.decode()


def test_taps_make_the_points_and_nothing_of_them_is_lost(played: Played) -> None:
    where = f"/matches/{played.fixture.pk}/scoresheet/plain/1/"
    client = played.client(played.users[0])
    page = client.get(where)
    names = [str(entry) for entry in played.entries]
    assert page.content.decode().count(names[3]) >= 4
    seats = {each.html_name: each.value() for each in page.context["seats"]}
    typed = {"out-0": "3", "out-1": "1", "out-2": "4", "save": "1"}
    page = client.post(where, {**seats, **typed, "left": "3C 5h 10d"}, follow=True)
    assert draft_of(played)["deals"] == [{"order": ["3", "1", "4", "2"], "left": "3c5hTd"}]
    assert [*page.context["deal"].total.values()] == [1, -3, 1, 1]
    assert ", ".join(names[place] for place in (2, 0, 3, 1)) in page.content.decode()
    assert [page.context["form"][f"out-{place}"].value() for place in range(3)] == ["3", "1", "4"]
    for wrong in ({"out-1": ""}, {"out-1": "3"}):
        said = client.post(where, {**seats, **typed, **wrong}, follow=True).content.decode()
        assert "must name each player exactly once" in said
    page = client.post(where, {**seats, "loser": "2", "save": "1"}, follow=True)
    assert draft_of(played)["deals"] == [{"loser": "2"}]
    assert [*page.context["deal"].total.values()] == [1, -3, 1, 1]


def draft_of(played: Played) -> dict[str, Any]:
    content: dict[str, Any] = ScoresheetDraft.objects.get(fixture=played.fixture).content
    return content


def test_what_the_form_shows_of_a_record_says_the_same_again(played: Played) -> None:
    form_of = front.of("tien-len").plain_form
    for record in (
        {"order": ["3", "1", "4", "2"], "left": "3c5hTd"},
        {"loser": "1"},
        {"total": {"1": 1, "2": -3}},
    ):
        content = {"deals": [record]}
        shown = form_of(fixture=played.fixture, content=content, deal=0)
        again = form_of(shown.initial, fixture=played.fixture, content=content, deal=0)
        assert again.is_valid()
        assert again.record() == record


def test_the_felt_sorts_a_hand_by_rank_with_hearts_first() -> None:
    assert labels.table_labels("tien-len")["order"] == {
        "by": "rank",
        "ranks": "2AKQJT9876543",
        "suits": "hdcsk",
    }
    assert labels.table_labels("tute")["order"] == {"by": "suit", "ranks": "A3KQJ76542", "suits": "shdck"}


def test_a_league_of_rounds_of_tables_is_set_up_from_the_pages_played_and_followed(played: Played) -> None:
    """As the preset has it: places, bombs and final passes; whoever has more points after twelve deals is first."""
    league = League(played.scene, "tien-len", players=8)
    assert league.competition.rules == {
        "deals": 12, "scoring": "places", "bombs": True, "pass_is_final": True, "twos_in_sequences": False,
    }  # fmt: skip
    fixture = league.fixture
    count = len(fixture.entries)
    assert count in {2, 3, 4}
    order = [str(seat + 1) for seat in reversed(range(count))]
    fixture = league.confirm([{"order": order}] * 11 + [{"order": [*reversed(order)]}])
    assert [side.score for side in fixture.sides] == [
        11 * place + count - 1 - place for place in range(count)
    ]
    assert [side.rank for side in fixture.sides] == [*range(count, 0, -1)]
    assert str(fixture.entries[-1]) in league.first_in_table()


def test_an_evening_of_individuals_begins_with_it() -> None:
    """As the form does, and the demo."""
    assert evenings.suitable_games()[0].key == "tien-len"
