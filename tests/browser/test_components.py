"""The gallery of components in a real browser: photographed in each theme, fitting, readable, reachable."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from league.models import User
from tests.browser.pages import DESK, PHONE

pytestmark = pytest.mark.browser

SMALLEST = 320
STICKS_OUT = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
# One of each kind of control that can be focused.
CONTROLS = (
    ".site-header a",
    ".menu > summary",
    ".contents a",
    "main button.secondary",
    "main button.quiet",
    "main button.danger",
    "main a.button",
    ".why > summary",
    ".breadcrumbs a",
    ".tabs a",
    ".pagination a",
    ".table-frame",
    ".fixture a",
    ".tile",
    "button.chip:enabled",
    "button.pad-key:enabled",
    "main input[type=text]",
    "main input[type=radio]",
    "main input[type=checkbox]",
    "main select",
    "main textarea",
    "details.more > summary",
    ".site-footer select",
)
HAS_RING = """one => {
    one.focus();
    const style = getComputedStyle(one);
    return one.matches(':focus-visible') && style.outlineStyle === 'solid' && parseFloat(style.outlineWidth) >= 2;
}"""
# What a finger must hit has 44 px; keys of the pad and figures within a line have the 24 px of WCAG 2.2.
TOO_SMALL = """least => [...document.querySelectorAll(
        'main :is(button, .button, select, input:not([type=radio], [type=checkbox])), .site-footer select, .tabs a'
    )].filter(one => one.offsetParent && !one.matches('.pad-key, .chip')
        && one.getBoundingClientRect().height < least)
    .map(one => one.outerHTML.slice(0, 80))"""


@pytest.fixture
def staff(transactional_db: None) -> User:
    return User.objects.create(email="olive@example.org", is_staff=True)


def opened(new_page: Any, staff: User, *, theme: str = "", suits: str = "", **options: Any) -> Any:
    """The gallery, with what a visitor chose on the device."""
    page = new_page(user=staff, **options)
    chosen = [
        f"localStorage.setItem('{key}', '{value}')"
        for key, value in (("theme", theme), ("suits", suits))
        if value
    ]
    page.add_init_script(";".join(chosen))
    page.goto("/design/")
    return page


def faults_of(page: Any, *rules: str) -> list[str]:
    """What axe finds on the page as it is drawn."""
    options: dict[str, Any] = {"preload": False}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{fault['id']} at {node['target']}" for fault in found for node in fault["nodes"]]


THEMES: dict[str, dict[str, Any]] = {
    "light": {"width": PHONE},
    "dark, two colours of suits": {"width": DESK, "scheme": "dark", "suits": "two"},
    "high contrast": {"width": PHONE, "theme": "contrast"},
}


@pytest.mark.parametrize("name", THEMES)
def test_the_gallery_can_be_read_in_each_theme(staff: User, new_page: Any, tmp_path: Path, name: str) -> None:
    page = opened(new_page, staff, **THEMES[name])
    photograph = page.screenshot(full_page=True, path=tmp_path / "gallery.png")
    assert len(photograph) > 50_000
    assert not page.evaluate(STICKS_OUT)
    assert not faults_of(page, *([] if name == "light" else ["color-contrast"]))
    diamond, heart = page.evaluate(
        "['diamond', 'heart'].map(suit => getComputedStyle(document.querySelector(`.suit-symbol.${suit}`)).color)"
    )
    assert (diamond == heart) == ("two colours" in name)


def test_every_control_shows_where_the_keyboard_is(staff: User, new_page: Any) -> None:
    page = opened(new_page, staff, width=DESK)
    page.keyboard.press("Tab")
    ringless = [kind for kind in CONTROLS if not page.locator(kind).first.evaluate(HAS_RING)]
    assert not ringless


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_nothing_sticks_out_on_the_narrowest_phone(staff: User, new_page: Any, direction: str) -> None:
    page = opened(new_page, staff, width=SMALLEST, has_touch=True, is_mobile=True)
    page.evaluate("direction => { document.documentElement.dir = direction }", direction)
    assert not page.evaluate(STICKS_OUT)
    assert page.evaluate(TOO_SMALL, 44) == []


def test_a_board_keeps_its_compass_and_is_read_clockwise(staff: User, new_page: Any) -> None:
    page = opened(new_page, staff, width=PHONE)
    for direction in ("ltr", "rtl"):
        page.evaluate("direction => { document.documentElement.dir = direction }", direction)
        board = page.locator(".board").first
        hands = [hand.bounding_box() for hand in board.locator(".board-hand").all()]
        at = dict(zip(("north", "east", "south", "west"), hands, strict=True))
        assert at["west"]["x"] < at["east"]["x"]
        assert at["north"]["y"] < at["west"]["y"] < at["south"]["y"]
    words = board.inner_text()
    assert words.index("North") < words.index("East") < words.index("South") < words.index("West")


def test_the_choice_of_suits_stays_on_the_device(staff: User, new_page: Any) -> None:
    page = opened(new_page, staff, width=DESK)
    page.locator("#suits-choice").select_option("two")
    page.reload()
    assert page.locator("html").get_attribute("data-suits") == "two"
    page.locator("#suits-choice").select_option("")
    page.reload()
    assert page.locator("html").get_attribute("data-suits") is None
