"""The games of the house, and the rules of each in plain words, with a deal that the engine has scored."""

import re

import pytest
from django.test import Client

from engine.concerto.game import CONCERTO
from games.concerto import rules_page
from tests.scenes import make_scene

PAGE = "/games/concerto/"
SCORING = "/games/concerto/scoring/"


def test_the_example_is_a_whole_deal_without_faults() -> None:
    checked = CONCERTO.records.check(CONCERTO.records.read_record(rules_page.EXAMPLE))
    assert checked.problems == ()
    assert checked.score is not None
    assert checked.score.made is not None
    assert (checked.score.made.ns, checked.score.made.ew) == (43, 27)
    assert (checked.score.total.ns, checked.score.total.ew) == (103, 27)


def test_what_the_page_says_in_words_of_the_example_is_so() -> None:
    """East leads king, pass; West adds the fourth king and says "Play"; South's and North's side wins the bonus."""
    shown = rules_page.content("concerto")
    assert [(step["seat"], step["token"]) for step in shown["steps"]][:6] == [
        ("East", "Kh"), ("West", "-"), ("East", "-"), ("West", "Kd"), ("East", "Ks"), ("West", ">"),
    ]  # fmt: skip
    assert shown["told"] == ["Threes, of the rank of the K♥."]
    assert shown["left"]["side"] == "EW"


def test_every_value_has_an_example_of_its_own() -> None:
    found = rules_page.values("concerto")
    assert len(found) == 14
    assert len({(value["cards"], value["partner"]) for value in found}) == 14
    assert [value["in_hand"] for value in found] == [0, 1, 2, 3, 5, 6, 8, 8, 12, 16, 10, 15, 20, None]


@pytest.mark.django_db
def test_the_page_shows_every_value_the_example_and_the_signals() -> None:
    page = Client().get(PAGE)
    text = " ".join(re.sub(r"<[^>]*>", " ", page.content.decode()).split())
    assert page.status_code == 200
    assert [hand["points"] for hand in page.context["hands"]] == [12, 8, 1, 20, 6, 12, 8, 3]
    assert "straight flush, 3+2: 20 points, the best hand there is." in text
    assert "North-South made 43 points, East-West 27." in text
    assert "That is a bonus of 60 points. The deal ends 103 to 27 for North-South." in text
    assert "three of a suit in sequence and a fourth after a gap of one" in text


@pytest.mark.django_db
def test_a_competition_leads_to_the_rules_and_a_game_without_them_has_no_page() -> None:
    scene = make_scene()
    assert PAGE in Client().get(scene.fixture.round.competition.get_absolute_url()).content.decode()
    assert PAGE in Client().get("/games/").content.decode()
    assert Client().get("/games/concerto/rules/", follow=True).redirect_chain == [(PAGE, 302)]
    assert Client().get("/games/duet/").status_code == 404
    assert Client().get("/games/duet/scoring/").status_code == 404


@pytest.mark.django_db
def test_the_scoring_table_is_one_press_from_match_and_sheet() -> None:
    scene = make_scene()
    own = Client()
    own.force_login(scene.users["anna"])
    sheet = own.get(f"{scene.fixture.get_absolute_url()}scoresheet/")
    for page in (Client().get(scene.fixture.get_absolute_url()), sheet):
        text = page.content.decode()
        assert f'hx-get="{SCORING}"' in text
        assert "scoring-value" not in text
    plain = own.get(f"{scene.fixture.get_absolute_url()}scoresheet/plain/1/").content.decode()
    assert f'hx-get="{SCORING}"' in plain
    table = Client().get(SCORING).content.decode()
    assert table.count("<tr>") == 15
    assert "<html" not in table
