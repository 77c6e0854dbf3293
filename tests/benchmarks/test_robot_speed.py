"""How fast robots decide. Run with `pytest tests/benchmarks --benchmark-only`."""

from __future__ import annotations

import pytest

from engine.concerto.robots.novice import NOVICE
from engine.concerto.robots.player import PLAYER
from engine.concerto.robots.registry import Robot
from engine.concerto.view import View, view
from tests.engine.robot_conformance import dealt


def decisions(robot: Robot) -> list[View]:
    """What robots of this kind see in one deal, whenever one has to decide."""
    state, found = dealt(3), []
    while (seat := state.turn) is not None:
        found.append(view(state, seat))
        state = state.apply(robot.action(found[-1]))
    return found


@pytest.mark.parametrize("robot", [NOVICE, PLAYER], ids=lambda robot: robot.key)
def test_the_decisions_of_a_deal(benchmark, robot: Robot) -> None:
    """Some 65 of them."""
    views = decisions(robot)
    assert len(benchmark(lambda: [robot.action(seen) for seen in views])) == len(views) > 40
