"""From the front page to the first own card on the table, as a stranger on a slow phone (docs/performance.md).

    python -m tests.benchmarks.first_card --url http://127.0.0.1:8000

Each time in a fresh profile of Chromium, at 390 px, on Lighthouse's slow 4G with a processor four times slower. Every
press comes as soon as what is pressed can be seen; a person's own thinking is not in it.
"""

import argparse
import time
from statistics import median

from playwright.sync_api import Browser, expect, sync_playwright

from tests import chromium
from tests.benchmarks.loading import SLOW_4G, SLOWDOWN
from tests.benchmarks.pages import served

PRESSES, LONGEST_SECONDS = 3, 10


def main() -> None:
    """Print the seconds until each press could be made, and until the card lay there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="a running server")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    with sync_playwright() as playwright, served(options.url) as url:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.ARGUMENTS))
        runs = [first_card(browser, url) for _ in range(options.times)]
        browser.close()
    for name, seconds in zip(
        ("front page", "own cards", "card played"), zip(*runs, strict=True), strict=True
    ):
        print(f"| {name} | {median(seconds):.1f} s | {max(seconds):.1f} s |")
    print(f"{PRESSES} presses; allowed: {LONGEST_SECONDS} s")


def first_card(browser: Browser, url: str) -> tuple[float, float, float]:
    """The seconds since the address was entered."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=url, locale="en-GB")
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW_4G)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    begun = time.perf_counter()
    page.goto("/", wait_until="commit")
    play = page.get_by_role("link", name="Play now with robots")
    play.wait_for()
    at_home = time.perf_counter() - begun
    play.click()
    own = page.locator("[data-own] button")
    expect(own).to_have_count(13, timeout=60_000)
    at_table = time.perf_counter() - begun
    own.first.click()
    own.first.click()
    expect(own).to_have_count(12, timeout=60_000)
    played = time.perf_counter() - begun
    context.close()
    return at_home, at_table, played


if __name__ == "__main__":
    main()
