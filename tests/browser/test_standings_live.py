"""A table that is looked at changes by itself when a result is confirmed elsewhere."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.scoresheets.services import scoresheets
from league.standings.services import standings
from tests.browser.pages import DESK, PHONE
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = [pytest.mark.browser, pytest.mark.both_databases]


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return make_scene()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_visitor_sees_the_table_change_without_loading_the_page_again(
    scene: Scene, new_page, width: int
) -> None:
    standings.compute(competition_id=scene.competition.pk, at=timezone.now())
    page = new_page(width=width)
    page.goto("/clubs/riverside/winter-league/")
    first = page.locator("table.standings tbody tr").first
    expect(first).to_contain_text("Berg & Okafor")
    page.evaluate("window.sameDocument = true")
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((20, 60), (30, 50)),
        origin="page",
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    expect(first).to_contain_text("Novak & Reyes", timeout=15_000)
    assert page.evaluate("window.sameDocument") is True


def test_the_pairs_confirm_in_the_browser_and_the_table_follows(scene: Scene, new_page) -> None:
    standings.compute(competition_id=scene.competition.pk, at=timezone.now())
    scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    page = new_page(user=scene.users["luis"])
    page.goto("/my/")
    page.get_by_role("link", name="View").or_(page.get_by_role("link", name="Confirm")).first.click()
    page.get_by_role("button", name="Confirm").first.click()
    expect(page.locator("main")).to_contain_text("confirmed")
    page.goto("/clubs/riverside/winter-league/")
    expect(page.locator("table.standings tbody tr").first).to_contain_text("Berg & Okafor")
    expect(page.locator("table.standings tbody tr").first).to_contain_text("2")
