"""The code on a paper scoresheet: what it opens, to whom, for how long, and above all what it does not open."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Scoresheet, ScoresheetDraft
from games.scoresheets import entry_links
from games.scoresheets.services import scoresheets
from games.scoresheets.services.guests import open_by_link
from league import policies
from league.errors import NotAllowed
from league.models import AuditEntry, Competition, Fixture, Membership, Role, User
from tests.games.boards import duplicate_scene, sealed
from tests.scenes import Scene, make_scene, make_user, totals_sheet

pytestmark = pytest.mark.django_db
SHEET = totals_sheet((60, 20), (50, 30))


@pytest.fixture
def scene() -> Scene:
    """With Hanna, a member of the club who plays nowhere."""
    scene = make_scene()
    _helper(scene)
    return scene


def _helper(scene: Scene) -> None:
    scene.users["hanna"] = make_user("Hanna Helper")
    Membership.objects.create(user=scene.users["hanna"], club=scene.club, role=Role.MEMBER)


def browser(user: User | None) -> Client:
    found = Client()
    if user is not None:
        found.force_login(user)
    return found


def link(fixture: Fixture, token: str = "") -> str:
    return reverse("sheet_link", args=[fixture.pk, token]) if token else entry_links.path_of(fixture)


def entry_of(fixture: Fixture) -> str:
    return reverse("scoresheet", args=[fixture.pk])


def send(client: Client, fixture: Fixture, content: Any = SHEET) -> Any:
    """Looks at the preview and sends the sheet, as a browser does."""
    preview = client.post(entry_of(fixture), {"content": json.dumps(content)})
    if preview.status_code != 200:
        return preview
    context = preview.context
    sent = {"content": context["content"], "digest": context["digest"], "key": context["key"]}
    return client.post(reverse("sheet_send", args=[fixture.pk]), sent)


# What it opens


def test_a_member_who_holds_the_paper_enters_this_sheet_and_it_says_who(scene: Scene) -> None:
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    assert client.get(entry_of(fixture)).status_code == 403
    answer = client.get(link(fixture))
    assert (answer.status_code, answer.headers["Location"]) == (302, entry_of(fixture))
    assert client.get(entry_of(fixture)).status_code == 200
    assert send(client, fixture).status_code == 302
    sheet = Scoresheet.objects.get(match=fixture.pk)
    assert (sheet.entered_by, sheet.entered_for, sheet.verdict) == (scene.users["hanna"], None, "pending")
    actions = list(
        AuditEntry.objects.filter(fixture=fixture).values_list("action", "actor_name").order_by("pk")
    )
    assert ("sheet.opened_by_link", str(scene.users["hanna"])) in actions
    assert ("sheet.submitted", str(scene.users["hanna"])) in actions


def test_what_is_typed_is_kept_on_the_way(scene: Scene) -> None:
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    reading = reverse("sheet_reading", args=[fixture.pk])
    typed = json.dumps({"content": SHEET})
    assert client.post(reading, typed, content_type="application/json").status_code == 403
    client.get(link(fixture))
    assert client.post(reading, typed, content_type="application/json").status_code == 200
    assert ScoresheetDraft.objects.get(fixture=fixture).user == scene.users["hanna"]


def test_who_is_not_logged_in_logs_in_and_comes_there(scene: Scene) -> None:
    fixture = scene.fixture
    answer = browser(None).get(link(fixture))
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/?next=")
    assert f"/matches/{fixture.pk}/enter/" in answer.headers["Location"]


@pytest.mark.parametrize("name", ["anna", "eva", "sam", "dora"])
def test_who_may_enter_anyway_needs_no_good_link_and_leaves_no_trace(scene: Scene, name: str) -> None:
    client, fixture = browser(scene.users[name]), scene.fixture
    for token in (entry_links.token_of(fixture), "spoilt"):
        assert client.get(link(fixture, token)).headers["Location"] == entry_of(fixture)
    assert not AuditEntry.objects.filter(action="sheet.opened_by_link").exists()


def test_opening_it_again_is_written_down_once(scene: Scene) -> None:
    client = browser(scene.users["hanna"])
    for _again in range(3):
        client.get(link(scene.fixture))
    assert AuditEntry.objects.filter(action="sheet.opened_by_link").count() == 1


# What it does not open


@pytest.mark.parametrize("name", ["stranger"])
def test_only_members_of_the_club_are_let_in(scene: Scene, name: str) -> None:
    client, fixture = browser(scene.users[name]), scene.fixture
    assert client.get(link(fixture)).status_code == 403
    assert client.get(entry_of(fixture)).status_code == 403
    assert not AuditEntry.objects.filter(action="sheet.opened_by_link").exists()


def test_who_leaves_the_club_has_no_key_left(scene: Scene) -> None:
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    client.get(link(fixture))
    Membership.objects.filter(user=scene.users["hanna"]).delete()
    assert client.get(entry_of(fixture)).status_code == 403
    assert send(client, fixture).status_code == 403


def test_a_link_opens_no_other_match(scene: Scene) -> None:
    client = browser(scene.users["hanna"])
    fixture, other = scene.fixtures[0], scene.fixtures[1]
    client.get(link(fixture))
    assert client.get(entry_of(other)).status_code == 403
    assert client.get(link(other, entry_links.token_of(fixture))).status_code == 403
    assert client.get(entry_of(other)).status_code == 403
    for name in ("sheet_reading", "sheet_send"):
        assert client.post(reverse(name, args=[other.pk]), {}).status_code in {302, 403}
    assert not Scoresheet.objects.exists()
    assert not ScoresheetDraft.objects.exists()


def test_a_link_opens_nothing_but_the_entry(scene: Scene) -> None:
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    client.get(link(fixture))
    closed = [
        reverse("desk", args=[scene.club.slug]),
        reverse("papers", args=[scene.club.slug, scene.competition.slug]),
        reverse("fixture_substitute", args=[fixture.pk]),
        reverse("fixture_postpone", args=[fixture.pk]),
        reverse("fixture_dates", args=[fixture.pk]),
        reverse("fixture_ruling", args=[fixture.pk]),
        reverse("match_reopen", args=[fixture.pk]),
        reverse("api_match_audit", args=[fixture.pk]),
    ]
    assert {path: client.get(path).status_code for path in closed} == dict.fromkeys(closed, 403)
    posted = client.post(
        reverse("api_sheets", args=[fixture.pk]), {"content": SHEET}, content_type="application/json"
    )
    assert posted.status_code == 403


def test_who_enters_by_the_link_confirms_nothing(scene: Scene) -> None:
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    client.get(link(fixture))
    send(client, fixture)
    sheet = Scoresheet.objects.get()
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=scene.users["hanna"], sheet=sheet, digest=sheet.digest)
    client.post(reverse("sheet_confirm", args=[fixture.pk]), {"version": 1, "digest": sheet.digest})
    client.post(reverse("sheet_reject", args=[fixture.pk]), {"version": 1, "reason": "No"})
    sheet.refresh_from_db()
    assert sheet.verdict == "pending"
    # A code speaks for nobody: both pairs have to confirm it, and neither does so twice.
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    with pytest.raises(NotAllowed):
        scoresheets.confirm(actor=scene.users["luis"], sheet=sheet, digest=sheet.digest)
    sheet.refresh_from_db()
    assert (sheet.entered_as, sheet.verdict) == ("code", "pending")
    scoresheets.confirm(actor=scene.users["anna"], sheet=sheet, digest=sheet.digest)
    sheet.refresh_from_db()
    assert sheet.verdict == "confirmed"


def test_somebody_elses_version_is_not_replaced(scene: Scene) -> None:
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    client.get(link(fixture))
    scoresheets.submit(actor=scene.users["anna"], fixture=fixture, content=SHEET, origin="page")
    assert client.get(entry_of(fixture)).headers["Location"] == reverse("match", args=[fixture.pk])
    send(client, fixture, totals_sheet((1, 99), (1, 99)))
    assert list(Scoresheet.objects.values_list("entered_by__name", "verdict")) == [("Anna Berg", "pending")]


def test_a_decided_match_is_shown_and_not_opened(scene: Scene) -> None:
    fixture = scene.fixture
    client = browser(scene.users["hanna"])
    client.get(link(fixture))
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=fixture, content=SHEET, origin="page")
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    assert client.get(entry_of(fixture)).status_code == 403
    assert client.get(link(fixture)).headers["Location"] == reverse("match", args=[fixture.pk])


# How long


@pytest.mark.parametrize("state", [Competition.State.FINISHED, Competition.State.DRAFT])
def test_a_link_ends_with_its_event(scene: Scene, state: str) -> None:
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    client.get(link(fixture))
    Competition.objects.update(state=state)
    assert client.get(link(fixture)).status_code in {403, 404}
    assert client.get(entry_of(fixture)).status_code in {403, 404}


def test_a_link_of_the_year_before_last_is_not_good(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    old = timezone.now() - entry_links.LONGEST - timedelta(days=1)
    with monkeypatch.context() as then:
        then.setattr("django.core.signing.time.time", old.timestamp)
        token = entry_links.token_of(scene.fixture)
    assert not entry_links.is_good(scene.fixture, token)
    assert entry_links.is_good(scene.fixture, entry_links.token_of(scene.fixture))


@pytest.mark.parametrize("change", ["flip", "cut", "other_purpose", "other_match", "empty", "long", "odd"])
def test_a_spoilt_link_opens_nothing(scene: Scene, change: str) -> None:
    fixture, good = scene.fixture, entry_links.token_of(scene.fixture)
    spoilt = {
        "flip": good[:-1] + ("A" if good[-1] != "A" else "B"),
        "cut": good[:-5],
        "other_purpose": signing.TimestampSigner(salt="else").sign(str(fixture.pk)).partition(":")[2],
        "other_match": entry_links.token_of(scene.fixtures[1]),
        "empty": ":",
        "long": "9" * 5000,
        "odd": "é☃:\u202e",
    }[change]
    assert not entry_links.is_good(fixture, spoilt)
    client = browser(scene.users["hanna"])
    assert client.get(link(fixture, spoilt)).status_code == 403
    assert client.get(entry_of(fixture)).status_code == 403


@pytest.mark.parametrize("kept", ["x", ["1"], {"1": 7}, {"1": None}, 5, None])
def test_a_session_with_nonsense_opens_nothing(scene: Scene, kept: Any) -> None:
    client = browser(scene.users["hanna"])
    session = client.session
    session[entry_links.KEPT] = {str(scene.fixture.pk): 7} if isinstance(kept, dict) else kept
    session.save()
    assert client.get(entry_of(scene.fixture)).status_code == 403


def test_the_permission_is_held_by_a_request_and_not_by_the_person(scene: Scene) -> None:
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    client.get(link(fixture))
    assert client.get(entry_of(fixture)).status_code == 200
    assert not policies.may(User.objects.get(pk=scene.users["hanna"].pk), "sheet.enter", fixture)
    assert browser(scene.users["hanna"]).get(entry_of(fixture)).status_code == 403


# Sealed boards


def test_nobody_who_still_plays_the_boards_gets_in_by_the_link() -> None:
    scene = duplicate_scene()
    sealed(scene)
    client, fixture = browser(scene.users["iris"]), scene.fixture
    assert client.get(link(fixture)).status_code == 403
    assert client.get(entry_of(fixture)).status_code == 403
    with pytest.raises(NotAllowed):
        open_by_link(actor=scene.users["iris"], fixture=fixture, token=entry_links.token_of(fixture))


def test_who_brings_the_paper_does_not_see_what_was_entered_before() -> None:
    scene = duplicate_scene()
    _helper(scene)
    sealed(scene)
    client, fixture = browser(scene.users["hanna"]), scene.fixture
    told = totals_sheet((77, 23), (50, 30), (40, 40), (30, 20))
    sheet = scoresheets.submit(actor=scene.users["anna"], fixture=fixture, content=told, origin="page")
    scoresheets.reject(actor=scene.users["eva"], sheet=sheet, reason="Wrong")
    client.get(link(fixture))
    page = client.get(entry_of(fixture))
    assert page.status_code == 200
    assert page.context["data"]["draft"]["deals"] == []
    assert "77" in browser(scene.users["anna"]).get(entry_of(fixture)).content.decode()
