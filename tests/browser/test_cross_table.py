"""A cross-table on a phone turned sideways: all of it is seen, and nothing scrolls sideways."""

import pytest
from playwright.sync_api import Page

from tests.league.reading import make_league

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OUTSIDE = """() => [...document.querySelectorAll(".cross-table th, .cross-table td")]
  .filter((cell) => { const box = cell.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth; })
  .map((cell) => cell.textContent.trim())"""


def overflow(page: Page) -> int:
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wide


@pytest.mark.parametrize("pairs", [6, 8])
def test_a_small_division_fits_a_phone_turned_sideways(new_page, pairs: int) -> None:
    league = make_league(pairs=pairs)
    league.compute()
    page = new_page(width=844)
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(f"{league.competition.get_absolute_url()}cross-table/")
    assert page.locator(".cross-table thead th").count() == pairs + 1
    assert page.locator(".cross-table tbody tr").count() == pairs
    for width in (844, 740, 667):
        page.set_viewport_size({"width": width, "height": 390})
        assert overflow(page) <= 0
        assert page.evaluate(OUTSIDE) == [], width
