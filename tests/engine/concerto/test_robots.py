"""Robots: the conformance suite over the register, and what the novice and the player know."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

import engine.game
from engine.cards import CardSet, cards_of
from engine.concerto.play import PASS, Action, Move, State, start
from engine.concerto.robots import registry
from engine.concerto.robots.novice import NOVICE
from engine.concerto.robots.own_hands import best_hands, cores, pairs_among
from engine.concerto.robots.player import PLAYER, partner_hands
from engine.concerto.robots.position import Position
from engine.concerto.robots.registry import Robot
from engine.concerto.scoring import value_of_bits
from engine.concerto.signals.signalling import Phase, all_signals
from engine.concerto.signals.systems import System
from engine.concerto.view import View, view
from engine.deals import Deal
from engine.errors import ActionError, RuleError
from engine.seats import SEATS, Seat
from tests.engine import robot_conformance
from tests.engine.robot_conformance import DUPLICATE, SYSTEMS, action_of, odd_states, some_states

DOCUMENTED = Path(engine.game.__file__).parents[2] / "docs" / "robots.md"
#: Robots that think long decide less often here.
SLOW = {"expert"}
each_robot = pytest.mark.parametrize("robot", registry.all_robots(), ids=lambda robot: robot.key)


def few(robot: Robot, number: int, of_slow: int) -> int:
    return of_slow if robot.key in SLOW else number


def test_makes_what_the_documentation_has_measured() -> None:
    measured = {
        row[1]: float(row[2])
        for row in re.finditer(
            r"^(\w+) +[\d.]+ ± [\d.]+ +([\d.]+) ± .*\d$", DOCUMENTED.read_text(), re.MULTILINE
        )
    }
    assert {robot.key: robot.percent for robot in registry.all_robots()} == {
        key: round(percent) for key, percent in measured.items()
    }


# The suite


@each_robot
def test_plays_legally_to_the_end(robot: Robot) -> None:
    for seed in range(few(robot, 4, 1)):
        robot_conformance.check_plays_to_the_end(robot, seed, few(robot, 0, 6))


@each_robot
def test_plays_whatever_system_it_is_given(robot: Robot) -> None:
    for seed, system in enumerate(SYSTEMS[1:]):
        robot_conformance.check_plays_to_the_end(robot, 10 + seed, few(robot, 0, 7), system)


@each_robot
def test_does_the_same_again(robot: Robot) -> None:
    robot_conformance.check_repeats_itself(robot, 20, few(robot, 16, 3))


@each_robot
def test_sees_no_more_than_the_view(robot: Robot) -> None:
    robot_conformance.check_sees_only_the_view(robot, 40, few(robot, 24, 4))


@each_robot
def test_finds_its_way_in_odd_positions(robot: Robot) -> None:
    for state in odd_states().values():
        action_of(robot, state)
        robot_conformance.check_plays_on(robot, state, few(robot, 8, len(state.hands)))


@each_robot
def test_plays_with_anybody(robot: Robot) -> None:
    for seed in range(few(robot, 12, 2)):
        robot_conformance.check_plays_with_anybody(robot, seed, few(robot, 0, 6))


@each_robot
def test_does_nothing_out_of_turn(robot: Robot) -> None:
    state = robot_conformance.dealt(1)
    for seat in (*(seat for seat in SEATS if seat is not state.turn), None):
        with pytest.raises(ActionError):
            robot.action(view(state, seat))


def test_control_a_robot_that_peeks_is_caught() -> None:
    looked_at: list[State] = []

    def look(state: State, seat: Seat) -> View:
        looked_at.append(state)
        return view(state, seat)

    def peek(seen: View, _system: object) -> Action:
        hidden = looked_at[-1].held[looked_at[-1].on_turn ^ 1]
        return Action(seen.legal[hidden % 7 % len(seen.legal)])

    peeping = Robot("peeping", NOVICE.name, NOVICE.summary, peek)
    with pytest.raises(AssertionError):
        robot_conformance.check_sees_only_the_view(peeping, 40, 24, look)


def test_control_a_robot_that_cheats_is_caught() -> None:
    cheat = Robot("cheat", NOVICE.name, NOVICE.summary, lambda _seen, _system: Action("As"))
    with pytest.raises(RuleError):
        robot_conformance.check_plays_to_the_end(cheat, 1, 0)


OTHER_PROCESS = """
import json, sys
import engine
from engine.concerto.robots import registry
from engine.concerto.play import Action, start
from engine.concerto.options import read_options
from engine.concerto.view import view
from engine.deals import Deal
from engine.seats import Seat
found = {}
for robot in registry.all_robots():
    found[robot.key] = []
    for deal, dealer, tokens in json.load(open(sys.argv[1])):
        state = start(Deal.parse(deal), Seat.parse(dealer), read_options({"duplicate": True}))
        for token in tokens:
            state = state.apply(Action(token))
        found[robot.key].append(robot.action(view(state, state.turn)).token)
    found[robot.key].append("numba" in sys.modules)
print(json.dumps(found))
"""


def test_does_the_same_in_another_process_and_needs_no_compiler_before_the_expert(tmp_path) -> None:
    states = list(some_states(60, 5))
    given = tmp_path / "states.json"
    given.write_text(
        json.dumps([(str(each.setting.deal), each.setting.dealer.letter, each.history) for each in states])
    )
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS, str(given)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    found = json.loads(done.stdout)
    for robot in registry.all_robots():
        *tokens, has_compiler = found[robot.key]
        assert tokens == [action_of(robot, state).token for state in states]
        assert has_compiler is (robot.key in SLOW)


# The register


def test_the_register_knows_each_robot_once() -> None:
    assert [robot.key for robot in registry.all_robots()][:2] == ["novice", "player"]
    assert engine.game.get("concerto").robots == registry.all_robots()
    assert registry.get("player") is PLAYER
    with pytest.raises(RuleError):
        registry.register(NOVICE)
    for unknown in ("nobody", None, ["novice"]):
        with pytest.raises(RuleError, match="novice"):
            registry.get(unknown)  # type: ignore[arg-type]


# The novice


@pytest.mark.parametrize("seed", range(6))
def test_best_hands_are_those_found_by_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    mine = sum(rng.sample([1 << place for place in range(20)] + [1 << 26, 1 << 30, 1 << 39, 1 << 45], 11))
    fives = [sum(five) for five in combinations([card.bit for card in cards_of(mine)], 5)]
    value = {five: value_of_bits(five, 0).points for five in fives}
    most = max(value[one] + value[other] for one, other in combinations(fives, 2) if not one & other)
    assert sum(core.points for core in best_hands(mine, 2)) == most
    assert sum(core.points for core in best_hands(mine, 1)) == max(value.values())
    assert best_hands(mine, 0) == ()


def test_the_cores_of_a_few_cards() -> None:
    cards = CardSet.parse("9c 9d 9h 9s 2c").bits
    assert [core.points for core in cores(cards)] == [8, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1]
    assert pairs_among(cards) == 2
    assert best_hands(CardSet.parse("2c 7d").bits, 2) == ()


NOVICE_DEAL = Deal.parse("N:A2.A2.K52.AK9872 KQJ65.J84.96.QJT T97.KQT9.JT8.653 843.7653.AQ743.4")


def test_the_novice_plays_its_best_hand_alone() -> None:
    state = start(NOVICE_DEAL, Seat.W, DUPLICATE)
    while not state.hands:
        state = state.apply(action_of(NOVICE, state))
    hand = state.hands[0]
    assert hand.value.combination.key == "full-house"
    assert hand.by_partner == 0
    assert state.hand_lines[0].count("-") == 4


def test_a_novice_with_a_pair_lets_its_partner_add_to_it() -> None:
    state = start(Deal.random(random.Random(22)), Seat.W, DUPLICATE)
    while len(state.hands) < 5:
        state = state.apply(action_of(NOVICE, state))
    assert state.hand_lines[4] == "2c - 2h - - 5c 4c - 5h"
    assert state.hands[4].value.combination.key == "two-pair"


# The player


def hand_played(deal: str, robot: Robot = PLAYER) -> tuple[str, str]:
    """The first hand, led by North: its line, and what it is."""
    state = start(Deal.parse(deal), Seat.W, DUPLICATE)
    while not state.hands:
        state = state.apply(action_of(robot, state))
    return state.hand_lines[0], state.hands[0].value.title


def test_the_players_find_a_straight_flush_between_them() -> None:
    line, title = hand_played("N:K.764.Q872.QJT83 A54.J82.J63.A742 T97.K53.K94.K965 QJ8632.AQT9.AT5.")
    assert title == "straight flush, 3+2", line


@pytest.mark.parametrize("system", SYSTEMS[:2], ids=lambda system: system.name)
def test_the_player_begins_with_a_signal_of_whatever_system_it_is_given(system: System) -> None:
    for seed in range(8):
        state = robot_conformance.dealt(seed)
        cards = CardSet(state.held[state.on_turn])
        lines = {signal.line for signal in all_signals(cards, Phase.STRONG, system)}
        for _ in range(3):
            state = state.apply(action_of(PLAYER, state, system))
        # Ours can leave nothing to show.
        assert not lines or " ".join(state.history) in lines


def test_the_players_partner_waits_for_the_second_card() -> None:
    state = robot_conformance.dealt(8)
    state = state.apply(action_of(PLAYER, state))
    assert action_of(PLAYER, state) is PASS


def test_the_player_draws_hands_that_agree_with_what_partner_showed() -> None:
    """Fours by Parlett's system: the other two nines are held, as far as there are cards to hold them."""
    line = tuple(
        Move(Seat.N if place % 2 == 0 else Seat.S, Action(token))
        for place, token in enumerate(["9h", "-", "9d"])
    )
    played, mine = CardSet.parse("9h 9d").bits, CardSet.parse("Ac Kc Qd").bits
    nines = CardSet.parse("9c 9s").bits
    position = Position(Seat.S, mine, 0, played, played, 11, line, 0, 2, 1, may_pass=True)
    for count, held in ((11, nines), (2, nines), (1, 0), (0, 0)):
        hands = partner_hands(replace(position, partner_count=count), SYSTEMS[0])
        assert all(hand.bit_count() == count and hand & held == held for hand in hands)
        assert not any(hand & (mine | played) for hand in hands)
