"""A program does for directors and owners what their pages do: webhooks, invitations, the next season."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import (
    AuditEntry,
    Competition,
    Entry,
    IdempotencyKey,
    Invitation,
    Membership,
    OutboxMessage,
    Role,
    SeasonAnswer,
    Webhook,
    WebhookAttempt,
)
from league.people.services import joining, players, tokens
from league.webhooks.services import webhooks
from tests.league import factories
from tests.league.notices.test_following import begun, finished

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/in/secret-part"
BOTH = ["result.confirmed", "standings.changed"]


@pytest.fixture
def club(db: None) -> Any:
    return factories.club()


@pytest.fixture
def owner(club) -> Any:
    return factories.member(club, Role.OWNER)


@pytest.fixture
def director(club) -> Any:
    return factories.member(club, Role.DIRECTOR, factories.user(name="Dora Director"))


def at(club, *parts) -> str:
    return "/".join(["/api/v1/clubs", club.slug, *map(str, parts), ""])


# Webhooks


def test_a_webhook_from_its_secret_to_its_end(program, club, owner) -> None:
    of_owner = program(owner)
    answer = of_owner.post(at(club, "webhooks"), {"url": URL, "events": BOTH})
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    made = answer.json()
    assert made["secret"].startswith(webhooks.PREFIX)
    assert (made["host"], made["events"]) == ("hooks.example.org", BOTH)
    one = at(club, "webhooks", made["id"])

    tested = of_owner.post(f"{one}test/", {}).json()
    WebhookAttempt.objects.create(
        delivery=Webhook.objects.get().deliveries.get(), at=timezone.now(), status=500, milliseconds=7
    )
    assert (tested["event"], tested["attempts"], tested["sent_at"]) == ("test", [], None)
    (delivery,) = of_owner.get(one).json()["deliveries"]
    assert delivery["number"] == tested["number"]
    assert [(each["status"], each["milliseconds"]) for each in delivery["attempts"]] == [(500, 7)]

    assert of_owner.post(one, {"events": ["round.published"]}).json()["events"] == ["round.published"]
    Webhook.objects.update(ended_at=timezone.now())
    assert of_owner.post(f"{one}test/", {}).status_code == 409
    assert of_owner.post(one, {"on": True}).json()["ended_at"] is None
    renewed = of_owner.post(f"{one}secret/", {}).json()["secret"]
    assert renewed.startswith(webhooks.PREFIX)
    assert renewed != made["secret"]
    shown = of_owner.get(one).text + of_owner.get(at(club, "webhooks")).text
    assert not [each for each in (made["secret"], renewed, "secret-part") if each in shown], "shown once"
    assert of_owner.delete(one).status_code == 204
    assert of_owner.get(one).status_code == 404
    assert not Webhook.objects.exists()


def test_only_owners_and_no_session_alone_change_webhooks(program, club, owner, director) -> None:
    body = {"url": URL, "events": BOTH}
    for each in (director, factories.member(factories.club(), Role.OWNER)):
        assert program(each).get(at(club, "webhooks")).status_code == 403
        assert program(each).post(at(club, "webhooks"), body).status_code == 403
    assert program().get(at(club, "webhooks")).status_code == 401
    browser = Client()
    browser.force_login(owner)
    assert browser.get(at(club, "webhooks")).status_code == 200
    refused = browser.post(at(club, "webhooks"), body, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "reauthentication_required")
    _row, text = tokens.make(actor=owner, at=timezone.now(), scope="read")
    reading = Client(headers={"authorization": f"Token {text}"})
    assert reading.get(at(club, "webhooks")).status_code == 200
    assert reading.post(at(club, "webhooks"), body, content_type="application/json").status_code == 403
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"url": URL}, 400),
        ({"url": URL, "events": ["cards.dealt"]}, 400),
        ({"url": URL, "events": []}, 422),
        ({"url": URL, "events": "result.confirmed"}, 400),
        ({"url": "http://hooks.example.org/", "events": BOTH}, 422),
        ({"url": "https://127.0.0.1/", "events": BOTH}, 422),
        ({"url": 7, "events": BOTH}, 422),
        ({"url": URL, "events": BOTH, "secret": "mine"}, 400),
        ([], 400),
    ],
)
def test_what_is_no_webhook_is_refused_in_words(program, club, owner, body, status) -> None:
    answer = program(owner).post(at(club, "webhooks"), body)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]
    assert not Webhook.objects.exists()


# Invitations


def test_players_are_invited_once_a_key_listed_and_withdrawn(program, club, director) -> None:
    ada = players.add(actor=director, club=club, name="Ada Berg", email="ada@example.org")
    ben = players.add(actor=director, club=club, name="Ben Berg")
    of_director, key = program(director), {"HTTP_IDEMPOTENCY_KEY": "monday"}
    body = {"players": [ada.pk, ben.pk, 10**9]}
    first = of_director.post(at(club, "invitations"), body, **key)
    assert first.json()["invited"] == [ada.pk]
    assert first.json()["left_out"] == [{"player": ben.pk, "reason": "no e-mail address"}]
    assert of_director.post(at(club, "invitations"), body, **key).json() == first.json()
    assert OutboxMessage.objects.filter(template=joining.TEMPLATE).count() == 1
    of_director.post(at(club, "invitations"), {"players": [ada.pk]})
    assert OutboxMessage.objects.filter(template=joining.TEMPLATE).count() == 2, "sent again"

    answer = of_director.post(at(club, "invitations", "slips"), {"players": [ben.pk]})
    (slip,) = answer.json()
    assert answer["Cache-Control"] == "no-store"
    path = re.search(r"/invited/[\w-]+/", slip["address"])
    assert path
    assert Client().get(path.group()).status_code == 200
    rows = {each["player"]: each for each in of_director.get(at(club, "invitations")).json()["results"]}
    assert (rows[ada.pk]["state"], rows[ada.pk]["email"]) == ("invited", "ada@example.org")
    assert (rows[ben.pk]["state"], rows[ben.pk]["email"]) == ("opened", "")
    assert slip["address"] not in of_director.get(at(club, "invitations")).text
    assert of_director.post(at(club, "invitations", "withdraw"), {"player": ben.pk}).status_code == 204
    assert Client().get(path.group()).status_code == 404
    assert of_director.post(at(club, "invitations", "withdraw"), {"player": 10**9}).status_code == 404


def test_an_invitation_asks_and_says_the_same_for_every_address(program, club, director) -> None:
    known = factories.user("known@example.org")
    EmailAddress.objects.create(user=known, email=known.email, verified=True, primary=True)
    of_director, of_owner = program(director), program(factories.member(club, Role.OWNER))
    # The first use of a token is noted.
    of_director.get("/api/v1/clubs/"), of_owner.get("/api/v1/clubs/")
    asked, said = [], []
    for name, email in (("Kim Aaaa", known.email), ("Kim Bbbb", "other@example.org")):
        row = players.add(actor=director, club=club, name=name, email=email)
        with CaptureQueriesContext(connection) as queries:
            answers = [
                of_director.post(at(club, "invitations"), {"players": [row.pk]}),
                of_director.get(at(club, "invitations")),
                of_owner.post(at(club, "role-invitations"), {"email": email, "role": "scorer"}),
                of_owner.get(at(club, "role-invitations")),
            ]
        tables = [each["sql"] for each in queries if "account_emailaddress" in each["sql"]]
        assert not tables, "no address is looked up"
        asked.append(len(queries))
        sent = answers[0].json()
        line = next(each for each in answers[1].json()["results"] if each["player"] == row.pk)
        made, listed = answers[2].json(), answers[3].json()["results"][0]
        told = repr(
            [sent, {**line, **_no_times}, {**made, **_no_times, "id": 0}, {**listed, **_no_times, "id": 0}]
        )
        said.append(told.replace(email, "MAIL").replace(name, "NAME").replace(str(row.pk), "KEY"))
    assert said[0] == said[1]
    assert asked[0] == asked[1]


_no_times = {"made_at": "", "expires_at": ""}


def test_a_role_is_offered_and_taken_or_not(program, club, owner, director) -> None:
    sam = factories.user("sam@example.org")
    EmailAddress.objects.create(user=sam, email=sam.email, verified=True, primary=True)
    body = {"email": "Sam@example.org", "role": "scorer"}
    assert program(director).post(at(club, "role-invitations"), body).status_code == 403
    of_owner, of_sam = program(owner), program(sam)
    made = of_owner.post(at(club, "role-invitations"), body)
    assert (made.status_code, made.json()["role"]) == (201, "scorer")
    (waiting,) = of_sam.get("/api/v1/invitations/").json()["results"]
    assert (waiting["id"], waiting["club"]) == (made.json()["id"], club.slug)
    answer = f"/api/v1/invitations/{waiting['id']}/"
    assert program(factories.user()).post(answer, {"accept": True}).status_code == 404
    assert of_sam.post(answer, {}).status_code == 400
    assert of_sam.post(answer, {"accept": False}).status_code == 204
    assert not Membership.objects.filter(user=sam).exists()
    keyed = {"headers": {"Idempotency-Key": "k"}}
    again, repeated = (of_owner.post(at(club, "role-invitations"), body, **keyed).json() for _twice in "ab")
    assert again == repeated
    assert body["email"] not in str(IdempotencyKey.objects.get().answer), "the address is not kept twice"
    assert of_owner.delete(at(club, "role-invitations", again["id"])).status_code == 204
    last = of_owner.post(at(club, "role-invitations"), body).json()
    assert of_sam.post(f"/api/v1/invitations/{last['id']}/", {"accept": True}).status_code == 204
    assert Membership.objects.get(user=sam, club=club).role == Role.SCORER
    assert not Invitation.objects.to_roles().exists()


@pytest.mark.parametrize(
    "body",
    [{}, {"players": []}, {"players": [0]}, {"players": ["x"]}, {"players": [10**30]}, {"players": 3}, []],
)
def test_what_names_no_players_is_refused(program, club, director, body) -> None:
    for part in ("", "slips"):
        parts = ["invitations", *([part] if part else [])]
        assert program(director).post(at(club, *parts), body).status_code == 400
    for each in (factories.member(club, Role.SCORER), factories.member(club)):
        for part in ("slips", "withdraw"):
            answer = program(each).post(at(club, "invitations", part), {"players": [1], "player": 1})
            assert answer.status_code == 403


# The next season


def test_the_next_season_from_its_proposal_to_the_answers(program) -> None:
    competition = finished()
    dora = factories.member(competition.club, Role.DIRECTOR)
    eva = factories.account_of(competition.entries.all()[0].lineup)
    of_dora, of_eva = program(dora), program(eva)
    here = f"/api/v1/competitions/{competition.pk}/next-season/"
    proposed = of_dora.get(here).json()
    assert set(proposed) == {"name", "season", "starts_on"}
    assert of_eva.get(here).status_code == 403
    assert of_eva.post(here, {}).status_code == 403
    made = of_dora.post(here, {"name": "Autumn League"})
    assert (made.status_code, made.json()["name"], made.json()["state"]) == (201, "Autumn League", "draft")
    assert made.json()["starts_on"] == proposed["starts_on"]
    assert of_dora.post(here, {}).json()["id"] == made.json()["id"], "asked again it gives the same"

    answers = f"/api/v1/competitions/{made.json()['id']}/answers/"
    assert of_eva.get(answers).status_code == 404
    assert {each["is_in"] for each in of_dora.get(answers).json()} == {None}
    of_dora.post(answers, {})
    (asked,) = of_eva.get("/api/v1/season-answers/").json()["results"]
    assert asked["asked_at"]
    own = f"/api/v1/season-answers/{asked['id']}/"
    assert program(factories.user()).post(own, {"is_in": True}).status_code == 404
    assert of_eva.post(own, {"is_in": "perhaps"}).status_code == 400
    assert of_eva.post(own, {"is_in": False}).json()["is_in"] is False
    entered = Entry.objects.filter(competition=made.json()["id"])
    before = entered.count()
    filled = of_dora.post(f"{answers}fill/", {"with_silent": True})
    assert next(each for each in filled.json() if each["id"] == asked["id"])["is_in"] is False
    assert entered.count() == before - 1
    assert SeasonAnswer.objects.get(pk=asked["id"]).answered_by == eva


def test_a_copy_is_made_once_a_key(program) -> None:
    competition = finished()
    of_dora = program(factories.member(competition.club, Role.DIRECTOR))
    here, key = f"/api/v1/competitions/{competition.pk}/copy/", {"HTTP_IDEMPOTENCY_KEY": "copy"}
    body = {
        "name": "Winter Cup",
        "starts_on": str(timezone.localdate() + timedelta(days=9)),
        "with_entries": True,
    }
    made = of_dora.post(here, body, **key).json()
    assert of_dora.post(here, body, **key).json() == made
    copied = Competition.objects.get(name="Winter Cup")
    assert (copied.pk, copied.entries.count()) == (made["id"], competition.entries.count())
    assert of_dora.post(here, {**body, "name": "Empty Cup", "with_entries": False}).status_code == 201
    assert Competition.objects.get(name="Empty Cup").entries.count() == 0
    for wrong in (
        {"starts_on": "9999-01-01"},
        {"starts_on": "soon"},
        {"name": ""},
        {"name": "x" * 121},
        {"x": 1},
    ):
        assert of_dora.post(here, wrong).status_code == 400, wrong
    assert Competition.objects.filter(club=competition.club).count() == 3
    assert AuditEntry.objects.filter(action="competition.copied").count() == 2


def test_what_is_not_finished_has_no_next_season(program, league) -> None:
    answer = program(league.director).post(f"/api/v1/competitions/{league.competition.pk}/next-season/", {})
    assert answer.status_code == 409
    assert "Finish this competition first" in answer.json()["error"]["message"]


def test_nobody_is_asked_about_a_competition_that_follows_none(program) -> None:
    made = begun(finished())
    of_dora = program(factories.member(made.club, Role.DIRECTOR))
    answers = f"/api/v1/competitions/{made.follows_id}/answers/"
    assert of_dora.get(answers).json() == []
    assert of_dora.post(answers, {}).status_code == 409
    assert of_dora.post(f"{answers}fill/", {"with_silent": False}).status_code == 409
