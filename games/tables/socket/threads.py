"""Where the sockets' work with the database is done: a few threads, each with a connection that it keeps."""

import asyncio
from asyncio import Task
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from select import POLLIN, poll
from threading import Barrier
from typing import Generic, ParamSpec, TypeVar

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from league.background.contention import once_more

P = ParamSpec("P")
T = TypeVar("T")
Q = TypeVar("Q")
A = TypeVar("A")

# Those who come, and who say that they are ready, have a line of their own: who plays does not stand behind them.
AT_THE_DOOR = 2
_playing = ThreadPoolExecutor(settings.LIVE_THREADS, "tables")
_coming = ThreadPoolExecutor(AT_THE_DOOR, "door")
# So many questions are answered together at most.
MOST_TOGETHER = 20


class Together(Generic[Q, A]):
    """Has questions answered together, where the database has hardly more to do for many than for one.

    Who asks while others are being answered waits for the next turn.
    """

    def __init__(self, answer: Callable[[Sequence[Q]], Sequence[A]]) -> None:
        self._answer = answer
        self._questions: list[Q] = []
        self._turn: Task[Sequence[A]] | None = None

    async def ask(self, question: Q) -> A:
        """The answer to this question; raises what answering raised."""
        loop = asyncio.get_running_loop()
        turn = self._turn if self._turn and self._turn.get_loop() is loop else None
        if turn is None or not 0 < len(self._questions) < MOST_TOGETHER:
            self._questions = []
            turn = self._turn = loop.create_task(self._answered(self._questions, turn))
        place = len(self._questions)
        self._questions.append(question)
        # One who goes away leaves the answers of the others alone.
        return (await asyncio.shield(turn))[place]

    async def _answered(self, questions: list[Q], before: "Task[Sequence[A]] | None") -> Sequence[A]:
        if before is not None:
            await asyncio.wait([before])
        if self._questions is questions:
            self._questions = []
        return await at_the_door(self._answer, questions)


async def in_thread(work: Callable[P, T], *args: P.args, **keys: P.kwargs) -> T:
    """What the work gives, done in one of the threads for those who play."""
    return await _in(_playing, partial(work, *args, **keys))


async def at_the_door(work: Callable[P, T], *args: P.args, **keys: P.kwargs) -> T:
    """The same for those who come, or wait for a deal: many at once after a restart, and when an evening begins."""
    return await _in(_coming, partial(work, *args, **keys))


async def _in(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, partial(_done, work))


def _done(work: Callable[[], T]) -> T:
    """A connection that failed is closed; one that is well is kept, however short a request's would live."""
    for connection in connections.all(initialized_only=True):
        connection.close_at = None
        connection.close_if_unusable_or_obsolete()
        connection.health_check_done = _is_quiet(connection)  # type: ignore[attr-defined]
    return once_more(work)


def _is_quiet(connection: BaseDatabaseWrapper) -> bool:
    """Whether nothing has come on PostgreSQL's line since the last answer: then it is not asked whether it is well.

    A server that ends says so, and the line of one that was killed is closed: either can be read without waiting.
    """
    line = connection.connection
    if connection.vendor != "postgresql" or line is None or line.closed:
        return False
    reading = poll()
    reading.register(line.fileno(), POLLIN)
    return not reading.poll(0)


def let_go() -> None:
    """Closes the connections of all threads; returns when that is done."""
    for threads, many in ((_playing, settings.LIVE_THREADS), (_coming, AT_THE_DOOR)):
        everybody = Barrier(many)

        def close(everybody: Barrier = everybody) -> None:
            # Each thread has one to do: none can be done before all are there.
            everybody.wait(timeout=10)
            connections.close_all()

        for done in [threads.submit(close) for _each in range(many)]:
            done.result()
