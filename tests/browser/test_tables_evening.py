"""An evening of individuals at tables in the browser: seven come, one more late, one leaves; a sheet is entered."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.fixtures.services import fixtures
from league.models import Competition, Fixture, Role
from league.standings.services import standings
from tests.browser.pages import DESK, PHONE
from tests.league import factories

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]
NAMES = ("Ada Kern", "Ben Ortiz", "Cleo Marsh", "Dev Rao", "Elsa Lund", "Finn Hale", "Gita Sen", "Hugo Petit")


def test_an_evening_of_seven_with_a_late_player_and_one_who_leaves(new_page: Callable[..., Page]) -> None:
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    users = [factories.user(name=name) for name in NAMES]
    for user in users:
        factories.player(club, user.name, user=user)
    desk = new_page(width=DESK, user=dora)
    desk.goto(f"/clubs/{club.slug}/desk/")
    desk.get_by_role("link", name="New evening at tables").first.click()
    desk.get_by_label("Game").select_option("tien-len")
    desk.get_by_role("button", name="Next: who is here?").click()
    for name in NAMES[:7]:
        desk.get_by_label(name).check()
    desk.get_by_role("button", name="Begin: draw the first tables").click()
    expect(desk.get_by_text("7 players are here.")).to_be_visible()
    desk.get_by_role("button", name="Publish round 1").click()
    expect(desk.get_by_text("Round 1 is drawn. Everyone can see it.")).to_be_visible()
    competition = Competition.objects.get(name="Evening at tables")
    base = f"/clubs/{club.slug}/{competition.slug}/"

    first, second = tables(competition, 1)
    assert sorted((len(first.entries), len(second.entries))) == [3, 4]
    player = new_page(width=PHONE, user=first.entries[0].lineup.players[0].user)
    player.goto(f"{base}room/")
    expect(player.get_by_role("heading", name="You sit at table 1")).to_be_visible()
    enter(player, first)
    for entry in first.entries[1:]:
        other = new_page(width=PHONE, user=entry.lineup.players[0].user)
        other.goto(first.get_absolute_url())
        other.get_by_role("button", name="Confirm").click()
        other.close()
    expect(player.get_by_text("results in from")).to_contain_text("1 of 2")
    assert player.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # Somebody leaves the table that still plays, somebody comes, and the next round is drawn meanwhile.
    leaving = second.entries[0].lineup.players[0]
    desk.goto(f"{base}manage/here/")
    desk.get_by_label(str(leaving)).uncheck()
    desk.get_by_label(NAMES[7]).check()
    desk.get_by_role("button", name="Save and draw round 2").click()
    expect(desk.get_by_text("Some tables are still playing")).to_be_visible()
    desk.get_by_text("Why these tables").click()
    expect(desk.get_by_text("Two at a table who have met")).to_be_visible()
    names = desk.get_by_label("Exchange", exact=True)
    one, another = (each.lineup.players[0].name for each in (first.entries[0], first.entries[1]))
    names.select_option(one)
    desk.get_by_label("with", exact=True).select_option(another)
    desk.get_by_role("button", name="Exchange").click()
    desk.get_by_role("button", name="Publish round 2").click()
    expect(desk.get_by_text("Round 2 is drawn. Everyone can see it.")).to_be_visible()
    seated = [str(entry) for table in tables(competition, 2) for entry in table.entries]
    assert NAMES[7] in seated
    assert str(leaving) not in seated
    decide(competition)

    visitor = new_page(width=PHONE)
    visitor.goto(f"{base}rounds/2/")
    visitor.get_by_role("link", name="How this round was drawn").click()
    visitor.get_by_label("Why don’t").select_option(one)
    visitor.get_by_label("meet").select_option(seated[0] if seated[0] != one else seated[1])
    visitor.get_by_role("button", name="Ask").click()
    expect(visitor.get_by_text(f"If {one} met")).to_be_visible()
    assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wall = new_page(width=DESK)
    wall.goto(f"{base}screen/")
    expect(wall.get_by_text("Round 2 of 4")).to_be_visible()
    expect(wall.locator(".wall-ranking li").first).to_be_attached()


def tables(competition: Competition, number: int) -> list[Fixture]:
    found = Fixture.objects.of_competition(competition.pk).filter(round__number=number)
    return list(found.with_pairs().in_order())


def enter(page: Page, fixture: Fixture) -> None:
    """Every deal by taps: the players go out in the order in which they sit."""
    page.get_by_role("link", name="Enter the sheet").click()
    deals = fixture.round.competition.rules["deals"]
    for number in range(1, deals + 1):
        if number == 1:
            page.goto(f"/matches/{fixture.pk}/scoresheet/plain/{number}/")
        else:
            expect(page).to_have_url(re.compile(f"/plain/{number}/$"))
        for place, said in enumerate(("First out", "Second out", "Third out")[: len(fixture.entries) - 1]):
            page.get_by_role("group", name=said).get_by_text(str(fixture.entries[place])).click()
        page.locator(f"button[name={'next' if number < deals else 'check'}]").click()
    page.get_by_role("button", name="Send").click()
    page.goto(f"/clubs/{fixture.round.competition.club.slug}/{fixture.round.competition.slug}/room/")


def decide(competition: Competition) -> None:
    """All other tables: whoever sits first wins."""
    for fixture in Fixture.objects.of_competition(competition.pk).open().with_pairs():
        fixtures.await_confirmation(actor=factories.DIRECTOR, fixture=fixture)
        scores = list(range(10 * len(fixture.entries), 0, -10))
        fixtures.record_result(actor=factories.DIRECTOR, fixture=fixture, scores=scores)
    standings.compute(competition_id=competition.pk, at=timezone.now())
