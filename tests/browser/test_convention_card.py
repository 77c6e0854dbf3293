"""The form of a pair's own signals: by keyboard alone, read by axe, on a phone and a desk, in both languages."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from engine.concerto.signals.convention_cards import MOST_WAYS
from games.models import ConventionCard
from tests.browser.pages import PHONE
from tests.browser.test_every_page import ALL_RULES, COLOUR_RULES, STICKS_OUT, violations
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]
SIDES_OF_A_SHEET = 2
# Each way stands there once more, from the first on, until there are so many.
MORE_ROWS = """(most) => {
  const rows = [...document.querySelectorAll(".signals tbody tr:not(:first-child)")];
  for (let count = rows.length; count < most; count += 1) {
    const row = rows[count % rows.length];
    row.after(row.cloneNode(true));
  }
}"""


def opened(new_page: Callable[..., Page], scene: Scene, **window: Any) -> Page:
    page = new_page(user=scene.users["anna"], **window)
    page.goto(f"/pairs/{scene.entries[0].lineup_id}/card/edit/")
    return page


def test_a_card_is_entered_by_keyboard_alone(new_page: Callable[..., Page]) -> None:
    scene = make_scene()
    page = opened(new_page, scene)
    page.get_by_label("Name of the system").press("ControlOrMeta+a")
    page.keyboard.type("Ours")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="How we understand it")).to_be_visible()
    assert not ConventionCard.objects.exists(), "Enter checks"

    fours = page.get_by_role("region", name="fours", exact=True)
    fours.get_by_role("button", name="Add a way").press("Enter")
    fours = page.get_by_role("region", name="fours", exact=True)
    added = fours.get_by_role("group").filter(has=page.get_by_role("button", name="Remove")).last
    expect(added.get_by_label("Suits")).to_be_visible()
    added.get_by_role("radio", name="two cards").press("ArrowDown")
    expect(added.get_by_label("Suits")).to_be_hidden()
    added.get_by_label("♠").focus()
    page.keyboard.press("1")
    page.get_by_role("button", name="Save").press("Enter")

    expect(page.get_by_role("heading", name="Convention card:")).to_be_visible()
    content = ConventionCard.objects.get().content
    assert content["name"] == "Ours"
    assert {"holding": "fours", "then": "pass", "preferred": ["s"]} in content["ways"]


def test_what_is_wrong_is_marked_and_the_rest_stays(new_page: Callable[..., Page]) -> None:
    scene = make_scene()
    page = opened(new_page, scene, width=PHONE, allow="422 for")
    page.get_by_label("Name of the system").fill("Ours")
    fours = page.get_by_role("region", name="fours", exact=True)
    fours.locator("summary").click()
    fours.get_by_label("Suits").select_option("same")
    page.get_by_role("button", name="Check").last.click()
    expect(page.get_by_text("Please fix these first")).to_be_visible()
    expect(page.get_by_text("No cards can show this")).to_be_visible()
    expect(page.get_by_label("Name of the system")).to_have_value("Ours")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_pages_read_well_everywhere(new_page: Callable[..., Page], language: str) -> None:
    scene = make_scene()
    page = opened(new_page, scene, width=1280, locale=language, reduced_motion="reduce")
    page.locator("details.signal-row summary").first.click()
    page.locator("details.signal-row summary").last.click()
    faults = looked_at(page, f"edit-{language}")
    page.locator("button[value=check]").last.click()
    page.wait_for_load_state()
    faults += looked_at(page, f"checked-{language}")
    page.locator("button[value=save]").click()
    page.wait_for_load_state()
    faults += looked_at(page, f"card-{language}")
    page.goto(f"/pairs/{scene.entries[0].lineup_id}/card/versions/")
    faults += looked_at(page, f"versions-{language}")
    assert not faults


def looked_at(page: Page, name: str) -> list[Any]:
    """What axe says, at both widths; the pictures are kept where SCREENSHOTS says."""
    page.evaluate(AXE_SCRIPT)
    faults = []
    for width in (1280, PHONE):
        page.set_viewport_size({"width": width, "height": 900})
        faults += violations(page, ALL_RULES)
        assert not page.evaluate(STICKS_OUT), (name, width)
        if folder := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    faults += violations(page, COLOUR_RULES)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    return faults


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_card_with_the_most_ways_prints_on_both_sides_of_a_sheet(
    locale: str, new_page: Callable[..., Page]
) -> None:
    page = new_page(locale=locale)
    page.goto("/signals/")
    page.evaluate(MORE_ROWS, MOST_WAYS)
    paper = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == SIDES_OF_A_SHEET
