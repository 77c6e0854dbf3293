"""The table for every eye and finger: axe with its dialogs open, what must stay in view, and nothing that is hidden."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from engine.cards import CardSet
from engine.deals import Deal
from engine.seats import SEATS
from games.models import Table, TableDeal
from games.tables.services import requests
from games.tables.state import facts as reading
from games.tables.state.cards import cards_of, encrypted
from tests.browser.pages import DESK, HEIGHTS, PHONE
from tests.browser.table_windows import Window
from tests.browser.test_every_page import (
    ALL_RULES,
    COLOUR_RULES,
    NARROWEST,
    OVERFLOWING,
    STICKS_OUT,
    violations,
)
from tests.live.positions import Position, twin
from tests.live.tables import Laid, match_table, move, moves, play_deal

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]

SIDEWAYS = (844, 390)
SCREENS = [(NARROWEST, 640), (PHONE, HEIGHTS[PHONE]), SIDEWAYS, (820, 1180), (DESK, 800)]
# WCAG 2.2 asks for 24 px; a thumb likes 44, less the line that is drawn around a card.
NARROW_TARGET, WIDE_TARGET = 24, 42
IN_VIEW = """(selector) => [...document.querySelectorAll(selector)].map((one) => {
  const box = one.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth && box.height > 0;
})"""
# How much of each own card can be hit: what the next one leaves free.
FREE = """() => [...document.querySelectorAll('.own-card')].map((one) => {
  const box = one.getBoundingClientRect();
  const hit = (x, y) => document.elementFromPoint(x, y)?.closest('.own-card') === one;
  let width = 0, height = 0;
  for (let x = Math.ceil(box.left); x < box.right; x += 1) width += hit(x, box.top + 6);
  for (let y = Math.ceil(box.top); y < box.bottom; y += 1) height += hit(box.left + 6, y);
  return [width, height];
})"""
SMALL = """() => [...document.querySelectorAll('#table button')].filter((one) => one.checkVisibility())
  .map((one) => [one.textContent, one.getBoundingClientRect().height]).filter(([, high]) => high < 24)"""
# What lies on the felt lies beside each other: pairs of places and hands that cross.
CROSSING = """() => {
  const all = [...document.querySelectorAll('.table-seat, .table-centre, .table-score, .led-hand')];
  const box = (one) => one.getBoundingClientRect();
  const cross = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return all.flatMap((one, at) => all.slice(at + 1).filter((other) => !one.contains(other) && !other.contains(one)
    && cross(box(one), box(other))).map((other) => `${one.className} over ${other.className}`));
}"""
KEPT = "JSON.stringify([document.documentElement.outerHTML, {...localStorage}, {...sessionStorage}])"


def faults_of(page: Page, what: str) -> list[str]:
    """What axe says at 320 px in light, of the colours in dark, and of a forced width."""
    found = violations(page, ALL_RULES)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {fault}" for fault in violations(page, COLOUR_RULES)]
    page.emulate_media(color_scheme="light")
    if page.evaluate(STICKS_OUT):
        found.append("wider than the screen")
    if not page.locator("dialog[open]").count():
        found += page.evaluate(OVERFLOWING)
    return [f"{what}: {fault}" for fault in found]


def test_axe_finds_nothing_at_a_table_whatever_happens_there(window: Callable[..., Window]) -> None:
    laid = match_table(clock_seconds=900, helps=True)
    Table.objects.filter(pk=laid.table.pk).update(absence_seconds=0)
    moves(laid, 25)
    own = laid.turn()
    here = window(laid, own, width=NARROWEST)
    page = here.page
    page.evaluate(AXE_SCRIPT)
    faults = faults_of(page, "own turn")

    page.locator(".own-card").first.press("Enter")
    faults += faults_of(page, "a card taken up")
    page.keyboard.press("Escape")
    for name, title in (("Keys", "Keys"), ("Call a director", "Call a director to this table?")):
        page.get_by_role("button", name=name, exact=True).click()
        dialog = page.get_by_role("dialog", name=title)
        expect(dialog).to_be_visible()
        faults += faults_of(page, name)
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(page.get_by_role("button", name=name, exact=True)).to_be_focused()
    page.locator("[data-meaning]").first.click()
    expect(page.get_by_role("dialog", name="What it may mean").get_by_role("listitem").first).to_be_visible()
    faults += faults_of(page, "what it can mean")
    page.keyboard.press("Escape")

    move(laid)
    requests.take_back(actor=laid.at(own), table_id=laid.table.pk)
    requests.pause(actor=laid.at({"N": "E", "E": "S", "S": "W", "W": "N"}[own]), table_id=laid.table.pk)
    here.show()
    expect(page.get_by_role("button", name="Agree")).to_have_count(1)
    faults += faults_of(page, "requests")
    play_deal(laid)
    here.show()
    expect(page.get_by_role("button", name="Ready for the deal")).to_be_visible()
    faults += faults_of(page, "between two deals")

    assert not faults, "\n".join(faults)


def test_axe_finds_nothing_for_a_director_and_for_who_watches(window: Callable[..., Window]) -> None:
    laid = match_table(clock_seconds=900)
    moves(laid, 25)
    requests.call_director(actor=laid.at("N"), table_id=laid.table.pk, text="A card lies there.")
    page = window(laid, user=laid.scene.users["dora"], width=NARROWEST).page
    page.evaluate(AXE_SCRIPT)
    faults = faults_of(page, "director")
    for name in ("Settled", "Roll back", "Add time", "Close the table"):
        page.get_by_role("button", name=name).click()
        expect(page.locator("dialog[open]")).to_be_visible()
        faults += faults_of(page, name)
        page.keyboard.press("Escape")
    watcher = window(laid, width=NARROWEST).page
    watcher.evaluate(AXE_SCRIPT)
    faults += faults_of(watcher, "spectator")
    assert not watcher.locator(".own-card").count()

    assert not faults, "\n".join(faults)


def test_own_cards_and_what_can_be_done_are_always_in_view(window: Callable[..., Window]) -> None:
    laid = match_table(clock_seconds=900)
    move(laid)
    here = window(laid, laid.turn())
    page = here.page
    assert page.locator(".own-card").count() == 13
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        assert all(page.evaluate(IN_VIEW, ".own-card")), f"own cards at {width}"
        assert all(page.evaluate(IN_VIEW, "[data-act], [data-line]")), f"what can be done at {width}"
        free = page.evaluate(FREE)
        least = NARROW_TARGET if (width, height) in {(NARROWEST, 640), SIDEWAYS} else WIDE_TARGET
        assert min(wide for wide, _high in free) >= least, (width, free)
        assert min(high for _wide, high in free) >= WIDE_TARGET, (width, free)
        assert not page.evaluate(STICKS_OUT), width
        assert page.evaluate(SMALL) == [], width
    play_deal(laid)
    here.show()
    assert page.locator(".led-hand").count() == 8
    for width, height in [*SCREENS, (760, 900), (1000, 700)]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CROSSING) == [], width
        assert page.evaluate(OVERFLOWING) == [], width


def test_nothing_of_what_is_hidden_is_in_the_page(window: Callable[..., Window]) -> None:
    """Two deals that differ only in cards that the seat cannot see: the same page, to the last byte."""
    laid = match_table(clock_seconds=0)
    moves(laid, 20)
    seat = laid.turn()
    kept = []
    for _deal in range(2):
        reading.memory.forget()
        page = window(laid, seat).page
        page.locator(".own-card").first.press("Enter")
        kept.append(neutral(page.evaluate(KEPT)))
        hidden = hidden_cards(laid, seat)
        assert len(hidden) > 20
        own = page.locator(".own-card").first.get_attribute("data-card")
        assert re.search(rf'"{own}\\?"', kept[-1]), "the search would find a card"
        assert [card for card in hidden if re.search(rf'"{card}\\?"', kept[-1])] == []
        other = exchange_hidden(laid, seat)
        assert other != hidden

    assert kept[0] == kept[1]


def neutral(text: str) -> str:
    """Without what differs from one request to the next, whatever the cards are."""
    text = re.sub(r'name=\\*"csrfmiddlewaretoken\\*"[^>]*>', "", text)
    text = re.sub(r'table:window[^,}]*|\\*"turn_ms\\*": ?\d+', "", text)
    return re.sub(r'\\*"(at|asked_at|now)\\*": ?\\*"[^"]*"', "", text)


def hidden_cards(laid: Laid, seat: str) -> list[str]:
    """What the other three hold, in their order."""
    deal = laid.facts().deal
    assert deal is not None
    state: Any = deal.fold.state
    held = zip(SEATS, state.held, strict=True)
    return [card.text for other, bits in held if other.letter != seat for card in CardSet(bits)]


def exchange_hidden(laid: Laid, seat: str) -> list[str]:
    """Gives the others other cards, where this seat sees none; and tells which they hold now."""
    deal = laid.facts().deal
    assert deal is not None
    row = TableDeal.objects.get(pk=deal.row)
    own = next(each for each in SEATS if each.letter == seat)
    position = Position(
        Deal.parse(cards_of(row)), SEATS["NESW".index(deal.dealer)], tuple(deal.fold.counting)
    )
    changed = twin(position, own, random.Random(3)).deal
    TableDeal.objects.filter(pk=row.pk).update(secret=encrypted(laid.facts().offered, str(changed)))
    reading.memory.forget()
    return hidden_cards(laid, seat)
