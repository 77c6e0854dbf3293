"""A director draws a round of a Swiss in the browser, changes it by hand, publishes it; a visitor asks why."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.entries.services import entries
from league.models import Fixture, Role, RoundDraw
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
    expect(desk.get_by_text("Drawn: Round 2. Everyone can see it.")).to_be_visible()

    visitor: Page = new_page(width=PHONE)
    visitor.goto(f"/clubs/{club.slug}/autumn-swiss/rounds/2/")
    visitor.get_by_role("link", name="How this round was drawn").click()
    visitor.get_by_label("Why do or don’t").select_option(str(home))
    visitor.get_by_label("meet").select_option(str(away))
    visitor.get_by_role("button", name="Ask").click()
    expect(visitor.get_by_text("There are more repeat meetings.")).to_be_visible()
    assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_five_rounds_with_an_odd_number_a_late_pair_and_a_table_changed_by_hand(
    transactional_db: None, new_page
) -> None:
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    competition = factories.competition(club, 7, format="swiss", name="Autumn Swiss", slug="autumn-swiss")
    competition.stage.options["rounds"] = 5
    competition.stage.save()
    factories.drawn(competition)
    late = factories.pair(club, name="Late Comers")
    desk: Page = new_page(width=DESK, user=dora)
    manage = f"/clubs/{club.slug}/autumn-swiss/manage/"
    for number in range(2, 6):
        played = Fixture.objects.of_competition(competition.pk).filter(round__number=number - 1)
        for place, fixture in enumerate(played.with_pairs().order_by("pk")):
            factories.result(fixture, 60, 40 + 20 * (place == 0))
        if number == 2:
            # Once a round is drawn, who enters plays from the next one on.
            division = competition.stage.divisions.get()
            entries.enter(actor=dora, division=division, lineup=late, at=timezone.now())
        desk.goto(manage)
        desk.get_by_role("link", name=f"Draw round {number}").click()
        if number == 3:
            tables = desk.get_by_role("table").first.get_by_role("row")
            for place, label in ((1, "Exchange"), (2, "with")):
                desk.get_by_label(label, exact=True).select_option(
                    tables.nth(place).get_by_role("rowheader").inner_text()
                )
            desk.get_by_role("button", name="Exchange").click()
            expect(desk.get_by_role("heading", name="Your tables")).to_be_visible()
            expect(desk.get_by_text("You have changed the proposal.")).to_be_visible()
        desk.get_by_role("button", name=f"Publish round {number}").click()
        expect(desk.get_by_text(f"Drawn: Round {number}. Everyone can see it.")).to_be_visible()
    draws = RoundDraw.objects.filter(division__stage__competition=competition).order_by("round__number")
    assert [row.is_changed for row in draws] == [False, True, False, False]

    visitor: Page = new_page(width=PHONE)
    visitor.goto(f"/clubs/{club.slug}/autumn-swiss/cross-table/")
    expect(visitor.get_by_text("bye", exact=True)).to_have_count(1)
    expect(visitor.get_by_role("link", name="Late Comers")).to_be_visible()
    assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")
    player: Page = new_page(width=PHONE, user=factories.account_of(late))
    player.goto("/my/")
    player.get_by_role("link", name="Why them?").first.click()
    expect(player.get_by_text("The tables are numbered by the better place at each")).to_be_visible()
    assert player.evaluate("document.documentElement.scrollWidth <= innerWidth")
