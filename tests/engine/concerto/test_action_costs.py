"""What each card and each pass gave up, measured by the par of what was left."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CardSet
from engine.concerto.best_play.action_costs import ActionCost, action_costs
from engine.concerto.best_play.deal_par import deal_par, par_of
from engine.concerto.best_play.par import FrontierPoint, Holding
from engine.concerto.options import HANDS, Options, leader_of
from engine.concerto.play import PLAY_TOKEN, State, start
from engine.concerto.records.parsing import read_record
from engine.concerto.robots import registry
from engine.concerto.scoring import best_of_six
from engine.concerto.view import view
from engine.deals import Deal
from engine.errors import ActionError
from engine.game import get
from engine.seats import SEATS, BySide, Seat, Side
from tests.engine.oracle import DEALS, played, replayed
from tests.thorough import examples

SEEDS = st.integers(0, 2**32)
NOTHING = Holding(CardSet(), CardSet())


def costs_of(last: State) -> tuple[ActionCost, ...]:
    return action_costs(last.setting.deal, last.setting.dealer, last.history)


def check_sums(last: State, found: tuple[ActionCost, ...]) -> None:
    par = deal_par(last.setting.deal, last.setting.dealer).par
    total = last.score().total
    given_up = {side: sum(each.cost for each in found if each.seat.side is side) for side in Side}
    assert len(found) == len(last.history)
    assert all(each.cost >= 0 for each in found)
    assert found[-1].par == total
    assert given_up[Side.NS] - given_up[Side.EW] == par.lead(Side.NS) - (total[Side.NS] - total[Side.EW])


@pytest.mark.parametrize("oracle", DEALS[:20], ids=range(20))
def test_costs_add_up_to_par_less_the_result(oracle: dict[str, Any]) -> None:
    last = replayed(oracle)
    check_sums(last, costs_of(last))


@settings(deadline=None, max_examples=examples(15))
@given(SEEDS)
def test_whatever_is_played_no_action_gives_less_than_nothing_up(seed: int) -> None:
    last = played(seed)
    check_sums(last, costs_of(last))


@settings(deadline=None, max_examples=examples(3))
@given(SEEDS, st.sampled_from(["novice", "player"]))
def test_of_robots_too(seed: int, robot: str) -> None:
    rng = random.Random(seed)
    state = start(Deal.random(rng), rng.choice(SEATS), Options())
    while not state.is_over:
        state = state.apply(registry.get(robot).action(view(state, state.turn)))
    check_sums(state, costs_of(state))


def outcomes(state: State, side: Side) -> set[tuple[int, int]]:
    """All that the side can still come to by any play that the rules allow: points of hands to come, what is left."""
    number = len(state.hands)
    while not state.is_over and leader_of(state.setting.dealer, len(state.hands)).side is not side:
        state = state.apply(state.legal()[0])
    found, known, waiting = set(), set(), [(state, len(state.hands))]
    own = [seat.index for seat in side.seats]
    while waiting:
        now, hand = waiting.pop()
        key = (now.held[own[0]], now.held[own[1]], now.on_turn, now.passes, now.alone, len(now.hands))
        if key in known:
            continue
        known.add(key)
        if len(now.hands) > hand or now.is_over:
            left = best_of_six(now.held[own[0]], now.held[own[1]]).points
            found.add((made_by(side, now, number), left))
            continue
        waiting += [(now.apply(token), hand) for token in now.legal()]
    return found


def frontier_of(made: int, reached: Iterable[tuple[int, int]]) -> tuple[FrontierPoint, ...]:
    best: list[FrontierPoint] = []
    for points, left in sorted(reached, key=lambda each: (-each[0], each[1])):
        if not best or left < best[-1].left_over:
            best.append(FrontierPoint(made + points, left, (), NOTHING))
    return tuple(best)


def made_by(side: Side, state: State, since: int = 0) -> int:
    return sum(
        each.value.points
        for place, each in enumerate(state.hands)
        if place >= since and leader_of(state.setting.dealer, place).side is side
    )


def moments_of_the_last_two_hands(last: State) -> Iterator[tuple[int, State]]:
    state = start(last.setting.deal, last.setting.dealer, Options())
    for place, token in enumerate(last.history):
        state = state.apply(token)
        # So early as that every way to go on can be looked at.
        if len(state.hands) >= HANDS - 2 and not state.is_over:
            yield place, state


@settings(deadline=None, max_examples=examples(4))
@given(SEEDS)
def test_par_in_the_last_two_hands_is_what_all_legal_play_comes_to(seed: int) -> None:
    last = played(seed)
    found = costs_of(last)
    moments = list(moments_of_the_last_two_hands(last))
    for place, state in random.Random(seed).sample(moments, 3):
        reached = {side: frontier_of(made_by(side, state), outcomes(state, side)) for side in Side}
        now = BySide(reached[Side.NS], reached[Side.EW])
        assert found[place].par == par_of(now, state.setting.dealer).par.total, (place, last.history)


def test_r6_play_costs_what_the_partner_alone_cannot_make() -> None:
    """North leads two aces, South has the other two: with "Play" South leaves them out of the hand."""
    deal = Deal.parse("N:A32.A32.432.5432 K54.K54.K65.K876 QJT.QJT.AQJT.AQJ 9876.9876.987.T9")
    for call, is_dear in (("-", False), (PLAY_TOKEN, True)):
        found = action_costs(deal, Seat.W, ("As", "-", "Ah", call))
        assert found[-1].seat is Seat.S
        assert (found[-1].cost > 0) is is_dear


def test_what_the_rules_do_not_allow_is_not_measured() -> None:
    last = played(3)
    with pytest.raises(ActionError):
        action_costs(last.setting.deal, last.setting.dealer, (*last.history, "-"))
    record = read_record(dict(get("concerto").record_of(last)) | {"deal": None})
    assert get("concerto").analysis.analyse(record) is None  # type: ignore[union-attr]
