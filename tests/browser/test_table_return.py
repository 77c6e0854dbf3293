"""A player of a match stands up in a deal, a robot plays on, and the opponents say whether the player comes back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from games.models import Action
from tests.browser.pages import DESK, PHONE
from tests.browser.table_windows import Window
from tests.live.tables import match_table, moves

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]
WISH = "Anna Berg stood up and would like to come back into this deal."


def wishes(window: Window) -> Locator:
    """What is asked at the table, as this window shows it."""
    return window.page.locator("[data-requests]")


def leave_to_a_robot(window: Callable[..., Window]) -> tuple[Window, Window, Window]:
    """Anna has left a deal on her turn, a robot has played, and she asks to come back; her opponents' windows."""
    laid = match_table()
    moves(laid, 25)
    while laid.turn() != "N":
        moves(laid, 1)
    anna = window(laid, "N", width=PHONE)
    page = anna.page
    page.get_by_role("button", name="Leave the seat").click()
    page.get_by_role("dialog").get_by_role("button", name="Yes").click()
    expect(page.locator(".own-card")).to_have_count(0)
    page.get_by_role("button", name="Robot: Novice").click()
    expect(page.locator(".seat-more", has_text="for Anna Berg")).to_be_visible()
    assert Action.objects.filter(seat="N", robot="novice").exists()
    page.get_by_role("button", name="Ask to come back").click()
    expect(wishes(anna)).to_have_text(f"{WISH} Waiting for Eva Novak, Luis Reyes.")
    eva, luis = window(laid, "E", width=DESK), window(laid, "W", width=PHONE)
    expect(eva.page.get_by_role("button", name="Robot: Novice")).to_have_count(0)
    return anna, eva, luis


def test_who_stood_up_comes_back_when_both_opponents_agree(window: Callable[..., Window]) -> None:
    anna, eva, luis = leave_to_a_robot(window)
    for each in (eva, luis):
        expect(wishes(each)).to_contain_text(WISH)
        each.page.get_by_role("button", name="Agree").click()
        expect(each.page.get_by_role("button", name="Agree")).to_have_count(0)
    anna.show()
    expect(anna.page.locator("[data-seat-below]")).to_contain_text("(you)")
    expect(anna.page.locator(".own-card").first).to_be_visible()
    expect(wishes(anna)).to_be_empty()


def test_a_refusal_stands_where_it_was_asked(window: Callable[..., Window]) -> None:
    anna, eva, _luis = leave_to_a_robot(window)
    anna.heard()
    eva.page.get_by_role("button", name="Decline").click()
    expect(wishes(eva)).to_be_empty()
    anna.show()
    refusal = "Your opponents didn’t agree. You can come back when this deal is over."
    expect(wishes(anna)).to_have_text(refusal)
    assert refusal in " ".join(anna.heard())
    expect(anna.page.get_by_role("button", name="Ask to come back")).to_have_count(0)
