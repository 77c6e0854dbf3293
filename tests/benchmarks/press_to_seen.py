"""From the press on an own card to the frame in which it lies in the middle, beside three robots (docs/performance.md).

    python -m tests.benchmarks.press_to_seen --url http://127.0.0.1:8000

The pace at which others' actions are shown is on: nobody may wait for their own. In Chromium at 390 px on a processor
four times slower than this one, at a practice table by its socket, and in a deal that a visitor tries.
"""

import argparse
from statistics import median

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import chromium
from tests.benchmarks.loading import SLOWDOWN
from tests.benchmarks.pages import PLAYER, log_in, served

LONGEST_MILLISECONDS = 200
# The frame after the one in which the card was drawn begins once that is on the screen.
WATCH = """
  window.presses = [];
  let pressed = null;
  addEventListener("pointerdown", (event) => {
    const card = event.target.closest("[data-own] [data-card]");
    if (card) pressed = {name: card.getAttribute("aria-label"), at: event.timeStamp};
  }, true);
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    const laid = pressed && document.querySelector(`[data-centre] [aria-label^="${pressed.name},"]`);
    if (!laid) return;
    const since = pressed.at;
    pressed = null;
    requestAnimationFrame(() => requestAnimationFrame((now) => presses.push(now - since)));
  }).observe(document.querySelector("[data-centre]"), {childList: true, subtree: true}));
"""


def main() -> None:
    """Print the milliseconds of all presses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="a running server with the demo")
    parser.add_argument("--deals", type=int, default=2, help="how many deals are played in each place")
    parser.add_argument(
        "--slowdown", type=int, default=SLOWDOWN, help="how many times slower the processor is"
    )
    options = parser.parse_args()
    with sync_playwright() as playwright, served(options.url) as url:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.ARGUMENTS))
        for name, user in (("a deal that a visitor tries", ""), ("a practice table", PLAYER)):
            taken = [
                each for _ in range(options.deals) for each in presses(browser, url, user, options.slowdown)
            ]
            print(
                f"| {name} | {len(taken)} | {median(taken):.0f} ms | {max(taken):.0f} ms "
                f"| {sum(each > LONGEST_MILLISECONDS for each in taken)} |",
                flush=True,
            )
        browser.close()


def presses(browser: Browser, url: str, user: str, slowdown: int) -> list[float]:
    """The milliseconds of each card that is played in one deal."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=url, locale="en-GB")
    page = context.new_page()
    page.add_init_script(
        "localStorage.setItem('table:pace', 'normal'); localStorage.setItem('table:press', 'one')"
    )
    if user:
        log_in(page, user)
        page.goto("/tables/")
    page.add_init_script(WATCH)
    if user:
        page.get_by_role("button", name="Practise", exact=True).click()
    else:
        page.goto("/games/concerto/try/deal/")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    own = page.locator("[data-own] button")
    expect(own).to_have_count(13, timeout=60_000)
    while act(page):
        pass
    taken: list[float] = page.evaluate("presses")
    if user:
        page.request.post(
            f"{page.url}steps/close/", headers={"X-CSRFToken": csrf_token(page), "Referer": url}
        )
    context.close()
    return taken


def csrf_token(page: Page) -> str:
    """Of the form to log out."""
    return page.locator("[name=csrfmiddlewaretoken]").first.input_value()


def act(page: Page) -> bool:
    """Plays a card, or makes the first call where there is none to play; whether the deal goes on."""
    page.wait_for_function(
        """() => document.querySelector("[data-hand].my-turn") || document.querySelector("[data-own]").hidden""",
        timeout=60_000,
    )
    if page.locator("[data-own]").is_hidden():
        return False
    before = page.evaluate("document.querySelector('#table').dataset.version")
    cards = page.locator("[data-own] button:not([aria-disabled])")
    (cards if cards.count() else page.locator("[data-act]:not([aria-disabled])")).first.click()
    page.wait_for_function(
        "before => document.querySelector('#table').dataset.version !== before", arg=before, timeout=60_000
    )
    return True


if __name__ == "__main__":
    main()
