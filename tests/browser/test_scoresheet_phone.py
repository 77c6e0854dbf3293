"""A match entered on a phone: cards, combinations and totals in one sheet, through reloads and a lost network."""

import json
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from engine.concerto.game import CONCERTO
from games.models import Scoresheet, ScoresheetDraft
from league.models import Fixture
from tests.browser.pages import DESK, HEIGHTS, PHONE
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.browser

ORACLE = Path(__file__).parent.parent / "oracles" / "concerto_deals.json"
# Eight hands and what was left, as a paper sheet has them: 30 to 6 for the side that leads the first hand.
PAPER = ("pair", "two-pair", "flush", "threes", "full-house", "nothing", "straight", "pair", "pair")
CODES = "126380511"
LETTERS = "pdfthnspp"
# The keystroke-level model: a trained typist's key; a tap with the finding of its button; a glance at the next line.
KEY, TAP, GLANCE = 0.28, 1.0, 0.6
LINES = 36
NETWORK_DOWN = "ERR_INTERNET_DISCONNECTED|Failed to fetch"


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return make_scene()


def played_deal() -> dict[str, Any]:
    """A real deal that North dealt."""
    deals = json.loads(ORACLE.read_text())
    return next(deal for deal in deals if deal["dealer"] == "N")


def part(page: Page, name: str) -> Any:
    """A part of the page by its data attribute."""
    return page.locator(f"[data-{name}]")


def tap_value(page: Page, value: str) -> None:
    page.locator(f".values:not([hidden]) [data-value='{value}']").click()


def tap_cards(page: Page, by_seat: dict[str, list[str]]) -> None:
    """Who played which: the player first, then the cards."""
    for seat, cards in by_seat.items():
        page.locator(f"[data-from-seat={seat}]").click()
        for card in cards:
            page.locator(f"[data-card='{card}']").click()


def tap_deal(page: Page, deal: dict[str, Any]) -> None:
    """All cards of a deal that was played, hand by hand, then what the losers have left."""
    shown: Any = CONCERTO.records.describe(CONCERTO.records.read_record(deal))
    for hand in shown.hands:
        seats = (hand.leader, hand.leader.partner)
        tap_cards(page, {s.value: [c.card.text for c in hand.cards if c.seat is s] for s in seats})
        part(page, "next").click()
    expect(page.locator("[data-title]")).to_have_text("Left-overs")
    losers = "NS" if deal["left_over_to"] == "EW" else "EW"
    expect(part(page, "from").locator("button")).to_have_count(2)
    tap_cards(page, {seat: deal["left"][seat] for seat in losers})


def saved(page: Page) -> None:
    expect(part(page, "status")).to_contain_text("Saved here and on the server")


def totals(page: Page) -> tuple[str, str]:
    return part(page, "home-total").inner_text(), part(page, "away-total").inner_text()


@pytest.mark.long
def test_a_whole_sheet_is_entered_on_a_phone_and_confirmed_by_the_opponents(scene, new_page):
    deal = played_deal()
    fixture = scene.fixture
    page = new_page(width=PHONE, user=scene.users["anna"], has_touch=True)
    page.goto(f"/matches/{fixture.pk}/")
    page.get_by_role("link", name="Enter the scoresheet").click()

    page.get_by_role("button", name="Seats are right").click()
    page.get_by_role("button", name="Cards", exact=True).click()
    tap_deal(page, deal)
    expect(part(page, "middle")).to_have_text("after 1 of 4 deals")
    assert totals(page) == (str(deal["total"]["NS"]), str(deal["total"]["EW"]))

    part(page, "next").click()
    page.get_by_role("button", name="Hands", exact=True).click()
    for value in PAPER[:4]:
        tap_value(page, value)
    saved(page)
    before = totals(page)
    page.reload()
    expect(part(page, "title")).to_have_text("Hand 5, South leads")
    assert totals(page) == before
    for value in PAPER[4:]:
        tap_value(page, value)
    expect(part(page, "title")).to_have_text("Hand 1, West leads")
    for value in PAPER:
        tap_value(page, value)
    expect(part(page, "middle")).to_have_text("after 3 of 4 deals")

    page.get_by_role("button", name="Totals", exact=True).click()
    page.get_by_label("Total of North-South").fill("20")
    page.get_by_label("Total of East-West").fill("15")
    expect(part(page, "middle")).to_have_text("the match is over")
    assert part(page, "check").evaluate("button => button.getBoundingClientRect().right") <= PHONE
    part(page, "check").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("win,")
    page.get_by_role("button", name="Send to Novak & Reyes to confirm").click()
    expect(page.get_by_text("Sent. Novak & Reyes can now confirm it.")).to_be_visible()
    sheet = Scoresheet.objects.get()
    assert (sheet.version, sheet.verdict) == (1, "pending")
    assert not ScoresheetDraft.objects.exists()

    other = new_page(width=PHONE, user=scene.users["eva"])
    other.goto(f"/matches/{fixture.pk}/")
    score = f"{sheet.home_total} – {sheet.away_total}"
    other.get_by_role("button", name=f"Confirm {score}").click()
    expect(other.locator(".match-head .score")).to_have_text(score)
    assert Fixture.objects.get(pk=fixture.pk).status == "confirmed"
    page.reload()
    expect(page.locator(".match-head")).to_contain_text("confirmed")


def test_nothing_is_lost_without_a_network_and_it_is_sent_by_itself(scene, new_page):
    page = new_page(user=scene.users["anna"], allow=NETWORK_DOWN)
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    page.get_by_role("button", name="Seats are right").click()
    saved(page)
    page.context.set_offline(True)
    for value in PAPER[:3]:
        tap_value(page, value)
    expect(part(page, "status")).to_contain_text("No connection")
    assert ScoresheetDraft.objects.get().content["deals"] == []
    page.context.set_offline(False)
    saved(page)
    assert [
        hand and hand["combination"] for hand in ScoresheetDraft.objects.get().content["deals"][0]["hands"]
    ] == [
        *PAPER[:3],
        *[None] * 5,
    ]


def test_what_the_server_never_saw_is_still_on_the_device(scene, new_page):
    page = new_page(user=scene.users["anna"], allow=NETWORK_DOWN)
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    page.get_by_role("button", name="Seats are right").click()
    saved(page)
    page.context.set_offline(True)
    tap_value(page, "straight-flush/3+2")
    expect(part(page, "status")).to_contain_text("No connection")
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    expect(page.locator(".sheet-row").first).to_contain_text("straight flush, 3+2")
    saved(page)
    assert ScoresheetDraft.objects.get().content["deals"][0]["hands"][0]["split"] == "3+2"


def test_of_two_devices_that_went_on_from_the_same_state_neither_draft_is_lost(scene, new_page):
    phone = new_page(user=scene.users["anna"])
    phone.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    phone.get_by_role("button", name="Seats are right").click()
    saved(phone)
    desk = new_page(width=DESK, user=scene.users["anna"])
    desk.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    tap_value(phone, "flush")
    expect(part(phone, "away-total")).to_have_text("6")
    tap_value(desk, "straight")
    expect(part(desk, "away-total")).to_have_text("5")
    phone.reload()
    row = phone.locator(".sheet-row").first
    expect(row).to_contain_text("straight")
    phone.get_by_role("button", name="Show it").click()
    expect(row).to_contain_text("flush")
    desk.reload()
    expect(desk.locator(".sheet-row").first).to_contain_text("flush")


def test_a_scorer_types_a_paper_sheet_by_keyboard_alone(scene, new_page):
    """Four deals at the level of combinations: the keys are counted, and docs/scoresheet.md says how many."""
    page = new_page(width=DESK, user=scene.users["sam"])
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    expect(part(page, "title")).to_have_text("Who sat where?")
    keys = 0

    def press(key: str) -> None:
        nonlocal keys
        page.keyboard.press(key)
        keys += 1

    press("Enter")
    for deal in range(4):
        for code in LETTERS if deal == 1 else CODES:
            press(code)
        expect(part(page, "middle")).to_contain_text("over" if deal == 3 else f"after {deal + 1} of 4")
        if deal < 3:
            expect(part(page, "title")).to_contain_text("Hand 1")
    expect(part(page, "check")).to_be_focused()
    press("Enter")
    expect(page.get_by_role("button", name="to confirm")).to_be_focused()
    press("Enter")
    expect(page.get_by_text("can now confirm it.")).to_be_visible()
    assert keys == 39
    assert keys * KEY + LINES * GLANCE < 60
    assert Scoresheet.objects.get().origin == "official"


def test_a_player_taps_a_paper_sheet_on_a_phone(scene, new_page):
    """As above with a finger: one tap a hand, whatever its split."""
    page = new_page(width=PHONE, user=scene.users["anna"], has_touch=True)
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    taps = 0

    def tap(place: Any) -> None:
        nonlocal taps
        place.tap()
        taps += 1

    tap(page.get_by_role("button", name="Seats are right"))
    for deal in range(4):
        for value in PAPER:
            tap(page.locator(f".values:not([hidden]) [data-value='{value}']"))
        expect(part(page, "middle")).to_contain_text("over" if deal == 3 else f"after {deal + 1} of 4")
        if deal < 3:
            expect(part(page, "title")).to_contain_text("Hand 1")
    tap(part(page, "check"))
    tap(page.get_by_role("button", name="to confirm"))
    expect(page.get_by_text("can now confirm it.")).to_be_visible()
    assert taps == 39
    assert taps * TAP + LINES * GLANCE < 90


def test_a_card_used_twice_is_said_at_its_hand_and_mended_by_one_tap(scene, new_page):
    page = new_page(user=scene.users["anna"])
    ScoresheetDraft.objects.create(
        fixture=scene.fixture,
        user=scene.users["anna"],
        content={"deals": [{"hands": ["7h Ah 6h 5h Th", "7h 9s 8s 8h 9d"]}]},
    )
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    row = page.locator(".sheet-row").nth(1)
    expect(row).to_contain_text("already in hand 1")
    row.get_by_role("button", name="Was it the").click()
    expect(row).not_to_contain_text("already in hand 1")
    expect(row.locator(".card-face").first).to_be_visible()


def test_undo_takes_back_one_step_after_the_other(scene, new_page):
    page = new_page(user=scene.users["anna"])
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    page.get_by_role("button", name="Seats are right").click()
    for value in ("pair", "flush"):
        tap_value(page, value)
    rows = page.locator(".sheet-row")
    expect(rows.nth(1)).to_contain_text("flush")
    page.get_by_role("button", name="Undo").click()
    expect(rows.nth(1)).not_to_contain_text("flush")
    expect(part(page, "title")).to_have_text("Hand 2, South leads")
    page.get_by_role("button", name="Undo").click()
    expect(rows.nth(0)).not_to_contain_text("pair")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.get_by_role("button", name="Redo").click()
    expect(rows.nth(0)).to_contain_text("pair")
    saved(page)
    page.reload()
    expect(part(page, "title")).to_have_text("Hand 2, South leads")
    page.keyboard.press("Control+y")
    expect(rows.nth(1)).to_contain_text("flush")
    page.keyboard.press("Control+z")
    expect(rows.nth(1)).not_to_contain_text("flush")


def test_the_whole_sheet_is_one_screen_and_the_device_remembers_it(scene, new_page):
    page = new_page(width=PHONE, user=scene.users["anna"])
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    page.get_by_role("button", name="Seats are right").click()
    page.get_by_role("button", name="All", exact=True).click()
    for value in PAPER:
        tap_value(page, value)
    sums = page.get_by_role("button", name="Points of deal 1")
    expect(sums).to_have_text("6–30")
    assert sums.evaluate(
        "cell => cell.getBoundingClientRect().bottom <= document.querySelector('.sheet-entry').offsetTop"
    )
    page.get_by_role("button", name="Deal 1, Hand 3").click()
    tap_value(page, "straight")
    page.reload()
    expect(page.get_by_role("button", name="Deal 1, Hand 3")).to_contain_text("straight")
    expect(page.locator(".sheet-row").first).to_be_hidden()
    page.locator("[data-deal-tab='1']").click()
    expect(page.locator(".sheet-row").first).to_be_visible()


def test_an_answer_to_an_older_state_takes_nothing_from_the_device(scene, new_page):
    """A second value is entered while the server reads the first; the page goes before the second was sent."""
    page = new_page(width=PHONE, user=scene.users["anna"])
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    page.get_by_role("button", name="Seats are right").click()
    held: list[Any] = []

    def hold_the_first(route: Any) -> None:
        if held:
            route.abort()
        else:
            held.append(route)

    page.route("**/scoresheet/reading/", hold_the_first)
    with page.expect_request("**/scoresheet/reading/"):
        tap_value(page, "pair")
    tap_value(page, "flush")
    with page.expect_request("**/scoresheet/reading/"):
        held[0].continue_()
    page.reload()
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="All", exact=True).click()
    expect(page.get_by_role("button", name="Deal 1, Hand 1")).to_contain_text("pair")
    expect(page.get_by_role("button", name="Deal 1, Hand 2")).to_contain_text("flush")


def test_a_wrong_total_names_its_field_and_leads_there(scene, new_page):
    page = new_page(width=DESK, user=scene.users["anna"])
    hands = [{"combination": value} for value in ("pair", "two-pair", "flush", "threes") * 2]
    deal = {"hands": hands, "left_over": {"combination": "nothing"}, "total": {"NS": 14, "EW": 14}}
    ScoresheetDraft.objects.create(
        fixture=scene.fixture,
        user=scene.users["anna"],
        content={"deals": [deal], "page": {"deal": 0, "spot": 0}},
    )
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    expect(part(page, "deal-problems")).to_contain_text(
        "Deal 1, total of North-South: North-South’s total comes to 10"
    )
    part(page, "check").click()
    page.get_by_role("link", name="Deal 1, total of North-South").click()
    field = page.get_by_label("Total of North-South")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("10")
    expect(field).to_have_attribute("aria-invalid", "false")


def test_seats_and_the_first_dealer_are_changed_by_tapping(scene, new_page):
    page = new_page(user=scene.users["anna"])
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    page.locator("[data-seat=N] .seat-player").click()
    expect(page.locator("[data-seat=N] .seat-player")).to_contain_text("Chidi Okafor")
    page.get_by_role("button", name="Swap North-South and East-West").click()
    page.locator("[data-seat=E] .seat-deals").click()
    page.get_by_role("button", name="Seats are right").click()
    expect(part(page, "title")).to_have_text("Hand 1, South leads")
    expect(part(page, "away-side")).to_have_text("N-S")


def test_the_entry_fits_the_screen(scene, new_page):
    page = new_page(width=PHONE, user=scene.users["anna"])
    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    page.get_by_role("button", name="Seats are right").click()
    for name in ("Hands", "Cards", "Totals"):
        page.get_by_role("button", name=name, exact=True).click()
        for width, height in HEIGHTS.items() | {(320, 844)}:
            page.set_viewport_size({"width": width, "height": height})
            right, bottom = page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            assert right <= width
            if width == PHONE:
                assert bottom <= height


def test_every_state_of_the_entry_can_be_read_by_everyone(scene, new_page):
    page = new_page(width=PHONE, scheme="dark", user=scene.users["anna"])
    faults = []

    def look(where: str) -> None:
        # Axe would fetch the style sheets once more, which the site's policy has no reason to allow.
        found = Axe().run(page, options={"preload": False}).response["violations"]
        faults.extend(f"{where}: {fault['id']} {fault['nodes'][0]['html']}" for fault in found)

    page.goto(f"/matches/{scene.fixture.pk}/scoresheet/")
    look("seats")
    page.get_by_role("button", name="Seats are right").click()
    for name in ("Hands", "Cards", "Totals"):
        page.get_by_role("button", name=name, exact=True).click()
        saved(page)
        look(name)
    page.get_by_role("button", name="All", exact=True).click()
    look("whole sheet")
    for path in ("", "scoresheet/plain/1/", "scoresheet/print/"):
        page.goto(f"/matches/{scene.fixture.pk}/{path}")
        look(path or "match")
    assert faults == []
