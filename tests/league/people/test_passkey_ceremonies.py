"""A passkey's ceremony, with a device made of code: whose question it answers, how often, and what it tells."""

import hashlib
import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.cache import cache
from django.test import Client
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestedCredentialData

from league.models import Invitation, OutboxMessage, User
from tests.league.clubs.test_joining import account, club, dora, eva, mailed

__all__ = ["club", "dora", "eva"]
pytestmark = pytest.mark.django_db
HOST = "testserver"
PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


def asked(client: Client, email: str = "eva@example.org") -> dict[str, Any]:
    """What the page asks of the browser."""
    question: dict[str, Any] = client.post(
        "/invited/passkey/", {"email": email, "name": "Eva"}, secure=True
    ).json()
    return question["publicKey"]


def answered(
    question: dict[str, Any], *, flags: int = PRESENT | VERIFIED, origin: str = f"https://{HOST}"
) -> str:
    """What a device answers, without a word of its maker."""
    public = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    key = AttestedCredentialData.create(b"\0" * 16, b"k" * 32, public)
    data = hashlib.sha256(HOST.encode()).digest() + bytes([flags | HAS_KEY]) + b"\0" * 4 + key
    said = {"type": "webauthn.create", "challenge": question["challenge"], "origin": origin}
    response = {
        "clientDataJSON": websafe_encode(json.dumps(said).encode()),
        "attestationObject": websafe_encode(cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})),
    }
    name = websafe_encode(b"k" * 32)
    return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def test_an_answer_is_for_its_own_browser_and_once(dora: User, eva: Any) -> None:
    cache.clear()
    path, here, there = mailed(dora, eva), Client(), Client()
    credential = answered(asked(here))
    asked(there)
    for client in (there, Client()):
        assert client.post(path, {"credential": credential}, secure=True).status_code == 422
    question = asked(here)
    for wrong in (
        credential,
        answered(question, flags=PRESENT),
        answered(question, origin="https://elsewhere.example"),
        answered({"challenge": websafe_encode(b"c" * 32)}),
    ):
        assert here.post(path, {"credential": wrong}, secure=True).status_code == 422
    assert not Invitation.objects.exclude(used_at=None).exists(), "no failure uses the link up"
    assert not User.objects.filter(email=eva.email).exists()

    credential = answered(question)
    assert here.post(path, {"credential": credential}, secure=True).status_code == 302
    user = User.objects.get(email=eva.email)
    assert not user.has_usable_password()
    key = Authenticator.objects.get(user=user)
    assert key.data["handle"] == question["user"]["id"]
    assert len(websafe_decode(key.data["handle"])) == 32

    other = {"name": "Ina", "email": "ina@example.org", "credential": credential}
    for client in (here, Client()):
        client.logout()
        assert client.post("/accounts/signup/", other, secure=True).status_code == 200, "a second time"
    assert not User.objects.filter(email="ina@example.org").exists()


def test_signing_up_with_a_passkey_does_not_tell_who_has_an_account() -> None:
    cache.clear()
    account("known@example.org")
    said = []
    for email in ("known@example.org", "fresh@example.org"):
        client = Client()
        form = {"name": "Kim", "email": email, "credential": answered(asked(client, email))}
        answer = client.post("/accounts/signup/", form, secure=True)
        page = client.get(answer["Location"], secure=True)
        mails = OutboxMessage.objects.filter(to=email).count()
        text = page.text.replace(email, "MAIL")
        said.append(
            (
                answer.status_code,
                answer["Location"],
                sorted(answer.cookies),
                mails,
                page.status_code,
                len(text),
            )
        )
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "credential",
    [
        *("", "x", "[]", "{}", '{"a":' * 5000, "[" * 13 + "]" * 13, "NaN", '{"rawId": "AA", "response": {}}'),
        '{"rawId": "AA", "response": {"clientDataJSON": "e30", "attestationObject": "oA"}}',
    ],
)
def test_what_is_no_key_is_refused_wherever_one_is_added_or_asked_for(credential: str) -> None:
    cache.clear()
    kim, client, way = account("kim@example.org"), Client(), "/accounts/2fa/webauthn/"
    login = {"login": kim.email, "password": "password"}
    client.post("/accounts/login/", login, secure=True)
    client.post("/accounts/reauthenticate/", login, secure=True)
    question = client.get(f"{way}add/", secure=True).context["js_data"]["creation_options"]["publicKey"]
    sent = {"name": "Phone", "credential": answered(question)}
    assert client.post(f"{way}add/", sent, secure=True).status_code == 302
    key = Authenticator.objects.get(user=kim, type=Authenticator.Type.WEBAUTHN)

    refused = client.post(f"{way}add/", {"name": "Other", "credential": credential}, secure=True)
    assert refused.status_code == 200
    assert "errorlist" in refused.text
    assert "(Hidden field" not in refused.text
    again = client.post(f"{way}reauthenticate/", {"credential": credential}, secure=True)
    assert (again.status_code, again["Location"]) == (302, "/accounts/login/")
    client.logout()
    assert client.post("/accounts/login/", login, secure=True)["Location"] == "/accounts/2fa/authenticate/"
    second = client.post("/accounts/2fa/authenticate/", {"credential": credential}, secure=True)
    assert second.status_code == 200
    assert "(Hidden field" not in second.text
    assert "_auth_user_id" not in client.session
    assert Authenticator.objects.get(user=kim, type=Authenticator.Type.WEBAUTHN) == key
