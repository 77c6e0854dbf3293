"""Requests that no honest browser sends: refused with a kind page before they can break anything.

A NUL or half a surrogate pair cannot be stored by PostgreSQL, and a body of many megabytes is no scoresheet.
Here they become a 400 or 413 in plain words, whatever page they were meant for.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _

from config.refusals import refuse

# Set by `config.bodies` where a body was cut off on arrival.
BODY_WAS_CUT = "concertmaster.body_was_cut"

# A scoresheet lies six deep.
DEEPEST_JSON = 50

UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
# JSON that travels inside a form field writes the same characters as escapes.
UNSTORABLE_ESCAPE = re.compile(r"\\u0000|\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])")


class RefuseHostileRequests:
    """Answers requests that are too big or unreadable itself; every other one goes on unchanged."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Refuse what is too big first, for then nothing of it is read."""
        if is_too_big(request):
            return too_big(request)
        try:
            readable = is_readable(request)
        except (RequestDataTooBig, TooManyFilesSent):
            return too_big(request)
        except (BadRequest, MultiPartParserError, ValueError):
            readable = False
        return self.get_response(request) if readable else unreadable(request)


def is_too_big(request: HttpRequest) -> bool:
    """Whether the request weighs more than any page takes, by its own word or by what arrived."""
    if BODY_WAS_CUT in getattr(request, "scope", {}):
        return True
    announced = request.META.get("CONTENT_LENGTH") or "0"
    is_upload = request.content_type == "multipart/form-data"
    limit = settings.REQUEST_MAX_SIZE if is_upload else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return announced.isdecimal() and int(announced) > limit


def is_readable(request: HttpRequest) -> bool:
    """Whether all text of the request can be stored and its JSON, where it is JSON, can be read."""
    if any(UNSTORABLE.search(text) or UNSTORABLE_ESCAPE.search(text) for text in texts(request)):
        return False
    return request.content_type != "application/json" or is_readable_json(request.body)


def texts(request: HttpRequest) -> Iterator[str]:
    """Everything that a visitor may choose freely: path, query, cookies, form fields (Django cleans file names)."""
    yield request.path
    for name, values in (*request.GET.lists(), *request.POST.lists()):
        yield name
        yield from values
    for name, value in request.COOKIES.items():
        yield name
        yield value


def is_readable_json(body: bytes) -> bool:
    """Whether a JSON body holds only what a database can hold; what is no JSON is the API's to explain."""
    try:
        value = json.loads(body, parse_float=finite)
    except RecursionError:
        return False
    except ValueError:
        return True
    return all(not UNSTORABLE.search(text) for text in texts_in(value))


def texts_in(value: Any) -> Iterator[str]:
    """All strings in a JSON value, the names of its fields too. Raises BadRequest for one nested too deep.

    What is read here by a hair would be too deep for whoever reads it further down in the program.
    """
    level = [value]
    for _depth in range(DEEPEST_JSON):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, str):
                yield item
            elif isinstance(item, list):
                inner.extend(item)
            elif isinstance(item, dict):
                inner.extend(item)
                inner.extend(item.values())
        if not inner:
            return
        level = inner
    raise BadRequest


def finite(text: str) -> float:
    """The number, unless it is too large for any database."""
    number = float(text)
    if not math.isfinite(number):
        raise BadRequest(text)
    return number


def too_big(request: HttpRequest) -> HttpResponse:
    """A 413 that says how much is allowed."""
    message = _("This is more than we can take at once. A file may have up to %(limit)s MB.")
    message %= {"limit": settings.REQUEST_MAX_SIZE // (1024 * 1024)}
    return refuse(request, status=413, title=_("Too large"), message=message)


def unreadable(request: HttpRequest) -> HttpResponse:
    """A 400 for text that no page can use."""
    message = _("Something here could not be read. Please go back, check what you entered and try again.")
    return refuse(request, status=400, title=_("That could not be read"), message=message)
