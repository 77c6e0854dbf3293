"""Any game's deals are replayed from the log, once they are over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from games.tables.socket import rates
from games.tables.state.facts import memory
from tests.engine.conformance.adapters import Adapter, registered
from tests.live.test_any_game import CasualTable, each_game
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> Iterator[Adapter]:
    monkeypatch.setattr(rates, "PER_SECOND", 1e9)
    rates.forget()
    memory.forget()
    with registered(adapter.game):
        yield adapter


def zones(view: Any) -> dict[str, Any]:
    """The cards that a view shows at each seat."""
    shown = view if isinstance(view, dict) else view.as_json()
    return {zone["seat"]: zone["cards"] for zone in shown["seats"]}


@each_game
def test_a_deal_that_is_over_is_stepped_through_with_all_cards(playing: Adapter) -> None:
    table = CasualTable(playing, make_scene())
    address = f"/tables/{table.pk}/deals/1/"
    client: Client = table.clients[None]
    assert client.get(address).status_code == 404
    first = playing.seats[0]
    told: list[dict[str, Any]] = []
    while (facts := table.facts()).state == "playing":
        assert facts.deal is not None
        state = facts.deal.fold.state
        told.append({seat: zones(playing.game.view(state, seat)) for seat in playing.seats})
        table.act(state.legal()[-1])
    done = len(told)
    steps = client.get(address).context["replay"]["steps"]
    assert len(steps) == done + 1
    for step, own in zip(steps, told, strict=False):
        assert zones(step) == {seat: own[seat][seat] for seat in playing.seats}
    assert all(len(zone["cards"]) == zone["held"] for zone in steps[-1]["seats"])
    seen = client.get(address, {"as": first}).context["replay"]["steps"]
    assert zones(seen[0]) == told[0][first]
    whole = [move["token"] for move in steps[-1]["actions"]]
    assert len(whole) == done
    facts = table.facts()
    assert facts.deal is not None
    others = {line.token for line in facts.deal.fold.counting if line.seat != first}
    hidden = {token for token in others if token not in {move["token"] for move in seen[-1]["actions"]}}
    assert not any(token in json.dumps(seen) for token in hidden if len(token) > 2)
