"""Practice alone with robots in the browser: chosen on the page of tables, undone, with a hint, and dealt again."""

from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from games.models import Table
from tests.browser.table_windows import Window
from tests.browser.test_every_page import ALL_RULES, NARROWEST, OVERFLOWING, violations
from tests.live.tables import Laid
from tests.scenes import make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]
DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def test_practice_from_the_choice_to_the_same_deal_again(
    new_page: Callable[..., Page], window: Callable[..., Window]
) -> None:
    scene = make_scene()
    anna = scene.users["anna"]
    page = new_page(width=NARROWEST, user=anna)
    # The table's own window is another one.
    page.route_web_socket(lambda _address: True, lambda _socket: None)
    page.goto("/tables/")
    page.get_by_text("Partner, seat and cards").click()
    page.get_by_label("Your partner").select_option("expert")
    page.get_by_label("Your seat").select_option("E")
    page.get_by_label("A deal of your own").fill(DEAL)
    page.evaluate(AXE_SCRIPT)
    assert violations(page, ALL_RULES) == []
    assert page.evaluate(OVERFLOWING) == []
    page.get_by_role("button", name="Practise", exact=True).click()
    page.locator("#table").wait_for()
    table = Table.objects.get()

    at_table = window(Laid(scene, table), user=anna)
    page = at_table.page
    line = page.locator("[data-line]")
    page.get_by_role("button", name="Hint").click()
    expect(line).to_contain_text("Hint (Expert): Play")
    assert at_table.heard()[-1].startswith("Hint (Expert)")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_have_count(0)
    page.locator("[data-own] [data-card='Ah']").dblclick()
    expect(undo).to_be_visible()
    expect(line).not_to_contain_text("Hint")
    page.evaluate(AXE_SCRIPT)
    assert violations(page, ALL_RULES) == []
    undo.click()
    expect(page.locator("[data-own] [data-card]")).to_have_count(13)
    page.locator("[data-own] [data-card='Kh']").dblclick()
    expect(page.locator("[data-own] [data-card]")).to_have_count(12)
    page.get_by_role("button", name="Same deal again").click()
    expect(page.locator("[data-own] [data-card]")).to_have_count(13)
