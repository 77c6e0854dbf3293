"""Who may keep an answer, what a page may ask of a device, what cookies are called, what of addresses is logged."""

import logging
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from logging.config import dictConfig
from pathlib import Path

import psycopg
import pytest
import structlog
from django.conf import settings
from django.test import Client
from django.urls import URLResolver, get_resolver, resolve, reverse

from config.operating.logs import SECRETS, json_logging, plain_events, plain_logging
from config.secret import keep_to_owner
from config.web import headers
from games.scoresheets import entry_links
from tests.concurrency.test_contention import given_up
from tests.deployment import REQUIRED
from tests.scenes import Scene, make_scene


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


@pytest.mark.parametrize(
    "page", ["/my/", "/my/notices/", "/my/token/", "/accounts/email/", "/session/", "/clubs/riverside/desk/"]
)
def test_no_cache_keeps_personal_pages(scene: Scene, page: str) -> None:
    answer = client_of(scene, "dora").get(page)
    assert answer.status_code == 200
    assert {"private", "no-store"} <= {each.strip() for each in answer["Cache-Control"].split(",")}


def test_no_cache_keeps_an_own_board(scene: Scene) -> None:
    sheet = f"/matches/{scene.fixture.pk}/scoresheet/"
    for page in (sheet, f"/matches/{scene.fixture.pk}/"):
        answer = client_of(scene, "anna").get(page)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")


def test_what_everybody_sees_may_be_kept_by_everybody_but_not_with_a_person_on_it(scene: Scene) -> None:
    assert "Cache-Control" not in Client().get("/clubs/riverside/")
    assert client_of(scene, "anna").get("/clubs/riverside/")["Cache-Control"] == "private"


def test_every_personal_page_is_one_that_we_have() -> None:
    names = {each for each in get_resolver().reverse_dict if isinstance(each, str)}
    assert names >= headers.PERSONAL


def test_pages_ask_no_device_for_what_they_do_not_need(scene: Scene) -> None:
    policy = Client().get("/")["Permissions-Policy"]
    assert {"camera=()", "geolocation=()", "microphone=()", "publickey-credentials-get=(self)"} <= set(
        policy.split(", ")
    )


def test_cookies_in_production_are_of_this_host_alone() -> None:
    asked = "from django.conf import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.SESSION_COOKIE_PATH, s.CSRF_COOKIE_PATH, s.SESSION_COOKIE_DOMAIN, s.CSRF_COOKIE_DOMAIN, s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE)"  # noqa: E501
    said = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, **REQUIRED},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == [
        "__Host-sessionid",
        "__Host-csrftoken",
        "/",
        "/",
        "None",
        "None",
        "True",
        "True",
    ]


# Logs


@pytest.fixture(params=[plain_logging, json_logging])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    root, loggers = logging.getLogger(), [logging.getLogger(name) for name in ("django", "django.request")]
    before = [(each, each.level, list(each.handlers), each.propagate) for each in (root, *loggers)]
    configure, stream = structlog.configure, StringIO()
    # Lines of ours are printed where nothing else is said.
    printed = {"logger_factory": structlog.PrintLoggerFactory(stream)}
    monkeypatch.setattr(
        structlog,
        "configure",
        lambda **keys: configure(**{**printed, **keys, "cache_logger_on_first_use": False}),
    )
    dictConfig(request.param(level="DEBUG"))
    # A logger that wrote before has kept how it was to write then.
    monkeypatch.setattr("config.web.contention.log", structlog.get_logger("config.web.contention"))
    for each in loggers:
        each.setLevel("DEBUG")
    for handler in root.handlers:
        handler.setStream(stream)  # type: ignore[attr-defined]
    yield stream
    for each, level, handlers, propagate in before:
        each.setLevel(level)
        each.handlers[:] = handlers
        each.propagate = propagate
    structlog.configure = configure
    structlog.reset_defaults()
    plain_events()


def test_no_code_of_a_paper_and_no_link_of_a_mail_is_logged(scene: Scene, log: StringIO) -> None:
    code = entry_links.token_of(scene.fixture)
    stranger = client_of(scene, "stranger")
    scene.club.is_open = False
    scene.club.save()
    assert stranger.get(reverse("sheet_link", args=[scene.fixture.pk, code])).status_code == 403
    assert stranger.get(f"/matches/{scene.fixture.pk}/enter/{code}/y/z/").status_code == 404
    assert Client().post("/accounts/confirm-email/Mg:1abcde:secretsecret/x/").status_code in {404, 405}
    Client().put("/accounts/confirm-email/Mg:1abcde:secretsecret/")
    assert Client().put("/clubs/riverside/").status_code == 405

    told = log.getvalue()
    assert "Forbidden" in told
    assert code not in told
    assert "secretsecret" not in told
    assert "/clubs/riverside/" in told, "other addresses are named"


SECRET_ADDRESSES = (
    "/matches/3/enter/{}/",
    "/decisions/{}/",
    "/join/{}/",
    "/invited/{}/",
    "/unsubscribe/{}/",
    "/calendars/{}/my.ics",
    "/calendars/{}/clubs/3.ics",
    "/accounts/confirm-email/{}/",
    "/accounts/password/reset/key/3a-{}/",
)


def test_no_line_of_ours_has_them_either(scene: Scene, log: StringIO) -> None:
    """In what is logged of a page that the database gave up, in any field of any event, in a traceback."""
    code = entry_links.token_of(scene.fixture)
    address = reverse("sheet_link", args=[scene.fixture.pk, code])
    dora = client_of(scene, "dora")
    dora.raise_request_exception = False
    with given_up(psycopg.errors.DeadlockDetected(), times=2, at="SELECT"):
        given = dora.get(address)
    assert given.status_code == 503
    assert "given_up" in log.getvalue()
    assert code not in log.getvalue()

    for address in (each.format("secretsecret") for each in SECRET_ADDRESSES):
        structlog.get_logger("ours").warning(
            f"at {address}", path=address, deep={"next": [f"/?next={address}"]}
        )
        logging.getLogger("theirs").warning("At %s", address, extra={"path": address})
        try:
            raise ValueError(address)
        except ValueError:
            logging.getLogger("theirs").exception("It failed")
            structlog.get_logger("ours").exception("failed")
    assert "It failed" in log.getvalue()
    assert "secretsecret" not in log.getvalue()


def test_every_address_that_lets_somebody_in_is_known_to_the_log() -> None:
    known = {resolve(each.format("2:a-b")).route.replace("^", "") for each in SECRET_ADDRESSES}
    assert {
        route for route in routes_of(get_resolver()) if any(f"{each}>" in route for each in SECRETS)
    } == known


def routes_of(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        route = before + str(each.pattern).removeprefix("^")
        yield from routes_of(each, route) if isinstance(each, URLResolver) else [route]


# A computer with several users


def test_the_folder_of_an_installation_is_its_owners(tmp_path: Path) -> None:
    there, new = tmp_path / "there", tmp_path / "new" / "var"
    there.mkdir(mode=0o755)
    for folder in (there, new):
        keep_to_owner(folder)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
