"""A Swiss of players in the browser: who is here, rounds drawn and changed by hand, why, and the table (F35)."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.models import Appearance, Competition, Fixture, Role, User
from league.standings.services import standings
from tests.browser.pages import DESK, PHONE
from tests.league import factories

pytestmark = pytest.mark.browser
#: A folder for pictures, if somebody wants to look at them.
LOOK = os.environ.get("LOOK", "")
NAMES = (
    "Ada Fischer", "Ben Okafor", "Carl Jensen", "Dan Ford", "Eva Petrov", "Finn Murphy", "Greta Olsen", "Hugo Blanc",
    "Ines Novak",
)  # fmt: skip


@pytest.fixture
def evening(transactional_db: None) -> tuple[Competition, User]:
    """A draft in which nobody takes part yet, and its director."""
    club = factories.club(time_zone="Europe/Dublin")
    dora = factories.member(club, Role.DIRECTOR)
    for name in NAMES:
        factories.player(club, name)
    data = Setup("Autumn Individual", timezone.localdate(), format="swiss_players_evening", planned_rounds=4)
    return competitions.set_up(actor=dora, club=club, data=data), dora


def test_an_evening_of_players_is_drawn_changed_played_and_explained(evening, new_page) -> None:
    made, dora = evening
    base = f"/clubs/{made.club.slug}/{made.slug}/"
    desk: Page = new_page(width=DESK, user=dora)
    desk.goto(f"{base}manage/")
    for name in NAMES:
        desk.get_by_label(name).check()
    desk.get_by_role("button", name="Begin: draw the first tables").click()
    expect(desk.get_by_role("heading", name="The proposal")).to_be_visible()
    desk.get_by_role("button", name="Publish round 1").click()
    expect(desk.get_by_text("Drawn: Round 1. Everyone can see it.")).to_be_visible()
    play(made, 1)

    desk.goto(f"{base}manage/")
    desk.get_by_role("link", name="Draw round 2").click()
    one, other = seated(1)
    desk.get_by_label("Exchange", exact=True).select_option(str(one))
    desk.get_by_label("with", exact=True).select_option(str(other))
    desk.get_by_role("button", name="Exchange").click()
    expect(desk.get_by_role("button", name="Publish round 2")).to_be_visible()
    desk.get_by_role("button", name="Publish round 2").click()
    play(made, 2)

    division = made.stage.divisions.get().pk
    why: Page = new_page(width=PHONE)
    why.goto(f"{base}rounds/2/draw/{division}/")
    one, other = seated(2)
    why.get_by_label("Why do or don’t").select_option(str(one))
    why.get_by_label("meet").select_option(str(other))
    why.get_by_role("button", name="Ask").click()
    expect(why.get_by_text("They are partners")).to_be_visible()
    look(
        new_page,
        None,
        {"table": base, "round": f"{base}rounds/2/", "why": f"{base}rounds/2/draw/{division}/",
         "opponents": f"{base}cross-table/", "rounds": f"{base}fixtures/"},
    )  # fmt: skip
    manage = f"{base}manage/"
    look(
        new_page,
        dora,
        {"here": f"{manage}here/", "house": f"{manage}divisions/{division}/house/",
         "draw": f"{manage}divisions/{division}/rounds/3/draw/", "manage": manage},
    )  # fmt: skip


def look(new_page, user: User | None, pages: Mapping[str, str]) -> None:
    """Each page fits on a phone and a desk, in both languages."""
    for width in (PHONE, DESK):
        for language in ("en", "de"):
            page: Page = new_page(width=width, user=user, locale=language)
            for name, address in pages.items():
                answer = page.goto(address)
                assert answer is not None
                assert answer.ok, address
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
                    name,
                    width,
                    language,
                )
                if LOOK:
                    page.screenshot(
                        path=Path(LOOK) / f"players-{name}-{width}-{language}.png", full_page=True
                    )


def play(competition: Competition, number: int) -> None:
    """Every table of a round has a result, and the tables are made."""
    found = Fixture.objects.filter(round__stage__competition=competition, round__number=number)
    for fixture in found.with_pairs():
        factories.result(fixture, 60 + number, 40)
    standings.sweep(at=timezone.now())


def seated(number: int) -> tuple[int, int]:
    """Two players who are partners at a table of a round, by entry."""
    side = Appearance.objects.filter(round__number=number, fixture__isnull=False).order_by("pk").first()
    assert side is not None
    own = side.entry.competition.entries.filter(lineup__members__player__in=side.entry.lineup.players)
    one, other = own.values_list("pk", flat=True)
    return one, other
