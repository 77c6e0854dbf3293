"""The end of a season at a director's desk: finished, undone, finished again, and the next one published."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import Competition, FinalPlace, Fixture, Role
from tests.browser.pages import DESK, PHONE
from tests.league import factories
from tests.league.seasons.test_season_ends import season

pytestmark = pytest.mark.browser


def is_within(page: Page) -> bool:
    """Whether nothing stands beyond the edge."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_f81_f87_f90_a_season_is_closed_undone_closed_and_the_next_published(
    transactional_db: None, new_page
) -> None:
    competition = season()
    Competition.objects.filter(pk=competition.pk).update(correction_hours=0)
    open_match = Fixture.objects.of_competition(competition.pk).first()
    assert open_match is not None
    Fixture.objects.filter(pk=open_match.pk).update(status="scheduled", decided_at=None)
    page: Page = new_page(user=factories.member(competition.club, Role.DIRECTOR), width=PHONE)
    end = reverse("competition_finish", args=["riverside", competition.slug])
    page.goto(end)
    expect(page.get_by_text("1 match has no result yet.")).to_be_visible()
    assert is_within(page)
    Fixture.objects.filter(pk=open_match.pk).update(status="confirmed", decided_at=open_match.decided_at)

    page.goto(end)
    expect(page.get_by_text("promoted", exact=True).first).to_be_visible()
    expect(page.get_by_text("relegated", exact=True).first).to_be_visible()
    assert is_within(page)
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_text("Finished. The table is final.")).to_be_visible()

    page.set_viewport_size({"width": DESK, "height": 900})
    page.goto(reverse("competition_manage", args=["riverside", competition.slug]))
    page.locator("summary", has_text="Reopen").click()
    page.get_by_label("Reason").fill("A sheet was wrong")
    page.get_by_role("button", name="Reopen").click()
    expect(page.locator("summary", has_text="Reopen")).to_have_count(0)
    assert not FinalPlace.objects.exclude(way="").exists()

    page.goto(end)
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("link", name="Set up the next season").click()
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_text("Only directors can see").first).to_be_visible()
    made = Competition.objects.get(follows=competition)
    page.goto(reverse("competition_step", args=["riverside", made.slug, "preview"]))
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published. Everyone can now see the fixtures.")).to_be_visible()
    page.goto(end)
    expect(page.get_by_text("is published, so nothing here can change any more.")).to_be_visible()
