"""A director draws a round of a Swiss in the browser, changes it by hand, publishes it; a visitor asks why."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Fixture, Role
from tests.browser.pages import DESK, PHONE
from tests.league import factories

pytestmark = pytest.mark.browser


def test_a_round_is_drawn_changed_published_and_explained(transactional_db: None, new_page) -> None:
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    competition = factories.running(club, 7, format="swiss", name="Autumn Swiss", slug="autumn-swiss")
    for fixture in Fixture.objects.filter(division__stage__competition=competition).with_pairs():
        factories.result(fixture, 60, 40)
    desk: Page = new_page(width=DESK, user=dora)
    desk.goto(f"/clubs/{club.slug}/autumn-swiss/manage/")
    desk.get_by_role("link", name="Draw round 2").click()
    expect(desk.get_by_role("heading", name="The proposal")).to_be_visible()
    home, away = (
        Fixture.objects.filter(round__number=1, division__stage__competition=competition)
        .with_pairs()[0]
        .entries
    )
    desk.get_by_label("Exchange", exact=True).select_option(str(home))
    desk.get_by_label("with", exact=True).select_option(str(away))
    desk.get_by_role("button", name="Exchange").click()
    expect(desk.get_by_role("heading", name="Your tables")).to_be_visible()
    desk.get_by_role("link", name="Back to the proposal").click()
    desk.get_by_role("button", name="Publish round 2").click()
    expect(desk.get_by_text("Round 2 is drawn. Everyone can see it.")).to_be_visible()

    visitor: Page = new_page(width=PHONE)
    visitor.goto(f"/clubs/{club.slug}/autumn-swiss/rounds/2/")
    visitor.get_by_role("link", name="How this round was drawn").click()
    visitor.get_by_label("Why don’t").select_option(str(home))
    visitor.get_by_label("meet").select_option(str(away))
    visitor.get_by_role("button", name="Ask").click()
    expect(visitor.get_by_text("There are more repeat meetings.")).to_be_visible()
    assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")
