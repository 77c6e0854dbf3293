"""Asks every address of the API for everything in a database, and holds each answer to the schema; tells as JSON.

DATABASE_URL=sqlite:///... python -m tests.upgrades.ask_api
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import django

django.setup()

# What follows needs the models.
import schemathesis  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.utils import timezone  # noqa: E402
from drf_spectacular.generators import SchemaGenerator  # noqa: E402
from rest_framework.views import APIView  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    response_schema_conformance,
    status_code_conformance,
)

from games.models import Board, BoardSet, Scoresheet, Table  # noqa: E402
from league.models import Club, Competition, Fixture, Lineup, Player, User  # noqa: E402
from league.people.services import tokens  # noqa: E402

CHECKS = [status_code_conformance, response_schema_conformance]
KEYS: dict[str, Any] = {
    "board-sets": BoardSet,
    "boards": Board,
    "competitions": Competition,
    "matches": Fixture,
    "pairs": Lineup,
    "players": Player,
    "tables": Table,
}
#: Gives a token for a password, and nothing else.
LEFT_OUT = {"/api/v1/token/"}


#: The first of the people asks for everything, the others for one thing in so many.
EVERY = 5


def things(path: str) -> Iterator[dict[str, Any]]:
    """What the path can be asked for."""
    if "{slug}" in path:
        for slug in Club.objects.values_list("slug", flat=True):
            yield {"slug": slug}
    elif "{version}" in path:
        for match, version in Scoresheet.objects.order_by("pk").values_list("match_id", "version"):
            yield {"id": match, "version": version}
    elif "{id}" in path:
        for key in KEYS[path.split("/")[3]].objects.order_by("pk").values_list("pk", flat=True):
            yield {"id": key, "game": "concerto"} if "{game}" in path else {"id": key}
    else:
        yield {}


def main(names: list[str]) -> None:
    """The people of these mail addresses ask, and somebody without an account."""
    APIView.throttle_classes = []
    described = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    described.app = get_wsgi_application()
    headers: list[dict[str, str]] = [{}]
    for name in names:
        _row, text = tokens.make(actor=User.objects.get(email=name), at=timezone.now())
        headers.append({"Authorization": f"Token {text}"})
    answers: Counter[int] = Counter()
    wrong = []
    for path, item in SchemaGenerator().get_schema(request=None, public=True)["paths"].items():
        for place, thing in enumerate(things(path) if "get" in item and path not in LEFT_OUT else ()):
            for who in headers if place % EVERY == 0 else headers[1:2]:
                case = described[path]["GET"].Case(path_parameters=thing)
                response = case.call(headers={"Accept-Encoding": "identity", **who})
                answers[response.status_code] += 1
                try:
                    case.validate_response(response, checks=CHECKS)
                except Exception as failure:  # noqa: BLE001 - all of them are told
                    wrong.append(f"{path} {thing}: {str(failure)[:300]}")
    print(json.dumps({"answers": answers, "wrong": wrong}))


if __name__ == "__main__":
    main(sys.argv[1:])
