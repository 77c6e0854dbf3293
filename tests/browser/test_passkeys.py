"""A passkey instead of a password: at an invitation, from a slip by signing up, and to log in again."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Player, Role, User
from league.people.services import joining, players
from tests.browser.pages import DESK, PHONE
from tests.league import factories
from tests.league.clubs.test_joining import slip

pytestmark = pytest.mark.browser
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def dora(transactional_db: None, settings: Any) -> User:
    settings.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    return factories.member(factories.club("Riverside"), Role.DIRECTOR)


def with_device(page: Page) -> None:
    """The browser's computer unlocks passkeys, as by a finger."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})


def invited(dora: User, player: Player) -> str:
    """The path in the mail, which the outbox delivers at once."""
    mail.outbox.clear()
    joining.invite(actor=dora, club=player.club, players=[player.pk], at=timezone.now())
    found = re.search(r"/invited/[\w-]+/", str(mail.outbox[-1].body))
    assert found
    return found.group()


def log_out_and_in_by_passkey(page: Page) -> None:
    page.context.clear_cookies()
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.wait_for_url("**/my/")


def test_an_invitation_is_accepted_with_a_passkey_which_logs_in_again(
    dora: User, new_page: Callable[..., Page]
) -> None:
    club = dora.memberships.get().club
    eva = players.add(actor=dora, club=club, name="Eva Novak", email="eva@example.org")
    path = invited(dora, eva)
    page = new_page(width=PHONE)
    with_device(page)
    page.goto(path)
    page.get_by_role("button", name="Join with a passkey").click()
    expect(page.get_by_text("Welcome! You are Eva Novak of Riverside.")).to_be_visible()
    eva.refresh_from_db()
    made = eva.user
    assert made
    assert not made.has_usable_password()
    assert joining.claims.has_verified(user=made, email=eva.email)
    assert Authenticator.objects.filter(user=made).count() == 1

    log_out_and_in_by_passkey(page)
    page.goto("/my/details/")
    expect(page.get_by_text("Eva Novak").first).to_be_attached()

    # Who has lost the device comes back by mail, with a password and without a second step.
    made.set_password("seven green teapots")
    made.save()
    client = Client()
    client.post("/accounts/login/", {"login": made.email, "password": "seven green teapots"})
    assert client.get("/my/").status_code == 200


def test_a_slip_proves_no_address_for_who_signs_up_with_a_passkey(
    dora: User, new_page: Callable[..., Page]
) -> None:
    luis = players.add(actor=dora, club=dora.memberships.get().club, name="Luis Reyes")
    page = new_page(width=DESK)
    with_device(page)
    page.goto(slip(dora, luis, timezone.now()))
    page.get_by_role("button", name="I’m new: sign up").click()
    page.get_by_label("Your name").fill("Luis Reyes")
    page.get_by_label("E-mail address").fill("luis@example.org")
    page.get_by_role("button", name="Sign up with a passkey").click()
    page.get_by_role("button", name="Yes, I’m Luis Reyes").click()
    expect(page.get_by_text("Welcome! You are Luis Reyes of Riverside.")).to_be_visible()
    luis.refresh_from_db()
    assert luis.user
    assert not luis.user.has_usable_password()
    assert not EmailAddress.objects.get(user=luis.user).verified, "the slip proves no address"
    assert luis.linked_by == dora, "on the word of who issued the slip"
    log_out_and_in_by_passkey(page)


def test_without_https_and_without_a_device_the_page_says_so(
    dora: User, new_page: Callable[..., Page]
) -> None:
    eva = players.add(actor=dora, club=dora.memberships.get().club, name="Eva Novak", email="eva@example.org")
    path = invited(dora, eva)
    page = new_page(width=PHONE)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    for address in (path, "/accounts/signup/", "/accounts/login/"):
        page.goto(address)
        expect(page.get_by_text("Passkeys need https: this address doesn’t have it.")).to_be_visible()
        expect(page.get_by_role("button", name="passkey")).to_have_count(0)
    assert page.get_by_label("Password").count() == 1, "the password is still there"
