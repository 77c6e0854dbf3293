"""Asks every address of the API for what is in a database, and holds each answer to the schema; tells as JSON.

DATABASE_URL=sqlite:///... python -m tests.upgrades.ask_api

Of many things of a kind it asks for some, others in each version of the files; with THOROUGH=1 for all.
"""

import json
import random
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

from games.models import Board, BoardSet, FixtureBoard, Scoresheet, SheetPhoto, Table  # noqa: E402
from league.models import (  # noqa: E402
    Challenge,
    Club,
    ClubImport,
    Competition,
    Division,
    Entry,
    Fixture,
    ImportBatch,
    Lineup,
    Membership,
    Player,
    Round,
    User,
    Webhook,
)
from league.people.services import tokens  # noqa: E402
from tests.thorough import IS_THOROUGH, TURN  # noqa: E402

CHECKS = [status_code_conformance, response_schema_conformance]
KEYS: dict[str, Any] = {
    "board-sets": BoardSet,
    "boards": Board,
    "challenges": Challenge,
    "club-imports": ClubImport,
    "competitions": Competition,
    "divisions": Division,
    "entries": Entry,
    "fixtures": Fixture,
    "matches": Fixture,
    "pairs": Lineup,
    "players": Player,
    "tables": Table,
}
#: The one gives a token for a password, the other wants to know how many pairs there are.
LEFT_OUT = {"/api/v1/token/", "/api/v1/movements/"}


#: The first of the people asks for all of these things, the others for one in so many.
EVERY = 5
#: Of each kind, or a few more.
ENOUGH_THINGS = 40


#: What stands in a path, the names of its parameters, and the rows to ask for; the first that fits.
WAYS: dict[str, tuple[tuple[str, ...], Any]] = {
    "/rounds/{number}/": (
        ("id", "number"),
        Round.objects.filter(stage__divisions__isnull=False).values_list("stage__divisions", "number"),
    ),
    "/members/{id}/": (("slug", "id"), Membership.objects.values_list("club__slug", "pk")),
    "}/players/{id}/": (("slug", "id"), Player.objects.values_list("club__slug", "pk")),
    "/imports/{id}/": (("slug", "id"), ImportBatch.objects.values_list("club__slug", "pk")),
    "/boards/{number}/award/": (
        ("id", "number"),
        FixtureBoard.objects.values_list("fixture", "board__number"),
    ),
    "/photos/{photo}/": (("id", "photo"), SheetPhoto.objects.values_list("fixture", "pk")),
    "/webhooks/{id}/": (("slug", "id"), Webhook.objects.values_list("club__slug", "pk")),
    "/evening/pairs/{entry}/": (
        ("id", "entry"),
        Entry.objects.filter(competition__stages__format="evening").values_list("competition", "pk"),
    ),
    "{slug}": (("slug",), Club.objects.values_list("slug")),
    "{version}": (("id", "version"), Scoresheet.objects.values_list("match_id", "version")),
}


def things(path: str) -> Iterator[dict[str, Any]]:
    """What the path can be asked for."""
    if "{" not in path:
        yield {}
        return
    way = next((way for part, way in WAYS.items() if part in path), None)
    names, rows = way or (("id",), KEYS[path.split("/")[3]].objects.values_list("pk"))
    for row in rows.order_by("pk"):
        found = dict(zip(names, row, strict=True))
        yield {**found, "game": "concerto"} if "{game}" in path else found


def main(names: list[str]) -> None:
    """The people of these mail addresses ask, and somebody without an account."""
    APIView.throttle_classes = []
    described = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    described.app = get_wsgi_application()
    headers: list[dict[str, str]] = [{}]
    for name in names:
        _row, text = tokens.make(actor=User.objects.get(email=name), at=timezone.now())
        headers.append({"Authorization": f"Token {text}"})
    chance = random.Random(TURN)
    answers: Counter[int] = Counter()
    wrong = []
    for path, item in SchemaGenerator().get_schema(request=None, public=True)["paths"].items():
        found = list(things(path)) if "get" in item and path not in LEFT_OUT else []
        step = 1 if IS_THOROUGH else max(len(found) // ENOUGH_THINGS, 1)
        for place, thing in enumerate(found[chance.randrange(step) :: step]):
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
