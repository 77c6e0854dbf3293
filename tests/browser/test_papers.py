"""Printing for an evening as a director sees it: asked for, watched, fetched; and a sheet opened by its code."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from games.models import BoardDraw, Paper
from games.papers.services import papers
from games.scoresheets import entry_links
from league.models import Fixture
from tests.browser.pages import DESK, PHONE
from tests.games.evening_papers import Room, make_room

pytestmark = [pytest.mark.browser, pytest.mark.one_database]


@pytest.fixture
def room(transactional_db: None) -> Room:
    return make_room()


def address(room: Room) -> str:
    return f"/clubs/{room.club.slug}/desk/{room.competition.slug}/papers/"


def waiting(room: Room) -> Paper:
    """A paper that no worker has begun."""
    given = {"size": "a4", "language": "en", "site": "https://cards.example.org", "sealed": False}
    return Paper.objects.create(
        competition=room.competition, kind="wall_list", asked_by=room.director, parameters=given
    )


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_paper_appears_when_it_is_ready(room: Room, new_page: Callable[..., Page], width: int) -> None:
    paper = waiting(room)
    page = new_page(width=width, user=room.director)
    page.goto(address(room))
    asked = page.locator("[data-live] li").first
    expect(asked).to_contain_text("waiting")
    expect(asked.locator("progress")).to_be_visible()
    page.evaluate("window.sameDocument = true")
    papers.make_paper(paper_id=paper.pk, at=timezone.now())
    link = asked.get_by_role("link", name="Download")
    expect(link).to_be_visible(timeout=15_000)
    assert page.evaluate("window.sameDocument") is True
    with page.expect_download() as coming:
        link.click()
    assert coming.value.suggested_filename == "thursday-duplicate-wall-list.pdf"
    reader = PdfReader(io.BytesIO(Path(coming.value.path()).read_bytes()))
    assert "Anna Berg" in reader.pages[0].extract_text()


def test_a_director_takes_the_cards_out_without_scripts(room: Room, new_page: Callable[..., Page]) -> None:
    page = new_page(user=room.director, java_script_enabled=False)
    page.goto(address(room))
    page.get_by_label("Files for a dealing machine").check()
    page.get_by_label("Reason").fill("For the machine in the hall")
    page.get_by_role("button", name="Create with the cards").click()
    assert BoardDraw.objects.get().reason == "For the machine in the hall"
    papers.sweep(at=timezone.now())
    page.reload()
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download").click()
    archive = zipfile.ZipFile(Path(coming.value.path()))
    assert "boards.pbn" in archive.namelist()


def test_the_code_on_a_sheet_opens_its_entry_on_a_phone(room: Room, new_page: Callable[..., Page]) -> None:
    fixture = Fixture.objects.of_competition(room.competition.pk).order_by("pk")[0]
    page = new_page(width=PHONE, user=fixture.home.lineup.players[0].user or room.scorer)
    page.goto(entry_links.path_of(fixture))
    assert page.url.endswith(f"/matches/{fixture.pk}/scoresheet/")
    expect(page.locator("main")).to_be_visible()
