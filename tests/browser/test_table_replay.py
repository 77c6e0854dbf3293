"""A replay by keyboard: each moment is told, the focus and what was unfolded stay, the way through it stands still.

And what the cards could have made, worked out while somebody reads.
"""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from engine.concerto.game import CONCERTO
from games.models import Analysis, Table
from games.tables.services import opening, play, seats
from tests.browser.test_every_page import ALL_RULES, NARROWEST, OVERFLOWING, STICKS_OUT, violations
from tests.live.tables import Laid, move
from tests.scenes import make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]

PLACES = """() => [...document.querySelectorAll('.replay-steps > *, .replay-jumps > *')].map((one) => {
  const box = one.getBoundingClientRect();
  return [Math.round(box.left), Math.round(box.top + scrollY)];
})"""


def played() -> Laid:
    """Anna's practice of one deal, to its end."""
    scene = make_scene()
    anna = scene.users["anna"]
    table = opening.open_casual(actor=anna, club=scene.club, terms={"clock_seconds": 0}, options={"deals": 1})
    seats.sit(actor=anna, table_id=table.pk, seat="N")
    for seat in "ESW":
        seats.seat_robot(actor=anna, table_id=table.pk, seat=seat, robot="novice")
    laid = Laid(scene, table)
    seats.ready(actor=anna, table_id=table.pk)
    while laid.facts().state == Table.State.PLAYING:
        if play.is_robots_turn(laid.facts()):
            play.play_robots(table_id=table.pk)
        else:
            move(laid)
    return laid


def test_a_replay_by_keyboard(new_page: Callable[..., Page], steady_cards: None) -> None:
    laid = played()
    page = new_page(width=NARROWEST, user=laid.at("N"), reduced_motion="reduce")
    page.goto(f"/tables/{laid.table.pk}/deals/1/?step=9")
    expect(page.get_by_role("heading", name="What the cards could make")).to_be_visible()
    count, last = page.locator(".step-count"), page.locator(".replay .moment")
    steps = int((count.text_content() or "").split("/")[1])
    page.evaluate(AXE_SCRIPT)
    assert violations(page, ALL_RULES) == []
    assert not page.evaluate(STICKS_OUT)
    assert page.evaluate(OVERFLOWING) == []
    places = page.evaluate(PLACES)

    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"10 / {steps}")
    expect(page.locator("#announcements")).to_have_text(last.text_content() or "")
    page.keyboard.press("End")
    expect(count).to_have_text(f"{steps} / {steps}")
    assert page.evaluate(PLACES) == places, "nothing moved away from under a finger"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(count).to_have_text(f"0 / {steps}")
    expect(last).to_have_text("Nothing has been played yet.")

    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"1 / {steps}")
    page.get_by_role("button", name="Copy the link to this moment").click()
    expect(page.locator("#messages")).to_contain_text("The link is copied.")
    assert "step=1" in page.evaluate("copied")
    page.keyboard.press("Home")
    expect(count).to_have_text(f"0 / {steps}")

    back = page.locator("[data-replay-next]")
    for step in (1, 2):
        back.press("Enter")
        expect(count).to_have_text(f"{step} / {steps}")
        expect(back).to_be_focused()
    chip = page.get_by_role("link", name="Hand 3", exact=True)
    chip.press("Enter")
    expect(count).not_to_have_text(f"2 / {steps}")
    expect(chip).to_be_focused()

    page.get_by_text("Every action in words").click()
    action = page.locator(".replay-actions a").nth(30)
    action.press("Enter")
    expect(count).to_have_text(f"31 / {steps}")
    expect(page.locator(".replay-actions a").nth(30)).to_be_focused()
    expect(page.locator('.replay-actions [aria-current="step"]')).to_have_count(1)

    eyes = page.get_by_label("Cards seen by")
    eyes.select_option("N")
    expect(page.get_by_text(re.compile("cards?, not shown"))).to_have_count(3)
    expect(count).to_have_text(f"31 / {steps}")
    expect(page).to_have_url(re.compile("step=31&as=N"))


def test_par_appears_by_itself_without_a_press_where_the_reader_is(
    new_page: Callable[..., Page], steady_cards: None
) -> None:
    laid = played()
    page = new_page(width=NARROWEST, user=laid.at("N"), reduced_motion="reduce")
    page.goto(f"/tables/{laid.table.pk}/deals/1/")
    best = page.get_by_role("heading", name="What the cards could make")
    expect(best).to_be_visible()

    # As if no worker had come to it yet.
    Analysis.objects.update(version=0)
    page.reload()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("We’re working this out")).to_be_visible()
    Analysis.objects.update(version=CONCERTO.analysis.version)
    expect(best).to_be_visible()
    expect(page.locator(".step-count")).to_contain_text("1 /")


@pytest.mark.parametrize(("width", "language"), [(NARROWEST, "de"), (390, "en"), (1280, "en"), (1280, "de")])
def test_what_each_action_gave_up_is_read_on_every_screen(
    new_page: Callable[..., Page], steady_cards: None, width: int, language: str
) -> None:
    laid = played()
    page = new_page(width=width, user=laid.at("N"), reduced_motion="reduce", locale=language)
    page.goto(f"/tables/{laid.table.pk}/deals/1/")
    page.locator(".replay-best button").click()
    study = page.locator(".given-up")
    expect(study.locator("svg:visible")).to_have_count(1)
    page.wait_for_load_state("load")
    page.keyboard.press("End")
    expect(study.locator("p").nth(1)).to_contain_text(
        {"en": "The expert would have", "de": "Der Experte hätte"}[language]
    )
    # Every figure of the picture stands in a table besides.
    steps = int((page.locator(".step-count").text_content() or "").split("/")[1])
    expect(study.locator("table td")).to_have_count(steps + 1)
    page.locator(".replay-hands details.more summary").last.click()
    expect(page.locator(".replay-actions .gave-up").first).to_be_visible()
    page.evaluate(AXE_SCRIPT)
    assert violations(page, ALL_RULES) == []
    assert not page.evaluate(STICKS_OUT)
    assert page.evaluate(OVERFLOWING) == []
