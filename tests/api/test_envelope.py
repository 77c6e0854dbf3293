"""Whatever goes wrong, a program reads it in one form."""

import json

import psycopg.errors
import pytest
from django.test import Client, RequestFactory

from config.web.refusals import server_error
from engine.errors import RuleError
from games.models import Scoresheet
from league.api.envelope import answer
from league.errors import Conflict, Invalid, NotAllowed
from tests.api.test_match import TOTALS
from tests.concurrency.test_contention import given_up
from tests.league import factories

JSON = "application/json"
pytestmark = pytest.mark.django_db


def error_of(response, status):
    assert response.status_code == status
    body = json.loads(response.content)
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "details"}
    assert body["error"]["message"]
    for fault in body["error"]["details"]:
        assert set(fault) == {"place", "severity", "code", "message", "proposal", "missing"}
    return body["error"]


@pytest.mark.parametrize(
    "path", ["/api/", "/api/nothing", "/api/v1/", "/api/v1/clubs", "/api/v2/clubs/", "/api/v1/x/y/"]
)
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_address_that_is_none(client: Client, path, method):
    assert error_of(getattr(client, method)(path), 404)["code"] == "not_found"


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/clubs/nobody/",
        "/api/v1/players/1/",
        "/api/v1/matches/0/",
        f"/api/v1/competitions/{10**40}/",
        "/api/v1/clubs/?page=7",
    ],
)
def test_a_thing_that_is_none(client: Client, path):
    assert error_of(client.get(path), 404)["code"] == "not_found"


def test_a_method_that_is_none(client: Client):
    assert error_of(client.put("/api/v1/clubs/", {}, JSON), 401)["code"] == "not_authenticated"
    client.force_login(factories.user())
    refused = client.put("/api/v1/clubs/", {}, JSON)
    assert error_of(refused, 405)["code"] == "method_not_allowed"
    assert refused.headers["Allow"] == "GET, POST, HEAD, OPTIONS"


def test_a_filter_with_a_fault_names_its_place(client: Client):
    query = {"round": "x", "status": "lost", "from": "soon", "competition": str(2**63)}
    error = error_of(client.get("/api/v1/fixtures/", query), 400)
    assert error["code"] == "malformed"
    assert {fault["place"][0] for fault in error["details"]} == set(query)


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        ("{", JSON, 400, "malformed"),
        ("", JSON, 401, "not_authenticated"),
        ('{"email": NaN}', JSON, 400, "malformed"),
        ('{"email": 1e999}', JSON, 400, "unreadable"),
        ('{"email": "\\u0000"}', JSON, 400, "unreadable"),
        ('{"email": "\\ud800"}', JSON, 400, "unreadable"),
        ("[" * 4_000, JSON, 400, "unreadable"),
        ("[" * 100_000, JSON, 413, "too_large"),
        ("[]", JSON, 400, "malformed"),
        ('{"email": 5, "password": []}', JSON, 400, "malformed"),
        ("email=x", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        ("<x/>", "application/xml", 415, "unsupported_media_type"),
        ('"' + "x" * 2_000_000 + '"', JSON, 413, "too_large"),
    ],
)
def test_a_body_that_is_none(client: Client, body, kind, status, code):
    assert error_of(client.post("/api/v1/token/", body, content_type=kind), status)["code"] == code


def test_an_answer_that_cannot_be_given(client: Client):
    refused = client.get("/api/v1/clubs/", headers={"accept": "text/csv"})
    assert error_of(refused, 406)["code"] == "not_acceptable"


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (NotAllowed("No."), 403, "not_allowed"),
        (Invalid("No.", details=["One.", {"place": ["a"], "message": "Two."}]), 422, "invalid"),
        (Conflict("No.", code="sheet_settled"), 409, "sheet_settled"),
        (RuleError("card-twice", "No."), 422, "card-twice"),
    ],
)
def test_refusals_of_services_and_rules(raised, status, code):
    response = answer(raised, {})
    assert response is not None
    assert (response.status_code, response.data["error"]["code"]) == (status, code)
    assert response.data["error"]["message"] == "No."


def test_a_fault_of_ours_is_told_without_its_cause():
    error = error_of(server_error(RequestFactory().get("/api/v1/clubs/")), 500)
    assert error["code"] == "failed"
    page = server_error(RequestFactory().get("/clubs/"))
    assert page.status_code == 500
    assert b"{" not in page.content[:1]


def test_what_the_database_gave_up_is_done_once_more_or_told(league, program):
    home = program(league.home)
    address = f"/api/v1/matches/{league.fixture.pk}/sheets/"
    with given_up(psycopg.errors.DeadlockDetected(), times=2):
        refused = home.post(address, TOTALS)
    with given_up(psycopg.errors.DeadlockDetected(), times=1):
        taken = home.post(address, TOTALS)

    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "busy")
    assert taken.status_code == 201, "its body can be read a second time"
    assert Scoresheet.objects.count() == 1
