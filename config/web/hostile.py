"""Requests that no honest browser sends: refused with a kind page before they can break anything.

A NUL or half a surrogate pair cannot be stored by PostgreSQL, and a body of many megabytes is no scoresheet.
Here they become a 400 or 413 in plain words, whatever page they were meant for. JSON, in a body or in a field, is left
to the few who take it (`league.storage.json_content`), once they know from whom: reading a megabyte of it takes most of
a second. Forms are read only where a page will read them, and from strangers only short ones: two thousand fields take
a tenth of a second.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _

from config.web.refusals import API_PREFIX, refuse
from league.storage.json_content import UNSTORABLE

FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
# Set by `config.web.bodies` where a body was cut off on arrival.
BODY_WAS_CUT = "concertmaster.body_was_cut"


class RefuseHostileRequests:
    """Answers requests that are too big or unreadable itself; every other one goes on unchanged."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Refuse what is too big first, for then nothing of it is read."""
        if is_too_big(request):
            return too_big(request)
        return self.get_response(request) if is_readable(addressed(request)) else unreadable(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], *_arguments: Any
    ) -> HttpResponse | None:
        """Read the form, before the check of its CSRF token would: that one lets faults of a body through."""
        if not is_form_read(request, view):
            return None
        if is_long_for_a_stranger(request):
            return too_long_for_a_stranger(request)
        try:
            readable = is_readable(entered(request))
        except (RequestDataTooBig, TooManyFilesSent):
            return too_big(request)
        except (BadRequest, MultiPartParserError, ValueError):
            readable = False
        return None if readable else unreadable(request)


def is_form_read(request: HttpRequest, view: Callable[..., HttpResponse]) -> bool:
    """Whether anybody will read the form: without the CSRF check's cookie it is refused, and programs send none."""
    if getattr(view, "csrf_exempt", False):
        return request.user.is_authenticated or not request.path.startswith(API_PREFIX)
    unchecked = getattr(request, "_dont_enforce_csrf_checks", False)
    return unchecked or settings.CSRF_COOKIE_NAME in request.COOKIES


def is_long_for_a_stranger(request: HttpRequest) -> bool:
    """Whether a form is longer than any for people who are not logged in: the largest is a guest's scoresheet."""
    announced = request.META.get("CONTENT_LENGTH") or "0"
    is_long = announced.isdecimal() and int(announced) > settings.STRANGERS_FORM_MAX_SIZE
    return is_long and request.content_type in FORMS and not request.user.is_authenticated


def is_too_big(request: HttpRequest) -> bool:
    """Whether the request weighs more than any page takes, by its own word or by what arrived."""
    if BODY_WAS_CUT in getattr(request, "scope", {}):
        return True
    announced = request.META.get("CONTENT_LENGTH") or "0"
    is_upload = request.content_type == "multipart/form-data"
    limit = largest_request(request.path) if is_upload else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return announced.isdecimal() and int(announced) > limit


def largest_request(path: str) -> int:
    """How many bytes a request to this address may have, with its files."""
    larger = (most for pattern, most in settings.LARGER_REQUESTS.items() if re.fullmatch(pattern, path))
    return next(larger, settings.REQUEST_MAX_SIZE)


def is_readable(texts: Iterable[str]) -> bool:
    """Whether all these texts can be stored."""
    return not any(UNSTORABLE.search(text) for text in texts)


def addressed(request: HttpRequest) -> Iterator[str]:
    """What a visitor may choose freely besides the body: path, query, cookies."""
    yield request.path
    yield from _in_pairs(request.GET.lists())
    yield from chain.from_iterable(request.COOKIES.items())


def entered(request: HttpRequest) -> Iterator[str]:
    """Names and values of form fields; Django cleans the names of files."""
    return _in_pairs(request.POST.lists())


def _in_pairs(fields: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    for name, values in fields:
        yield name
        yield from values


def too_big(request: HttpRequest) -> HttpResponse:
    """A 413 that says how much is allowed."""
    message = _("This is more than we can accept at once. A file can have up to %(limit)s MB.")
    message %= {"limit": largest_request(request.path) // (1024 * 1024)}
    return refuse(request, status=413, title=_("Too large"), message=message)


def too_long_for_a_stranger(request: HttpRequest) -> HttpResponse:
    """A 413 for what only people who are logged in may send."""
    message = _("This is too long. If it belongs to a page that you were logged in for, please log in again.")
    return refuse(request, status=413, title=_("Too large"), message=message)


def unreadable(request: HttpRequest) -> HttpResponse:
    """A 400 for text that no page can use."""
    message = _("We couldn’t read part of this. Please go back, check what you entered and try again.")
    return refuse(request, status=400, title=_("We couldn’t read that"), message=message)
