"""Who reads the names on a page or in an answer of the API: the account of the request, or a visitor."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from league import policies
from league.words import public_names


class ReadNamesAsTheVisitor:
    """Names are told as this request's person may read them; a program's token says who that is only later."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The same answer."""

        def is_inside(row: Any) -> bool:
            return policies.reads_name_of(request.user, row)

        with public_names.read_by(is_inside):
            return self.get_response(request)
