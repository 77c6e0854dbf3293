"""Typed sheets compared with the photos of their paper: one key each."""

import io

import pytest
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Page, expect

from games.models import Scoresheet, SheetPhoto
from games.scoresheets.services import scoresheets
from league.models import Fixture
from league.storage import board_keys
from tests.browser.pages import DESK, PHONE
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.browser
FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    """Three matches of which Sam has typed the sheets; each paper is photographed."""
    made = make_scene()
    picture = io.BytesIO()
    Image.new("RGB", (900, 1200), "#f4efe0").save(picture, "JPEG")
    for each in made.fixtures[:3]:
        fixture = Fixture.objects.with_pairs().get(pk=each.pk)
        scoresheets.submit(actor=made.users["sam"], fixture=fixture, content=FOUR, origin="official")
        SheetPhoto.objects.create(
            club=made.club,
            fixture=fixture,
            added_by=made.users["sam"],
            added_at=timezone.now(),
            state=SheetPhoto.State.READY,
            content=board_keys.encrypt(picture.getvalue()),
            size=len(picture.getvalue()),
        )
    return made


def test_each_sheet_takes_one_key(scene: Scene, new_page) -> None:
    page: Page = new_page(width=DESK, user=scene.users["dora"])
    page.goto("/clubs/riverside/desk/typed-sheets/")
    for left in (3, 2, 1):
        expect(page.locator(".typed-sheets > li")).to_have_count(left)
        expect(page.locator(".typed-sheets > li [data-stop]").first).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.get_by_text("No typed sheets to confirm")).to_be_visible()
    assert Scoresheet.objects.confirmed().count() == 3


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_totals_stand_beside_the_paper_on_every_screen(
    scene: Scene, new_page, width: int, scheme: str
) -> None:
    page: Page = new_page(width=width, scheme=scheme, user=scene.users["dora"])
    page.goto("/clubs/riverside/desk/typed-sheets/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    first = page.locator(".typed-sheets > li").first
    photo, sums = first.locator("img").bounding_box(), first.locator(".sums").bounding_box()
    assert photo
    assert sums
    assert (sums["x"] > photo["x"] + photo["width"]) is (width == DESK)
    page.goto(f"/matches/{scene.fixture.pk}/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("img", name="The scoresheet on paper")).to_be_visible()
