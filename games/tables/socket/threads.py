"""Where the sockets' work with the database is done: a few threads, each with a connection that it keeps."""

import asyncio
from asyncio import Task
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from select import POLLIN, poll
from threading import Barrier
from typing import Any, Generic, ParamSpec, TypeVar

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from league.background.contention import once_more

P = ParamSpec("P")
T = TypeVar("T")
Q = TypeVar("Q")
A = TypeVar("A")

_pool = ThreadPoolExecutor(max_workers=settings.LIVE_THREADS, thread_name_prefix="tables")
# So many questions are answered together at most.
MOST_TOGETHER = 20


class Together(Generic[Q, A]):
    """Has questions answered together, where the database has hardly more to do for many than for one.

    Whoever asks while others are being answered waits for the next turn. That takes one thread: those who play already
    find another, however many come at once.
    """

    def __init__(self, answer: Callable[[Sequence[Q]], Sequence[A]]) -> None:
        self._answer = answer
        self._questions: list[Q] = []
        self._turn: Task[Sequence[A]] | None = None

    async def ask(self, question: Q) -> A:
        """The answer to this question; raises what answering raised."""
        loop = asyncio.get_running_loop()
        before = self._turn if self._turn and self._turn.get_loop() is loop else None
        if before is None or not 0 < len(self._questions) < MOST_TOGETHER:
            self._questions = []
            self._turn = loop.create_task(self._answered(self._questions, before))
        turn, place = self._turn, len(self._questions)
        self._questions.append(question)
        # Whoever goes away leaves the others' answers alone.
        return (await asyncio.shield(turn))[place]

    async def _answered(self, questions: list[Q], before: "Task[Sequence[A]] | None") -> Sequence[A]:
        if before is not None:
            await asyncio.wait([before])
        if self._questions is questions:
            self._questions = []
        return await in_thread(self._answer, questions)


async def in_thread(work: Callable[P, T], *args: P.args, **keys: P.kwargs) -> T:
    """What the work gives, done in one of the threads."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, partial(_done, partial(work, *args, **keys)))


def _done(work: Callable[[], Any]) -> Any:
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
    everybody = Barrier(settings.LIVE_THREADS)

    def close() -> None:
        # Each thread has one to do: none can be done before all are there.
        everybody.wait(timeout=10)
        connections.close_all()

    for done in [_pool.submit(close) for _each in range(settings.LIVE_THREADS)]:
        done.result()
