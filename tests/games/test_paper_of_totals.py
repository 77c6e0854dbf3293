"""A game without a paper sheet of its own: totals, a row for each deal."""

import io
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

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
    words = {**dict.fromkeys(("deal", "qr", "signed", "how", "page"), "x"), "total": "total"}
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
    heights: dict[str, list[float]] = {"A": [], "total": []}

    def note(text: str, place: list[float], *_more: Any) -> None:
        if text.strip() in heights:
            heights[text.strip()].append(place[5])

    made = pdf("scoresheets", content)
    PdfReader(io.BytesIO(made)).pages[0].extract_text(visitor_text=note)
    rows = sorted({*heights["A"], *heights["total"]}, reverse=True)
    assert len(rows) == 2 * -(-sides // 2)
    assert all(above - below > 10 for above, below in pairwise(rows)), "a name stands in no other's line"
