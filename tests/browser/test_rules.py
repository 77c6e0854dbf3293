"""The rules of a game on one sheet of paper, and its scoring table, one press away."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import PHONE
from tests.scenes import make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]
SIDES_OF_A_SHEET = 2


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_rules_fit_both_sides_of_a_sheet(locale: str, new_page: Callable[..., Page]) -> None:
    page = new_page(locale=locale)
    page.goto("/games/concerto/")
    paper = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == SIDES_OF_A_SHEET


def test_the_scoring_table_is_fetched_when_it_is_asked_for(new_page: Callable[..., Page]) -> None:
    fixture = make_scene().fixture
    page = new_page(width=PHONE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(fixture.get_absolute_url())
    assert not any("scoring" in address for address in asked)
    page.get_by_role("button", name="Scoring table").click()
    table = page.get_by_role("dialog", name="Scoring table").get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(15)
    frame = page.locator("#scoring-table .table-frame")
    assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth"), "nothing is cut off on a phone"
