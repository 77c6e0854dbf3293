"""Robots, boards, signals and sampling: one suite for each."""

from __future__ import annotations

import json
import random

import pytest

from engine.errors import ActionError, DealError
from engine.game.capabilities import Robot
from engine.game.zones import Zones
from engine.packs import is_card
from tests.engine.conformance.adapters import Adapter
from tests.engine.conformance.core import seen


def check_robot(adapter: Adapter, robot: Robot, seed: int) -> None:
    """It plays by the rules and by its view alone, always the same, and not out of turn."""
    deal, dealer, options = adapter.begin(seed)
    rng = random.Random(seed)
    assert robot.name
    assert robot.summary
    for step, state in enumerate(adapter.walk(seed)):
        if state.is_over or step % 4:
            continue
        token = robot.token(adapter.game.view(state, state.turn))
        state.verify(token)
        other, history = adapter.shuffle_hidden(deal, state, state.turn, rng)
        twin = adapter.replay(other, dealer, options, history)
        assert robot.token(adapter.game.view(twin, state.turn)) == token
        waiting = next(seat for seat in adapter.seats if seat != state.turn)
        with pytest.raises(ActionError):
            robot.token(adapter.game.view(state, waiting))


def check_boards(adapter: Adapter, seed: int) -> None:
    """Every number is a deal, and every deal has its number."""
    boards = adapter.game.boards
    assert boards is not None
    deal, dealer, _options = adapter.begin(seed)
    assert boards.deal_of_number(boards.number_of_deal(deal, dealer), dealer) == deal
    for number in (0, boards.deals // 3, boards.deals - 1):
        found = boards.deal_of_number(number)
        assert adapter.game.read_deal(found, adapter.players) == found
        # Of equal cards the first number stands for all.
        assert boards.number_of_deal(found) <= number
        assert boards.deal_of_number(boards.number_of_deal(found)) == found
    hands = boards.hands(deal)
    assert all(is_card(card) for card in boards.stock(deal))
    assert tuple(hands) == adapter.seats
    dealt = adapter.game.start(deal, dealer, adapter.game.read_options({}), adapter.players)
    for seat in adapter.seats:
        view = adapter.game.view(dealt, seat)
        if isinstance(view, Zones):
            own = next(zone for zone in view.seats if zone.seat == seat)
            # A table sorts them by itself.
            assert sorted(own.cards) == sorted(hands[seat])
    options = adapter.game.read_options({})
    for together in (True, False):
        chosen = boards.options_for(options, together=together, is_new=True)
        assert adapter.game.read_options(chosen)
        assert adapter.game.read_options(boards.options_for(chosen, together=together, is_new=False))
    for wrong in (-1, boards.deals):
        with pytest.raises(DealError):
            boards.deal_of_number(wrong)


def check_signals(adapter: Adapter, seed: int) -> None:
    """Open cards mean something to everybody alike, in words."""
    signals = adapter.game.signals
    assert signals is not None
    json.dumps(signals.convention_card())
    *_, last = adapter.walk(seed)
    found = [signals.meanings(adapter.game.view(last, None), hand) for hand in range(8)]
    assert any(found)
    assert all(str(each.message) and each.holding for hand in found for each in hand)
    assert found == [signals.meanings(adapter.game.view(last, adapter.seats[0]), hand) for hand in range(8)]


def check_sampling(adapter: Adapter, seed: int) -> None:
    """A sample gives the seat the very view that it has, and draws the rest by chance."""
    sampling, rng = adapter.game.sampling, random.Random(seed)
    assert sampling is not None
    differed = 0
    for state in adapter.walk(seed):
        for seat in () if state.is_over else adapter.seats:
            view = adapter.game.view(state, seat)
            found = sampling.sample(view, rng)
            assert seen(adapter, found, seat) == seen(adapter, state, seat)
            differed += found != state
    assert differed
