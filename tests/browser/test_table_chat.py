"""The chat of a casual table in the browser: text stays text, a person can be muted, and it is read out once."""

from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from games.models import ChatLine
from games.tables.services import chat, seats
from tests.browser.pages import PHONE
from tests.browser.table_windows import Window
from tests.browser.test_every_page import ALL_RULES, COLOUR_RULES, STICKS_OUT, violations
from tests.live.tables import casual_table
from tests.scenes import make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]


def test_two_people_talk_and_one_is_muted(window: Callable[..., Window]) -> None:
    laid = casual_table(make_scene())
    seats.sit(actor=laid.at("E"), table_id=laid.table.pk, seat="E")
    here = window(laid, "W", width=PHONE)
    page = here.page
    field = page.get_by_role("textbox", name="Your message")
    field.fill("Hello, Eva!")
    field.press("Enter")
    expect(page.locator(".chat-line")).to_have_text(["Luis ReyesHello, Eva!"])
    expect(field).to_have_value("")
    assert ChatLine.objects.get().text == "Hello, Eva!"

    here.heard()
    chat.say(actor=laid.at("E"), table_id=laid.table.pk, text=f"<img src=x onerror=alert(1)> {'w' * 200}")
    here.show()
    expect(page.locator(".chat-line .chat-text").nth(1)).to_contain_text("<img src=x")
    assert sum("<img src=x" in line for line in here.heard()) == 1
    page.evaluate(AXE_SCRIPT)
    faults = violations(page, ALL_RULES)
    page.emulate_media(color_scheme="dark")
    faults += violations(page, COLOUR_RULES)
    assert not faults
    assert not page.evaluate(STICKS_OUT)

    page.get_by_role("button", name="Report").click()
    page.get_by_role("dialog").get_by_role("button", name="Yes").click()
    expect(page.locator(".chat-line").nth(1)).to_contain_text("reported")
    page.get_by_role("button", name="Mute Eva Novak").click()
    expect(page.locator(".chat-line")).to_have_count(2)
    expect(page.locator(".chat-line").nth(1)).to_contain_text("Eva Novak is muted.")
    here.heard()
    chat.say(actor=laid.at("E"), table_id=laid.table.pk, text="Can you hear me?")
    here.show()
    assert not here.heard()
    page.get_by_role("button", name="Show Eva Novak again").click()
    expect(page.locator(".chat-line")).to_have_count(3)
