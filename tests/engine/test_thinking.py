"""Thinking in a process of its own gives what thinking here gives, and survives that process."""

import os
import pickle
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from threading import Lock

import pytest

from engine import game, thinking
from engine.game import Game, View
from engine.thinking import Apart, ThinkingError, advise, decide
from tests.config.services import until
from tests.engine.robot_conformance import OURS

# A process that has another think for it, says which, and is killed.
KILLED = """
import os, signal
from engine.thinking import Apart

apart = Apart()
print(apart.call(os.getpid), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def apart() -> Iterator[Apart]:
    made = Apart()
    yield made
    made.stop()


def view_of(offered: Game, *, actions: int) -> View | None:
    """What the seat on turn sees after so many actions of a deal; None where it was over before."""
    options, dealer, rng = offered.read_options({}), offered.seats()[0], random.Random(actions)
    state = offered.start(offered.deal(rng, dealer, options), dealer, options)
    for _ in range(actions):
        if state.turn is not None:
            state = state.apply(offered.drawn(state, rng.random()))
    return offered.view(state, state.turn) if state.turn is not None else None


@pytest.mark.parametrize("offered", game.all_games(), ids=lambda each: each.key)
def test_robots_of_every_game_decide_there_as_they_do_here(offered: Game, apart: Apart) -> None:
    for actions in (0, 3, 9):
        view, robot = view_of(offered, actions=actions), offered.practice_robots[0].key
        if view is not None:
            assert apart.call(decide, offered.key, view, robot) == decide(offered.key, view, robot)


def test_a_side_s_own_signals_go_with_the_question(apart: Apart) -> None:
    concerto = game.get("concerto")
    signalling = next(each.key for each in concerto.robots if each.gives_signals)
    cards = [None, OURS.as_json()]
    views = [view_of(concerto, actions=actions) for actions in range(40)]
    here = [[decide("concerto", view, signalling, card) for view in views if view] for card in cards]
    assert here[0] != here[1]
    assert here == [
        [apart.call(decide, "concerto", view, signalling, card) for view in views if view] for card in cards
    ]


def test_the_coach_says_there_what_it_says_here(apart: Apart) -> None:
    concerto = game.get("concerto")
    view = view_of(concerto, actions=0)
    assert view is not None
    token = decide("concerto", view, concerto.robots[0].key)
    assert apart.call(advise, "concerto", view, token) == advise("concerto", view, token)


def test_a_process_that_was_killed_is_replaced(apart: Apart) -> None:
    first = apart.call(os.getpid)
    assert first == apart.call(os.getpid) != os.getpid()
    os.kill(first, signal.SIGKILL)
    assert apart.call(os.getpid) not in {first, os.getpid()}


def test_without_a_process_it_is_thought_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise BlockingIOError  # no more processes

    monkeypatch.setattr(thinking, "_started", none)
    monkeypatch.setattr(thinking, "_apart", Apart())
    assert thinking.call(os.getpid) == os.getpid()


def test_what_fails_there_is_told_and_the_next_call_is_answered(apart: Apart) -> None:
    with pytest.raises(ThinkingError, match=r"StopIteration"):
        apart.call(decide, "concerto", view_of(game.get("concerto"), actions=0), "nobody")
    assert apart.call(len, "four") == 4


def die_in_the_middle_of_an_answer() -> None:
    """Leaves half of a pickle in what the other process reads, as one that is killed while it writes does."""
    os.write(1, pickle.dumps((True, "x" * 100_000))[:50_000])
    os._exit(9)


def test_half_an_answer_is_none(apart: Apart) -> None:
    with pytest.raises(OSError, match=r"ended before"):
        apart.call(die_in_the_middle_of_an_answer)
    assert apart.call(len, "four") == 4


def test_an_answer_that_cannot_be_sent_is_told_and_the_process_goes_on(apart: Apart) -> None:
    first = apart.call(os.getpid)
    with pytest.raises(ThinkingError, match=r"pickle"):
        apart.call(Lock)
    assert apart.call(os.getpid) == first


def test_who_gives_up_waiting_leaves_no_answer_to_the_next(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart.call(len, "")
    with monkeypatch.context() as interrupted:
        interrupted.setattr(pickle, "load", interrupt)
        with pytest.raises(KeyboardInterrupt):
            apart.call(len, "given up")
    assert apart.call(len, "four") == 4


def test_what_never_ends_is_given_up_and_the_next_call_is_answered(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart.call(len, "")
    with monkeypatch.context() as impatient:
        impatient.setattr(thinking, "LONGEST_SECONDS", 0.2)
        impatient.setattr(thinking, "_apart", apart)
        with pytest.raises(ThinkingError, match=r"No answer"):
            thinking.call(signal.pause)
    assert apart.call(len, "four") == 4


def interrupt(_answers: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.skipif(sys.platform == "win32", reason="no priorities")
def test_it_gives_way_to_all_others(apart: Apart) -> None:
    assert apart.call(os.nice, 0) > os.nice(0)


def test_it_ends_with_the_process_that_asks_even_if_that_is_killed() -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=False)
    pid = int(ended.stdout)
    until(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
