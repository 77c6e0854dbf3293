"""What a window is sent through its socket does not depend on a card that its seat cannot see: not by a byte.

test_bytes.py asks the builder of what is told, of many more positions; here the frames come from the socket itself,
views and refusals alike, to members and to guests who talk there.
"""

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
from channels.layers import get_channel_layer

from engine.seats import Seat
from games.models import Action, Table, TableGuest
from games.tables import guest_keys
from games.tables.notify import group_of
from games.tables.services import chat, guests, opening, seats
from games.tables.socket import consumers, rates
from games.tables.socket.threads import in_thread
from games.tables.state import facts as reading
from games.tables.state.snapshot import TableSnapshot
from league.actors import Sitter
from tests.live.positions import READERS, START, Position, facts_of, positions, twin
from tests.live.tables import PEOPLE
from tests.live.test_table_guests import laid_table, token_of
from tests.live.windows import Window, cookie_of, run
from tests.scenes import make_scene

pytestmark = [pytest.mark.usefixtures("lines"), pytest.mark.one_database]
POSITIONS = 40
FIRST_VERSION = 1000
TOKENS = [f"{rank}{suit}" for suit in "shdc" for rank in "AKQJT98765432"]


@pytest.fixture
def _time_stands_still(monkeypatch: pytest.MonkeyPatch, settings: Any, lines: None) -> None:
    settings.LIVE_BEAT_SECONDS = 3600.0
    monkeypatch.setattr(rates, "PER_SECOND", 1e9)
    for module in (consumers, guest_keys):
        monkeypatch.setattr(module, "timezone", SimpleNamespace(now=lambda: START))


@pytest.fixture
def cookies(_time_stands_still: None) -> dict[Seat | None, str]:
    """The four who sit at a casual table, and somebody who watches: their cookies."""
    scene = make_scene()
    table = opening.open_casual(actor=scene.users["dora"], club=scene.club, terms={}, options={})
    for seat, name in PEOPLE.items():
        seats.sit(actor=scene.users[name], table_id=table.pk, seat=seat, window="w")
    sitting: dict[Seat | None, str] = {
        seat: cookie_of(scene.users[PEOPLE[seat.letter]]) for seat in READERS if seat is not None
    }
    return {**sitting, None: cookie_of(scene.users["iris"])}


@pytest.fixture
def guests_cookies(_time_stands_still: None) -> dict[Seat | None, str]:
    """Guests in East and South, who talk with Iris and Tom, and one whom the host has removed: their cookies."""
    laid = laid_table()
    scene, table, token = laid.scene, laid.table.pk, token_of(laid)
    keys = {seat: guests.admit(token=token, name=f"Mia {seat}", seat=seat, at=START)[1] for seat in "ESW"}
    removed = TableGuest.objects.get(name="Mia W")
    chat.let_guests_talk(actor=scene.users["iris"], table_id=table, allows=True)
    people: list[Sitter] = [scene.users["iris"], *(each.visitor for each in TableGuest.objects.all())]
    for person in people:
        chat.say(actor=person, table_id=table, text=f"Hello from {person}", at=START)
        seats.take_window(actor=person, table_id=table, window="w")
    guests.remove(actor=scene.users["iris"], table_id=table, guest_id=removed.pk, at=START)
    seats.sit(actor=scene.users["tom"], table_id=table, seat="W", at=START)
    cookie = guest_keys.cookie_of(table)
    by_seat: dict[Seat | None, str] = {Seat.E: keys["E"], Seat.S: keys["S"], None: keys["W"]}
    return {seat: f"{cookie}={key}" for seat, key in by_seat.items()}


def put_on_the_table(position: Position, number: int) -> TableSnapshot:
    """As if the rows said so: the facts that every connection of this process is told from."""
    table = Table.objects.get()
    Table.objects.update(version=FIRST_VERSION + number)
    shown = facts_of(position, helps=number % 2 == 0, clock_seconds=900 * (number % 3))
    facts = replace(
        reading.fresh(table.pk),
        version=FIRST_VERSION + number,
        state=shown.state,
        deal=shown.deal,
        deal_number=shown.deal_number,
        played=shown.played,
        requests=shown.requests,
        terms=shown.terms,
    )
    reading.memory.forget()
    reading.memory.keep(facts)
    return facts


def wrong_token(facts: TableSnapshot, seat: Seat | None, rng: random.Random) -> str:
    """An action that the rules refuse to whoever sits there: mostly a card, and who holds it is not to be learnt."""
    assert facts.deal is not None
    view: Any = facts.offered.view(facts.deal.fold.state, seat).as_json()
    return rng.choice([token for token in TOKENS if token not in view["legal"]])


def frames(seat: Seat | None, cookie: str, shown: Iterable[Position]) -> list[str]:
    """Every byte that a window is sent while these positions lie on the table, and it asks for what it may not do."""
    rng, layer = random.Random(4), get_channel_layer()
    assert layer is not None
    table = Table.objects.get().pk
    Table.objects.update(version=FIRST_VERSION - 1)
    reading.memory.forget()
    window = Window(table, cookie)

    async def listen() -> None:
        assert await window.open()
        await window.view()
        for number, position in enumerate(shown):
            facts = await in_thread(put_on_the_table, position, number)
            bell = {"type": "table.version", "table": table, "version": facts.version}
            await layer.group_send(group_of(table), bell)
            while (await window.heard("view"))["version"] != facts.version:
                # The bells of those who came before.
                pass
            fold = facts.deal.fold if facts.deal else None
            await window.send(
                type="act",
                key=f"k{number}",
                deal=facts.deal_number,
                number=fold.next_number if fold else 0,
                token=wrong_token(facts, seat, rng),
            )
            await window.heard("refused")
            await window.heard("view")
            await window.send(type="step", key=f"s{number}", step="chat", text="")
            await window.heard("refused")
            await window.heard("view")
        await window.leave()

    run(listen())
    first = next(at for at, frame in enumerate(window.frames) if f'"version":{FIRST_VERSION},' in frame)
    return window.frames[first:]


@pytest.mark.parametrize("seat", READERS)
def test_every_byte_is_the_same(seat: Seat | None, cookies: dict[Seat | None, str]) -> None:
    shown, twins = shown_to(seat, POSITIONS)

    told, told_of_twins = (frames(seat, cookies[seat], each) for each in (shown, twins))

    assert len(told) == 5 * POSITIONS
    assert told == told_of_twins
    assert not Action.objects.exists()


@pytest.mark.parametrize("seat", [Seat.E, Seat.S, None])
def test_every_byte_to_a_guest_is_the_same(seat: Seat | None, guests_cookies: dict[Seat | None, str]) -> None:
    shown, twins = shown_to(seat, POSITIONS // 2)

    told, told_of_twins = (frames(seat, guests_cookies[seat], each) for each in (shown, twins))

    assert told == told_of_twins
    # Who sits there reads what is said; the guest who was removed is a stranger who watches.
    assert ["Hello from Mia S" in frame for frame in told if '"type":"view"' in frame] == [
        seat is not None
    ] * (3 * (POSITIONS // 2))
    own, anothers = shown_to(Seat.N, 6)
    if seat is not None:
        assert frames(seat, guests_cookies[seat], own) != frames(seat, guests_cookies[seat], anothers), (
            "control: the guest's own cards make a difference"
        )


def shown_to(reader: Seat | None, many: int) -> tuple[list[Position], list[Position]]:
    """So many positions, and others that this reader cannot tell from them."""
    rng = random.Random(17)
    shown = list(islice(positions(rng), 0, 3 * many, 3))
    twins = [twin(each, reader, rng) for each in shown]
    differ = sum(each != other for each, other in zip(shown, twins, strict=True))
    assert differ > 0.8 * many, "the twins are really others"
    return shown, twins


def test_control_one_card_that_slips_is_found(
    cookies: dict[Seat | None, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    view_for = consumers.view_for

    def talkative(*, facts: TableSnapshot, **keys: Any) -> dict[str, Any]:
        view = view_for(facts=facts, **keys)
        if facts.deal is not None and view["deal"]:
            shown: Any = facts.offered.view(facts.deal.fold.state, Seat.E).as_json()
            view["deal"]["last"] = shown["mine"][-1:]
        return view

    monkeypatch.setattr(consumers, "view_for", talkative)
    shown, twins = shown_to(Seat.N, 6)

    assert frames(Seat.N, cookies[Seat.N], shown) != frames(Seat.N, cookies[Seat.N], twins)
