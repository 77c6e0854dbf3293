"""The reading pages on a phone and on a desk: nothing sticks out, and a reader of the screen finds its way."""

from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from league.fixtures.services import dates, fixtures
from league.models import Fixture, Substitution
from tests.browser.pages import DESK, PHONE
from tests.league import factories
from tests.league.reading import League, make_league

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/my/",
    "{club}",
    "{club}players/",
    "{competition}",
    "{competition}fixtures/",
    "{competition}cross-table/",
    "{competition}progress/",
    "{competition}rounds/1/",
    "{player}",
    "{pair}",
    "{fixture}dates/",
    "{fixture}postpone/",
    "{fixture}substitute/",
)


@pytest.fixture
def league(transactional_db: None) -> League:
    """A league in which everything happens: results, a postponement, a proposal, a substitute, a dispute."""
    league = make_league(pairs=7)
    division = league.competition.stage.divisions.get()
    division.promoted = division.relegated = 2
    division.save()
    own, opponent = league.mine, league.opponent
    later = timezone.now() + timedelta(days=30)
    dates.propose(actor=opponent, fixture=own, starts_at=later, at=timezone.now(), message="We are away")
    others = [fixture for fixture in league.open() if league.own.pk not in {fixture.home_id, fixture.away_id}]
    fixtures.postpone(actor=factories.DIRECTOR, fixture=others.pop(), reason="Snow")
    fixtures.await_confirmation(actor=factories.DIRECTOR, fixture=others[-1])
    missed = others.pop()
    fixtures.award_walkover(actor=factories.DIRECTOR, fixture=missed, losing=[missed.away], reason="No show")
    for number, fixture in enumerate(others[:6]):
        factories.result(fixture, 90 + 17 * number, 1120 - 31 * number)
    Substitution.objects.create(
        fixture=own,
        entry=league.own,
        absent=league.own.lineup.players[1],
        substitute=factories.player(league.club, "Zoe Zimmer"),
    )
    league.compute()
    return league


def addresses(league: League) -> list[str]:
    named = {
        "club": league.club.get_absolute_url(),
        "competition": league.url,
        "player": league.own.lineup.players[0].get_absolute_url(),
        "pair": league.own.lineup.get_absolute_url(),
        "fixture": f"/fixtures/{Fixture.objects.of_user(league.anna).order_by('round__number')[0].pk}/",
    }
    return [page.format(**named) for page in PAGES]


# On the narrowest screen, and in the other theme, test_every_page looks.
@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light")])
def test_pages_fit_and_can_be_read_by_all(league: League, new_page, width: int, scheme: str) -> None:
    page = new_page(width=width, scheme=scheme, user=league.anna)
    faults = []
    for address in addresses(league):
        page.goto(address)
        sticks_out = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        if page.evaluate(sticks_out):
            faults.append(f"{address}: wider than the screen")
        # Without its own fetching of style sheets, which looks for imports in the wrong place.
        found = Axe().run(page, options={"preload": False})
        faults += [
            f"{address}: {violation['id']} at {violation['nodes'][0]['target']}"
            for violation in found.response["violations"]
        ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_figure_says_why_by_keyboard_alone(league: League, new_page, width: int) -> None:
    page = new_page(width=width)
    page.goto(league.url)
    figure = page.locator("td.points summary").first
    figure.focus()
    page.keyboard.press("Enter")
    answer = page.locator("td.points .why-body").first
    assert answer.is_visible()
    assert "Total" in answer.inner_text()
    box = answer.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    page.keyboard.press("Escape")
    assert not answer.is_visible()
