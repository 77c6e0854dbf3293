"""Tokens: one a person, made by who proves who they are, useless once replaced or revoked."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from league.models import ApiToken, AuditEntry
from league.notices.services import outbox
from league.people.services import tokens
from tests.league import factories

PATH = "/api/v1/token/"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _any_address_will_do(settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    cache.clear()
    yield
    cache.clear()


def credentials(user, password="password"):
    return {"email": user.email, "password": password}


def test_made_by_password_and_kept_as_a_digest(program):
    user = factories.user()
    made = program().post(PATH, credentials(user))
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    text = made.json()["token"]
    assert text.startswith("cm_")
    row = ApiToken.objects.get()
    assert text not in {row.digest, row.hint}
    assert tokens.bearer(text=text, at=timezone.now()).user == user
    assert AuditEntry.objects.get().action == "token.made"


def test_a_new_token_ends_the_old_one(program):
    user = factories.user()
    old = program(user)
    new = APIClient()
    text = program().post(PATH, credentials(user)).json()["token"]
    new.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    assert old.get(PATH).status_code == 401
    assert old.get("/api/v1/clubs/").status_code == 401
    assert new.get(PATH).json()["hint"].startswith("cm_")
    assert ApiToken.objects.filter(user=user).count() == 1


def test_a_token_makes_no_token(program):
    """Whoever found one has it until its end, and no longer."""
    user = factories.user()
    client = program(user)
    refused = client.post(PATH, {"days": 366})
    assert refused.status_code == 403
    assert client.get(PATH).status_code == 200, "and it is still the same one"
    assert AuditEntry.objects.filter(action__startswith="token.").count() == 1


def test_another_password_ends_the_token(program):
    user = factories.user()
    client = program(user)
    assert client.get(PATH).status_code == 200
    user.set_password("another-harp-42")
    user.save()
    assert client.get(PATH).status_code == 401
    assert client.get("/api/v1/clubs/").status_code == 401
    assert tokens.current(user=user, at=timezone.now()) is None


def test_a_new_secret_key_ends_no_token_while_the_old_one_is_known(program, settings):
    user = factories.user()
    client = program(user)
    key, settings.SECRET_KEY = settings.SECRET_KEY, "another-" * 8
    assert client.get(PATH).status_code == 401
    settings.SECRET_KEY_FALLBACKS = [key]
    assert client.get(PATH).status_code == 200


def test_a_token_ends_by_its_date():
    user, at = factories.user(), timezone.now()
    _row, text = tokens.make(actor=user, at=at, days=30)
    assert tokens.bearer(text=text, at=at + timedelta(days=29)) is not None
    assert tokens.bearer(text=text, at=at + timedelta(days=30)) is None
    assert tokens.current(user=user, at=at + timedelta(days=30)) is None


def test_a_token_for_reading_writes_nothing(program):
    user = factories.user()
    made = program().post(PATH, {**credentials(user), "scope": "read", "days": 7}).json()
    assert made["scope"] == "read"
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {made['token']}")
    assert client.get("/api/v1/clubs/").status_code == 200
    for method in ("post", "put", "patch", "delete"):
        refused = getattr(client, method)("/api/v1/matches/1/sheets/", {})
        assert refused.status_code == 403
        assert refused.json()["error"]["code"] == "not_allowed"
    assert client.delete(PATH).status_code == 403
    assert ApiToken.objects.exists()


@pytest.mark.parametrize("wanted", [{"scope": "all"}, {"days": 0}, {"days": 367}, {"days": "x"}])
def test_a_scope_or_end_that_is_none(program, wanted):
    user = factories.user()
    assert program().post(PATH, {**credentials(user), **wanted}).status_code == 400
    assert not ApiToken.objects.exists()


def test_its_person_gets_a_mail_and_sees_when_it_was_used(program):
    user, at = factories.user(name="Anna Berg"), timezone.now()
    row, text = tokens.make(actor=user, at=at, scope="read", days=7)
    outbox.deliver(at=at)
    assert mail.outbox[0].to == [user.email]
    assert "For 7 days, a program with this token can read what you can read" in mail.outbox[0].body
    assert text not in mail.outbox[0].body

    assert row.last_used_at is None
    for minutes in (1, 5, 12):
        assert tokens.bearer(text=text, at=at + timedelta(minutes=minutes)) == row
    row.refresh_from_db()
    assert row.last_used_at == at + timedelta(minutes=12)


def test_revoked(program):
    client = program(factories.user())
    assert client.delete(PATH).status_code == 204
    assert client.get(PATH).status_code == 401
    assert not ApiToken.objects.exists()
    assert AuditEntry.objects.filter(action="token.revoked").count() == 1


def test_the_session_will_do_but_not_without_its_csrf_token():
    user = factories.user()
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    refused = client.post(PATH, {}, content_type="application/json")
    assert refused.status_code == 403
    assert "CSRF" in refused.json()["error"]["message"]
    assert not ApiToken.objects.exists()
    trusting = Client()
    trusting.force_login(user)
    assert trusting.post(PATH, {}, content_type="application/json").status_code == 403, (
        "not confirmed just now"
    )
    trusting.post("/accounts/reauthenticate/", {"password": "password"})
    assert trusting.post(PATH, {}, content_type="application/json").status_code == 201
    assert trusting.get(PATH).status_code == 200


@pytest.mark.parametrize("password", ["wrong", "", "password ", "p" * 1000])
def test_a_wrong_password_is_told_from_nothing(program, password):
    user = factories.user()
    wrong = program().post(PATH, credentials(user, password) if password else {"email": user.email})
    unknown = program().post(PATH, {"email": "nobody@example.org", "password": "password"})
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()
    assert not ApiToken.objects.exists()


def test_a_closed_account_has_no_token(program):
    user = factories.user()
    client = program(user)
    user.is_active = False
    user.save()
    assert client.get(PATH).status_code == 401
    assert program().post(PATH, credentials(user)).status_code == 401


def test_a_password_is_no_way_round_the_second_step(program):
    user = factories.user()
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    assert program().post(PATH, credentials(user)).status_code == 403
    assert not ApiToken.objects.exists()


def test_a_password_is_no_way_round_an_unconfirmed_address(program, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    user = factories.user()
    assert program().post(PATH, credentials(user)).status_code == 403
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    assert program().post(PATH, credentials(user)).status_code == 201


@pytest.mark.parametrize(
    "header", ["Token", "Token a b", "Token é", "Token cm_unknown", "Token " + "x" * 5000]
)
def test_a_token_that_is_none(program, header):
    client = program()
    client.credentials(HTTP_AUTHORIZATION=header)
    answer = client.get("/api/v1/clubs/")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Token"
    assert answer.json()["error"]["code"] == "authentication_failed"
