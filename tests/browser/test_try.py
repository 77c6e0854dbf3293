"""Trying the game as a stranger, with the keyboard alone: a lesson, and a deal with robots."""

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, Route, expect

from games import front
from games.models import LearningProgress
from games.tables.socket import rates
from tests.browser.pages import PHONE
from tests.browser.test_every_page import ALL_RULES, violations
from tests.scenes import make_user

# What can be pressed, but for Undo.
CAN = "button:not([aria-disabled=true]):not([data-step])"
pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _rested() -> Iterator[None]:
    rates.forget()
    yield
    rates.forget()


def test_a_lesson_says_why_not_and_leads_on(new_page: Callable[..., Page]) -> None:
    page = new_page(width=PHONE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    page.get_by_role("link", name="Try a hand").press("Enter")
    page.locator("#table").wait_for()
    pages = [address for address in asked if "/static/" not in address]
    assert len(pages) <= 3, pages

    line = page.locator("[data-line]")
    page.locator('[data-card="8s"]').press("Enter")
    page.keyboard.press("Enter")
    expect(line).to_contain_text("Threes: 3 points. You can make more.")
    page.locator('[data-card="Ks"]').press("Enter")
    page.keyboard.press("Enter")
    said = page.locator("[data-lesson-said]")
    expect(said).to_contain_text("Full house: 8 points.")
    page.evaluate(AXE_SCRIPT)
    assert not violations(page, ALL_RULES)
    expect(page.locator("[data-lesson-next]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-lesson-title]")).to_have_text("Choose between two hands")
    expect(page.locator("[data-lesson-title]")).to_be_focused()
    assert [address for address in asked if "/static/" not in address] == pages, (
        "nothing is asked for a press"
    )

    # What was done is known on this device: the page opens at the next one.
    page.goto("/games/concerto/try/")
    expect(page.locator("[data-lesson-title]")).to_have_text("Choose between two hands")
    expect(page.get_by_role("link", name="1: What scores, done")).to_be_visible()


def test_the_hand_that_is_played_is_seen_in_every_lesson_on_a_phone(new_page: Callable[..., Page]) -> None:
    page = new_page(width=PHONE)
    page.goto("/games/concerto/try/")
    for lesson in front.of("concerto").lessons():
        page.evaluate("key => (location.hash = key)", lesson.key)
        expect(page.locator("[data-lesson-title]")).to_have_text(lesson.title)
        middle, hand = (
            page.locator(f"#table {each}").bounding_box() for each in (".table-centre", ".table-hand")
        )
        assert middle is not None
        assert hand is not None
        assert middle["y"] >= 0, lesson.key
        assert middle["y"] + middle["height"] <= hand["y"] + 1, lesson.key


@pytest.mark.parametrize("address", ["/games/concerto/try/", "/games/concerto/try/deal/"])
def test_on_a_phone_on_its_side_the_hand_that_is_played_is_seen(
    new_page: Callable[..., Page], address: str
) -> None:
    page = new_page(width=844)
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(address)
    expect(page.locator("[data-own] button").first).to_be_visible()
    middle, hand = (
        page.locator(f"#table {each}").bounding_box() for each in (".table-centre", ".table-hand")
    )
    assert middle is not None
    assert hand is not None
    assert middle["y"] + middle["height"] <= hand["y"] + 1


def test_the_coach_beside_a_deal_can_be_read_by_everybody(new_page: Callable[..., Page]) -> None:
    page = new_page(width=PHONE, scheme="dark")
    page.goto("/games/concerto/try/deal/")
    page.locator("[data-own] button").first.click()
    page.locator("[data-actions] button.play").click()
    expect(page.locator("[data-coach-advice]")).to_contain_text("The expert would have")
    for width in (PHONE, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(AXE_SCRIPT)
        assert not violations(page, ALL_RULES), width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_was_done_on_the_device_goes_over_to_the_account(new_page: Callable[..., Page]) -> None:
    first = next(iter(front.of("concerto").lessons())).key
    page = new_page(user=make_user("Anna"), width=PHONE)
    page.goto("/games/concerto/try/")
    page.evaluate("key => localStorage.setItem('learn:concerto', JSON.stringify([key]))", first)
    with page.expect_response("**/try/done/"):
        page.reload()
    assert LearningProgress.objects.get().done == [first]
    # Another device, which knows nothing of it.
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("[data-lesson-title]")).to_have_text("Choose between two hands")


def test_a_deal_ends_with_the_percentage_of_the_best_and_par(new_page: Callable[..., Page]) -> None:
    page = new_page(width=PHONE)
    page.goto("/games/concerto/try/deal/?robot=novice")
    page.get_by_role("button", name="at once").click()
    page.get_by_role("button", name="one press", exact=True).click()
    outcome = page.locator("[data-outcome-says]")
    expect(outcome).to_be_hidden()
    result, can = "[data-result]:visible", f"[data-own] {CAN}:visible, [data-actions] {CAN}:visible"
    # An answer has come before it is drawn: until then nothing can be pressed and no result is seen.
    while True:
        page.locator(f"{result}, {can}").first.wait_for()
        if page.locator(result).is_visible():
            break
        rates.forget()
        with page.expect_response("**/act/"):
            page.locator(can).first.click()
    expect(outcome).to_contain_text("points that your cards could make")
    expect(outcome).to_contain_text("Par from your seat is")
    page.evaluate(AXE_SCRIPT)
    assert not violations(page, ALL_RULES)


def test_a_deal_with_robots_is_two_presses_away(new_page: Callable[..., Page]) -> None:
    page = new_page(width=PHONE)
    page.goto("/")
    page.get_by_role("link", name="Play now with robots").click()
    own = page.locator("[data-own] button")
    expect(own).to_have_count(13)
    own.first.click()
    page.locator("[data-actions] button.play").click()
    expect(own).to_have_count(12)
    page.get_by_role("button", name="Undo").click()
    expect(own).to_have_count(13)


def test_the_own_card_lies_in_the_middle_before_the_server_answers(new_page: Callable[..., Page]) -> None:
    page = new_page(allow="ERR_FAILED")
    page.goto("/games/concerto/try/deal/")
    held: list[Route] = []
    page.route("**/deal/act/", lambda route: held.append(route))  # noqa: PLW0108
    card = page.locator("[data-own] button").first
    name = card.get_attribute("aria-label")
    laid = page.locator(f"[data-centre] [aria-label^='{name},']")
    card.click()
    card.click()
    expect(laid).to_have_count(1)
    expect(page.locator("[data-line]")).to_have_text("Sending…")
    held.pop().abort()
    expect(laid).to_have_count(0)
    expect(card).to_have_attribute("aria-label", name or "")
    page.unroute("**/deal/act/")
    card.click()
    card.click()
    expect(page.locator("[data-own] button")).to_have_count(12)
