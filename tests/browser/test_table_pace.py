"""What others do is shown action by action, and nobody has to wait for it; what was done stands in a list."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from games.tables.services import play
from tests.browser.pages import PHONE
from tests.browser.table_windows import Window
from tests.live.tables import Laid, match_table, move, moves

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]

STEP, REST = 600, 1500


@pytest.fixture(autouse=True)
def _robots_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Robots act when the test says so."""
    monkeypatch.setattr(play.rows, "hint_robots", lambda table: None)


def robots_hand(**terms: Any) -> Laid:
    """East, a robot, has begun the first hand."""
    laid = match_table(robots={"E": "novice", "W": "novice"}, **terms)
    while (turn := laid.turn()) in {"N", "S"}:
        move(laid)
    assert turn == "E"
    facts = laid.facts()
    sent = play.robots_action(facts)
    assert sent is not None
    play.act(actor=play.robot_actor(facts), table_id=laid.table.pk, sent=sent)
    return laid


def count(laid: Laid) -> int:
    """How many actions the deal has."""
    deal = laid.facts().deal
    assert deal is not None
    return len(deal.fold.counting)


def lines(here: Window) -> Locator:
    """What was done in the hand that is shown, and the one before."""
    return here.page.locator(".history-moves li")


def open_window(window: Callable[..., Window], laid: Laid, seat: str) -> Window:
    """Whose clock the test turns; what others do is shown step by step."""
    here = window(laid, seat, width=PHONE, pace="normal", is_clock_held=True)
    here.page.clock.run_for(STEP)
    return here


def test_a_robots_hand_is_shown_action_by_action_and_rests(window: Callable[..., Window]) -> None:
    laid = robots_hand(clock_seconds=0)
    here = open_window(window, laid, "S")
    page, clock, shown = here.page, here.page.clock, count(laid)
    centre = page.locator("[data-centre]")
    expect(lines(here)).to_have_count(shown)
    play.play_robots(table_id=laid.table.pk)
    robots = count(laid) - shown
    assert robots > 3
    assert laid.turn() == "S"

    here.tell()
    for step in range(1, robots):
        expect(lines(here)).to_have_count(shown + step)
        expect(page.locator("[data-line]")).to_have_text("Press anywhere to skip ahead.")
        clock.run_for(STEP - 50)
        expect(lines(here)).to_have_count(shown + step)
        clock.run_for(50)
    # The whole hand lies there with what it made, and nobody is on turn; then comes the next one.
    expect(centre).to_contain_text("points")
    expect(centre.locator(".current-hand .card-face:not(.vacant)")).to_have_count(5)
    expect(page.locator(".my-turn")).to_have_count(0)
    clock.run_for(REST)
    expect(page.locator(".felt.my-turn")).to_have_count(1)
    expect(centre).to_contain_text("Hand 2")
    told = here.heard()
    assert sum("Robot (Novice) for " in line for line in told) >= robots - 1
    assert sum("points." in line for line in told) == 1


def test_a_press_skips_and_who_is_short_of_time_sees_all_at_once(window: Callable[..., Window]) -> None:
    laid = robots_hand(clock_seconds=20)
    played = count(laid)
    skipping, hurried = open_window(window, laid, "N"), open_window(window, laid, "S")
    play.play_robots(table_id=laid.table.pk)

    hurried.tell()
    expect(hurried.page.locator(".felt.my-turn")).to_have_count(1)
    skipping.tell()
    expect(lines(skipping)).to_have_count(played + 1)
    skipping.page.locator("[data-centre]").click()
    expect(skipping.page.locator("[data-centre]")).to_contain_text("Hand 2")
    expect(skipping.page.locator("[data-line]")).not_to_have_text("Press anywhere to skip ahead.")


def test_of_people_three_are_waited_for_and_the_own_action_never(window: Callable[..., Window]) -> None:
    laid = match_table(clock_seconds=0)
    here = open_window(window, laid, laid.turn())
    page = here.page
    page.locator(".own-card:not([aria-disabled])").first.click()
    page.locator("[data-act].play").click()
    expect(lines(here)).to_have_count(1)
    moves(laid, 1)
    here.tell()
    expect(lines(here)).to_have_count(1)
    page.clock.run_for(STEP)
    expect(lines(here)).to_have_count(2)
    moves(laid, 4)
    here.tell()
    expect(lines(here)).to_have_count(6)
