"""A scoresheet from the list of matches to its confirmation with Tab, arrows, Enter and Space alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from games.models import Scoresheet
from league.models import Fixture
from tests.browser.pages import DESK
from tests.browser.test_keyboard import FOCUSED
from tests.scenes import Scene, make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database]
MOST_STOPS = 80
WORDS = {
    "en": {"fault": "Not quite ready", "back": "Back to the scoresheet", "sent": "can now confirm it"},
    "de": {
        "fault": "Noch nicht ganz fertig",
        "back": "Zurück zum Spielzettel",
        "sent": "Gesendet. Jetzt kann",
    },
}


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return make_scene()


class Keys:
    """Somebody without a mouse: after every key the focus is seen, and hides behind nothing."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def tab_to(self, wanted: Locator) -> None:
        """Forward from stop to stop until it has the focus; arrows within a group are not asked for."""
        expect(wanted).to_be_visible()
        for _ in range(MOST_STOPS):
            if wanted.evaluate("one => one === document.activeElement"):
                return
            self.press("Tab")
            now = self.page.evaluate(FOCUSED)
            if now["what"].startswith("<body"):
                continue  # past the last stop the browser's own begin
            assert now["isShown"], f"without a visible focus: {now['what']}"
            assert not now["isHidden"], f"behind something else: {now['what']}"
        raise AssertionError(f"not reached by Tab: {wanted}")

    def use(self, wanted: Locator, key: str = "Enter") -> None:
        self.tab_to(wanted)
        self.press(key)

    def type_into(self, wanted: Locator, text: str) -> None:
        self.tab_to(wanted)
        self.page.keyboard.type(text)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_sheet_is_entered_sent_and_confirmed_by_keys_alone(
    scene: Scene, new_page: Callable[..., Page], language: str
) -> None:
    anna, eva = scene.users["anna"], scene.users["eva"]
    words = WORDS[language]
    address = f"/matches/{scene.fixture.pk}/"
    page = new_page(width=DESK, user=anna, locale=language, allow="422")
    page.goto(address)
    keys = Keys(page)
    keys.use(page.locator(f"main a[href='{address}scoresheet/']").first)
    page.wait_for_url(re.compile("/scoresheet/$"))
    expect(page.locator("[data-next]")).to_be_visible()
    # The arrows go through a group of buttons, Space presses one.
    keys.use(page.locator("[data-next]"), "Space")
    keys.tab_to(page.locator(".values:not([hidden]) .chip[tabindex='0']"))
    keys.press("ArrowRight")
    keys.press("Space")
    expect(page.locator(".sheet-row .words").first).not_to_be_empty()
    # Totals that can't be: the fault is told, and marked at its field.
    keys.use(page.locator("[data-depth=totals]"), "Space")
    for deal in range(4):
        keys.use(page.locator(f"[data-deal-tab='{deal}']"))
        for side, points in (("NS", "x" if deal == 1 else "20"), ("EW", "15")):
            keys.type_into(page.locator(f"[data-path='total.{side}']"), points)
    keys.use(page.locator("[data-deal-tab='1']"))
    fault = page.locator("[data-path='total.NS']")
    expect(fault).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#announcements")).not_to_be_empty()
    keys.use(page.locator("[data-check]"))
    # The problems have the focus: a screen reader begins with them, and the next stop leads to the first.
    expect(page.get_by_role("heading", name=words["fault"])).to_be_visible()
    expect(page.locator("[data-faults]")).to_be_focused()
    keys.use(page.locator(".notice.error a").first)
    page.wait_for_url(re.compile(r"/scoresheet/\?settle"))
    keys.tab_to(fault)
    page.keyboard.press("Control+a")
    page.keyboard.type("20")
    expect(fault).to_have_attribute("aria-invalid", "false")
    keys.use(page.locator("[data-check]"))
    send = page.locator("form[data-send] button[type=submit]")
    expect(send).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_text(words["sent"])).to_be_visible()

    other = new_page(width=DESK, user=eva, locale=language)
    other.goto(address)
    keys = Keys(other)
    keys.use(other.locator(f"form[action='{address}confirm/'] button"))
    expect(other.locator(".match-head [data-status=confirmed]")).to_be_visible()
    assert Scoresheet.objects.confirmed().count() == 1
    assert Fixture.objects.get(pk=scene.fixture.pk).status == "confirmed"
