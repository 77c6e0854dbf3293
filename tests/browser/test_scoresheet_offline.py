"""The site as an app: what a device keeps, sends when it can, and says of it; and that others see none of it."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.models import Scoresheet, ScoresheetDraft
from games.scoresheets.services import scoresheets
from league.models import Competition
from tests.browser.pages import PHONE, session_cookie
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.browser

NETWORK_DOWN = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|Failed to load"
FOUR = totals_sheet((20, 15), (20, 15), (20, 15), (20, 15))
WORKER_IS_READY = "navigator.serviceWorker.ready.then(() => true)"
SEND = "Send to Novak & Reyes to confirm"
SENT = "Sent. Novak & Reyes can now confirm it."


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return make_scene()


@pytest.fixture
def device(scene: Scene, new_page: Any) -> Page:
    """Anna's phone with the site's worker, and a complete draft of hers."""
    ScoresheetDraft.objects.create(fixture=scene.fixture, user=scene.users["anna"], content=FOUR)
    page: Page = new_page(user=scene.users["anna"], allow=f"{NETWORK_DOWN}|404 for", service_workers="allow")
    page.goto("/my/")
    page.wait_for_function(WORKER_IS_READY)
    return page


def entry(scene: Scene) -> str:
    return f"/matches/{scene.fixture.pk}/scoresheet/"


def keeps(page: Page, path: str, *, kept: bool = True) -> None:
    """Wait until the device has the page, or has it no more."""
    page.wait_for_function(
        """async ([path, kept]) => {
            const found = await (await caches.open('pages')).match(path, {ignoreVary: true});
            return Boolean(found) === kept;
        }""",
        arg=[path, kept],
        polling=20,
    )


def log_in(context: BrowserContext, scene: Scene, name: str, url: str) -> None:
    """Somebody comes back, or somebody else takes the device."""
    context.clear_cookies()
    context.add_cookies([session_cookie(scene.users[name], url)])


def origin(page: Page) -> str:
    return str(page.evaluate("location.origin"))


def test_the_site_can_be_installed(scene, device):
    page = device
    page.reload()
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL").endswith("/service-worker.js")
    manifest = page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())"
    )
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/my/", "/")
    assert manifest["shortcuts"][0]["url"] == "/my/"
    sizes = page.evaluate(
        """icons => Promise.all(icons.map(async icon => {
            const image = await createImageBitmap(await (await fetch(icon.src)).blob());
            return `${image.width}x${image.height}`;
        }))""",
        manifest["icons"],
    )
    assert sizes == [icon["sizes"] for icon in manifest["icons"]] == ["192x192", "512x512", "512x512"]
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}


def test_what_was_kept_is_read_and_entered_without_a_network_and_sent_once_by_itself(scene, device):
    page = device
    page.goto("/clubs/riverside/winter-league/")
    for path in ("/my/", entry(scene), "/clubs/riverside/winter-league/"):
        keeps(page, path)
    page.context.set_offline(True)
    page.goto("/clubs/riverside/winter-league/")
    expect(page.get_by_text("No connection. This page is from")).to_be_visible()
    page.goto("/clubs/riverside/players/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("link", name="My matches")).to_be_visible()

    page.goto(entry(scene))
    page.locator("[data-deal-tab='3']").click()
    page.get_by_label("Total of North-South").fill("25")
    expect(page.locator("[data-status]")).to_contain_text("No connection")
    page.reload()
    expect(page.get_by_label("Total of North-South")).to_have_value("25")
    page.locator("[data-check]").click()
    page.get_by_role("button", name="Send when online").click()
    expect(page.get_by_text("waiting for a connection. It will be sent automatically when")).to_be_visible()
    page.goto("/my/")
    expect(page.get_by_text("waiting for a connection. It will be sent automatically when")).to_be_visible()
    assert not Scoresheet.objects.exists()

    page.context.set_offline(False)
    expect(page.get_by_text(SENT)).to_be_visible()
    sheet = Scoresheet.objects.get()
    assert (sheet.home_total, sheet.away_total) == (85, 60)
    page.goto(entry(scene))
    expect(page.locator("[data-status]")).not_to_contain_text("No connection")
    expect(page.get_by_text("It will be sent automatically")).to_be_hidden()


def test_a_checked_sheet_waits_through_the_end_of_its_session(scene, device):
    page = device
    page.goto(entry(scene))
    page.locator("[data-check]").click()
    expect(page.get_by_role("button", name=SEND)).to_be_visible()
    url = origin(page)
    page.context.clear_cookies()
    page.get_by_role("button", name=SEND).click()
    expect(page.get_by_text("not sent yet, because you are logged out")).to_be_visible()
    page.goto("/clubs/riverside/")
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    expect(page.get_by_text("A scoresheet on this device: not sent yet")).to_be_visible()
    assert not Scoresheet.objects.exists()
    log_in(page.context, scene, "anna", url)
    page.goto("/my/")
    expect(page.get_by_text(SENT)).to_be_visible()
    assert Scoresheet.objects.count() == 1


def test_a_sheet_that_cannot_be_accepted_any_more_says_why_and_is_kept(scene, device):
    page = device
    page.goto(entry(scene))
    page.locator("[data-check]").click()
    expect(page.get_by_role("button", name=SEND)).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("button", name=SEND).click()
    expect(page.get_by_text("You can close this page")).to_be_visible()
    scoresheets.submit(actor=scene.users["eva"], fixture=scene.fixture, content=FOUR, origin="page")
    page.context.set_offline(False)
    expect(page.get_by_text("Eva Novak has entered a scoresheet in the meantime")).to_be_visible()
    expect(page.get_by_text("Nothing is lost")).to_be_visible()
    assert Scoresheet.objects.count() == 1
    page.goto("/my/")
    page.get_by_role("button", name="Don’t send it").click()
    expect(page.get_by_text("Nothing is lost")).to_be_hidden()


def test_nobody_else_on_the_device_sees_what_was_kept(scene, device):
    page = device
    keeps(page, entry(scene))
    url = origin(page)
    log_in(page.context, scene, "eva", url)
    page.goto("/clubs/riverside/")
    keeps(page, "/my/", kept=False)
    page.context.set_offline(True)
    page.goto("/my/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()


def test_the_desk_the_admin_and_programs_addresses_are_never_kept(scene, new_page):
    page = new_page(user=scene.users["dora"], service_workers="allow", width=PHONE)
    page.goto("/my/")
    page.wait_for_function(WORKER_IS_READY)
    page.reload()
    for path in ("/clubs/riverside/desk/", entry(scene), "/api/v1/clubs/", "/clubs/riverside/winter-league/"):
        page.goto(path)
    keeps(page, "/clubs/riverside/winter-league/")
    kept = page.evaluate(
        "caches.open('pages').then(cache => cache.keys()).then(keys => keys.map(key => new URL(key.url).pathname))"
    )
    assert set(kept) == {"/pages-are-of", "/my/", "/clubs/riverside/winter-league/"}


def test_what_may_be_seen_no_longer_is_kept_no_longer(scene, device):
    page = device
    path = "/clubs/riverside/winter-league/"
    page.goto(path)
    keeps(page, path)
    Competition.objects.filter(pk=scene.competition.pk).update(state=Competition.State.DRAFT)
    assert page.goto(path).status == 404
    keeps(page, path, kept=False)


def test_who_logs_out_leaves_no_pages_behind_even_without_a_network(scene, device):
    page = device
    keeps(page, "/my/")
    keeps(page, entry(scene))
    page.context.set_offline(True)
    page.locator(".menu summary").last.click()
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile("^chrome-error://"))
    page.goto("/my/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_text("Saved on this device", exact=True)).to_be_hidden()


def begin_sheet(page: Page, person: int, *, edited: int, saved: int) -> None:
    """A sheet as the page of a scoresheet leaves it on the device."""
    page.evaluate(
        """([key, edited, saved]) => {
            localStorage.setItem(key, JSON.stringify({draft: {deals: [1], page: {edited}}, saved}));
            localStorage.setItem(`${key}:reading`, "{}");
            sessionStorage.setItem(`${key}:undo`, "{}");
        }""",
        [f"scoresheet:{person}:7", edited, saved],
    )


def left_behind(page: Page) -> list[str]:
    """What of sheets is still on the device."""
    found: list[str] = page.evaluate("""async () => {
        const keys = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
        const waiting = await window.concertmasterOutbox.all();
        const sheets = keys.filter((key) => key.startsWith("scoresheet:"));
        return [...sheets, ...waiting.map(({ id }) => `outbox ${id}`)].sort();
    }""")
    return found


def press_log_out(page: Page) -> None:
    page.locator(".menu summary").last.click()
    page.get_by_role("button", name="Log out").click()


def test_who_logs_out_leaves_no_sheet_behind(scene, device):
    page, anna = device, scene.users["anna"].pk
    begin_sheet(page, anna, edited=5, saved=5)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    assert len(left_behind(page)) == 3
    press_log_out(page)
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    assert left_behind(page) == []
    assert asked == [], "the server has it: there is nothing to ask"


@pytest.mark.parametrize("is_sheet_to_send", [True, False])
def test_what_is_not_sent_yet_is_lost_only_after_asking(scene, device, is_sheet_to_send):
    page, anna = device, scene.users["anna"].pk
    if is_sheet_to_send:
        entry_to_send = {"id": "k1", "person": anna, "url": "/nowhere/", "fields": {}, "title": "t", "storage": "s",
                         "state": "refused", "message": "", "next": "", "at": 1}  # fmt: skip
        page.evaluate("entry => window.concertmasterOutbox.put(entry)", entry_to_send)
    else:
        begin_sheet(page, anna, edited=6, saved=5)
    before, answers, asked = left_behind(page), iter([False, True]), []

    def answer(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.accept() if next(answers) else dialog.dismiss()

    page.on("dialog", answer)
    press_log_out(page)
    expect(page.locator(".menu summary").last).to_contain_text("Anna")
    assert left_behind(page) == before != []
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    assert left_behind(page) == []
    assert len(asked) == 2
    assert "not been sent yet" in asked[0]


def test_who_comes_next_finds_only_what_the_server_does_not_have(scene, device):
    page, anna = device, scene.users["anna"].pk
    begin_sheet(page, anna, edited=5, saved=5)
    begin_sheet(page, anna + 1000, edited=6, saved=5)
    log_in(page.context, scene, "eva", origin(page))
    page.goto("/clubs/riverside/")
    expect(page.locator(".menu summary").last).to_contain_text("Eva")
    kept = [key for key in left_behind(page) if f":{anna}:" in key]
    assert kept == []
    assert len(left_behind(page)) == 3, "what Anna's friend typed without a connection is still there"


def test_a_device_that_can_keep_nothing_still_shows_pages_and_what_they_look_like(scene, device):
    page = device
    page.reload()
    (worker,) = page.context.service_workers
    worker.evaluate("""() => {
        const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
        for (const name of ['open', 'match', 'delete', 'keys']) Object.defineProperty(caches, name, {value: full});
    }""")
    page.goto("/clubs/riverside/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("[...document.styleSheets].every(sheet => sheet.cssRules.length > 0)")


def test_a_page_out_of_the_browsers_memory_is_loaded_anew_when_its_person_has_left(scene, device):
    page = device
    page.goto("/clubs/riverside/")
    expect(page.locator(".menu summary").last).to_contain_text("Anna")
    page.context.clear_cookies()
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
