"""What a first visit costs, as far as it does not depend on the machine: bytes, requests, nothing that jumps.

How fast pages show is measured by `make pages`; the figures stand in docs/performance.md.
"""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.test.testcases import LiveServerThread
from django.test.utils import override_settings
from playwright.sync_api import expect

from config.web.static_files import WholeFiles
from league.models import Role
from tests.benchmarks.loading import load
from tests.browser.pages import PHONE, PageFactory, session_cookie
from tests.league import factories
from tests.league.reading import League, make_league

pytestmark = [pytest.mark.browser, pytest.mark.one_database]

MOST_BYTES = 100_000
MOST_SHIFT = 0.01
EMBEDDED = {
    "MIDDLEWARE": [
        f"{WholeFiles.__module__}.{WholeFiles.__name__}" if name.startswith("whitenoise.") else name
        for name in settings.MIDDLEWARE
    ],
    "STORAGES": {**settings.STORAGES, "staticfiles": {"BACKEND": "config.web.static_files.EditionFiles"}},
}


def as_it_is(application: WSGIHandler) -> WSGIHandler:
    """Static files are the application's own business here."""
    return application


@pytest.fixture
def embedded_server(transactional_db: None) -> Iterator[str]:
    """The site with its static files as the embedded server sends them."""
    with override_settings(**EMBEDDED):
        thread = LiveServerThread("127.0.0.1", as_it_is)  # type: ignore[arg-type]
        thread.daemon = True
        thread.start()
        thread.is_ready.wait()
        if thread.error is not None:
            raise thread.error
        yield f"http://127.0.0.1:{thread.port}"
        thread.terminate()


def test_a_first_visit_is_light_and_nothing_jumps(embedded_server: str, browser) -> None:
    league: League = make_league(pairs=8)
    league.play((61, 40), (30, 50), (88, 71), (95, 20))
    pair = league.own.lineup.get_absolute_url()
    ahead = next(fixture for fixture in league.open() if league.own in (fixture.home, fixture.away))
    sheet = f"{ahead.get_absolute_url()}scoresheet/"
    faults: list[str] = []
    for address in (league.url, f"{league.url}progress/", pair, "/my/", sheet):
        context = browser.new_context(
            viewport={"width": PHONE, "height": 844}, base_url=embedded_server, service_workers="block"
        )
        context.add_cookies([session_cookie(league.anna, embedded_server)])
        page = context.new_page()
        answers: dict[str, dict[str, str]] = {}
        page.on("response", lambda answer, kept=answers: kept.update({answer.url: answer.headers}))
        found = load(page, address)
        if found.shift >= MOST_SHIFT:
            # With both cores busy Chromium has painted a page of this test before its style: what jumps, jumps again.
            found = load(page, address)
        own_host = embedded_server.removeprefix("http://")
        files = {url: heads for url, heads in answers.items() if "/static/" in url}
        rules = {
            f"{found.weight} bytes: {found.bytes_by_type}": found.weight < MOST_BYTES,
            f"moved by {found.shift}: {found.shifted}": found.shift < MOST_SHIFT,
            f"held up by {found.blocking}": len(found.blocking) <= 3,
            f"asked {found.hosts}": found.hosts == {own_host},
            "nothing was measured": found.weight > 20_000 and len(files) > 5,
            "a file that is not kept": all("immutable" in heads["cache-control"] for heads in files.values()),
            "a page that is not squeezed": answers[page.url].get("content-encoding") == "gzip",
            "a text that is not squeezed": all(
                heads.get("content-encoding") == "br"
                for url, heads in files.items()
                if re.search(r"\.(css|js)$", url) and not url.endswith("/theme.js")
            ),
            # On a slow line they would take the sheet's room, and words show in a stand-in face until they come.
            "fonts before the sheet": page.locator("link[rel=preload]").count() == 0,
            "no fonts": sum(url.endswith(".woff2") for url in files) >= 2,
        }
        faults += [f"{address}: {fault}" for fault, holds in rules.items() if not holds]
        context.close()
    assert not faults, "\n".join(faults)


def test_a_new_clubs_time_zone_is_the_browsers_own(new_page: PageFactory) -> None:
    """It leads the list and is chosen; of a club that has one it only leads the list."""
    zone, owner = "America/Halifax", factories.user(name="Nora New")
    club = factories.club("Hill Club")
    factories.member(club, Role.OWNER, owner)
    page = new_page(user=owner, timezone_id=zone)
    page.goto("/clubs/new/")
    own = page.locator("select[data-own-zone]")
    expect(own).to_have_value(zone)
    expect(own.locator("option").first).to_have_attribute("value", zone)
    page.goto(f"/clubs/{club.slug}/desk/club/")
    expect(own.locator("option").first).to_have_attribute("value", zone)
    expect(own).to_have_value(club.time_zone)
    # Quiet hours are by the club's clock unless somebody says otherwise; then their own zone comes first.
    page.goto("/my/notices/choices/")
    expect(own).to_have_value("")
    expect(own.locator("option").nth(1)).to_have_attribute("value", zone)
