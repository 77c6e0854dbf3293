"""Scoresheets that are none: a message in plain words, and nothing is stored."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from games.models import Scoresheet
from tests.hostile.rows import count_rows
from tests.hostile.values import SHEETS

PATH = "/api/v1/matches/{}/sheets/"
DEALS = json.loads(
    (Path(__file__).parents[1] / "oracles" / "concerto_deals.json").read_text(encoding="utf-8")
)
WRONG: list[Any] = [
    None,
    True,
    -1,
    10**400,
    1.5,
    "",
    "x",
    "As",
    "4+1",
    [],
    {},
    [[]],
    {"N": 5},
    ["As"] * 40,
    "Zz " * 300,
]


def send(client, path, content):
    return client.post(path, json.dumps(content), content_type="application/json")


@pytest.mark.parametrize("number", range(len(SHEETS)))
def test_not_a_sheet(world, number):
    client = world.client("director")
    path = PATH.format(world.fixture.pk)
    before = count_rows()
    preview, sent = send(client, f"{path}preview/", SHEETS[number]), send(client, path, SHEETS[number])
    is_object = isinstance(SHEETS[number], dict)
    assert preview.status_code == (200 if is_object else 400)
    assert sent.status_code == (422 if is_object else 400)
    assert count_rows() == before
    if is_object:
        assert preview.json()["accepted"] is False
        assert sent.json()["error"]["details"] == preview.json()["problems"]
        for problem in preview.json()["problems"]:
            assert 0 < len(problem["message"]) < 400


def test_a_true_sheet_spoilt_anywhere(world):
    """Deals really played, with one value anywhere in them replaced by another: read and judged, never a fault."""
    client = world.client("director")
    before = count_rows()
    for number in range(120):
        rng = random.Random(number)
        deal = copy.deepcopy(DEALS[number % len(DEALS)])
        content = {"first_dealer": deal["dealer"], "deals": [deal]}
        spoil(content, rng)
        answer = send(client, f"{PATH.format(world.fixture.pk)}preview/", content)
        assert answer.status_code == 200, content
    assert count_rows() == before


def spoil(value, rng):
    """Replace something, anywhere below."""
    places = []

    def walk(inner):
        items = inner.items() if isinstance(inner, dict) else enumerate(inner)
        for key, item in list(items):
            places.append((inner, key))
            if isinstance(item, dict | list):
                walk(item)

    walk(value)
    owner, key = rng.choice(places)
    owner[key] = rng.choice(WRONG)


def test_somebody_elses_match(world):
    client = world.client("stranger")
    path = PATH.format(world.fixture.pk)
    sheet = Scoresheet.objects.get()
    for address, body in [
        (path, {"deals": []}),
        (f"{path}preview/", {"deals": []}),
        (f"{path}1/confirm/", {"digest": sheet.digest}),
        (f"{path}1/reject/", {"reason": "I do not like it."}),
    ]:
        refused = send(client, address, body)
        assert refused.status_code == 403, address
        assert refused.json()["error"]["code"] == "not_allowed"
    sheet.refresh_from_db()
    assert sheet.verdict == "pending"
