"""A list of prizes at a director's desk: previewed, refused with what was typed, saved, read by everybody (F151)."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import Role
from league.standings.services import standings
from tests.browser.pages import DESK, PHONE
from tests.league import factories
from tests.league.seasons.test_season_ends import by_place, season

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_f151_a_director_sets_the_prizes_up(transactional_db: None, new_page, width: int) -> None:
    competition = season()
    standings.bump(competition=competition)
    standings.sweep(at=factories.NOW)
    upper, lower = by_place(competition)
    page: Page = new_page(
        width=width, user=factories.member(competition.club, Role.DIRECTOR), allow="422 for"
    )
    page.goto(reverse("competition_manage", args=["riverside", competition.slug]))
    page.get_by_role("link", name="Prizes", exact=True).click()
    page.get_by_label("Prize 1", exact=True).fill("Cup")
    page.get_by_label("Prize 2", exact=True).fill("Wine")
    page.get_by_label("Condition of prize 2", exact=True).select_option("Place 1, Division 1")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("There is a prize for place 1 already.")).to_be_visible()
    expect(page.get_by_label("Prize 2", exact=True)).to_have_value("Wine")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.get_by_label("Condition of prize 2", exact=True).select_option("Best of Division 2")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview: not saved yet")).to_be_visible()
    page.get_by_role("button", name="Save prizes").click()
    expect(page.get_by_role("heading", name="As the table stands")).to_be_visible()
    won = page.get_by_role("region", name="Prizes").locator("tbody tr")
    expect(won.first).to_contain_text(str(upper[0]))
    expect(won.last).to_contain_text(str(lower[0]))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.goto(competition.get_absolute_url())
    expect(page.get_by_text("Wine: Best of Division 2.")).to_be_visible()
