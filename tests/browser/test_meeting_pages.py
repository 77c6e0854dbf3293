"""Where people meet: the list of tables, the host's page, the guests' door and what a guest keeps, for every eye."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.core.cache import cache
from playwright.sync_api import Page

from games.lobby import presence, services
from games.models import GuestLink
from games.tables.guest_keys import cookie_of
from games.tables.services import calls, guests, opening, seats
from tests.browser.pages import PHONE
from tests.browser.test_every_page import ALL_RULES, COLOUR_RULES, OVERFLOWING, STICKS_OUT, base, violations
from tests.live.tables import Laid
from tests.live.test_kept_results import played
from tests.live.test_table_guests import token_of

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]
DESK = 1280
THEMES: tuple[tuple[Literal["light", "dark"], dict[str, Any]], ...] = (
    ("light", ALL_RULES),
    ("dark", COLOUR_RULES),
)
# What lies over the site's name in the header.
OVER_THE_NAME = """() => {
  const end = document.querySelector('.brand').getBoundingClientRect().right;
  return [...document.querySelectorAll('.site-nav a, .account > *')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().left < end).map((one) => one.textContent);
}"""


def furnished() -> tuple[Laid, str]:
    """Iris's table, at which Mia has played as a guest; another one that has called the club; Anna and Eva are there.

    Gives the key of the guest, too.
    """
    cache.clear()
    laid, _guest, key = played()
    scene = laid.scene
    tom = scene.users["tom"]
    guests.admit(token=token_of(laid), name="Maximiliane Sonnenschein", seat="S")
    table = opening.open_casual(actor=tom, club=scene.club, terms={"clock_seconds": 600}, options={})
    seats.sit(actor=tom, table_id=table.pk, seat="N")
    for name in ("anna", "eva", "iris"):
        services.choose(actor=scene.users[name], shows_presence=True, wants_calls=True)
        presence.note(scene.users[name])
    calls.ask_club(actor=tom, table_id=table.pk)
    return laid, key


@pytest.mark.parametrize("language", ["en", "de"])
def test_axe_finds_nothing_where_people_meet(new_page: Callable[..., Page], language: str) -> None:
    laid, key = furnished()
    scene = laid.scene
    door = f"/join/{GuestLink.objects.get().token}/"
    host = f"/tables/{laid.table.pk}/guests/"
    walks = (
        ("", ("/tables/", door)),
        ("iris", ("/tables/", host)),
        ("anna", ("/", "/tables/", "/my/", "/my/week/")),
    )
    for name, addresses in walks:
        page = new_page(
            user=scene.users[name] if name else None, locale=language, width=PHONE, reduced_motion="reduce"
        )
        page.route(lambda address: "live" in address, lambda route: route.fulfill(status=204))
        if name == "anna":
            page.context.add_cookies([{"name": cookie_of(laid.table.pk), "value": key, "url": base(page)}])
        for address in addresses:
            page.goto(address)
            page.evaluate(AXE_SCRIPT)
            for width in (PHONE, DESK):
                page.set_viewport_size({"width": width, "height": 900})
                for scheme, rules in THEMES:
                    page.emulate_media(color_scheme=scheme)
                    assert violations(page, rules) == [], (address, width, scheme)
                assert page.evaluate(OVERFLOWING) == [], (address, width)
                assert not page.evaluate(STICKS_OUT), (address, width)
                assert page.evaluate(OVER_THE_NAME) == [], (address, width)
