"""An evening of individuals at tables in the browser: seven come, one more late, one leaves; a sheet is entered."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Competition, Fixture, Role, User
from league.standings.services import standings
from tests.browser.pages import DESK, PHONE
from tests.league import factories

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]
NAMES = ("Ada Kern", "Ben Ortiz", "Cleo Marsh", "Dev Rao", "Elsa Lund", "Finn Hale", "Gita Sen", "Hugo Petit")
Windows = Callable[..., Page]


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_an_evening_of_seven_with_a_late_player_and_one_who_leaves(new_page: Windows, width: int) -> None:
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    for name in NAMES:
        factories.player(club, name, user=factories.user(name=name))
    desk = new_page(width=width, user=dora)
    competition = set_up(desk, club.slug)
    base = f"/clubs/{club.slug}/{competition.slug}/"

    first, second = tables(competition, 1)
    assert sorted((len(first.entries), len(second.entries))) == [3, 4]
    play_the_first_table(new_page, first, base, width)
    decide(competition, but=second)
    leads(new_page(width=width), base, str(first.entries[0]))

    # Somebody leaves the table that still plays, somebody comes, and the next round is drawn meanwhile.
    leaving = second.entries[0].lineup.players[0].name
    draw_the_second_round(desk, base, leaving=leaving, exchanged=[str(each) for each in first.entries[:2]])
    seated = [str(entry) for table in tables(competition, 2) for entry in table.entries]
    assert sorted(seated) == sorted({*NAMES} - {leaving})
    decide(competition)
    look_round(new_page(width=width), base, seated)
    after_the_evening(desk, base, competition, leaving)


def set_up(desk: Page, club: str) -> Competition:
    """From the desk to the tables of the first round, which everybody can see."""
    desk.goto(f"/clubs/{club}/desk/")
    desk.get_by_role("link", name="New evening at tables").first.click()
    desk.get_by_label("Game").select_option(label="Tien Len (2 to 4 at a table)")
    desk.get_by_label("Number of rounds").fill("2")
    fits(desk)
    desk.get_by_role("button", name="Next: who is here?").click()
    for name in NAMES[:7]:
        desk.get_by_label(name).check()
    fits(desk)
    desk.get_by_role("button", name="Begin: draw the first tables").click()
    expect(desk.get_by_text("7 players are here.")).to_be_visible()
    desk.get_by_text("Why these tables").click()
    expect(desk.get_by_text("Two at a table who have met")).to_be_visible()
    expect(desk.get_by_text("Seed:")).to_be_visible()
    fits(desk)
    desk.get_by_role("button", name="Publish round 1").click()
    expect(desk.get_by_text("Drawn: Round 1. Everyone can see it.")).to_be_visible()
    return Competition.objects.get(name="Evening at tables")


def play_the_first_table(new_page: Windows, table: Fixture, base: str, width: int) -> None:
    """One of the table finds it in the room and enters the sheet; the others confirm it."""
    player = new_page(width=width, user=user_of(table, 0))
    player.goto(f"{base}room/")
    expect(player.get_by_role("heading", name="You sit at table 1")).to_be_visible()
    fits(player)
    enter(player, table)
    for place in range(1, len(table.entries)):
        other = new_page(width=width, user=user_of(table, place))
        other.goto(table.get_absolute_url())
        fits(other)
        other.get_by_role("button", name="Confirm").click()
        other.close()
    player.goto(f"{base}room/")
    expect(player.get_by_text("results in from")).to_contain_text("1 of 2")
    player.close()


def draw_the_second_round(desk: Page, base: str, *, leaving: str, exchanged: list[str]) -> None:
    desk.goto(f"{base}manage/here/")
    desk.get_by_label(leaving).uncheck()
    desk.get_by_label(NAMES[7]).check()
    desk.get_by_role("button", name="Save and draw round 2").click()
    expect(desk.get_by_text("Some tables are still playing")).to_be_visible()
    expect(desk.get_by_text("Have met before:").first).to_be_attached()
    one, another = exchanged
    desk.get_by_label("Exchange", exact=True).select_option(label=one)
    desk.get_by_label("with", exact=True).select_option(label=another)
    with desk.expect_navigation():
        desk.get_by_role("button", name="Exchange").click()
    fits(desk)
    desk.get_by_role("button", name="Publish round 2").click()
    expect(desk.get_by_text("Drawn: Round 2. Everyone can see it.")).to_be_visible()


def look_round(visitor: Page, base: str, seated: list[str]) -> None:
    """What everybody sees of the second round: why it was drawn so, the wall, the table and its history."""
    visitor.goto(f"{base}rounds/2/")
    visitor.get_by_role("link", name="How this round was drawn").click()
    visitor.locator("select[name=who]").select_option(label=seated[0])
    visitor.locator("select[name=whom]").select_option(label=seated[1])
    visitor.get_by_role("button", name="Ask").click()
    expect(visitor.get_by_text("They sit at the same table.")).to_be_visible()
    visitor.locator("select[name=whom]").select_option(label=seated[-1])
    visitor.get_by_role("button", name="Ask").click()
    expect(visitor.get_by_text(f"If {seated[0]} met {seated[-1]}:")).to_be_visible()
    fits(visitor)
    visitor.goto(f"{base}screen/")
    expect(visitor.get_by_text("Round 2 of 2")).to_be_visible()
    expect(visitor.locator(".wall-ranking li").first).to_be_attached()
    fits(visitor)
    visitor.goto(f"{base}progress/")
    expect(visitor.locator("main")).to_contain_text(seated[0])
    fits(visitor)
    visitor.goto(f"{base}fixtures/")
    expect(visitor.get_by_role("link", name=re.compile("CSV file.*Seating list.*by name"))).to_be_visible()
    fits(visitor)


def after_the_evening(desk: Page, base: str, competition: Competition, leaving: str) -> None:
    """The list keeps who left, with the results from before; the seating list can be printed from the round."""
    desk.goto(base)
    expect(desk.locator("main")).to_contain_text(leaving)
    fits(desk)
    desk.goto(f"{base}rounds/2/")
    desk.get_by_role("link", name="Print the seating list").click()
    expect(desk.locator("main")).to_contain_text("Seating list")
    fits(desk)
    assert not Fixture.objects.of_competition(competition.pk).open().exists()


def leads(page: Page, base: str, name: str) -> None:
    """The table of the competition, computed, begins with this name."""
    page.goto(base)
    expect(page.locator("table tbody tr").first).to_contain_text(name)
    fits(page)
    page.close()


def fits(page: Page) -> None:
    """Nothing stands beside the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def user_of(table: Fixture, place: int) -> User:
    user = table.entries[place].lineup.players[0].user
    assert user is not None
    return user


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
    expect(page.get_by_role("button", name="Send")).to_have_count(0)


def decide(competition: Competition, but: Fixture | None = None) -> None:
    """All other tables: the one who sits first wins. Then the table of the competition is computed."""
    for fixture in Fixture.objects.of_competition(competition.pk).open().with_pairs():
        if fixture == but:
            continue
        factories.scored(fixture, range(10 * len(fixture.entries), 0, -10))
    standings.compute(competition_id=competition.pk, at=timezone.now() + timedelta(seconds=1))
