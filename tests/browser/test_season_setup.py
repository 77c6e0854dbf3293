"""From an account to a published season of fourteen pairs, on a phone: counted in presses and pages."""

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from playwright.sync_api import Page, expect

from league.models import Competition, Fixture
from tests.browser.pages import PHONE
from tests.scenes import make_user

pytestmark = pytest.mark.browser

PAIRS = [f"Ada {letter}. & Bea {letter}." for letter in "ABCDEFGHIJKLMN"]
# Create the club (2), set up a season (1), its name (1), type the pairs (1), the preview (1), publish (1).
MOST_PRESSES = 7


class Thumb:
    """Presses buttons and links, and counts."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses = page, 0

    def press(self, role: str, name: str) -> None:
        self.presses += 1
        self.page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]


@pytest.fixture
def founder(transactional_db: None) -> AbstractBaseUser:
    return make_user("Frida Founder")


def test_an_empty_club_gets_from_new_season_to_published_in_few_presses(
    founder: AbstractBaseUser, new_page
) -> None:
    page: Page = new_page(width=PHONE, user=founder)
    thumb = Thumb(page)
    page.goto("/clubs/new/")
    page.get_by_label("Name").fill("Hill Club")
    thumb.press("button", "Create club")
    expect(page.get_by_text("Ready for a new season")).to_be_visible()
    thumb.press("link", "Set up a season")
    page.get_by_label("Name", exact=True).fill("Winter League")
    thumb.press("button", "Create draft")
    page.get_by_label("Type or paste pairs").fill("\n".join(PAIRS))
    thumb.press("button", "6 Preview")
    expect(page.get_by_text("14 entries make 13 rounds with 91 matches")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    thumb.press("button", "Publish")
    expect(page.get_by_text("Published. Everyone can now see the fixtures.")).to_be_visible()
    assert thumb.presses < MOST_PRESSES
    published = Competition.objects.get()
    assert published.state == "running"
    assert Fixture.objects.of_competition(published.pk).count() == 91


def test_return_goes_on_and_a_mistake_is_undone_at_once(founder: AbstractBaseUser, new_page) -> None:
    page: Page = new_page(width=PHONE, user=founder)
    page.goto("/clubs/new/")
    page.get_by_label("Name").fill("Hill Club")
    page.get_by_role("button", name="Create club").click()
    page.goto("/clubs/hill-club/desk/competitions/new/")
    page.get_by_label("Name", exact=True).fill("Winter League")
    page.get_by_label("Name", exact=True).press("Enter")
    page.get_by_label("Type or paste pairs").fill("\n".join(PAIRS[:3]))
    page.get_by_role("button", name="Enter the typed pairs").click()
    page.get_by_role("button", name="Remove").first.click()
    expect(page.locator(".entries li")).to_have_count(2)
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".entries li")).to_have_count(3)
    page.get_by_role("button", name="4 Calendar").click()
    page.get_by_label("No rounds from").first.fill("2100-01-01")
    page.get_by_label("First round").fill("2100-01-01")
    page.get_by_label("First round").press("Enter")
    page.wait_for_url("**/set-up/points/")
    page.get_by_role("button", name="4 Calendar").click()
    expect(page.locator("#calendar tbody tr").first).to_contain_text("8 Jan 2100")
