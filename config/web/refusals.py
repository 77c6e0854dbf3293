"""Answers to requests that no page takes, or not by this method: a page for people, JSON for programs."""

import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from django.views import defaults

from config.web.outages import SECONDS, outage_of
from league.background.contention import Busy, is_contention

API_PREFIX = "/api/"
BUSY_SECONDS = 2


def refuse(request: HttpRequest, *, status: int, title: str, message: str, code: str = "") -> HttpResponse:
    """The refusal as a page (`<status>.html`, given title and message), or as the API's error envelope."""
    if request.path.startswith(API_PREFIX):
        code = code or {400: "unreadable", 413: "too_large", 503: "busy"}.get(status, "refused")
        return JsonResponse({"error": {"code": code, "message": message, "details": []}}, status=status)
    try:
        page = render_to_string(f"{status}.html", {"title": title, "message": message})
    except TemplateDoesNotExist:
        return HttpResponse(
            f"{title}\n\n{message}\n", content_type="text/plain; charset=utf-8", status=status
        )
    return HttpResponse(page, status=status)


def busy(request: HttpRequest) -> HttpResponse:
    """Says that somebody else is at it, to people as a page, to programs in the envelope; `TryAgain` may try again."""
    request.is_given_up = True  # type: ignore[attr-defined]
    answer = refuse(request, status=503, title=_("Please try again"), message=Busy().message)
    answer["Retry-After"] = str(BUSY_SECONDS)
    return answer


def is_given_up(request: HttpRequest) -> bool:
    """Whether the database gave up what was asked for another's sake."""
    return getattr(request, "is_given_up", False)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Nothing is here: the form that was sent is not read for it, as Django's own page does to check its token."""
    request.csrf_processing_done = True  # type: ignore[attr-defined]
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours, which the log tells in full: the visitor gets an apology, as a page or in the envelope.

    Or an outage, or a deadlock outside the view: then it is a 503, for nothing is wrong with the request.
    """
    if (failure := sys.exception()) and is_contention(failure):
        return busy(request)
    if outage := outage_of(sys.exception()):
        title, message = str(outage.title), str(outage.message)
        if request.path.startswith(API_PREFIX):
            message = f"{title}. {message}"
        answer = refuse(request, status=503, title=title, message=message, code="unavailable")
        answer["Retry-After"] = str(SECONDS)
        return answer
    if request.path.startswith(API_PREFIX):
        message = _("Something went wrong here, and it is not your fault. Please try again in a moment.")
        return JsonResponse({"error": {"code": "failed", "message": message, "details": []}}, status=500)
    return defaults.server_error(request)


METHOD_NOT_ALLOWED = 405


class ExplainWrongMethod:
    """Gives an empty 405 to a reader the site's look and a way back; every other answer goes on unchanged."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The status and the methods allowed stay as they were said."""
        answer = self.get_response(request)
        if answer.status_code != METHOD_NOT_ALLOWED or request.method != "GET":
            return answer
        if request.path.startswith(API_PREFIX):
            return answer
        page = render(request, "405.html", {"back": page_above(request.path)}, status=METHOD_NOT_ALLOWED)
        page["Allow"] = answer.get("Allow", "POST")
        return page


def page_above(path: str) -> str:
    """The address one step up, where the button stands; the start page when there is nothing."""
    above = path.rstrip("/").rpartition("/")[0] + "/"
    try:
        resolve(above)
    except Resolver404:
        return "/"
    return above
