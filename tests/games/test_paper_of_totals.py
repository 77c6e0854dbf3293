"""A game without a paper sheet of its own: totals, a row for each deal."""

from collections.abc import Iterator

import pytest
from django.test import Client

from engine.game import forget, register
from games import front
from games.front import GameFront
from games.papers.typesetting import pdf
from tests.engine.quartet import QUARTET
from tests.scenes import Scene, make_scene


@pytest.fixture
def scene(db: None) -> Iterator[Scene]:
    register(QUARTET)
    made = make_scene()
    competition = made.fixture.round.competition
    competition.game, competition.rules = "quartet", {"deals": 3}
    competition.save()
    yield made
    forget("quartet")


def test_a_sheet_of_totals_has_a_row_for_each_deal(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["anna"])
    page = client.get(f"/matches/{scene.fixture.pk}/scoresheet/print/")
    (sheet,) = page.context["sheets"]
    assert page.content.decode().count('<td class="paper-write"></td>') == 3 * 2
    assert sheet.how in page.content.decode()
    assert len(sheet.deals) == 3


def test_its_pdf_can_be_set() -> None:
    words = dict.fromkeys(("deal", "qr", "total", "signed", "how", "page"), "x")
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
    sheet = {
        "title": "A - B", "under": [], "seats": [], "first": "", "qr": picture, "address": "https://example.org/",
        "sides": [{"name": "A", "letters": "1"}, {"name": "B", "letters": "2"}],
        "deals": [{"title": "Deal 1", "deals": "1 deals"}],
    }  # fmt: skip
    content = {
        "words": words,
        "foot": [],
        "size": "a4",
        "language": "en",
        "title": "x",
        "author": "x",
        "sheets": [sheet],
    }
    assert pdf("scoresheets", content).startswith(b"%PDF")


@pytest.mark.parametrize("sides", [2, 3])
def test_a_game_may_write_more_of_a_deal(sides: int) -> None:
    words = dict.fromkeys(("deal", "qr", "total", "signed", "how", "page"), "x")
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
    sheet = {
        "title": "A - B", "under": [], "seats": [], "first": "", "qr": picture, "address": "https://example.org/",
        "sides": [{"name": "A", "letters": "N-S"}] * sides,
        "deals": [{"title": "Deal 1", "deals": "North deals"}] * 8,
        **GameFront("x").paper_content(None), **front.of("tute").paper_content(None),
    }  # fmt: skip
    content = {
        "words": words,
        "foot": [],
        "size": "a4",
        "language": "en",
        "title": "x",
        "author": "x",
        "sheets": [sheet],
    }
    assert sheet["each"] == ["Cards", "Declared"]
    assert pdf("scoresheets", content).startswith(b"%PDF")
