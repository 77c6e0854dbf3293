"""A table can be heard, after the first press and while the player likes it; the icon says whose turn it is."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.table_windows import Window
from tests.live.tables import match_table, move

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]

# Whatever makes a sound or trembles is written down.
LISTEN = """() => {
  window.tones = [];
  window.OscillatorNode = class extends OscillatorNode {
    constructor(context, options) { super(context, options); tones.push(options.frequency); }
  };
  navigator.vibrate = (lasts) => tones.push(`trembles ${lasts}`);
}"""
HEARD = "tones.splice(0)"
CARD, TURN = [190], ["trembles 60", 659, 880]


def test_what_happens_is_heard_after_the_first_press_unless_it_is_switched_off(
    window: Callable[..., Window],
) -> None:
    laid = match_table(clock_seconds=0)
    leader = laid.turn()
    here = window(laid, {"N": "S", "S": "N", "E": "W", "W": "E"}[leader])
    page, icon = here.page, here.page.locator("link[rel=icon]")
    page.evaluate(LISTEN)
    usual = icon.get_attribute("href")
    move(laid)
    here.show()
    expect(page.locator(".felt.my-turn")).to_have_count(1)
    expect(icon).not_to_have_attribute("href", usual or "")
    assert page.evaluate(HEARD) == [], "nobody has pressed anything"

    page.get_by_role("button", name="by rank").click()
    move(laid)
    here.show()
    expect(icon).to_have_attribute("href", page.evaluate("(path) => new URL(path, location).href", usual))
    assert page.evaluate(HEARD) in ([330], CARD)
    move(laid)
    here.show()
    heard = page.evaluate(HEARD)
    assert (heard[:1], heard[-3:]) == (CARD, TURN)

    page.get_by_role("group", name="Sound:").get_by_role("button", name="off").click()
    move(laid)
    here.show()
    assert page.evaluate(HEARD) == []
    page.reload()
    sound = page.get_by_role("group", name="Sound:").get_by_role("button", name="off")
    expect(sound).to_have_attribute("aria-pressed", "true")
