"""Requests and tasks that the database gave up for another's sake: once more, and then "please try again"."""

from collections.abc import Callable
from typing import Any

import structlog
from celery import Task
from django.db import connection
from django.http import HttpRequest, HttpResponse, RawPostDataException

from config.web.refusals import busy, is_given_up
from league.background.contention import Attempt, is_contention, once_more

log = structlog.get_logger(__name__)
#: Where Django keeps what it has read of a request.
FILES = "_files"
SENT = frozenset({"_post", FILES, "_body", "_read_started"})


class TryAgain:
    """Answers a request a second time where the first attempt was given up and had committed nothing; else says so.

    All of it is done again, from the cookies on: a login that was given up half-way has changed session and user.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Whatever is between here and the view begins again with the request as it came."""
        if request.content_type == "application/json":
            # Read once, so that it can be read again.
            _ = request.body
        before, meta = dict(vars(request)), dict(request.META)
        answer, is_repeatable = self._attempt(request)
        if not is_given_up(request):
            return answer
        is_repeatable = is_repeatable and _is_readable_again(request)
        log.warning("given_up", again=is_repeatable, path=request.path)
        if is_repeatable:
            # A form is read by the first attempt, and cannot be read twice.
            sent = {name: value for name, value in vars(request).items() if name in SENT}
            vars(request).clear()
            vars(request).update(before | sent)
            request.META.clear()
            request.META.update(meta)
            answer, _is_repeatable = self._attempt(request)
            if is_given_up(request):
                log.warning("given_up", again=False, path=request.path)
        return answer

    def _attempt(self, request: HttpRequest) -> tuple[HttpResponse, bool]:
        """An answer, and whether nothing of it was committed."""
        attempt = Attempt()
        with connection.execute_wrapper(attempt):
            answer = self.get_response(request)
        return answer, not attempt.has_committed

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        """Django's hook for what a view has raised; None leaves it to others."""
        return busy(request) if is_contention(failure) else None


def _is_readable_again(request: HttpRequest) -> bool:
    """Whether what was sent is still there; files are read from their beginning."""
    try:
        if FILES in vars(request):
            for _name, files in request.FILES.lists():
                for file in files:
                    file.seek(0)
        is_form = request.content_type in {"multipart/form-data", "application/x-www-form-urlencoded"}
        return is_form or request.body is not None
    except (RawPostDataException, ValueError):
        return False


class PatientTask(Task):
    """A task may run twice: where the database gave it up, it does."""

    def __call__(self, *args: Any, **keys: Any) -> Any:
        """What the task gives."""
        return once_more(lambda: self.run(*args, **keys))
