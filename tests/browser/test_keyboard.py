"""Everything by keyboard: each control is reached in turn, shows that it has the focus, and hides behind nothing."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import DESK
from tests.every_page import furnish
from tests.permissions.walking import Stage

pytestmark = [pytest.mark.browser, pytest.mark.one_database]

# The stops of the Tab key: of a group of radio buttons there is one.
STOPS = """() => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])')]
  .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.disabled && one.tabIndex >= 0
    && !one.closest('[inert]'))
  .filter((one) => one.type !== 'radio' || one === (one.form ?? document).querySelector(
    `input[name="${one.name}"]:checked`) || one === (one.form ?? document).querySelector(`input[name="${one.name}"]`))
  .map((one, number) => { one.dataset.stop = number; return one.outerHTML.slice(0, 120); })"""
FOCUSED = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
  const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const rings = [style, getComputedStyle(one.closest('label') ?? one)];
  return {
    stop: one.dataset.stop ?? null, what: one.outerHTML.slice(0, 120),
    isShown: rings.some((each) => each.outlineStyle !== 'none' && parseFloat(each.outlineWidth) >= 2),
    isHidden: !at || !(one.contains(at) || at.contains(one) || at.closest('label')?.contains(one)),
  };
}"""
MOVING = """() => [...document.querySelectorAll('*')].flatMap((one) => [null, '::before', '::after'].map((part) => {
    const style = getComputedStyle(one, part);
    const times = `${style.transitionDuration}, ${style.animationName === 'none' ? '0s' : style.animationDuration}`;
    return times.split(', ').some((time) => parseFloat(time) > 0.01) ? `${one.tagName}.${one.className}` : null;
  })).filter(Boolean).slice(0, 5)"""


@pytest.fixture
def stage(transactional_db: None) -> Stage:
    return furnish()


def addresses(stage: Stage) -> dict[str, tuple[str, str]]:
    """The pages that must be walked: who reads it, and where it is."""
    club, competition = stage.scene.club.get_absolute_url(), stage.scene.competition.get_absolute_url()
    return {
        "scoresheet": ("anna", f"/matches/{stage.scene.fixture.pk}/scoresheet/"),
        "desk": ("dora", f"{club}desk/"),
        "standings": ("eva", competition),
        "match": ("eva", f"/matches/{stage.scene.fixtures[1].pk}/"),
    }


@pytest.mark.parametrize("name", ["scoresheet", "desk", "standings", "match"])
def test_tab_reaches_every_control_and_shows_it(
    stage: Stage, new_page: Callable[..., Page], name: str
) -> None:
    reader, address = addresses(stage)[name]
    page = new_page(width=DESK, user=stage.scene.users[reader])
    page.goto(address)
    expect(page).to_have_url(re.compile(re.escape(address) + "$"))
    expect(page.locator("main h1").first).to_be_attached()
    stops = page.evaluate(STOPS)
    seen: list[dict[str, Any]] = []
    for _ in stops:
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))

    assert len(stops) > 10
    assert [each["what"] for each in seen if not each["isShown"]] == [], "without a visible focus"
    assert [each["what"] for each in seen if each["isHidden"]] == [], "behind something else"
    reached = {each["stop"] for each in seen}
    assert [what for number, what in enumerate(stops) if str(number) not in reached] == []


def test_nothing_moves_for_those_who_asked_for_it(stage: Stage, new_page: Callable[..., Page]) -> None:
    faults = {}
    for reader, address in addresses(stage).values():
        page = new_page(width=DESK, user=stage.scene.users[reader], reduced_motion="reduce")
        page.goto(address)
        if moving := page.evaluate(MOVING):
            faults[address] = moving

    assert faults == {}
    page = new_page(width=DESK, reduced_motion="no-preference")
    page.goto("/")
    assert page.evaluate(MOVING), "the test would notice"


def test_single_letters_can_be_switched_off(stage: Stage, new_page: Callable[..., Page]) -> None:
    """WCAG 2.1.4: who speaks to the device would choose something with every word."""
    reader, address = addresses(stage)["scoresheet"]
    page = new_page(width=DESK, user=stage.scene.users[reader])
    page.goto(address)
    page.get_by_text("Keys", exact=True).click()
    for is_on in (False, True):
        page.get_by_label("Use single letters and numbers to choose").set_checked(is_on)
        page.locator("button[data-depth=combinations]").click()
        page.keyboard.press("d")
        chosen = page.locator("[data-rows] .words").filter(has_text="two pair")
        expect(chosen).to_have_count(1 if is_on else 0)
        page.reload()
        page.get_by_text("Keys", exact=True).click()
        expect(page.get_by_label("Use single letters and numbers to choose")).to_be_checked(checked=is_on)


def test_j_and_k_go_through_the_desk_while_the_focus_is_in_it(
    stage: Stage, new_page: Callable[..., Page]
) -> None:
    reader, address = addresses(stage)["desk"]
    page = new_page(width=DESK, user=stage.scene.users[reader])
    page.goto(address)
    items = page.locator(".desk-items .what a")
    assert items.count() >= 2

    page.locator("h1").click()
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.closest('.desk-items')") is None, (
        "outside the list it is a letter"
    )

    items.first.focus()
    page.keyboard.press("j")
    expect(items.nth(1)).to_be_focused()
    page.locator(".desk-items li").nth(1).locator(".actions a").first.focus()
    page.keyboard.press("k")
    expect(items.first).to_be_focused()
    page.keyboard.press("k")
    expect(items.first).to_be_focused()
