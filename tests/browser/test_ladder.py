"""A ladder from a challenge to its result: a phone challenges, a desk accepts, and the winner moves up."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Fixture
from tests.browser.pages import DESK, PHONE
from tests.games.team_leagues import tomorrow
from tests.league import factories

pytestmark = pytest.mark.browser


def test_a_challenge_to_its_result(transactional_db: None, new_page) -> None:
    club = factories.club(time_zone="Europe/Dublin")
    competition = factories.running(club, 5, format="ladder", name="Ladder", slug="ladder")
    above, below = competition.entries.with_pairs().filter(number__in=[2, 4]).order_by("number")
    amy, bob = factories.account_of(below.lineup), factories.account_of(above.lineup)
    phone: Page = new_page(width=PHONE, user=amy)
    phone.goto(f"/clubs/{club.slug}/ladder/")
    expect(phone.get_by_text("How the ladder works")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.get_by_role("link", name=f"Challenge {above}").click()
    expect(phone.get_by_text("You can challenge up to 3 places above you.")).to_be_visible()
    phone.get_by_role("button", name="Challenge").click()
    expect(phone.get_by_text("Your challenge is made.")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")

    desk: Page = new_page(width=DESK, user=bob)
    desk.goto("/my/")
    desk.get_by_role("link", name="Answer").first.click()
    expect(desk.get_by_text("It costs the place")).to_be_visible()
    desk.get_by_role("button", name="Accept", exact=True).click()
    expect(desk.get_by_text("Accepted. Now agree on a time.")).to_be_visible()

    # Bob proposes a time, and Amy accepts it from her own page.
    match = Fixture.objects.get()
    desk.goto("/my/")
    desk.get_by_role("link", name="Agree on a time").first.click()
    desk.get_by_label("New day and time").fill(f"{tomorrow():%Y-%m-%dT}19:30")
    desk.get_by_role("button", name="Propose this time").click()
    expect(desk.get_by_text("have not answered yet")).to_be_visible()
    phone.goto("/my/")
    phone.get_by_role("link", name="Answer").first.click()
    phone.get_by_role("button", name="Accept", exact=True).click()
    expect(phone.get_by_role("button", name="Accept", exact=True)).to_have_count(0)
    match.refresh_from_db()
    assert match.starts_at is not None
    assert not match.starts_at < timezone.now()

    # It is played: Amy enters its sheet by totals, and Bob confirms it.
    phone.goto(f"/matches/{match.pk}/")
    phone.locator("main").get_by_role("link", name="Enter the scoresheet").click()
    phone.get_by_role("button", name="Seats are right").click()
    phone.get_by_role("button", name="Totals").click()
    home, away = ("NS", "EW")
    for deal in range(4):
        phone.locator(f"[data-deal-tab='{deal}']").click()
        phone.locator(f"[data-path='total.{home}']").fill("10")
        phone.locator(f"[data-path='total.{away}']").fill("15")
    phone.locator("[data-check]").click()
    phone.get_by_role("button", name="to confirm").click()
    expect(phone.get_by_text("can now confirm it.")).to_be_visible()
    desk.goto("/my/")
    desk.get_by_role("link", name="Confirm").first.click()
    desk.get_by_role("button", name=re.compile("Confirm")).first.click()
    match.refresh_from_db()
    assert match.status == Fixture.Status.CONFIRMED

    phone.goto(f"/clubs/{club.slug}/ladder/")
    expect(phone.get_by_text(f"{below} won against {above} and moved up.")).to_be_visible()
    rows = phone.get_by_role("row").filter(has_text=re.compile("up 2 places"))
    expect(rows.get_by_text(str(below), exact=True)).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
