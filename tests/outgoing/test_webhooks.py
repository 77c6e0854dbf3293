"""Other programs are told of results, standings and rounds: signed, once, and nothing that a visitor may not see."""

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.scoresheets.services import scoresheets
from league.draws.services import draws
from league.entries.services import entries
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Club, Competition, Notice, Webhook, WebhookAttempt, WebhookDelivery
from league.standings.services import standings
from league.webhooks.services import webhooks
from tests.league import factories
from tests.leaks.event import make_event
from tests.leaks.needles import Haystack
from tests.outgoing import servers
from tests.outgoing.servers import server
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db
ALL = [str(each) for each in Webhook.Event]
#: Chance: a delivery's number may look like four cards, a key or a length like points.
CHANCE = re.compile(
    rb'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|"(?:id|entry)": \d+|content-length: \d+', re.IGNORECASE
)
NOW = datetime.fromisoformat("2026-11-20T12:00:00+00:00")


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.fixture(autouse=True)
def _no_hints(monkeypatch: pytest.MonkeyPatch, here: Any) -> None:
    """A worker comes when the test says so."""
    monkeypatch.setattr("league.background.announce._send", lambda _task, _keys: None)


def add(scene: Scene, url: str, *events: str) -> tuple[Webhook, str]:
    return webhooks.add(
        actor=scene.users["olive"], club=scene.club, url=url, events=events or ALL, at=timezone.now()
    )


def confirm(scene: Scene, number: int = 0) -> None:
    home, away = ("anna", "eva") if number == 0 else ("iris", "olga")
    sheet = scoresheets.submit(
        actor=scene.users[home],
        fixture=scene.fixtures[number],
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    scoresheets.confirm(actor=scene.users[away], sheet=sheet, digest=sheet.digest)


def bodies(target: servers.Server) -> list[dict[str, Any]]:
    return [json.loads(each.split(b"\r\n\r\n", 1)[1]) for each in target.asked]


def header(request: bytes, name: str) -> str:
    return next(
        line.split(": ", 1)[1]
        for line in request.decode().split("\r\n")
        if line.lower().startswith(name.lower() + ":")
    )


def test_a_result_is_told_signed_with_its_time(scene: Scene) -> None:
    with server() as target:
        _hook, secret = add(scene, target.url, "result.confirmed")
        confirm(scene)
        at = timezone.now()
        assert webhooks.deliver(at=at) == 1
    request = target.asked[0]
    body = request.split(b"\r\n\r\n", 1)[1]
    told = json.loads(body)
    assert told["event"] == header(request, "Concertmaster-Event") == "result.confirmed"
    assert told["id"] == header(request, "Concertmaster-Delivery")
    assert told["data"]["fixture"]["id"] == scene.fixture.pk
    assert told["data"]["fixture"]["result"] == {"kind": "played", "home_score": 410, "away_score": 50}
    # As docs/webhooks.md tells the receiver to check it.
    moment, digest = (part.split("=")[1] for part in header(request, "Concertmaster-Signature").split(","))
    assert abs(int(moment) - at.timestamp()) < 5
    expected = hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(digest, expected)


def test_nothing_is_sent_twice_and_only_what_was_chosen(scene: Scene) -> None:
    with server() as target:
        add(scene, target.url, "standings.changed")
        confirm(scene)
        standings.compute(competition_id=scene.competition.pk, at=timezone.now())
        standings.compute(competition_id=scene.competition.pk, at=timezone.now())
        for _ in range(3):
            webhooks.deliver(at=timezone.now())
    assert [each["event"] for each in bodies(target)] == ["standings.changed"]
    assert bodies(target)[0]["data"]["rows"][0]["place"] == 1


def test_a_table_that_changes_twice_before_it_is_told_is_told_once_as_it_is_then(scene: Scene) -> None:
    with server() as target:
        add(scene, target.url, "standings.changed")
        for number in (0, 1):
            confirm(scene, number)
            standings.compute(competition_id=scene.competition.pk, at=timezone.now())
        assert WebhookDelivery.objects.count() == 2
        webhooks.deliver(at=timezone.now())
    scene.competition.refresh_from_db()
    assert [each["data"]["results_version"] for each in bodies(target)] == [scene.competition.results_version]


def test_a_published_competition_tells_its_rounds(scene: Scene) -> None:
    with server() as target:
        add(scene, target.url, "round.published")
        factories.running(scene.club)
        webhooks.deliver(at=timezone.now())
    told = sorted(bodies(target), key=lambda each: each["data"]["round"]["number"])
    assert [each["data"]["round"]["number"] for each in told] == [1, 2, 3]
    assert all(len(each["data"]["fixtures"]) == 2 for each in told)


def told_rounds(scene: Scene, act: Callable[[], object]) -> list[tuple[int, int]]:
    """The rounds that an act tells of, with how many matches each has."""
    with server() as target:
        add(scene, target.url, "round.published")
        act()
        webhooks.deliver(at=timezone.now())
    rounds = [each["data"] for each in bodies(target)]
    return sorted((each["round"]["number"], len(each["fixtures"])) for each in rounds)


@pytest.mark.parametrize(
    ("pairs", "told"),
    [(4, [(4, 1), (5, 1), (6, 1), (7, 1)]), (3, [(1, 2), (2, 2), (3, 2)])],
    ids=["rounds are added", "it takes the byes"],
)
def test_a_late_pair_tells_the_rounds_it_plays_in(
    scene: Scene, pairs: int, told: list[tuple[int, int]]
) -> None:
    competition = factories.running(scene.club, pairs)
    division, late = competition.stage.divisions.get(), factories.pair(scene.club)
    at = datetime.fromisoformat("2026-09-01T12:00:00+00:00")

    def enter() -> None:
        entries.enter(actor=factories.DIRECTOR, division=division, lineup=late, at=at)

    assert told_rounds(scene, enter) == told


def test_rounds_drawn_again_are_told_and_those_of_a_draft_are_not(scene: Scene) -> None:
    competition = factories.running(scene.club, 4)
    draft = factories.competition(scene.club, 4)
    told = told_rounds(scene, lambda: draws.draw(actor=factories.DIRECTOR, competition=competition))
    assert told == [(1, 2), (2, 2), (3, 2)]
    assert told_rounds(scene, lambda: draws.draw(actor=factories.DIRECTOR, competition=draft)) == []


@pytest.mark.parametrize("what", [{"visibility": "members"}, {"state": Competition.State.DRAFT}])
def test_what_visitors_may_not_see_is_not_told(scene: Scene, what: dict[str, str]) -> None:
    with server() as target:
        add(scene, target.url)
        confirm(scene)
        standings.compute(competition_id=scene.competition.pk, at=timezone.now())
        Competition.objects.filter(pk=scene.competition.pk).update(**what)
        assert webhooks.deliver(at=timezone.now()) == 0
    assert not target.asked
    assert not WebhookDelivery.objects.exists()


def test_what_is_rolled_back_was_told_to_nobody_and_other_clubs_hear_nothing(scene: Scene) -> None:
    with server() as target:
        hook, _secret = add(scene, target.url)
        other = Club.objects.create(name="Elsewhere", slug="elsewhere")
        Webhook.objects.filter(pk=hook.pk).update(club=other)
        confirm(scene)
        assert webhooks.deliver(at=timezone.now()) == 0
    assert not target.asked


def test_no_card_of_a_sealed_board_and_no_address_stands_in_what_is_told() -> None:
    """A round with sealed boards, of which one match is played: everything that could be told of it is told."""
    event = make_event()
    with server() as target:
        hook, _secret = add(event.scene, target.url)
        for fixture in event.scene.fixtures:
            WebhookDelivery.objects.create(webhook=hook, event="result.confirmed", subject=fixture.pk)
        for round_ in event.scene.rounds:
            WebhookDelivery.objects.create(webhook=hook, event="round.published", subject=round_.pk)
        standings.compute(competition_id=event.scene.competition.pk, at=timezone.now())
        webhooks.deliver(at=timezone.now())
    told = CHANCE.sub(b"", b"\n".join(target.asked))
    names = {each["event"] for each in bodies(target)}
    assert names == {"result.confirmed", "round.published", "standings.changed"}
    assert Haystack(told).found(event.needles()) == []
    assert b"@" not in told


def test_what_fails_is_tried_again_with_growing_waits_and_the_same_number_and_body(scene: Scene) -> None:
    with server(servers.says(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")) as target:
        hook, _secret = add(scene, target.url, "result.confirmed")
        confirm(scene)
        at = timezone.now()
        assert webhooks.deliver(at=at) == 0
        # Not before its time.
        assert webhooks.deliver(at=at + timedelta(seconds=30)) == 0
        assert len(target.asked) == 1
        Club.objects.filter(pk=scene.club.pk).update(slug="renamed")
        assert webhooks.deliver(at=at + timedelta(minutes=2)) == 0
        assert webhooks.deliver(at=at + timedelta(minutes=5)) == 0
        assert len(target.asked) == 2
    first, second = bodies(target)
    assert first == second
    assert [each.status for each in WebhookAttempt.objects.all()] == [500, 500]
    hook.refresh_from_db()
    assert hook.failing_since is not None


def test_after_days_of_failing_it_is_turned_off_and_the_owner_hears_of_it(scene: Scene) -> None:
    with server(servers.says(b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n")) as target:
        hook, _secret = add(scene, target.url, "result.confirmed")
        confirm(scene)
        at = timezone.now()
        for hours in range(0, 102, 6):
            webhooks.deliver(at=at + timedelta(hours=hours))
        confirm(scene, 1)
        before = len(target.asked)
        webhooks.deliver(at=at + timedelta(days=9))
        assert len(target.asked) == before
    hook.refresh_from_db()
    assert hook.ended_at is not None
    assert not WebhookDelivery.objects.waiting().exists()
    notice = Notice.objects.get(event="webhook_ended")
    assert notice.user == scene.users["olive"]
    webhooks.resume(actor=scene.users["olive"], webhook=hook)
    with server() as target:
        Webhook.objects.filter(pk=hook.pk).update(url=webhooks._encrypt(target.url))
        webhooks.test(actor=scene.users["olive"], webhook=hook)
        assert webhooks.deliver(at=timezone.now()) == 1


def test_one_that_hangs_is_asked_once_in_a_turn_and_holds_up_no_other(scene: Scene) -> None:
    with server(servers.says(b"")) as broken, server() as target:
        add(scene, broken.url, "result.confirmed")
        add(scene, target.url, "result.confirmed")
        confirm(scene)
        confirm(scene, 1)
        assert webhooks.deliver(at=timezone.now()) == 2
    assert (len(broken.asked), len(target.asked)) == (1, 2)


def test_only_an_owner_has_webhooks(scene: Scene) -> None:
    for name in ("dora", "sam", "anna", "stranger"):
        with pytest.raises(NotAllowed):
            webhooks.add(
                actor=scene.users[name], club=scene.club, url="https://a.org/", events=ALL, at=timezone.now()
            )
    hook, _secret = add(scene, "https://a.example.org/")
    for act in (webhooks.renew_secret, webhooks.resume, webhooks.remove, webhooks.test):
        with pytest.raises(NotAllowed):
            act(actor=scene.users["dora"], webhook=hook)


def test_bad_addresses_unknown_events_and_too_many_are_refused(scene: Scene) -> None:
    for url in ("http://a.org/", "https://127.0.0.2/", "https://me:you@a.org/", "nonsense", ""):
        with pytest.raises(Invalid):
            add(scene, url)
    for events in (["x"], ["result.confirmed", "test"]):
        with pytest.raises(Invalid):
            add(scene, "https://a.example.org/", *events)
    for _ in range(webhooks.MOST):
        add(scene, "https://a.example.org/")
    with pytest.raises(Conflict):
        add(scene, "https://a.example.org/")


def test_address_and_secret_are_not_in_the_clear(scene: Scene) -> None:
    hook, secret = add(scene, "https://a.example.org/hidden-way")
    row = str(Webhook.objects.filter(pk=hook.pk).values().get())
    assert secret not in row
    assert "hidden-way" not in row


def test_the_page_shows_the_secret_once_and_each_attempt(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["olive"])
    client.post("/accounts/reauthenticate/", {"password": "concerto-13-cards"})
    page = "/clubs/riverside/desk/webhooks/"
    with server(servers.says(b"HTTP/1.1 302 No\r\nContent-Length: 0\r\n\r\n")) as target:
        assert client.post(page, {"url": "http://a.org", "events": ALL}).status_code == 422
        answer = client.post(page, {"url": target.url, "events": ["result.confirmed"]})
        assert webhooks.PREFIX in answer.content.decode()
        assert webhooks.PREFIX not in client.get(page).content.decode()
        own = f"{page}{Webhook.objects.get().pk}/"
        assert client.post(own, {"act": "test"}).status_code == 302
        assert "every 1s" in client.get(own).content.decode()
        webhooks.deliver(at=timezone.now())
    tries = client.get(f"{own}tries/").content.decode()
    assert "answered 302" in tries
    assert "every 1s" not in tries
    assert webhooks.PREFIX in client.post(own, {"act": "secret"}).content.decode()
    assert client.post(own, {"act": "events"}).status_code == 422
    assert client.post(own, {"act": "nonsense"}).status_code == 302
    client.post(own, {"act": "remove"})
    assert not Webhook.objects.exists()


def test_changing_a_webhook_asks_for_the_password_again(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["olive"])
    answer = client.post("/clubs/riverside/desk/webhooks/", {"url": "https://a.org/", "events": ALL})
    assert answer.status_code == 302
    assert "reauthenticate" in answer["Location"]
    assert not Webhook.objects.exists()


def test_what_was_sent_long_ago_is_forgotten(scene: Scene) -> None:
    hook, _secret = add(scene, "https://a.example.org/")
    old = WebhookDelivery.objects.create(webhook=hook, event="test", sent_at=NOW)
    WebhookDelivery.objects.filter(pk=old.pk).update(made_at=NOW)
    waiting = WebhookDelivery.objects.create(webhook=hook, event="test")
    WebhookDelivery.objects.filter(pk=waiting.pk).update(made_at=NOW)
    webhooks.purge(at=NOW + timedelta(days=31))
    assert list(WebhookDelivery.objects.all()) == [waiting]
