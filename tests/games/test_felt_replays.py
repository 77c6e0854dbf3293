"""Any game's deals are replayed from the log, once they are over."""

from __future__ import annotations

import json
from collections.abc import Iterator

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


@each_game
def test_a_deal_that_is_over_is_stepped_through_with_all_cards(playing: Adapter) -> None:
    table = CasualTable(playing, make_scene())
    address = f"/tables/{table.pk}/deals/1/"
    client: Client = table.clients[None]
    assert client.get(address).status_code == 404
    done = 0
    while (facts := table.facts()).state == "playing":
        assert facts.deal is not None
        table.act(facts.deal.fold.state.legal()[-1])
        done += 1
    steps = client.get(address).context["replay"]["steps"]
    assert len(steps) == done + 1
    assert all(len(zone["cards"]) == zone["held"] for step in steps for zone in step["seats"])
    first = playing.seats[0]
    seen = client.get(address, {"as": first}).context["replay"]["steps"]
    assert all(not zone["cards"] for zone in seen[0]["seats"] if zone["seat"] != first)
    whole = [move["token"] for move in steps[-1]["actions"]]
    assert len(whole) == done
    facts = table.facts()
    assert facts.deal is not None
    told = {line.token for line in facts.deal.fold.counting if line.seat != first}
    hidden = {token for token in told if token not in {move["token"] for move in seen[-1]["actions"]}}
    assert not any(token in json.dumps(seen) for token in hidden if len(token) > 2)
