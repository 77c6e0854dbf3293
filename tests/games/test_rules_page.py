"""The rules of a game in plain words, with a deal that the engine has scored."""

import re

import pytest
from django.test import Client

from engine.concerto.game import CONCERTO
from games.concerto import rules
from tests.scenes import make_scene

PAGE = "/games/concerto/rules/"


def test_the_example_is_a_whole_deal_without_faults() -> None:
    checked = CONCERTO.records.check(CONCERTO.records.read_record(rules.EXAMPLE))
    assert checked.problems == ()
    assert checked.score is not None
    assert checked.score.made is not None
    assert (checked.score.made.ns, checked.score.made.ew) == (17, 13)
    assert (checked.score.total.ns, checked.score.total.ew) == (27, 13)


@pytest.mark.django_db
def test_the_page_shows_every_value_and_the_example() -> None:
    page = Client().get(PAGE)
    text = re.sub(r"<[^>]*>|\s+", " ", page.content.decode())
    assert page.status_code == 200
    assert len(page.context["values"]) == 14
    assert [hand["points"] for hand in page.context["hands"]] == [8, 5, 2, 8, 2, 2, 1, 2]
    assert "North-South made 17 points, East-West 13." in text
    assert "The deal ends 27 to 13 for North-South." in text
    assert page.context["left"]["bonus"] == 10


@pytest.mark.django_db
def test_a_competition_leads_to_the_rules_and_a_game_without_them_has_no_page() -> None:
    scene = make_scene()
    assert PAGE in Client().get(scene.fixture.round.competition.get_absolute_url()).content.decode()
    assert Client().get("/games/duet/rules/").status_code == 404
