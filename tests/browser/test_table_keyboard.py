"""The table by keyboard alone, and for whoever listens: the focus is never lost, each thing is told once."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Action, Table
from games.tables.queries.labels import table_keys, table_labels
from games.tables.services import opening, requests, seats
from games.templatetags.cards import SUITS
from tests.browser.pages import PHONE
from tests.browser.table_windows import Window
from tests.browser.test_keyboard import FOCUSED, MOVING, STOPS
from tests.live.tables import Laid, match_table, move, moves
from tests.scenes import make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]

ROBOTS = {"E": "novice", "S": "novice", "W": "novice"}
TERMS: dict[str, Any] = {"clock_seconds": 900}
# Some letters find a rank; the ten has three.
RANK_KEYS = {"T": "t"}
FOCUS = """() => {
  const one = document.activeElement;
  return one === document.body ? 'lost' : one.dataset.card || one.dataset.act || one.dataset.step || one.tagName;
}"""


def alone() -> Laid:
    """Anna with three robots at a casual table of one deal."""
    scene = make_scene()
    anna = scene.users["anna"]
    table = opening.open_casual(actor=anna, club=scene.club, terms=TERMS, options={"deals": 1})
    seats.sit(actor=anna, table_id=table.pk, seat="N")
    for seat, robot in ROBOTS.items():
        seats.seat_robot(actor=anna, table_id=table.pk, seat=seat, robot=robot)
    return Laid(scene, Table.objects.get(pk=table.pk))


def act_by_keys(page: Page) -> None:
    """One action: the card of the first rank that is allowed, else a pass, else "Play"."""
    allowed = page.locator(".own-card:not([aria-disabled])")
    if not allowed.count():
        call = page.locator("[data-act]:not([aria-disabled])").first.get_attribute("data-act")
        page.keyboard.press({"-": "p", ">": "g"}[call or ""])
        return
    card = allowed.first.get_attribute("data-card") or ""
    for _each in range(4):
        page.keyboard.press(RANK_KEYS.get(card[0], card[0].lower()))
        if page.evaluate(FOCUS) == card:
            break
    assert page.evaluate(FOCUS) == card, "the rank's key finds it"
    page.keyboard.press("Enter")
    expect(page.locator(f'.own-card[data-card="{card}"]')).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(FOCUS) == card, "taken up, it keeps the focus"
    page.keyboard.press("Enter")


def spoken(words: dict[str, Any], action: Action, own: str, names: dict[str, str]) -> str:
    """How an action is told at the seat `own`."""
    player = words["you"] if action.seat == own else names[action.seat]
    kind = {"-": "passes", ">": "says_play"}.get(action.token, "plays")
    card = ""
    if kind == "plays":
        rank, suit = words["ranks"][action.token[0]], str(SUITS[action.token[1]][2])
        card = words["card"].format(rank=rank, suit=suit)
    return str(words[kind]).format(player=player, card=card)


def test_a_whole_deal_by_keyboard_is_told_once_and_keeps_the_focus(window: Callable[..., Window]) -> None:
    laid = alone()
    here = window(laid, "N")
    page = here.page
    page.locator("[data-step=ready]").focus()
    page.keyboard.press("Enter")
    table = page.locator("#table")
    felt = page.locator("[data-felt]")
    for _each in range(60):
        expect(felt).to_have_attribute("data-state", re.compile("playing|finished"))
        if felt.get_attribute("data-state") == "finished":
            break
        assert page.evaluate(FOCUS) != "lost", "after the page has changed"
        version = table.get_attribute("data-version") or ""
        act_by_keys(page)
        expect(table).not_to_have_attribute("data-version", version)
    assert page.evaluate(FOCUS) == "A", "whoever played to the end is led on"

    words = table_labels("concerto")
    told = " ".join(here.heard())
    names = {seat: row.name for seat, row in laid.facts().seats.items()}
    actions = list(Action.objects.filter(deal__table=laid.table).order_by("number"))
    assert len(actions) > 40
    at = 0
    for action in actions:
        sentence = spoken(words, action, "N", names) + "."
        found = told.find(sentence, at)
        assert found >= 0, f"{sentence} after {told[max(0, at - 80) : at]}"
        at = found + len(sentence)
    own = [action for action in actions if action.seat == "N"]
    assert told.count("You: ") == len(own)
    assert told.count(" points.") + told.count(" point.") == 8, "each hand's points, once"
    assert told.count("Your turn.") == len(own)
    assert told.count(words["deal_over"]) == told.count("All deals of this table have been played.") == 1


def test_every_key_that_is_listed_works(window: Callable[..., Window]) -> None:
    laid = alone()
    seats.ready(actor=laid.at("N"), table_id=laid.table.pk)
    here = window(laid, "N")
    page, cards = here.page, here.page.locator(".own-card")
    here.show()
    if not page.locator(".my-turn").count():
        here._hear({"type": "look", "key": "a"})
    expect(page.locator(".felt.my-turn")).to_have_count(1)
    listed = {key for key, _does in table_keys("concerto")}
    assert listed == {"← →", "Home, End", "A, K, Q, J, T, 9 – 2", "Enter", "Esc", "P", "G", "W", "?"}

    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(cards.last).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(cards.first).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(cards.last).to_be_focused()
    page.keyboard.press("Home")
    expect(cards.first).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS) not in {card.get_attribute("data-card") for card in cards.all()}, "one stop"
    page.keyboard.press("Shift+Tab")
    expect(cards.first).to_be_focused()

    page.keyboard.press("Enter")
    expect(cards.first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(cards.first).to_have_attribute("aria-pressed", "false")
    expect(cards.first).to_be_focused()

    here.heard()
    page.keyboard.press("w")
    assert "Your turn." in here.heard()[0]
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Use single letters and numbers to choose").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(cards.first).to_be_focused()
    page.keyboard.press("w")
    page.keyboard.press("p")
    page.keyboard.press("?")
    assert here.heard() == [], "switched off"
    expect(dialog).to_be_hidden()
    page.reload()
    page.get_by_role("button", name="Keys").click()
    expect(dialog.get_by_label("Use single letters and numbers to choose")).not_to_be_checked()
    dialog.get_by_label("Use single letters and numbers to choose").check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Keys")).to_be_focused()
    # P and G say what the rules say of them, or do it.
    before = Action.objects.filter(deal__table=laid.table).count()
    page.keyboard.press("p")
    line = page.locator("[data-line]")
    if Action.objects.filter(deal__table=laid.table).count() == before:
        expect(line).to_have_class(re.compile("trouble"))


def test_what_happens_at_the_table_is_told_once(window: Callable[..., Window]) -> None:
    laid = match_table(clock_seconds=900)
    moves(laid, 9)
    own = laid.turn()
    other = {"N": "E", "E": "S", "S": "W", "W": "N"}[own]
    here = window(laid, own)
    table = laid.table.pk

    move(laid)
    here.show()
    said = here.heard()
    assert len(said) == 1
    assert said[0].startswith("You: ")
    requests.take_back(actor=laid.at(own), table_id=table)
    here.show()
    assert here.heard() == [], "one's own question is no news"
    for seat in laid.facts().seats:
        if seat != own:
            asked = laid.facts().requests[-1].row
            requests.answer(actor=laid.at(seat), table_id=table, request_id=asked, agrees=True)
    here.show()
    said = here.heard()
    assert said == ["The last action was undone. Your turn."]

    requests.pause(actor=laid.at(other), table_id=table)
    here.show()
    name = laid.facts().seats[other].name
    assert here.heard() == [f"{name} would like a pause."]
    asked = laid.facts().requests[-1].row
    agree = here.page.get_by_role("button", name="Agree")
    agree.focus()
    here.page.keyboard.press("Enter")
    expect(agree).to_have_count(0)
    assert here.page.evaluate(FOCUS) != "lost"
    here.heard()
    for seat in laid.facts().seats:
        if seat not in {own, other}:
            requests.answer(actor=laid.at(seat), table_id=table, request_id=asked, agrees=True)
    here.show()
    said = here.heard()
    assert said == ["Paused. Anyone at the table can restart."]
    expect(here.page.locator("[data-line]")).to_have_text("Paused. Anyone at the table can restart.")
    here.page.get_by_role("button", name="Continue").click()
    expect(here.page.locator(".felt.my-turn")).to_have_count(1)
    assert here.heard() == ["The pause is over. Your turn."]
    requests.call_director(actor=laid.at(other), table_id=table, text="A card lies there.")
    here.show()
    assert here.heard() == [f"{name} has called a director. A card lies there."]


@pytest.mark.parametrize(
    ("on_timeout", "what"),
    [("robot", "A robot will finish the deal."), ("director", "A director has been called.")],
)
def test_what_comes_of_time_that_is_up_is_told_as_the_terms_say(
    window: Callable[..., Window], on_timeout: str, what: str
) -> None:
    laid = match_table(clock_seconds=60, on_timeout=on_timeout)
    moves(laid, 5)
    facts = laid.facts()
    assert facts.deal is not None
    own = laid.turn()
    here = window(laid, own)
    requests.check_time(table_id=laid.table.pk, at=facts.deal.fold.since + timedelta(seconds=90))
    here.show()

    side = {"NS": "N-S", "EW": "E-W"}[facts.side_of(own)]
    told = f"{side} is out of time. {what}"
    assert " ".join(here.heard()).count(told) == 1
    expect(here.page.locator(".request")).to_have_text(told)


def test_who_watches_later_is_told_so(window: Callable[..., Window]) -> None:
    laid = match_table(delay_seconds=600)
    page = window(laid).page
    expect(page.locator("[data-deal]")).to_contain_text("600 s behind")


def test_a_line_that_breaks_is_told_and_told_again_when_it_is_back(window: Callable[..., Window]) -> None:
    laid = match_table()
    here = window(laid, "N", allow="WebSocket")
    here.is_down = True
    here.sockets[-1].close(code=1006)
    words = table_labels("concerto")
    notice = here.page.locator("[data-connection]")
    expect(notice).to_be_visible()
    here.is_down = False
    expect(notice).to_be_hidden()
    assert here.heard() == [words["connection_lost"], words["connected"]]

    here.sockets[-1].close(code=4001)
    expect(here.page.locator("[data-line]")).to_have_text(words["other_window"])
    assert here.heard() == [words["other_window"]]
    here.page.get_by_role("button", name="Play here").press("Enter")
    expect(here.page.locator("[data-line]")).not_to_have_text(words["other_window"])


def test_without_sockets_a_window_takes_its_seat_over(window: Callable[..., Window]) -> None:
    laid = match_table()
    seat = laid.turn()
    here = window(laid, seat, allow="WebSocket|409")
    here.is_down = True
    here.sockets[-1].close(code=1006)
    expect(here.page.locator("[data-connection]")).to_be_visible()
    seats.take_window(actor=laid.at(seat), table_id=laid.table.pk, window="that was closed")
    again = here.page.get_by_role("button", name="Play here")
    line = here.page.locator("[data-line]")

    act_by_keys(here.page)
    expect(again).to_be_visible()
    assert not Action.objects.exists()
    again.press("Enter")
    expect(line).to_contain_text("Your turn")
    act_by_keys(here.page)
    expect(line).to_contain_text("to play")
    assert Action.objects.count() == 1


def test_absence_is_offered_when_it_may_be_said(window: Callable[..., Window]) -> None:
    laid = match_table(absence_seconds=60)
    own = {"N": "E", "E": "S", "S": "W", "W": "N"}[laid.turn()]
    page = window(laid, own).page
    absent = page.get_by_role("button", name="Absent?")
    expect(absent).to_have_count(1)

    move(laid, at=timezone.now())
    page = window(laid, next(seat for seat in "NESW" if seat != laid.turn())).page
    expect(page.locator(".on-turn")).to_have_count(1)
    expect(page.get_by_role("button", name="Absent?")).to_have_count(0)


def test_tab_reaches_every_control_of_the_table(window: Callable[..., Window]) -> None:
    laid = match_table()
    moves(laid, 24)
    here = window(laid, laid.turn(), width=PHONE)
    page = here.page
    page.keyboard.press("Tab")
    # A table that is drawn again in mid-walk has new controls without marks: then the walk begins again.
    for _walk in range(4):
        stops = page.evaluate(STOPS)
        page.locator("[data-stop='0']").focus()
        seen = [page.evaluate(FOCUSED)]
        for _each in stops[1:]:
            here.beat()
            page.keyboard.press("Tab")
            seen.append(page.evaluate(FOCUSED))
        if page.locator("[data-stop]").count() == len(stops):
            break

    assert len(stops) > 15
    assert [each["what"] for each in seen if not each["isShown"]] == [], "without a visible focus"
    assert [each["what"] for each in seen if each["isHidden"]] == [], "behind something else"
    reached = {each["stop"] for each in seen}
    assert [what for number, what in enumerate(stops) if str(number) not in reached] == []
    assert page.evaluate(MOVING) == [], "nothing moves for those who asked for it"
