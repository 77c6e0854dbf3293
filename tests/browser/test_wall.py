"""The wall of the room: every pair is seen, however many there are, in columns and in turn."""

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.comparisons.services import comparisons
from games.models import Board
from games.sessions import services as evenings
from league.models import Competition, Role
from tests.games.evening_rooms import begin, draft, tables
from tests.games.events import play_all
from tests.league import factories

pytestmark = pytest.mark.browser

PAIRS = 44
#: What is wholly within the window.
SEEN = """(list) => Array.from(document.querySelectorAll(list + " li")).filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width && box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
}).map((each) => each.querySelector(".who").textContent)"""
NOW = datetime(2026, 11, 5, 19, 30, tzinfo=UTC)


def an_evening() -> tuple[Competition, Any]:
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    competition = draft(club, dora, PAIRS)
    return evenings.start(actor=dora, competition=competition, at=NOW), dora


def seen_in_turn(wall: Page, chosen: str, turns: int) -> tuple[set[str], int]:
    """Everybody who is seen while the wall takes its turns, and the most at once."""
    seen: set[str] = set()
    most = 0
    for _turn in range(turns):
        now = wall.evaluate(SEEN, chosen)
        seen |= set(now)
        most = max(most, len(now))
        wall.clock.run_for(2_000)
    return seen, most


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
def test_the_wall_shows_every_pair_in_turn(
    transactional_db: None, new_page: Any, width: int, height: int
) -> None:
    competition, dora = an_evening()
    begin(competition, dora)
    names = {str(entry) for entry in competition.entries.with_pairs()}
    wall: Page = new_page(width=width)
    wall.set_viewport_size({"width": width, "height": height})
    wall.clock.install(time=NOW)
    address = f"/clubs/{competition.club.slug}/{competition.slug}/screen/"
    wall.goto(address)
    expect(wall.locator(".wall-seats")).to_be_attached()

    seen, most = seen_in_turn(wall, ".wall-seats", 60)
    assert seen == names
    assert most >= 14
    assert wall.evaluate("document.documentElement.scrollHeight <= innerHeight")

    play_all((fixture, [(1000 + n, 1000)] * 2) for n, fixture in enumerate(tables(competition, 1)))
    Board.objects.filter(plays__fixture__round__number=1).update(released_at=NOW)
    Competition.objects.filter(pk=competition.pk).update(state=Competition.State.FINISHED)
    comparisons.compute_event(competition_id=competition.pk, at=NOW)
    wall.goto(address)
    expect(wall.locator(".wall-ranking").first).to_be_attached()

    seen, most = seen_in_turn(wall, ".wall-ranking", 60)
    assert seen == names
    assert most >= 20
    assert wall.evaluate("document.documentElement.scrollHeight <= innerHeight")
