"""A program reads its person's inbox, and marks it as read."""

import pytest
from django.test import Client

from league.models import Notice
from league.notices import events
from league.notices.services.notices import notify
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
INBOX, READ = "/api/v1/notices/", "/api/v1/notices/read/"


@pytest.fixture
def scene() -> Scene:
    scene = make_scene()
    people = [scene.users["eva"], scene.users["luis"]]
    for player in ("Eva Novak", "Luis Reyes"):
        context = {"player": player, "club": str(scene.club), "path": "/my/"}
        notify(events.LINKED_YOU, people, context=context, club=scene.club)
    return scene


def program(scene: Scene, name: str) -> Client:
    client = Client()
    client.force_login(scene.users[name])
    return client


def test_the_inbox_the_newest_first(scene: Scene) -> None:
    answer = program(scene, "eva").get(INBOX).json()
    assert answer["count"] == 2
    newest = answer["results"][0]
    assert newest["title"] == "You’re now linked to Luis Reyes of Riverside Club"
    assert newest["text"].startswith("Riverside Club lists Luis Reyes")
    assert (newest["event"], newest["club"], newest["path"]) == ("linked_you", "riverside", "/my/")
    assert newest["read_at"] is None
    assert program(scene, "anna").get(INBOX).json()["count"] == 0
    assert Client().get(INBOX).status_code == 401


def test_marking_as_read_touches_nobody_elses(scene: Scene) -> None:
    eva = program(scene, "eva")
    foreign = Notice.objects.filter(user=scene.users["luis"]).latest("pk")
    own = Notice.objects.filter(user=scene.users["eva"]).latest("pk")
    body = {"ids": [own.pk, foreign.pk]}
    assert eva.post(READ, body, content_type="application/json").status_code == 204
    assert set(Notice.objects.exclude(read_at=None)) == {own}
    assert eva.post(READ, {}, content_type="application/json").status_code == 204
    assert Notice.objects.unread().filter(user=scene.users["eva"]).count() == 0
    assert Notice.objects.unread().count() == 2


@pytest.mark.parametrize("body", [{"ids": ["x"]}, {"ids": [0]}, {"ids": 7}, {"ids": [2**70]}, []])
def test_what_names_no_notices_is_refused(scene: Scene, body: object) -> None:
    answer = program(scene, "eva").post(READ, body, content_type="application/json")
    assert answer.status_code == 400
    assert Notice.objects.unread().count() == 4
