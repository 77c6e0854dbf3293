"""A whole match played in the browser: two people and two robots, from "Play online" to the standings.

The service runs as its user starts it, in a process of its own, with the demo: sockets, worker and clock are real.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from tests.browser.pages import DESK, HEIGHTS, PHONE, Watch
from tests.config.test_serve import serving
from tests.servers import free_port

ACTIONS = 400
PATIENCE = 20_000
# Nobody but a person is on turn: the table waits for one of them, or is between two deals, or is over.
SETTLED = """() => {
  const places = ".felt.my-turn, .felt[data-state=between], [data-step=ready], [data-result]:not([hidden])";
  const here = document.querySelector(places);
  const turn = document.querySelector(".table-seat.on-turn .seat-who");
  return Boolean(here) || Boolean(turn && !turn.textContent.startsWith("Robot"));
}"""


class Player:
    """Somebody at the table, in a window of their own."""

    def __init__(self, browser: Browser, address: str, name: str, width: int) -> None:
        self.context: BrowserContext = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": HEIGHTS[width]},
            service_workers="block",
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE)
        self.watch = Watch(origin=address, allowed="")
        self.page = self.context.new_page()
        self.watch.over(self.page)
        self.page.goto("/accounts/login/")
        self.page.get_by_label("E-mail").fill(f"{name}@example.org")
        self.page.get_by_label("Password").fill("concerto-demo")
        self.page.get_by_role("button", name="Log in").click()
        self.page.wait_for_url(re.compile(r"/(my/|clubs/|$)"))

    @property
    def cards(self) -> Locator:
        """The own cards."""
        return self.page.locator(".own-card")

    def is_on_turn(self) -> bool:
        """Whether the felt says so."""
        return self.page.locator("#table .felt.my-turn").count() > 0

    def act(self) -> None:
        """The first card that is allowed, by two presses; else the first thing that can be said."""
        allowed = self.page.locator(".own-card:not([aria-disabled])")
        if allowed.count():
            card = allowed.first.get_attribute("data-card")
            allowed.first.click(position={"x": 8, "y": 15})
            taken_up = self.page.locator(f'.own-card[data-card="{card}"]')
            expect(taken_up).to_have_attribute("aria-pressed", "true")
            taken_up.click(position={"x": 8, "y": 15})
        else:
            self.page.locator("[data-act]:not([aria-disabled])").first.click()
        expect(self.page.locator("[data-line]")).not_to_have_text("Sending…")

    def press(self, step: str) -> bool:
        """A button of the table, if it is there."""
        button = self.page.locator(f'[data-step="{step}"]')
        if not button.count():
            return False
        button.first.click()
        if step == "ready":
            # Said once: a button that is about to go cannot be pressed again.
            expect(button).to_have_count(0)
        return True


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    port = free_port()
    with serving(tmp_path, port, demo=True):
        yield f"http://127.0.0.1:{port}"


def somebody_moves(players: list[Player]) -> None:
    """Waits until the table asks something of one of them, or the match is over; robots take their time."""
    for player in players:
        player.page.wait_for_function(SETTLED)


def play_on(players: list[Player], *, until: int = ACTIONS) -> int:
    """Both act whenever they are on turn, until so many actions or the end of the match; gives how many."""
    done = 0
    for _round in range(ACTIONS * 10):
        for player in players:
            if player.page.locator("[data-result]:not([hidden])").count():
                return done
            player.press("ready")
            if player.is_on_turn():
                player.act()
                done += 1
                if done == until:
                    return done
        somebody_moves(players)
    raise AssertionError(f"the match does not end: {done} actions")


def take_back(asking: Player, answering: Player) -> bool:
    """Acts, and if the other person is next, asks for it back and gets it. Robots leave no time for that."""
    before = asking.cards.count()
    asking.act()
    asking.page.wait_for_function(SETTLED)
    if not answering.is_on_turn() or not asking.press("take_back"):
        return False
    answering.page.get_by_role("button", name="Agree").click()
    expect(asking.page.locator(".felt")).to_have_class(re.compile("my-turn"))
    expect(asking.cards).to_have_count(before)
    return True


def until_taken_back(players: list[Player]) -> None:
    """Plays until somebody has taken an action back."""
    for _round in range(ACTIONS):
        for player, other in (players, players[::-1]):
            player.press("ready")
            if player.is_on_turn() and take_back(player, other):
                return
        somebody_moves(players)
    raise AssertionError("nobody could take anything back")


def test_a_match_is_played_by_two_people_and_two_robots(browser: Browser, address: str) -> None:
    olga = Player(browser, address, "olga.petrov", DESK)
    iris = Player(browser, address, "iris.lindqvist", PHONE)
    olga.page.goto("/clubs/riverside-club/winter-league/rounds/5/")
    played = olga.page.locator(".fixture", has_text="Petrov & Sato").locator('a[href^="/matches/"]').first
    match = played.get_attribute("href")
    played.click()
    olga.page.get_by_role("button", name="Play online").click()
    olga.page.get_by_role("button", name="Sit here").click()
    table = olga.page.url
    iris.page.goto(table)
    iris.page.get_by_role("button", name="Sit here").first.click()
    expect(iris.page.locator("[data-seat-below]")).to_contain_text("(you)")
    seats = olga.page.get_by_role("button", name="Robot: Novice")
    for left in (1, 0):
        seats.first.click()
        expect(seats).to_have_count(left)
    assert play_on([olga, iris], until=10) == 10

    iris.page.reload()
    expect(iris.page.locator(".own-cards")).to_be_visible()
    until_taken_back([olga, iris])
    play_on([olga, iris])

    olga.page.get_by_role("link", name="To the match").click()
    expect(olga.page.get_by_text("confirmed", exact=True).first).to_be_visible()
    expect(olga.page.get_by_role("link", name="Replay, action by action").first).to_be_visible()
    olga.page.goto("/clubs/riverside-club/winter-league/")
    expect(olga.page.locator("main")).to_contain_text("Petrov & Sato")
    assert match is not None
    visitor = olga.context.request.get(match)
    assert "confirmed" in visitor.text()
    for player in (olga, iris):
        assert not player.watch.faults, player.watch.faults
        player.context.close()
