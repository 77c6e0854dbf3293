"""A cup through a level match: a director enters extra boards and draws the final; a visitor reads it on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.models import Fixture, Role
from tests.browser.pages import DESK, PHONE
from tests.league import factories

pytestmark = pytest.mark.browser


def test_a_cup_goes_on_after_a_level_match(transactional_db: None, new_page) -> None:
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    competition = factories.running(club, 4, format="knockout", name="Winter Cup", slug="winter-cup")
    first, second = Fixture.objects.of_competition(competition.pk).with_pairs().order_by("pk")
    factories.result(first, 50, 50)
    factories.result(second, 60, 40)
    desk: Page = new_page(width=DESK, user=dora)
    desk.goto(f"/clubs/{club.slug}/winter-cup/manage/")
    expect(desk.get_by_role("heading", name="Next: who goes on?")).to_be_visible()
    # A round that can't be drawn yet is not offered.
    expect(desk.get_by_role("link", name="Draw: Final")).to_have_count(0)
    desk.get_by_role("link", name=f"{first.home} – {first.away}").click()
    desk.get_by_label(str(first.home), exact=True).first.fill("28")
    desk.get_by_label(str(first.away), exact=True).first.fill("41")
    desk.get_by_role("button", name="Enter extra boards").click()
    expect(desk.get_by_text("The extra boards are entered.")).to_be_visible()
    desk.goto(f"/clubs/{club.slug}/winter-cup/manage/")
    desk.get_by_role("link", name="Draw: Final").click()
    expect(desk.get_by_text(f"{first.away} – {second.home}")).to_be_visible()
    desk.get_by_role("button", name="Publish: Final").click()
    expect(desk.get_by_text("Drawn: Final. Everyone can see it.")).to_be_visible()

    visitor: Page = new_page(width=PHONE)
    visitor.goto(f"/clubs/{club.slug}/winter-cup/")
    final = visitor.get_by_role("region", name=re.compile("^Final"))
    expect(final.get_by_text(str(first.away), exact=True)).to_be_visible()
    expect(visitor.get_by_text("level; extra boards 28–41")).to_be_visible()
    assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")
