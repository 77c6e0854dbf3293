"""A button's address opened like a page: mostly by somebody whom the login brought back to it.

Django answers that with an empty 405, which browsers show as a fault of the site.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve

from config.web.refusals import API_PREFIX

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
