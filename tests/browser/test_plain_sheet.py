"""A scoresheet of a further game on a phone: by numbers and taps, sent, confirmed, and followed in the table."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.tute.game import TUTE_FOR_FOUR as TUTE
from league.models import Fixture
from league.standings.services import standings
from tests.browser.pages import PHONE
from tests.games.test_sheets_of_any_game import Played
from tests.scenes import make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]


def test_a_sheet_is_entered_by_taps_confirmed_and_followed(new_page: Callable[..., Page]) -> None:
    played = Played(make_scene(), TUTE, 4, ((124, 66), (60, 70)))
    match = f"/matches/{played.fixture.pk}/"
    page = new_page(user=played.users[0], width=PHONE)
    page.goto(f"{match}scoresheet/plain/1/")
    page.get_by_role("group", name="Declared by North-South").get_by_text("Las cuarenta, 40").click()
    page.get_by_role("group", name="Declared by East-West").get_by_text("20 in clubs").click()
    page.get_by_role("group", name="Who took the last trick").get_by_text("North-South").click()
    page.get_by_label("Points in cards of North-South").fill("74")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{page.url.rsplit('/', 2)[0]}/2/")
    page.get_by_label("Total of North-South").fill("60")
    page.get_by_label("Total of East-West").fill("70")
    page.get_by_role("button", name="Check the sheet").click()
    expect(page.get_by_text("20 in clubs")).to_be_visible()
    page.get_by_role("button", name="Send").click()
    expect(page).to_have_url(page.url.split("/matches/")[0] + match)

    other = new_page(user=played.users[1], width=PHONE)
    other.goto(match)
    expect(other.get_by_text("Las cuarenta, 40")).to_be_visible()
    other.get_by_role("button", name="Confirm 184").click()
    expect(other.get_by_text("confirmed", exact=True).first).to_be_visible()
    competition = Fixture.objects.with_pairs().get(pk=played.fixture.pk).round.competition
    standings.compute(competition_id=competition.pk, at=timezone.now())
    other.goto(competition.get_absolute_url())
    expect(other.locator(".standings tbody tr").first).to_contain_text("Berg")
