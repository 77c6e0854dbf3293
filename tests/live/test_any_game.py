"""Every game of the tests, played at a casual table to its end over HTTP and sockets; and no seat is told too much."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from engine import game
from engine.game import Game, State
from games.models import Table
from games.options import port_of
from games.tables.services import opening, play, seats
from games.tables.socket import rates
from games.tables.state import facts as reading
from games.tables.state.log import Line, fold
from games.tables.state.seat_view import Reader, view_for
from games.tables.state.snapshot import TableSnapshot
from league.models import User
from tests.engine.conformance.adapters import Adapter, registered
from tests.engine.quartet import QuartetGame, QuartetState
from tests.engine.test_conformance import ADAPTERS
from tests.engine.trio import TrioGame
from tests.live.tables import sent
from tests.live.windows import Window, cookie_of, run
from tests.scenes import Scene, make_scene

OTHERS = [adapter for adapter in ADAPTERS if adapter.game.key != "concerto"]
PEOPLE = ("anna", "eva", "chidi", "luis", "iris")
#: So many actions a page has missed.
MISSED = 4
OFTEN = 100
#: A match to such a target takes chance a hundred deals.
FAR = 100
#: What a clock says depends on when it is asked.
MOVING = ("clock", "turn_ms")
each_game = pytest.mark.parametrize("adapter", OTHERS, ids=lambda adapter: adapter.name)


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PER_SECOND", 1e9)


@pytest.fixture
def playing(adapter: Adapter) -> Iterator[Adapter]:
    """The game is there for the test."""
    with registered(adapter.game):
        yield adapter


def usual_rules(offered: Game) -> dict[str, str]:
    """The game's own options as the page asks for them, as they stand there, but few deals and no far target."""
    asked = [option for option in port_of(offered).options if not option.is_set_elsewhere]
    target = next((int(each.default) for each in asked if each.name == "target"), 0)
    few = {
        each.name: str(max(2, each.minimum))
        for each in asked
        if each.name == "deals" and (each.default or not target or target > FAR)
    }
    if any(each.name == "deals" and not each.minimum for each in asked) and target > FAR:
        few["target"] = "0"
    # A box that is not ticked is not sent.
    usual = {each.name: str(each.default) for each in asked if each.default is not False}
    return {f"rules_{name}": value for name, value in (usual | few).items()}


class CasualTable:
    """A table with somebody at every seat, and somebody who watches."""

    def __init__(self, adapter: Adapter, scene: Scene) -> None:
        self.adapter = adapter
        self.people: dict[str, User] = {
            seat: scene.users[name] for seat, name in zip(adapter.seats, PEOPLE, strict=False)
        }
        self.clients: dict[str | None, Client] = {}
        for seat, user in (*self.people.items(), (None, scene.users["tom"])):
            self.clients[seat] = Client()
            self.clients[seat].force_login(user)
        self.pk = self._opened(scene)
        for seat in adapter.seats:
            told = self.step(seat, "sit", seat=seat)
            assert told["view"]["you"]["seat"] == seat
        for seat in adapter.seats:
            self.step(seat, "ready")

    def _opened(self, scene: Scene) -> int:
        form = {
            "game": self.adapter.game.key,
            "players": str(self.adapter.players or ""),
            **usual_rules(self.adapter.game),
            "clock_seconds": "900",
            "on_timeout": "robot",
            "absence_seconds": "60",
            "robots": "on",
            "spectators": "everybody",
            "delay_seconds": "0",
        }
        answer = self.clients[self.adapter.seats[0]].post(f"/clubs/{scene.club.slug}/tables/", form)
        assert answer.status_code == 302, answer.content
        return int(answer["Location"].strip("/").split("/")[-1])

    def until_somebody_acts(self) -> None:
        """In some games the cards may decide a deal before anybody acts."""
        while self.facts().state == Table.State.BETWEEN:
            for seat in self.adapter.seats:
                self.step(seat, "ready")

    def facts(self) -> TableSnapshot:
        return reading.current(self.pk)

    def post(self, seat: str | None, path: str, body: dict[str, Any]) -> Any:
        return self.clients[seat].post(
            f"/tables/{self.pk}/{path}/", json.dumps(body), content_type="application/json"
        )

    def step(self, by: str | None, name: str, **body: Any) -> dict[str, Any]:
        answer = self.post(by, f"steps/{name}", body)
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    def act(self, token: str) -> None:
        """The seat on turn does it; nobody else may."""
        facts = self.facts()
        assert facts.deal is not None
        turn = facts.deal.fold.turn
        body = {"deal": facts.deal.number, "number": facts.deal.fold.next_number, "token": token}
        other = next(seat for seat in self.people if seat != turn)
        assert self.post(other, "act", body).json()["error"]["code"] == "not_your_turn"
        answer = self.post(turn, "act", body)
        assert answer.status_code == 200, answer.content

    def told(self, seat: str | None, deal: int = 0, number: int = 0) -> dict[str, Any]:
        """What the seat is told, whose page knows of so many actions of that deal."""
        query = {"deal": deal, "next": number}
        return settled(self.clients[seat].get(f"/tables/{self.pk}/view/", query).json()["view"])

    def check_secrets(self, rng: random.Random) -> int:
        """What each is told would be the same if what they cannot know were otherwise; gives how often it was."""
        facts, found = self.facts(), 0
        assert facts.deal is not None
        state = facts.deal.fold.state
        deal = self._deal()
        for seat in (*self.people, None):
            other, tokens = self.adapter.shuffle_hidden(deal, state, seat, rng)
            found += (other, tuple(tokens)) != (deal, state.history)
            reader = Reader() if seat is None else Reader(seat=seat, may_sit=())
            before = (facts.deal.number, max(0, facts.deal.fold.next_number - MISSED))
            twin = view_for(
                facts=_with_cards(facts, other, tuple(tokens)),
                reader=reader,
                at=facts.opened_at,
                since=before,
            )
            assert self.told(seat, *before)["deal"] == settled(twin)["deal"], f"{seat} is told what is secret"
        return found

    def _deal(self) -> str:
        row = Table.objects.get(pk=self.pk).deals.get(number=self.facts().deal_number)
        return reading.cards_of(row)


def settled(view: dict[str, Any]) -> dict[str, Any]:
    """The view as JSON, without its clocks."""
    found: dict[str, Any] = json.loads(json.dumps(view))
    for name in MOVING:
        (found["deal"] or {}).pop(name, None)
    return found


def _with_cards(facts: TableSnapshot, deal: str, tokens: tuple[str, ...]) -> TableSnapshot:
    """The same table, had these cards been dealt and these tokens been sent."""
    assert facts.deal is not None
    now = facts.deal.fold
    lines = [
        Line(line.number, line.seat, token, None, line.at)
        for line, token in zip(now.counting, tokens, strict=True)
    ]
    options = reading.options_of_deal(Table.objects.get(pk=facts.table), facts.deal.number, is_board=False)
    folded = fold(
        game_key=facts.game,
        deal=deal,
        dealer=facts.deal.dealer,
        options=options,
        started_at=facts.deal.started_at,
        lines=lines,
        players=facts.players,
    )
    return replace(facts, deal=replace(facts.deal, fold=folded))


def play_to_the_end(adapter: Adapter) -> CasualTable:
    """Opens the table, sits everybody down and plays all deals, looking for what leaks on the way."""
    rng = random.Random(5)
    table = CasualTable(adapter, make_scene())
    done = twins = 0
    while (facts := table.facts()).state != Table.State.FINISHED:
        if facts.state == Table.State.BETWEEN:
            for seat in adapter.seats:
                table.step(seat, "ready")
            continue
        assert facts.deal is not None
        table.act(rng.choice(facts.deal.fold.state.legal()))
        done += 1
        # What a long match may leak it leaks early: later it is looked at less often.
        if done % (5 if done < OFTEN else 25) == 1 or len(facts.deal.fold.state.history) < 5:
            twins += table.check_secrets(rng)
    assert twins
    return table


@pytest.mark.django_db
@each_game
def test_a_game_is_played_to_its_end_at_a_casual_table(playing: Adapter) -> None:
    table = play_to_the_end(playing)
    match = table.told(None)["match"]
    assert [each["number"] for each in match["deals"]] == [*range(1, table.facts().deal_number + 1)]
    assert set(match["total"]) == set(match["ranks"]) == set(playing.game.sides(playing.players))
    best = (min if playing.game.lower_is_better else max)(match["total"].values())
    assert all(match["total"][side] == best for side, rank in match["ranks"].items() if rank == 1)
    row = Table.objects.get(pk=table.pk)
    assert len(row.places) == len(playing.seats)
    assert row.robots is bool(playing.game.robots)


@each_game
@pytest.mark.usefixtures("lines")
def test_every_window_is_told_its_own_seat_alone(playing: Adapter) -> None:
    table = CasualTable(playing, make_scene())
    table.until_somebody_acts()
    cookies = {seat: cookie_of(user) for seat, user in table.people.items()}

    async def played() -> dict[str, list[str]]:
        windows = {seat: Window(table.pk, cookie) for seat, cookie in cookies.items()}
        for window in windows.values():
            assert await window.open()
            view = await window.view()
        turn = view["deal"]["view"]["turn"]
        mine = {seat: window for seat, window in windows.items() if seat == turn}
        await mine[turn].send(type="look", key="l")
        view = await mine[turn].view()
        await mine[turn].heard("done")
        token = first_token(view["deal"]["view"])
        deal = view["deal"]
        await mine[turn].send(type="act", key="k", deal=deal["number"], number=deal["next"], token=token)
        assert (await mine[turn].heard("done"))["key"] == "k"
        for window in windows.values():
            await window.send(type="look", key="z")
            await window.heard("done")
            await window.leave()
        return {seat: window.frames for seat, window in windows.items()}

    frames = run(played())
    facts = table.facts()
    assert facts.deal is not None
    assert len(facts.deal.fold.counting) == 1
    for seat, told in frames.items():
        for number, line in enumerate(facts.deal.fold.counting):
            shown = facts.deal.fold.token_seen_by(number, seat)
            assert any(f'"token":"{shown}"' in frame for frame in told)
            assert line.token == shown or not any(line.token in frame for frame in told)


@pytest.mark.django_db
def test_who_is_on_turn_is_told_why_a_card_may_not_be_played() -> None:
    adapter = next(each for each in OTHERS if each.game.key == "quartet")
    with registered(adapter.game):
        table = CasualTable(adapter, make_scene())
        table.act(state_of(table).legal()[0])
        while not (refused := {*state_of(table).held(state_of(table).turn)} - {*state_of(table).legal()}):
            table.act(state_of(table).legal()[0])
        told = {seat: table.told(seat)["deal"]["why_not"] for seat in table.people}
        turn = told.pop(state_of(table).turn)
    assert {each["token"]: each["message"] for each in turn} == dict.fromkeys(
        refused, "The suit must be followed."
    )
    assert not any(told.values())


def state_of(table: CasualTable) -> Any:
    deal = table.facts().deal
    assert deal is not None
    return deal.fold.state


def first_token(view: dict[str, Any]) -> str:
    """An action that a felt could send, from the zones alone: a card, a call, or chosen cards as few as will do."""
    if view["cards"]:
        return str(view["cards"][0])
    if view["calls"]:
        return str(view["calls"][0]["token"])
    composition = view["compositions"][0]
    count = max(composition["least"], composition["most"] and 1)
    return composition["prefix"] + "".join(composition["cards"][:count])


@pytest.mark.django_db
@pytest.mark.parametrize("adapter", OTHERS, ids=lambda each: each.name)
def test_every_game_can_be_practised_alone(playing: Adapter) -> None:
    scene, client, rng = make_scene(), Client(), random.Random(9)
    client.force_login(scene.users["anna"])
    form = {
        "game": playing.game.key,
        "robot": playing.game.practice_robots[0].key,
        "players": str(playing.players or ""),
    }
    answer = client.post(f"/clubs/{scene.club.slug}/practice/", form)
    table = Table.objects.get(kind=Table.Kind.PRACTICE)
    assert (answer.status_code, table.places) == (302, playing.seats)
    while (facts := reading.current(table.pk)).state != Table.State.FINISHED:
        if facts.state != Table.State.PLAYING:
            seats.ready(actor=scene.users["anna"], table_id=table.pk)
        elif not play.play_robots(table_id=table.pk):
            token = rng.choice(facts.deal.fold.state.legal())  # type: ignore[union-attr]
            play.act(actor=scene.users["anna"], table_id=table.pk, sent=sent(facts, token))
    assert reading.current(table.pk).result.is_over
    again = opening.practise_again(actor=scene.users["anna"], deal=table.deals.get(number=1))
    options = playing.game.read_options(again.options)
    assert playing.game.deals_in_match(options) == max(1, fewest_deals(playing.game))


def fewest_deals(offered: Game) -> int:
    return next(option.minimum for option in offered.options() if option.name == "deals")


class OpenTokens(TrioGame):
    """Tells everybody what was exchanged."""

    def token_seen_by(self, state: State, token: str, seat: str | None) -> str:
        return token


class OpenHands(QuartetGame):
    """Shows everybody all cards."""

    def view(self, state: State, seat: str | None) -> Any:
        assert isinstance(state, QuartetState)
        seen = super().view(state, seat)
        return replace(seen, seats=tuple(replace(zone, cards=state.held(zone.seat)) for zone in seen.seats))


@pytest.mark.django_db
@pytest.mark.parametrize("leaky", [OpenTokens(), OpenHands()], ids=lambda leaky: type(leaky).__name__)
def test_a_game_that_leaks_is_found_out(leaky: Game) -> None:
    adapter = replace(next(each for each in OTHERS if each.game.key == leaky.key), game=leaky)
    with registered(leaky), pytest.raises(AssertionError, match="is told what is secret"):
        play_to_the_end(adapter)


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "said"), [("2", "3 to 5 players"), ("6", "3 to 5 players"), ("", None)])
def test_only_as_many_sit_as_the_game_takes(players: str, said: str | None) -> None:
    game.register(TrioGame())
    try:
        scene, client = make_scene(), Client()
        client.force_login(scene.users["anna"])
        form = {"game": "trio", "players": players, "rules_deals": "2", "rules_target": "0",
                "clock_seconds": "0", "absence_seconds": "60",
                "on_timeout": "director", "spectators": "everybody", "delay_seconds": "0"}  # fmt: skip
        answer = client.post("/clubs/riverside/tables/", form, follow=True)
        if said:
            assert said in answer.text
            assert not Table.objects.exists()
        else:
            assert Table.objects.get().places == ("1", "2", "3")
    finally:
        game.forget("trio")
