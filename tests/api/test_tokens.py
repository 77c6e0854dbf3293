"""Tokens: one a person, made by who proves who they are, useless once replaced or revoked."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.test import Client
from rest_framework.test import APIClient

from league.models import ApiToken, AuditEntry
from league.services import tokens
from tests.league import factories

PATH = "/api/v1/token/"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _any_address_will_do(settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"


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
    assert tokens.bearer(text=text) == user
    assert AuditEntry.objects.get().action == "token.made"


def test_a_new_token_ends_the_old_one(program):
    user = factories.user()
    old = program(user)
    new = APIClient()
    new.credentials(HTTP_AUTHORIZATION=f"Token {old.post(PATH).json()['token']}")
    assert old.get(PATH).status_code == 401
    assert old.get("/api/v1/clubs/").status_code == 401
    assert new.get(PATH).json()["hint"].startswith("cm_")
    assert ApiToken.objects.filter(user=user).count() == 1


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
