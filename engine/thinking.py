"""What a robot or a coach thinks, in a process of its own: nobody in this one waits for the processor meanwhile.

``python -m engine.thinking`` is that process. It reads calls from its input and writes their answers. Its input
ends with the process that asks, however that ends, and it with its input.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from time import monotonic
from typing import IO, Any, Final, TypeVar

from engine.game.registry import get
from engine.game.values import Json, View
from engine.text import Message

T = TypeVar("T")

#: By how much this process gives way to others, where the system knows priorities.
NICENESS: Final = 10
#: A robot takes some 0.3 s: what takes so long never comes, and others wait behind it.
LONGEST_SECONDS: Final = 60.0
_ROOT: Final = Path(__file__).resolve().parents[1]


class ThinkingError(Exception):
    """The call failed in the other process, or took too long; the message is its traceback, or says so."""


class Apart:
    """Calls functions of the engine in another process, one after the other; it is started with the first call."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def call(self, function: Callable[..., T], *args: object) -> T:
        """The answer of a function that stands in a module. Raises ThinkingError, and OSError without a process."""
        asked = pickle.dumps((function, args))
        with self._turn:
            try:
                succeeded, answer = self._answer(asked)
            except OSError:  # it was killed, as where memory is short
                succeeded, answer = self._answer(asked)
        if not succeeded:
            raise ThinkingError(answer)
        result: T = answer
        return result

    def _answer(self, asked: bytes) -> tuple[bool, Any]:
        process = self._process = self._process or _started()
        if process.stdin is None or process.stdout is None:
            raise OSError
        begun, given_up = monotonic(), Timer(LONGEST_SECONDS, process.kill)
        given_up.start()
        try:
            process.stdin.write(asked)
            process.stdin.flush()
            answer: tuple[bool, Any] = pickle.load(process.stdout)  # noqa: S301 (a process of ours)
        except BaseException as broken:
            # What is left of this answer must not be read as the next one.
            self.stop()
            if monotonic() - begun >= LONGEST_SECONDS:
                raise ThinkingError(f"No answer within {LONGEST_SECONDS} s.") from broken
            if isinstance(broken, EOFError | pickle.UnpicklingError):
                raise OSError("The process ended before it had answered.") from broken
            raise
        finally:
            given_up.cancel()
        return answer

    def stop(self) -> None:
        """End the process, if there is one; the next call starts another."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            with suppress(OSError):  # what it was asked may still lie here, and can't be written any more
                process.communicate()
            process.wait()


_apart: Apart | None = None


def think_apart() -> None:
    """Lets ``call`` go to another process from now on: for processes in which somebody waits for pages or actions."""
    global _apart  # noqa: PLW0603 (one for each process)
    _apart = _apart or Apart()


def call(function: Callable[..., T], *args: object) -> T:
    """The function's answer: from another process after ``think_apart``; from here in workers, or without a process."""
    if _apart:
        with suppress(OSError):
            return _apart.call(function, *args)
    return function(*args)


def _started() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "engine.thinking"]
    return subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603


def answer_calls(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Answers one call after the other until no more come."""
    with suppress(EOFError):
        while True:
            function, args = pickle.load(asked)  # noqa: S301 (from the process that started this one)
            try:
                answer = pickle.dumps((True, function(*args)))
            except Exception:  # noqa: BLE001 (whatever it was, the next call is answered)
                answer = pickle.dumps((False, traceback.format_exc()))
            answers.write(answer)
            answers.flush()


def decide(game: str, view: View, robot: str, card: Mapping[str, Json] | None = None) -> str:
    """What the robot of that key does; by the signals of its side's convention card, where it gives signals."""
    offered = get(game)
    if card is not None and offered.signals is not None:
        return offered.signals.of_card(card).token(view, robot)
    return next(each for each in offered.practice_robots if each.key == robot).token(view)


def advise(game: str, view: View, token: str) -> Sequence[Message]:
    """What the game's coach says of that action, by the usual signals."""
    coach = get(game).coach
    return coach.advice(view, token) if coach else ()


def main() -> None:
    """Answers on what was the standard output: what else is printed must not get between."""
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks
    if sys.platform != "win32":
        os.nice(NICENESS)
    answer_calls(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
