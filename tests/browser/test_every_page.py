"""Every page for everybody: axe in each theme, the narrowest screen, long German words, writing from the right."""

import json
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, Route, WebSocketRoute

from tests.browser.pages import PHONE, session_cookie
from tests.every_page import ShownPage, furnish, pages
from tests.permissions.walking import Stage
from tests.thorough import IS_THOROUGH, is_in_turn

# Nothing here may come out otherwise on another database.
pytestmark = [pytest.mark.browser, pytest.mark.one_database]

READERS = ("eva", "olive")
# 320 is a screen of 1280 at 400 %, which WCAG asks for; 640 is the same at 200 %.
NARROWEST, AT_200_PERCENT = 320, 640
STICKS_OUT = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
# Words that are too long for their box lie over what stands beside it.
OVERFLOWING = """() => [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility()
    && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).overflowX === 'visible' && !one.closest('.visually-hidden, svg'))
  .filter((one, _, all) => !all.some((other) => other !== one && one.contains(other)))
  .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""
# What changes step by step shows the colours of neither theme on its way.
MOVING = """() => {
  void getComputedStyle(document.body).color;
  return document.getAnimations().filter((one) => one instanceof CSSTransition)
    .map((one) => `${one.effect.target.tagName} ${one.transitionProperty}`).slice(0, 3);
}"""
ALL_RULES = {"resultTypes": ["violations"], "preload": False, "rules": {"target-size": {"enabled": True}}}
# What depends on the theme.
COLOUR_RULES = {
    "resultTypes": ["violations"],
    "preload": False,
    "runOnly": {"type": "rule", "values": ["color-contrast"]},
}
# The API's documentation is another project's page.
NOT_OURS = {"api_docs"}
# `make test` opens so many of the pages; which, changes with every version (tests/thorough.py).
ONE_IN = 4


@pytest.fixture
def stage(transactional_db: None) -> Stage:
    return furnish()


@pytest.fixture
def walk(stage: Stage, new_page: Callable[..., Page]) -> Callable[..., Iterator[tuple[ShownPage, Page]]]:
    """Opens every page in one window, as somebody who may read it."""

    def over(
        *, width: int, language: str = "en", readers: tuple[str, ...] = READERS
    ) -> Iterator[tuple[ShownPage, Page]]:
        # Without motion the other theme is there at once, not on its way.
        page = new_page(width=width, locale=language, reduced_motion="reduce")
        # What keeps itself up to date would change under the eyes of whoever looks at it.
        page.route(lambda address: "live" in address, leave_as_it_is)
        # The pages' server has no sockets: tables get one on which nothing is heard.
        page.route_web_socket(lambda address: "/tables/" in address, say_nothing)
        reader = ""
        for each in sorted(pages(stage, READERS), key=attrgetter("role")):
            if each.name in NOT_OURS or each.role not in readers or not is_in_turn(each.name, one_in=ONE_IN):
                continue
            if each.role != reader:
                reader = each.role
                page.context.add_cookies([session_cookie(stage.scene.users[reader], base(page))])
            page.goto(each.address)
            # What is no whole page is a part of one, or for programs.
            if page.locator("html[lang]").count():
                yield each, page

    return over


def leave_as_it_is(route: Route) -> None:
    """Nothing new for whoever asks from within a page; the parts are pages of the walk themselves."""
    if route.request.is_navigation_request():
        route.continue_()
    else:
        route.fulfill(status=204)


def say_nothing(_socket: WebSocketRoute) -> None:
    """An open line and no word on it."""


def base(page: Page) -> str:
    options: Any = page.context._impl_obj._options
    return str(options["baseURL"])


def violations(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe finds: the rule, and where."""
    found = page.evaluate(f"axe.run({json.dumps(options)})")
    return [
        f"{fault['id']}: {node['target']} {node['html'][:160]}"
        for fault in found["violations"]
        for node in fault["nodes"][:3]
    ]


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_axe_finds_nothing_on_any_page(walk: Any, reader: str) -> None:
    faults, looked_at = [], 0
    for each, page in walk(width=NARROWEST, readers=(reader,)):
        page.evaluate(AXE_SCRIPT)
        found = violations(page, ALL_RULES)
        page.emulate_media(color_scheme="dark")
        if moving := page.evaluate(MOVING):
            found.append(f"moves, though the device asks for none of it: {moving}")
        found += [f"dark: {fault}" for fault in violations(page, COLOUR_RULES)]
        page.emulate_media(color_scheme="light")
        if page.evaluate(STICKS_OUT):
            found.append("wider than the screen at 400 %")
        page.set_viewport_size({"width": AT_200_PERCENT, "height": 512})
        if page.evaluate(STICKS_OUT):
            found.append("wider than the screen at 200 %")
        page.set_viewport_size({"width": NARROWEST, "height": 900})
        looked_at += 1
        faults += [f"{each.name} ({each.role}): {fault}" for fault in found]

    assert looked_at > (10 if IS_THOROUGH else 2)
    assert not faults, "\n".join(faults)


def test_axe_would_find_something(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.set_content('<button></button><p style="color: #aaa; background: #fff">Pale</p>')
    page.evaluate(AXE_SCRIPT)

    assert {"button-name", "color-contrast"} <= {
        found.partition(":")[0] for found in violations(page, ALL_RULES)
    }


def test_a_word_that_is_too_long_would_be_noticed(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.set_content(
        '<ul style="width: 4em"><li style="display: grid"><a><b>0</b> Unvorhergesehenes</a></li></ul>'
    )

    assert page.evaluate(OVERFLOWING) == ["LI.: 0 Unvorhergesehenes"]


@pytest.mark.long
def test_german_fits_a_phone_and_so_does_writing_from_the_right(walk: Any) -> None:
    """German words are the longest; turned round, each page is what Arabic would make of it."""
    faults = []
    for each, page in walk(width=PHONE, language="de"):
        assert page.locator("html").get_attribute("lang") == "de", each
        if page.evaluate(STICKS_OUT):
            faults.append(each.name)
        faults += [f"{each.name}: {box}" for box in page.evaluate(OVERFLOWING)]
        page.evaluate("document.documentElement.dir = 'rtl'")
        if page.evaluate(STICKS_OUT):
            faults.append(f"{each.name} from the right")

    assert faults == []
