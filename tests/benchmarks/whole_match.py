"""From the front page to a first card, then a match of four deals with a friend who came by the guest link.

    python -m tests.benchmarks.whole_match --url http://127.0.0.1:8000

Everybody is at a phone in a fresh profile of Chromium: a stranger tries a deal; a member of the demo club opens a table
with two robots and lets a friend in, who has no account. Sound is on and the pace is the usual one. The two play the
first card that they may as soon as it is their turn; a person's own thinking is not in it.
"""

import argparse
import re
import time
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests import chromium
from tests.benchmarks.pages import PLAYER, log_in, served

PRESSES, DEALS = 3, 4
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
# Each sound has one note of a pitch of its own, but time running low has three.
LISTEN = """
  window.tones = [];
  window.OscillatorNode = class extends OscillatorNode {
    constructor(context, options) { super(context, options); tones.push(options.frequency); }
  };
"""
SOUNDS = {190: "card", 330: "call", 523: "hand made", 880: "your turn"}
# What can be pressed in the next frame: the next deal, a card, or a call where no card may be played.
NEXT = """async () => {
  await new Promise(requestAnimationFrame);
  const shown = (name) => [...document.querySelectorAll(name)].find((each) => each.checkVisibility());
  if (shown("[data-result]")) return "over";
  if (shown("[data-step=ready]")) return "[data-step=ready]";
  if (!shown("[data-hand].my-turn")) return "";
  return ["[data-own] [data-card]:not([aria-disabled])", "[data-act]:not([aria-disabled])"].find(shown) || "";
}"""


class Person:
    """Somebody at their phone: what they pressed, and what went wrong there."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.page: Page = browser.new_context(base_url=url, locale="en-GB", **PHONE).new_page()
        self.presses = 0
        self.faults: list[str] = []
        self.page.add_init_script(LISTEN)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def press(self, what: Locator) -> None:
        """One press, as soon as it can be seen."""
        what.tap()
        self.presses += 1

    def go_on(self) -> str:
        """Do what can be done now; gives the name of the deal that is shown, or "over"."""
        what = str(self.page.evaluate(NEXT))
        if what in {"", "over"}:
            return what or self.page.locator("[data-deal]").inner_text()
        before = self.page.locator("#table").get_attribute("data-version")
        self.press(self.page.locator(f"{what}:visible").first)
        if "data-card" in what:
            self.press(self.page.locator("[data-actions] .play"))
        expect(self.page.locator("#table")).not_to_have_attribute("data-version", before or "")
        return self.page.locator("[data-deal]").inner_text()

    def heard(self) -> str:
        """How often each sound was made."""
        tones: list[int] = self.page.evaluate("tones")
        counts = {name: tones.count(tone) for tone, name in SOUNDS.items()}
        return f"{sum(counts.values())} sounds ({', '.join(f'{count} {name}' for name, count in counts.items())})"

    def score(self) -> list[int]:
        """The points of both sides as the page says them at the end."""
        return [
            int(each) for each in re.findall(r"\d+", self.page.locator("[data-result] .large").inner_text())
        ]


def main() -> None:
    """Print the rows of the table, or end with what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="a running server with the demo")
    options = parser.parse_args()
    with sync_playwright() as playwright, served(options.url) as url:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.ARGUMENTS))
        people = {name: Person(browser, url) for name in ("stranger", "host", "guest")}
        first_card(people["stranger"])
        sit_down(people["host"], people["guest"])
        at_table = {name: each.presses for name, each in people.items()}
        play(people["host"], people["guest"])
        for name, each in people.items():
            print(f"{name}: {each.presses} presses ({at_table[name]} before the match), {each.heard()}")
        total = (
            people["host"]
            .page.request.get(f"{people['host'].page.url}view/")
            .json()["view"]["match"]["total"]
        )
        shown = [people[name].score() for name in ("host", "guest")]
        print(f"score: {shown[0]} and {shown[1]} on the pages, {total} on the server")
        faults = [fault for each in people.values() for fault in each.faults]
        browser.close()
    if faults or shown != [list(total.values())] * 2 or people["stranger"].presses > PRESSES:
        raise SystemExit(f"Not as it should be. Errors of scripts: {faults or 'none'}")


def first_card(stranger: Person) -> None:
    """From the front page, without an account."""
    stranger.page.goto("/")
    stranger.press(stranger.page.get_by_role("link", name="Play now with robots"))
    own = stranger.page.locator("[data-own] button")
    expect(own).to_have_count(13, timeout=60_000)
    for _ in range(2):
        stranger.press(own.first)
    expect(own).to_have_count(12)


def sit_down(host: Person, guest: Person) -> None:
    """The host opens a table, lets guests in and takes two robots; the guest opens the address of the QR code."""
    log_in(host.page, PLAYER)
    host.page.goto("/tables/")
    host.press(host.page.get_by_text("Open a casual table", exact=True))
    host.press(host.page.get_by_label("End at 100 points"))
    host.press(host.page.get_by_role("button", name="Open the table"))
    host.press(host.page.get_by_role("button", name="Sit here").first)
    host.press(host.page.get_by_role("link", name="Invite guests"))
    host.press(host.page.get_by_role("button", name="Let guests in"))
    guest.page.goto(host.page.get_by_label("Or send them the link").input_value())
    guest.page.get_by_label("Your name").fill("Hedwig")
    guest.press(guest.page.get_by_role("button", name="Sit down"))
    host.press(host.page.get_by_role("link", name="Back to the table"))
    for left in (2, 1):
        host.press(host.page.locator("[data-step=robot]").first)
        expect(host.page.get_by_text("Free seat", exact=True)).to_have_count(left - 1)


def play(host: Person, guest: Person) -> None:
    """The whole match; prints how long each deal took, with what was shown afterwards."""
    begun = time.perf_counter()
    deals: dict[str, float] = {}
    while [host.go_on(), guest.go_on()] != ["over", "over"]:
        deals.setdefault(host.page.locator("[data-deal]").inner_text(), time.perf_counter())
    ended = time.perf_counter()
    moments = [at for name, at in deals.items() if name][-DEALS:]
    each = [f"{to - since:.0f}" for since, to in zip(moments, [*moments[1:], ended], strict=True)]
    print(f"match: {ended - begun:.0f} s; its {len(each)} deals: {', '.join(each)} s")


if __name__ == "__main__":
    main()
