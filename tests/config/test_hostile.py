"""What no honest browser sends is refused with a page, never with a 500."""

import json

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from config.hostile import RefuseHostileRequests, is_readable_json

PAGE = "/accounts/login/"


@pytest.fixture
def anonymous(db: None) -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("path", ["/healthz?a=%00", f"{PAGE}?next=%00", "/%00", "/clubs/%00/", "/?%00=1"])
def test_nul_in_an_address_is_refused(anonymous: Client, path: str) -> None:
    assert anonymous.get(path).status_code == 400


@pytest.mark.parametrize("value", ["a\x00b", '{"x": "\\u0000"}', '{"x": "\\ud800"}'])
def test_text_that_cannot_be_stored_is_refused_in_forms(anonymous: Client, value: str) -> None:
    answer = anonymous.post(PAGE, {"login": value, "password": "x"})

    assert answer.status_code == 400
    assert "could not be read" in answer.content.decode()


def test_nul_in_a_cookie_is_refused(anonymous: Client) -> None:
    anonymous.cookies["sessionid"] = "abc\x00"

    assert anonymous.get("/healthz").status_code == 400


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=\xff", "application/json"]
)
def test_a_body_that_is_not_what_it_says_never_breaks(anonymous: Client, kind: str) -> None:
    assert anonymous.post(PAGE, b"\xff\xfe{[", content_type=kind).status_code in {400, 403, 405}


@pytest.mark.parametrize(
    "body",
    [
        '{"a": "\\u0000"}',
        '{"\\u0000": 1}',
        '[["\\ud83d"]]',
        '{"a": 1e999}',
        "[" * 100_000,
        '{"a": ' * 50_000,
    ],
    ids=["nul", "nul-in-a-name", "half-a-pair", "infinite", "deep-list", "deep-object"],
)
def test_json_that_cannot_be_stored_is_refused(anonymous: Client, body: str) -> None:
    answer = anonymous.post("/api/v1/anything/", body, content_type="application/json")

    assert answer.status_code == 400
    assert json.loads(answer.content)["error"]["message"]


@pytest.mark.parametrize("body", ["{}", '"\\ud83d\\ude00"', "not json", "", "1" * 5000, '{"a": 1.5e3}'])
def test_other_json_is_left_to_the_api(body: str) -> None:
    assert is_readable_json(body.encode())


def test_a_form_beyond_the_limit_gets_413_with_words(anonymous: Client) -> None:
    too_long = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)

    answer = anonymous.post(PAGE, f"login={too_long}", content_type="application/x-www-form-urlencoded")

    assert answer.status_code == 413
    assert "Too large" in answer.content.decode()


def test_a_field_beyond_the_limit_in_an_upload_gets_413(anonymous: Client) -> None:
    too_long = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)

    assert anonymous.post(PAGE, {"login": too_long}).status_code == 413


def test_fifty_megabytes_get_413_unread(anonymous: Client) -> None:
    upload = SimpleUploadedFile("players.csv", b"x" * (50 * 1024 * 1024))

    assert anonymous.post(PAGE, {"file": upload}).status_code == 413


def test_the_api_gets_its_envelope(anonymous: Client) -> None:
    body = json.dumps({"a": "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE})

    answer = anonymous.post("/api/v1/anything/", body, content_type="application/json")

    assert answer.status_code == 413
    assert json.loads(answer.content)["error"]["code"] == "too_large"


def test_an_honest_request_goes_on_with_its_body_unread_by_others() -> None:
    seen: list[bytes] = []

    def page(request: HttpRequest) -> HttpResponse:
        seen.append(request.body)
        return HttpResponse("ok")

    request = RequestFactory().post("/x", b'{"name": "Zo\xc3\xab"}', content_type="application/json")

    assert RefuseHostileRequests(page)(request).content == b"ok"
    assert seen == [b'{"name": "Zo\xc3\xab"}']
