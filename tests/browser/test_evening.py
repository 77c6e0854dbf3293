"""A duplicate evening in the browser, from "new session" to its printed ranking; most sheets are entered unseen."""

import io
import re
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from games.comparisons.services import comparisons
from games.papers.services import papers
from league.models import Competition, Role
from tests.browser.pages import DESK, PHONE
from tests.games.evening_rooms import entered, faults, play, tables
from tests.league import factories

pytestmark = pytest.mark.browser

PAIRS = [f"Ada {letter}. & Bea {letter}." for letter in "ABCDEFGH"]


@pytest.mark.long
@pytest.mark.both_databases
def test_an_evening_runs_from_new_session_to_the_ranking(transactional_db: None, new_page) -> None:
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    desk: Page = new_page(width=DESK, user=dora)
    competition = set_up(desk, club.slug)
    assert faults(competition) == []
    desk.get_by_role("button", name="Start round 1").click()
    expect(desk.get_by_role("timer")).to_contain_text(":")
    first, second, *others = tables(competition, 1)
    for fixture in others:
        play(fixture)
    anna = factories.account_of(first.home.lineup)
    enter_by_page(new_page(width=PHONE, user=anna, has_touch=True), first.pk)
    entered(second, factories.member(club, Role.SCORER))
    confirm_by_keyboard(desk, competition)

    room: Page = new_page(width=PHONE)
    room.goto(f"/clubs/{club.slug}/{competition.slug}/room/")
    expect(room.get_by_text("results in from 4 of 4")).to_be_visible()
    room.get_by_label("Find my seat").fill("Ada C")
    room.get_by_role("button", name="Find").click()
    expect(room.get_by_role("heading", name="Found: Ada C")).to_be_visible()
    assert room.evaluate("document.documentElement.scrollWidth <= innerWidth")

    desk.reload()
    expect(desk.get_by_text("Every table of this round has its result.")).to_be_visible()
    desk.get_by_role("button", name="Start round 2").click()
    expect(desk.get_by_text("Round 2 of 2")).to_be_visible()
    for fixture in tables(competition, 2):
        play(fixture, home=30 + fixture.pk % 7, away=25)
    desk.get_by_role("button", name="Finish the evening").click()
    expect(desk.get_by_text("The evening is finished. Its ranking is final.")).to_be_visible()
    comparisons.compute_event(competition_id=competition.pk, at=timezone.now())
    desk.get_by_role("link", name="Ranking", exact=True).click()
    expect(desk.get_by_role("heading", name="Tonight")).to_be_visible()
    expect(desk.get_by_role("row").filter(has_text="A. & A.").first).to_contain_text("%")
    wall: Page = new_page(width=DESK)
    wall.goto(f"/clubs/{club.slug}/{competition.slug}/screen/")
    expect(wall.locator(".wall-ranking li").first).to_contain_text("%")
    assert "A. & A." in printed_ranking(desk, f"/clubs/{club.slug}/desk/{competition.slug}/papers/")


def confirm_by_keyboard(desk: Page, competition: Competition) -> None:
    """J goes from one sheet to the next and K back; a press confirms, and the next one has the focus."""
    desk.goto(f"/clubs/{competition.club.slug}/{competition.slug}/room/")
    buttons = desk.get_by_role("button", name=re.compile("^Confirm"))
    expect(buttons).to_have_count(2)
    buttons.first.focus()
    desk.keyboard.press("j")
    expect(buttons.last).to_be_focused()
    desk.keyboard.press("k")
    expect(buttons.first).to_be_focused()
    desk.keyboard.press("Enter")
    expect(buttons).to_have_count(1)
    expect(buttons.first).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("results in from 4 of 4")).to_be_visible()
    desk.goto(f"/clubs/{competition.club.slug}/desk/{competition.slug}/evening/")


def printed_ranking(desk: Page, papers_page: str) -> str:
    """The text of the final results, as the director downloads them to print."""
    desk.goto(papers_page)
    desk.get_by_role("button", name="Create Final results").click()
    papers.sweep(at=timezone.now())
    link = desk.get_by_role("link", name="Download").first
    with desk.expect_download() as coming:
        link.click()
    return PdfReader(io.BytesIO(Path(coming.value.path()).read_bytes())).pages[0].extract_text()


def set_up(desk: Page, club: str) -> Competition:
    """Eight typed pairs, a Howell of four tables shortened to two rounds, two boards a round."""
    desk.goto(f"/clubs/{club}/desk/")
    desk.get_by_role("link", name="New evening").first.click()
    desk.get_by_label("Name", exact=True).fill("Tonight")
    desk.get_by_label("Boards per round").fill("2")
    desk.get_by_role("button", name="Create draft").click()
    desk.get_by_label("Type or paste pairs").fill("\n".join(PAIRS))
    desk.get_by_role("button", name="Save and continue: Movement").click()
    step = desk.locator("#step")
    expect(step.get_by_role("radio", name=re.compile("^Howell"))).to_be_checked()
    step.get_by_role("spinbutton", name="Rounds", exact=False).first.fill("2")
    desk.get_by_role("button", name="Save and preview").click()
    expect(desk.get_by_role("table").get_by_role("rowheader")).to_have_count(2)
    desk.get_by_role("button", name="Save and continue: Seats").click()
    desk.get_by_role("button", name="Seat the pairs").click()
    expect(desk.get_by_text("Everyone has a seat.")).to_be_visible()
    return Competition.objects.get(name="Tonight")


def enter_by_page(page: Page, fixture: int) -> None:
    """A player enters the totals of the two boards on a phone, and sends the sheet."""
    page.goto(f"/matches/{fixture}/scoresheet/")
    page.get_by_role("button", name="Seats are right").click()
    for board, (north_south, east_west) in enumerate((("52", "20"), ("31", "40"))):
        page.locator(f'[data-deal-tab="{board}"]').click()
        page.get_by_role("button", name="Totals", exact=True).click()
        page.get_by_label("Total of North-South").fill(north_south)
        page.get_by_label("Total of East-West").fill(east_west)
    page.locator("[data-check]").click()
    page.get_by_role("button", name=re.compile("^Send to")).click()
    expect(page.get_by_text("can now confirm it")).to_be_visible()


@pytest.mark.long
def test_an_evening_of_players_runs_from_new_session_to_the_ranking(transactional_db: None, new_page) -> None:
    """F120 to F123: seven players and one of the house; partners change, and one leaves on the way."""
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    desk: Page = new_page(width=DESK, user=dora)
    competition = set_up_of_players(desk, club.slug)
    desk.get_by_role("button", name="Start round 1").click()
    expect(desk.get_by_role("timer")).to_contain_text(":")
    for fixture in tables(competition, 1):
        play(fixture, home=30 + fixture.pk % 7, away=25)
    room: Page = new_page(width=PHONE)
    room.goto(f"/clubs/{club.slug}/{competition.slug}/room/")
    room.get_by_label("Find my seat").fill("Ada C")
    room.get_by_role("button", name="Find").click()
    expect(room.get_by_text(re.compile("Table . North-South|Table ., East-West")).first).to_contain_text(
        "with"
    )
    assert room.evaluate("document.documentElement.scrollWidth <= innerWidth")

    desk.get_by_role("link", name=re.compile("^Leaves.*Ada C")).click()
    desk.get_by_label("Or type the player’s name").fill("Nora Nye")
    desk.get_by_label("Reason").fill("Taken ill")
    desk.get_by_role("button", name="Hand the place over").click()
    expect(desk.get_by_text("Nora Nye").first).to_be_visible()
    for number in (2, 3):
        desk.get_by_role("button", name=f"Start round {number}").click()
        expect(desk.get_by_text(f"Round {number} of 3")).to_be_visible()
        for fixture in tables(competition, number):
            play(fixture, home=30 + fixture.pk % 7, away=25)
        desk.reload()
    desk.get_by_role("button", name="Finish the evening").click()
    comparisons.compute_event(competition_id=competition.pk, at=timezone.now())
    desk.get_by_role("link", name="Ranking", exact=True).click()
    expect(desk.get_by_role("heading", name="All players")).to_be_visible()
    expect(desk.get_by_role("row").filter(has_text="Ada A.").first).to_contain_text("%")
    expect(desk.get_by_role("row").filter(has_text="Hugo House")).to_have_count(0)


def set_up_of_players(desk: Page, club: str) -> Competition:
    """Seven typed players and one who plays for the house, three rounds of two boards."""
    desk.goto(f"/clubs/{club}/desk/")
    desk.get_by_role("link", name="New evening").first.click()
    desk.get_by_label("Name", exact=True).fill("Tonight")
    desk.get_by_label("Partners change every round").check()
    desk.get_by_label("Boards per round").fill("2")
    desk.get_by_role("button", name="Create draft").click()
    names = [*(f"Ada {letter}." for letter in "ABCDEFG"), "Hugo House"]
    desk.get_by_label("Type or paste players").fill("\n".join(names))
    desk.get_by_role("button", name="Enter the typed players").click()
    desk.get_by_role("button", name=re.compile("^For the house.*Hugo House")).click()
    expect(desk.get_by_role("button", name=re.compile("^For a place.*Hugo House"))).to_be_visible()
    desk.get_by_role("button", name="Save and continue: Movement").click()
    step = desk.locator("#step")
    expect(step.get_by_role("radio", name=re.compile("^Individual movement"))).to_be_checked()
    step.get_by_role("spinbutton", name="Rounds", exact=False).first.fill("3")
    desk.get_by_role("button", name="Save and continue: Seats").click()
    desk.get_by_role("button", name="Seat the players").click()
    competition: Competition = Competition.objects.get(slug="tonight")
    return competition
