"""`python -m engine compile` has everything compiled that a later process would otherwise wait for."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numba
import numpy as np
import pytest

from engine.concerto.best_play.par import deal_frontiers
from engine.concerto.commands import compile as compile_commands
from engine.concerto.robots import registry
from tests.engine.robot_conformance import SYSTEMS, action_of, some_states


def kept_signatures() -> dict[str, list[object]]:
    """For which types each function that numba keeps on disk is compiled; what it calls is within."""
    modules = [module for name, module in sys.modules.items() if name.startswith("engine.")]
    found = {id(each): each for module in modules for each in vars(module).values() if is_kept(each)}
    return {f"{each.__module__}.{each.__name__}": list(each.signatures) for each in found.values()}


def is_kept(thing: Any) -> bool:
    return isinstance(thing, numba.core.dispatcher.Dispatcher) and thing.stats.cache_path is not None


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    answer = compile_commands.compile_parts(argparse.Namespace(part="all"))
    assert answer.value == {"compiled": ["par", "expert"]}


def test_after_it_nothing_is_compiled_for_par_and_the_expert() -> None:
    before = kept_signatures()
    assert before["engine.concerto.robots.expert.search.choose"]
    for number, state in enumerate(some_states(7, 16)):
        action_of(registry.get("expert"), state, SYSTEMS[number % len(SYSTEMS)])
        deal_frontiers([state.setting.deal])

    assert kept_signatures() == before


def test_control_a_function_compiled_once_more_is_noticed() -> None:
    before = kept_signatures()
    sys.modules["engine.concerto.best_play.search"].six_value(np.int32(1), np.int32(1))

    assert kept_signatures() != before
