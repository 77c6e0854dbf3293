"""What no honest browser sends is refused with a page, never with a 500."""

import json

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from config.web.hostile import RefuseHostileRequests
from league.storage.json_content import parse_json
from tests.league import factories

PAGE = "/accounts/login/"


@pytest.fixture
def anonymous(db: None) -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("path", ["/healthz?a=%00", f"{PAGE}?next=%00", "/%00", "/clubs/%00/", "/?%00=1"])
def test_nul_in_an_address_is_refused(anonymous: Client, path: str) -> None:
    assert anonymous.get(path).status_code == 400


def test_text_that_cannot_be_stored_is_refused_in_forms(anonymous: Client) -> None:
    answer = anonymous.post(PAGE, {"login": "a\x00b", "password": "x"})

    assert answer.status_code == 400
    assert "couldn’t read" in answer.content.decode()


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
    answer = anonymous.post("/api/v1/token/", body[:4000], content_type="application/json")

    assert answer.status_code == 400
    assert json.loads(answer.content)["error"]["message"]
    with pytest.raises(ValueError):  # noqa: PT011 (each is one)
        parse_json(body, longest=len(body), deepest=50)


@pytest.mark.parametrize(
    "body", ["{}", '"\\ud83d\\ude00"', '"\\\\u0000"', '{"a": 1.5e3}', "[" * 50 + "]" * 50]
)
def test_other_json_is_taken(body: str) -> None:
    assert parse_json(body.encode(), longest=200, deepest=50) == json.loads(body)


def test_json_deeper_than_anything_asked_for_is_not_taken() -> None:
    with pytest.raises(ValueError, match="too deep"):
        parse_json("[" * 5 + "]" * 5, longest=200, deepest=3)


MEGABYTE = json.dumps({"a": [1] * 340_000})


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (PAGE, 403),
        ("/", 403),
        ("/nowhere/", 404),
        ("/my/", 403),
        ("/api/v1/anything/", 404),
        ("/api/v1/clubs/", 401),
        ("/api/v1/matches/1/sheets/", 401),
        ("/api/v1/token/", 413),
    ],
)
def test_nobody_reads_the_json_of_a_stranger(
    db: None, monkeypatch: pytest.MonkeyPatch, path: str, status: int
) -> None:
    monkeypatch.setattr("json.loads", lambda *_, **__: pytest.fail("was read"))
    monkeypatch.setattr("json.load", lambda *_, **__: pytest.fail("was read"))
    answer = Client(enforce_csrf_checks=True).post(path, MEGABYTE, content_type="application/json")

    assert answer.status_code == status


LONG_FORMS = {
    "application/x-www-form-urlencoded": "&".join(f"field{number}=a+longer+value" for number in range(1990)),
    "multipart/form-data; boundary=x": "".join(
        f'--x\r\nContent-Disposition: form-data; name="{number}"\r\n\r\n1\r\n' for number in range(1990)
    )
    + "--x--\r\n",
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", LONG_FORMS)
@pytest.mark.parametrize(
    ("path", "has_cookie", "status"),
    [
        (PAGE, False, 403), (PAGE, True, 413), ("/", True, 413), ("/nowhere/", True, 404), ("/my/", True, 413),
        ("/i18n/setlang/", False, 413), ("/api/v1/clubs/", True, 401), ("/api/v1/token/", True, 415),
    ],
)  # fmt: skip
def test_nobody_reads_the_long_form_of_a_stranger(
    monkeypatch: pytest.MonkeyPatch, kind: str, path: str, has_cookie: bool, status: int
) -> None:
    monkeypatch.setattr(HttpRequest, "_load_post_and_files", lambda _: pytest.fail("was read"))
    stranger = Client(enforce_csrf_checks=True)
    if has_cookie:
        stranger.cookies["csrftoken"] = "a" * 32
        stranger.cookies["sessionid"] = "a" * 32

    assert stranger.post(path, LONG_FORMS[kind], content_type=kind).status_code == status


@pytest.mark.parametrize("kind", LONG_FORMS)
def test_a_long_form_of_somebody_who_is_logged_in_is_read(db: None, kind: str) -> None:
    client = Client()
    client.force_login(factories.user())

    assert client.post("/clubs/new/", LONG_FORMS[kind], content_type=kind).status_code == 422


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
