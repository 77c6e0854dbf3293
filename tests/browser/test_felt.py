"""The common felt: games of the tests are played on it by keyboard, at the width of a phone, and replayed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from engine import game
from engine.brag.game import SIX_CARDS
from engine.burraco.game import BURRACO, BurracoGame
from engine.game import Game, State
from engine.game.zones import Zones
from engine.packs import read_cards
from games.models import Table
from games.tables.services import opening, play, seats
from league.models import User
from tests.browser.pages import DESK, HEIGHTS, PHONE
from tests.browser.table_windows import Window
from tests.browser.test_every_page import ALL_RULES, COLOUR_RULES, OVERFLOWING, STICKS_OUT, violations
from tests.engine.conformance.adapters import registered
from tests.engine.duet import DUET
from tests.engine.quartet import QUARTET, QuartetGame
from tests.engine.trio import TRIO
from tests.live.tables import START, Laid, all_ready, sent
from tests.scenes import make_scene

pytestmark = [pytest.mark.browser, pytest.mark.one_database, pytest.mark.django_db(transaction=True)]


class Everything(QuartetGame):
    """Shows each zone that there is."""

    key = "everything"

    def view(self, state: State, seat: str | None) -> Zones:
        zones = super().view(state, seat)
        return replace(
            zones,
            seats=tuple(
                replace(zone, melds=(("As", "Ah", "Jk"), ("9d", "Td", "Jd")), tricks=2, stake=5)
                for zone in zones.seats
            ),
            stock=1,
            discards=("Ks", "Jk"),
            upcard="Qh",
            trump="h",
            layout=(("As", "Ks", "Qs", "Js"), ("Ah", "Kh")),
            pot=12,
        )


GAMES: tuple[tuple[Game, int], ...] = ((DUET, 2), (QUARTET, 4), (TRIO, 5), (Everything(), 4))
PEOPLE = ("anna", "eva", "chidi", "luis", "iris")


@pytest.fixture(autouse=True)
def _games() -> Iterator[None]:
    for each, _players in GAMES:
        game.register(each)
    yield
    for each, _players in GAMES:
        game.forget(each.key)


class Numbered(Laid):
    """A casual table of any game."""

    def at(self, seat: str) -> User:
        return self.scene.users[PEOPLE[self.table.places.index(seat)]]

    def act(self, token: str) -> None:
        """Whoever is on turn does it."""
        facts = self.facts()
        play.act(actor=self.at(self.turn()), table_id=self.table.pk, sent=sent(facts, token))

    def legal(self) -> tuple[str, ...]:
        deal = self.facts().deal
        assert deal is not None
        return deal.fold.state.legal()


def laid_out(key: str, players: int, *, deals: int = 1, **terms: object) -> Numbered:
    """Somebody at every seat, and the first deal begun."""
    scene = make_scene()
    table = opening.open_casual(
        actor=scene.users[PEOPLE[0]],
        club=scene.club,
        terms=dict(terms),
        options={"deals": deals},
        game_key=key,
        players=players,
    )
    found = Numbered(scene, table)
    for seat in table.places:
        seats.sit(actor=found.at(seat), table_id=table.pk, seat=seat, at=START)
    all_ready(found)
    return found


def take_up(page: Page, token: str) -> None:
    """Goes along the own cards to this one, and presses it."""
    page.locator(".own-card[tabindex='0']").focus()
    page.keyboard.press("Home")
    for _card in range(page.locator(".own-card").count()):
        if page.evaluate("document.activeElement.dataset.card") == token:
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")


def test_duet_is_played_to_its_end_by_keyboard_on_a_phone(window: Callable[..., Window]) -> None:
    laid, rng = laid_out("duet", 2), random.Random(3)
    here = window(laid, "1", width=PHONE)
    page, heard = here.page, here.heard()
    while laid.facts().state == Table.State.PLAYING:
        if laid.turn() == "2":
            laid.act(rng.choice(laid.legal()))
            here.show()
            continue
        before = len(laid.legal())
        card = page.locator(".own-card:not([aria-disabled])").last.get_attribute("data-card") or ""
        assert page.locator(".own-card:not([aria-disabled])").count() == before
        take_up(page, card)
        expect(page.locator(f".own-card[data-card='{card}']")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Enter")
        expect(page.locator(f".own-card[data-card='{card}']")).to_have_count(0)
    heard += here.heard()
    said = " ".join(heard)
    assert said.count("takes the trick") == 8
    assert "You: " in said
    assert "Eva Novak: " in said
    expect(page.locator(".end-ranks li")).to_have_count(2)
    table = laid.facts().result
    first = page.locator(".end-ranks li").first.inner_text()
    assert str(max(table.total.values())) in first


def test_a_card_that_may_not_be_played_is_refused_with_the_rule(window: Callable[..., Window]) -> None:
    laid = laid_out("quartet", 4)
    laid.act(laid.legal()[0])
    deal = laid.facts().deal
    while deal and {*laid.legal()} == {*deal.fold.state.held(laid.turn())}:  # type: ignore[attr-defined]
        laid.act(laid.legal()[0])
        deal = laid.facts().deal
    page = window(laid, laid.turn(), width=PHONE).page
    page.locator(".own-card[aria-disabled]").first.press("Enter")
    expect(page.locator("[data-line]")).to_have_text("The suit must be followed.")
    expect(page.locator(".own-card[aria-pressed=true]")).to_have_count(0)


def test_trio_is_played_by_keyboard_on_a_phone_and_keeps_its_secrets(window: Callable[..., Window]) -> None:
    laid = laid_out("trio", 5)
    laid.act("fold")
    own = laid.turn()
    here = window(laid, own, width=PHONE)
    page = here.page
    expect(page.locator(".felt-others .table-seat")).to_have_count(4)
    expect(page.locator(".felt-others .out")).to_have_count(1)
    mine = [each.get_attribute("data-card") or "" for each in page.locator(".own-card").all()]
    assert len(mine) == 4

    for card in mine[:3]:
        take_up(page, card)
    page.get_by_role("button", name="Exchange (3)").press("Enter")
    expect(page.locator("[data-line]")).to_have_text("Two cards are exchanged at most.")
    take_up(page, mine[0])
    expect(page.locator(".own-card[aria-pressed=true]")).to_have_count(2)
    page.get_by_role("button", name="Exchange (2)").press("Enter")
    expect(page.locator(".own-card[aria-pressed=true]")).to_have_count(0)
    kept = [each.get_attribute("data-card") for each in page.locator(".own-card").all()]
    assert mine[0] in kept
    assert not {mine[1], mine[2]} & set(kept)
    assert "You: exchanges 2 cards." in " ".join(here.heard())

    other = window(laid, laid.turn(), width=PHONE)
    content = other.page.content()
    assert "exchanges 2 cards" in content
    assert f"x{mine[1]}{mine[2]}" not in content
    while laid.facts().state == Table.State.PLAYING:
        laid.act("x")
    other.show()
    expect(other.page.locator(".end-ranks li")).to_have_count(5)
    # Who folded shows nothing; the others laid their cards down.
    expect(other.page.locator(".seat-zone .open")).to_have_count(4)


def test_a_card_that_was_just_taken_is_refused_where_it_was_chosen_alone(
    window: Callable[..., Window], monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = BURRACO.deal(random.Random(1), "N", {})
    monkeypatch.setattr(BurracoGame, "deal", lambda *_asked: deal)
    laid = laid_out("burraco", 4)
    seat, taken = laid.turn(), BURRACO.start(deal, "N", {}).now.pile[0]
    laid.act("take")
    page = window(laid, seat, width=PHONE).page
    other = next(token for token in laid.legal() if len(token) == 2)
    take_up(page, other)
    expect(page.locator(f"[data-act='{other}']:not([aria-disabled])")).to_have_count(1)
    take_up(page, other)
    take_up(page, taken)
    expect(page.locator(f"[data-act='{taken}'][aria-disabled]")).to_have_count(1)
    expect(page.locator("[data-line]")).to_contain_text("You have just taken this card from the pile")
    page.locator(f"[data-act='{taken}']").press("Enter")
    expect(page.locator("[data-line].trouble")).to_contain_text("You have just taken this card from the pile")


def test_heaps_are_laid_as_their_cards_were_chosen(window: Callable[..., Window]) -> None:
    with registered(SIX_CARDS):
        laid = laid_out("brag-six", 2, deals=4)
        page = window(laid, laid.turn(), width=PHONE).page
        mine = [each.get_attribute("data-card") or "" for each in page.locator(".own-card").all()]
        for card in reversed(mine):
            take_up(page, card)
        expect(page.locator("[data-compose]")).to_contain_text(" / ")
        page.locator("[data-compose]").press("Enter")
        expect(page.locator(".own-card")).to_have_count(0)
        deal = laid.facts().deal
        assert deal is not None
        (token,) = deal.fold.state.history
    heaps = {frozenset(read_cards(heap)) for heap in token.split("/")}
    assert heaps == {frozenset(mine[:3]), frozenset(mine[3:])}


@pytest.mark.parametrize(
    ("offered", "players"),
    # The others show some of what these two show.
    [pytest.param(*each, marks=pytest.mark.thorough) for each in GAMES[:2]] + list(GAMES[2:]),
    ids=lambda value: getattr(value, "key", str(value)),
)
def test_every_game_of_the_tests_is_drawn_for_every_eye(
    offered: Game, players: int, window: Callable[..., Window]
) -> None:
    laid = laid_out(offered.key, players, clock_seconds=900)
    for token in range(2):
        laid.act(laid.legal()[token])
    faults: list[str] = []
    for seat in (laid.turn(), ""):
        page = window(laid, seat, width=320).page
        page.evaluate(AXE_SCRIPT)
        for width in (320, PHONE, DESK):
            page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 900)})
            found = violations(page, ALL_RULES)
            if page.evaluate(STICKS_OUT):
                found.append("wider than the screen")
            found += page.evaluate(OVERFLOWING)
            faults += [f"{seat or 'watching'} at {width}: {fault}" for fault in found]
        page.emulate_media(color_scheme="dark")
        faults += [f"{seat or 'watching'} in the dark: {fault}" for fault in violations(page, COLOUR_RULES)]
    assert not faults, "\n".join(faults)


def test_equal_cards_are_told_apart(window: Callable[..., Window]) -> None:
    laid = laid_out("quartet", 4)
    facts = laid.facts()
    assert facts.deal is not None
    held = facts.deal.fold.state.deal.hands  # type: ignore[attr-defined]
    seat = next(seat for seat, hand in zip("NESW", held, strict=True) if len(set(hand)) < len(hand))
    page = window(laid, seat, width=PHONE).page
    keys = [each.get_attribute("data-card") for each in page.locator(".own-card").all()]
    assert len(keys) == len(set(keys)) == 12
    assert page.locator(".own-card[tabindex='0']").count() == 1


def test_a_deal_is_stepped_through_by_keyboard_with_all_cards_or_as_one_seat_saw_it(
    new_page: Callable[..., Page], steady_cards: None
) -> None:
    laid = laid_out("trio", 3)
    hand = laid.facts().deal.fold.state.hands["2"]  # type: ignore[union-attr]
    laid.act(f"x{hand[0]}")
    laid.act("fold")
    laid.act("x")
    address = f"/tables/{laid.table.pk}/deals/1/"
    page = new_page(user=laid.at("1"), width=PHONE, reduced_motion="reduce")
    page.goto(address)
    count, moment = page.locator("[data-count]"), page.locator("[data-moment]")
    expect(count).to_have_text("0 / 3")
    expect(page.locator(".seat-zone .open")).to_have_count(3)
    assert "fan" not in page.locator(".felt-others").inner_html()
    page.keyboard.press("ArrowRight")
    expect(moment).to_have_text("Eva Novak: exchanges 1 cards.")
    page.keyboard.press("End")
    expect(moment).to_have_text("Anna Berg: exchanges 0 cards. The deal is over.")
    expect(page.locator(".felt-results li")).to_have_count(3)
    page.get_by_role("button", name="Back").click()
    expect(count).to_have_text("2 / 3")
    assert page.url.endswith("step=2")

    page.goto(f"{address}?as=1&step=1")
    expect(count).to_have_text("1 / 3")
    expect(page.locator(".seat-zone .open")).to_have_count(1)
    assert f"x{hand[0]}" not in page.content()
    page.evaluate(AXE_SCRIPT)
    faults = violations(page, ALL_RULES)
    page.emulate_media(color_scheme="dark")
    faults += violations(page, COLOUR_RULES)
    assert not faults


def test_whatever_lies_on_the_table_has_a_name(window: Callable[..., Window]) -> None:
    laid = laid_out("everything", 4)
    here = window(laid, laid.turn(), width=PHONE)
    page = here.page
    middle = page.locator("[data-centre]")
    for name in ("1 card in the stock", "Discards: 2", "Turned up", "Trumps", "12 in the pot"):
        expect(middle.get_by_text(name, exact=True)).to_be_visible()
    for label in ("joker", "queen of hearts", "hearts", "jack of spades"):
        expect(middle.get_by_role("img", name=label, exact=True)).to_have_count(1)
    group = "On the table: ace of spades, ace of hearts, joker"
    expect(page.get_by_role("group", name=group)).to_have_count(4)
    here.heard()
    page.keyboard.press("w")
    said = " ".join(here.heard())
    for part in (
        "Trumps: hearts",
        "Turned up: queen of hearts",
        "12 in the pot",
        "2 tricks",
        "North-South 0",
        "stake 5",
    ):
        assert part in said
