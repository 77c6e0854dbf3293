"""No write is taken from another site: every address that takes a POST asks for the token of the own pages."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry
from tests.scenes import Scene, make_scene, totals_sheet

FIXTURE_WRITES = (
    "scoresheet",
    "sheet_send",
    "sheet_reading",
    "sheet_confirm",
    "sheet_reject",
    "match_reopen",
    "fixture_dates",
    "fixture_date_answer",
    "fixture_postpone",
    "fixture_substitute",
    "fixture_substitute_cancel",
    "substitute_answer",
    "fixture_ruling",
)


ELSEWHERE = ("https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example")


@pytest.fixture
def scene(db: None) -> Scene:
    made = make_scene()
    EmailAddress.objects.create(
        user=made.users["anna"], email="anna@example.org", verified=True, primary=True
    )
    return made


def stranger_site(scene: Scene, name: str) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(scene.users[name])
    return client


@pytest.mark.parametrize("name", FIXTURE_WRITES)
def test_writes_to_a_match_need_the_token(scene, name):
    before = AuditEntry.objects.count()
    answer = stranger_site(scene, "dora").post(reverse(name, args=[scene.fixture.pk]), {"reason": "x"})
    assert answer.status_code == 403
    assert AuditEntry.objects.count() == before


def test_the_api_takes_no_write_by_the_session_alone(scene):
    client = stranger_site(scene, "anna")
    address = f"/api/v1/matches/{scene.fixture.pk}/sheets/"
    answer = client.post(address, totals_sheet((60, 20), (60, 20)), content_type="application/json")
    assert answer.status_code == 403


def test_a_session_is_new_after_login(scene):
    client = Client()
    client.get("/accounts/login/")
    session = client.session
    session["planted"] = "by somebody else"
    session.save()
    client.cookies["sessionid"] = session.session_key
    planted = session.session_key
    client.post("/accounts/login/", {"login": "anna@example.org", "password": "concerto-13-cards"})
    assert client.session.get("_auth_user_id") == str(scene.users["anna"].pk)
    assert client.session.session_key != planted


@pytest.mark.parametrize("target", ELSEWHERE)
def test_nothing_sends_a_person_to_another_site(scene, target):
    client = Client()
    answer = client.post(
        f"/accounts/login/?next={target}",
        {"login": "anna@example.org", "password": "concerto-13-cards", "next": target},
    )
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/my/"
    answer = client.post(
        reverse("sheet_confirm", args=[scene.fixture.pk]), {"next": target}, headers={"referer": target}
    )
    assert "evil" not in answer.headers.get("Location", "")


def test_another_host_is_refused(scene):
    assert Client().get("/", headers={"host": "evil.example"}).status_code == 400
