"""What every robot must do, whatever it thinks: obey the rules, see no more than its seat, and always do the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from engine.concerto.options import read_options
from engine.concerto.play import PASS, Action, State, start
from engine.concerto.robots.registry import Robot
from engine.concerto.signals.convention_cards import read_system
from engine.concerto.signals.systems import PARLETT, System
from engine.concerto.view import View, view
from engine.deals import Deal
from engine.seats import SEATS, Seat
from tests.engine.test_conformance import shuffle_concerto

DUPLICATE = read_options({"duplicate": True})

OURS = read_system(
    {
        "name": "Ours",
        "checklist": {"strong": ["fours", "two-pair"], "weak": ["five", "two-pair"]},
        "ways": [
            {"holding": "fours", "then": "pass", "preferred": ["h", "cs"]},
            {"holding": "two-pair", "suits": "black-then-red", "ranks": "same"},
            {
                "holding": "straight",
                "suits": "any",
                "ranks": "in-range",
                "order": "low-then-high",
                "between": [3],
            },
        ],
    }
)
SILENT = System("Silent", (), (), ())
SYSTEMS = (PARLETT, OURS, SILENT)

Look = Callable[[State, Seat], View]


def dealt(seed: int) -> State:
    """A random deal, the dealer changing with the seed."""
    return start(Deal.random(random.Random(seed)), SEATS[seed % 4], DUPLICATE)


def advanced(state: State, hands: int, rng: random.Random) -> State:
    """The state when so many hands are played, by chance, with more cards than passes."""
    while len(state.hands) < hands:
        cards = [action for action in state.legal_actions() if action.bit]
        is_pass = state.refusal_to_pass() is None and rng.random() < 0.4
        state = state.apply(PASS if is_pass else rng.choice(cards))
    return state


def some_states(seed: int, number: int) -> Iterator[State]:
    """States of different deals, from the first card to the last hand, in the middle of hands too."""
    for step in range(number):
        rng = random.Random(f"{seed}/{step}")
        state = advanced(dealt(seed + step), step % 8, rng)
        for _ in range(rng.randrange(5)):
            if len(state.hands) == step % 8:
                state = state.apply(rng.choice(state.legal_actions()))
        yield state


def action_of(robot: Robot, state: State, system: System = PARLETT, look: Look = view) -> Action:
    """What the robot does in this state; it must be an action that the rules allow."""
    seat = state.turn
    assert seat is not None
    action = robot.action(look(state, seat), system)
    assert isinstance(action, Action)
    state.verify(action)
    return action


def check_plays_to_the_end(robot: Robot, seed: int, hands: int, system: System = PARLETT) -> None:
    """Four of them, from the hand of that number on."""
    state = advanced(dealt(seed), hands, random.Random(seed))
    while not state.is_over:
        state = state.apply(action_of(robot, state, system))
    assert state.score().made is not None


def check_plays_with_anybody(robot: Robot, seed: int, hands: int) -> None:
    """At one seat, the others playing by chance, and keeping to no system."""
    state, rng = advanced(dealt(seed), hands, random.Random(seed)), random.Random(seed)
    while not state.is_over:
        its_turn = state.on_turn == seed % 4
        state = state.apply(action_of(robot, state) if its_turn else rng.choice(state.legal_actions()))


def check_plays_on(robot: Robot, state: State, hands: int) -> None:
    """From this state, until so many hands are played."""
    while len(state.hands) < hands:
        state = state.apply(action_of(robot, state))


def check_repeats_itself(robot: Robot, seed: int, number: int) -> None:
    for state in some_states(seed, number):
        assert action_of(robot, state) is action_of(robot, state)


def check_sees_only_the_view(robot: Robot, seed: int, number: int, look: Look = view) -> None:
    """The same action on deals that differ only in what the seat cannot know, and have the same history."""
    for state in some_states(seed, number):
        action = action_of(robot, state, look=look)
        rng = random.Random(seed)
        for _ in range(2):
            deal = shuffle_concerto(state.setting.deal, state, state.turn, rng)
            twin = start(deal, state.setting.dealer, DUPLICATE)
            for token in state.history:
                twin = twin.apply(Action(token))
            if len(state.hands) < 7:
                assert deal != state.setting.deal
            assert action_of(robot, twin, look=look) is action


def odd_states() -> dict[str, State]:
    """Positions that are rare at a table, by the rule that makes them."""
    opening = dealt(4)
    first = opening.apply(opening.legal_actions()[0])
    forced = first.apply(PASS).apply(PASS)
    told = first.apply(Action(">"))
    found = {"R5 two passes": forced, "R6 told to play": told, "R6 alone, second card": play_first(told)}
    found["R7 partner has no cards"] = state = with_a_partner_out(later=False)
    assert state.held[state.on_turn ^ 2] == 0
    found["R7 leading for a partner"] = with_a_partner_out(later=True)
    found["last hand"] = advanced(opening, 7, random.Random(1))
    return found


def play_first(state: State) -> State:
    return state.apply(state.legal_actions()[0])


def with_a_partner_out(*, later: bool) -> State:
    """One partner plays whenever possible, and so runs out; ``later``: a hand begins in that one's place."""
    state = dealt(0)
    greedy = state.on_turn
    while True:
        is_out = state.held[greedy] == 0 and state.on_turn == greedy ^ 2
        if is_out and (not later or not state.line):
            return state
        may_pass = state.refusal_to_pass() is None
        state = state.apply(PASS) if state.on_turn == greedy ^ 2 and may_pass else play_first(state)


def decide_at_random(seen: View, _system: System) -> Action:
    """Any legal action: the mark below which nothing is worth the name of a robot."""
    rng = random.Random(repr(seen))
    return Action(rng.choice(seen.legal))


def random_robot() -> Robot:
    word: Any = "Random"
    return Robot("random", word, word, decide_at_random)
