"""A whole match played in the browser: two people and two robots, from "Play online" to the standings.

The service runs as its user starts it, in a process of its own: sockets, worker and clock are real. It begins with a
copy of the test's database, in which a small league and two people who are logged in are written quickly.
"""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from tests.browser.pages import DESK, HEIGHTS, PHONE, Watch, session_cookie
from tests.config.test_serve import serving
from tests.scenes import Scene, make_scene
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

    def __init__(self, browser: Browser, address: str, cookie: Any, width: int) -> None:
        self.context: BrowserContext = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": HEIGHTS[width]},
            service_workers="block",
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE)
        # Nobody looks on: what robots do need not be shown one by one.
        self.context.add_init_script("localStorage.setItem('table:pace', 'off')")
        self.context.add_cookies([cookie])
        self.watch = Watch(origin=address, allowed="")
        self.page = self.context.new_page()
        self.watch.over(self.page)

    @property
    def cards(self) -> Locator:
        """The own cards."""
        return self.page.locator(".own-card")

    def is_on_turn(self) -> bool:
        """Whether the felt says so."""
        return self.page.locator("#table .felt.my-turn").count() > 0

    def act(self) -> None:
        """The first card that is allowed, by as many presses as the player likes; else what can be said."""
        allowed = self.page.locator(".own-card:not([aria-disabled])")
        if allowed.count():
            card = allowed.first.get_attribute("data-card")
            allowed.first.click(position={"x": 8, "y": 15})
            taken_up = self.page.locator(f'.own-card[data-card="{card}"][aria-pressed="true"]')
            if not self.page.locator('[data-press="one"][aria-pressed="true"]').count():
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
def scene(transactional_db: None) -> Scene:
    if connection.vendor != "sqlite":
        pytest.skip("what is served has a database of its own, a file that is copied")
    return make_scene()


@pytest.fixture
def players(tmp_path: Path, browser: Browser, scene: Scene) -> Iterator[list[Player]]:
    """Anna at a desk and her opponent Eva with a phone, logged in at a service that has the scene."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    cookies = [session_cookie(scene.users[name], address) for name in ("anna", "eva")]
    # Signed with the same key, the sessions hold there as well.
    (tmp_path / "secret_key").write_text(settings.SECRET_KEY)
    connection.ensure_connection()
    with sqlite3.connect(tmp_path / "concertmaster.sqlite3") as copy:
        connection.connection.backup(copy)
    copy.close()
    with serving(tmp_path, port):
        found = [
            Player(browser, address, cookie, width)
            for cookie, width in zip(cookies, (DESK, PHONE), strict=True)
        ]
        yield found
        for player in found:
            player.context.close()


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


@pytest.mark.long
def test_a_match_is_played_by_two_people_and_two_robots(players: list[Player], scene: Scene) -> None:
    anna, eva = players
    match = scene.fixture.get_absolute_url()
    anna.page.goto(match)
    anna.page.get_by_role("button", name="Play online").click()
    anna.page.get_by_role("button", name="Sit here").click()
    anna.page.get_by_role("button", name="one press").click()
    eva.page.goto(anna.page.url)
    eva.page.get_by_role("button", name="Sit here").first.click()
    expect(eva.page.locator("[data-seat-below]")).to_contain_text("(you)")
    for player in players:
        # Each pair puts the robot beside its own player.
        beside = player.page.get_by_role("button", name="Robot: Novice")
        beside.click()
        expect(beside).to_have_count(0)
    assert play_on(players, until=10) == 10

    eva.page.reload()
    expect(eva.page.locator(".own-cards")).to_be_visible()
    until_taken_back(players)
    play_on(players)

    anna.page.get_by_role("link", name="Go to the match").click()
    expect(anna.page.get_by_text("confirmed", exact=True).first).to_be_visible()
    expect(anna.page.get_by_role("link", name="Replay, action by action").first).to_be_visible()
    anna.page.goto(scene.competition.get_absolute_url())
    # The first figure after the name is how many matches were played.
    counted = anna.page.locator(".standings tbody tr > th + td").get_by_text("1", exact=True)
    expect(counted).to_have_count(2)
    assert "confirmed" in eva.context.request.get(match).text()
    for player in players:
        assert not player.watch.faults, player.watch.faults
