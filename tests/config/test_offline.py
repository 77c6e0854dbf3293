"""The app on a device: what its worker is given, whose page is whose, and what may be kept."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from config.web.bundles import names
from config.web.offline import ICONS, WORKER, assets_to_keep
from tests.scenes import Scene, make_scene

KEPT = ("/my/", "/clubs/riverside/winter-league/", "/clubs/riverside/winter-league/rounds/1/")
NEVER = ("/", "/clubs/riverside/", "/clubs/riverside/desk/", "/my/token/", "/accounts/email/", "/session/")


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def client_of(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


def test_every_file_that_the_worker_keeps_is_there_and_the_entrys_scripts_are_among_them():
    assert [
        name for name in (*assets_to_keep(), *WORKER, *(icon[0] for icon in ICONS)) if not finders.find(name)
    ] == []
    modules = {name for name in names() if name.startswith("concerto/js/sheet")}
    assert len(modules) > 5
    assert modules <= {*assets_to_keep()}
    frame = (Path(settings.BASE_DIR) / "templates" / "base.html").read_text()
    shown = set(re.findall(r"""{% static '([^']+\.(?:css|js))' %}""", frame)) - {"css/print.css"}
    assert shown <= set(assets_to_keep())


def test_the_worker_looks_after_the_whole_site_and_is_asked_for_anew():
    answer = Client().get("/service-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Service-Worker-Allowed"] == "/"
    assert "no-cache" in answer["Cache-Control"]
    given = json.loads(re.search(r"self\.given = (.*);", answer.text)[1])
    assert len(given["assets"]) == len(assets_to_keep())
    assert re.fullmatch(r"[0-9a-f]{12}", given["version"])


def test_the_browser_is_told_that_manifest_and_worker_come_from_here_alone():
    policy = Client().get("/offline/")["Content-Security-Policy"]
    assert "manifest-src 'self'" in policy
    assert "worker-src 'self'" in policy


def test_pages_say_whose_they_are_and_which_may_be_kept(scene):
    anna = client_of(scene, "anna")
    for path in KEPT:
        answer = anna.get(path)
        assert (answer["X-Person"], answer["X-Keep-Offline"]) == (str(scene.users["anna"].pk), "1"), path
    director = client_of(scene, "dora")
    for path in NEVER:
        assert "X-Keep-Offline" not in director.get(path), path
    assert Client().get("/clubs/riverside/")["X-Person"] == "0"


def test_only_ones_own_match_is_kept(scene):
    path = f"/matches/{scene.fixture.pk}/"
    for address in (path, f"{path}scoresheet/"):
        assert "X-Keep-Offline" in client_of(scene, "anna").get(address)
        assert "X-Keep-Offline" not in client_of(scene, "sam").get(address)
    assert "X-Keep-Offline" not in client_of(scene, "iris").get(path)


def test_a_device_learns_who_is_here_and_gets_a_token(scene):
    assert Client().get("/session/").json()["person"] is None
    answer = client_of(scene, "anna").get("/session/")
    assert answer.json()["person"] == scene.users["anna"].pk
    assert answer.json()["token"]
    assert "no-store" in answer["Cache-Control"]
