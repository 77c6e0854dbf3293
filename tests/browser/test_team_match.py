"""A match of two teams: captains name their line-ups on the phone, both rooms play, a visitor reads board by board."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import DESK, PHONE
from tests.games.team_leagues import League, make_league, play_room, rooms_of

pytestmark = pytest.mark.browser

OPEN = [(72, 12), (40, 30), (20, 45), (60, 10)]
CLOSED = [(33, 26), (40, 30), (30, 30), (50, 20)]


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def name_line_up(page: Page, league: League, said: str) -> None:
    """From the captain's own page to the line-up and back to the match."""
    page.goto("/my/")
    page.get_by_role("link", name="Name the line-up").first.click()
    expect(page.get_by_role("heading", name=re.compile("Line-up of"))).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Name the line-up").click()
    expect(page.get_by_text(said)).to_be_visible()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_team_match_in_two_rooms(transactional_db: None, new_page, width: int) -> None:
    league = make_league()
    match = league.match()
    one: Page = new_page(width=width, user=league.captain(match.home))
    name_line_up(one, league, "Thank you. The other team can’t see your line-up until theirs is in, too.")
    two: Page = new_page(width=width, user=league.captain(match.away))
    two.goto(f"/matches/{match.pk}/")
    expect(two.get_by_text("line-up is in")).to_be_visible()
    expect(two.get_by_text(str(match.home.lineup.players[1]), exact=False)).to_have_count(0)
    name_line_up(two, league, "Both line-ups are in. Here are the two rooms.")
    open_room, closed_room = rooms_of(match)
    two.get_by_role("link", name=re.compile("Go to the room")).first.click()
    expect(two.get_by_text("A room of the match")).to_be_visible()
    play_room(open_room, OPEN)
    visitor: Page = new_page(width=width)
    visitor.goto(f"/matches/{match.pk}/")
    expect(visitor.get_by_text("still sealed").first).to_be_visible()
    play_room(closed_room, CLOSED)
    visitor.reload()
    expect(visitor.get_by_role("cell", name="53", exact=True)).to_be_visible()
    expect(visitor.get_by_role("cell", name="11 : −11", exact=True).first).to_be_visible()
    expect(visitor.get_by_text("Victory points for a margin of 10 IMPs over 4 boards.")).to_be_visible()
    assert fits(visitor)
    score = visitor.locator(".score").inner_text()
    visitor.get_by_role("link", name="For a screen on the wall").click()
    expect(visitor.get_by_text(score)).to_be_visible()
    expect(visitor.get_by_role("listitem").filter(visible=True).first).to_be_visible()
    assert fits(visitor)
