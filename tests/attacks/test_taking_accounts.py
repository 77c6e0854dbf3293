"""Whoever has somebody's session, or guesses at passwords, does not get the account, and its person hears of it."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.contrib import admin
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import ApiToken, OutboxMessage, User
from league.notices.services import outbox
from tests.league import factories

pytestmark = pytest.mark.django_db
REAUTHENTICATE = reverse("account_reauthenticate")


@pytest.fixture(autouse=True)
def _no_counts() -> Any:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def anna() -> User:
    anna = factories.user("anna@example.org", "Anna Berg")
    EmailAddress.objects.create(user=anna, email=anna.email, verified=True, primary=True)
    return anna


def stolen_session(user: User) -> Client:
    """A client with the cookie of somebody who has logged in, and nothing else."""
    owner, thief = Client(), Client()
    owner.post(reverse("account_login"), {"login": user.email, "password": "password"})
    assert owner.get(reverse("my")).status_code == 200
    thief.cookies = owner.cookies
    return thief


def confirmed(client: Client, password: str = "password") -> Client:
    client.post(REAUTHENTICATE, {"password": password})
    return client


def mails_to(address: str) -> list[str]:
    outbox.deliver(at=timezone.now())
    return [str(each.subject) for each in mail.outbox if each.to == [address]]


# A session alone


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("account_email", {"action_add": "", "email": "thief@example.org"}),
        ("account_email", {"action_primary": "", "email": "spare@example.org"}),
        ("account_email", {"action_remove": "", "email": "spare@example.org"}),
        ("mfa_activate_totp", {"code": "123456"}),
        ("mfa_generate_recovery_codes", {}),
        ("my_token", {"scope": "write", "days": "30"}),
    ],
)
def test_a_session_alone_changes_nothing_that_opens_the_account(
    anna: User, name: str, form: dict[str, str]
) -> None:
    EmailAddress.objects.create(user=anna, email="spare@example.org", verified=True, primary=False)
    before = list(EmailAddress.objects.order_by("pk").values())
    answer = stolen_session(anna).post(reverse(name), form)

    assert answer.status_code == 302
    assert answer["Location"].startswith(REAUTHENTICATE)
    assert list(EmailAddress.objects.order_by("pk").values()) == before
    assert not Authenticator.objects.exists()
    assert not ApiToken.objects.exists()


def test_a_session_alone_makes_no_token_by_the_api(anna: User) -> None:
    thief = stolen_session(anna)
    answer = thief.post(reverse("api_token"), {}, content_type="application/json")

    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "reauthentication_required"
    assert not ApiToken.objects.exists()


def test_the_whole_chain_of_a_thief_ends_at_its_first_step(anna: User) -> None:
    """Add an address, confirm it, make it the first, remove the old one, ask for a new password."""
    thief, new = stolen_session(anna), "thief@example.org"
    page = reverse("account_email")
    thief.post(page, {"action_add": "", "email": new})
    thief.post(REAUTHENTICATE, {"password": "guess"})
    thief.post(page, {"action_primary": "", "email": new})
    thief.post(page, {"action_remove": "", "email": anna.email})
    thief.post(reverse("account_reset_password"), {"email": new})

    anna.refresh_from_db()
    assert anna.email == "anna@example.org"
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["anna@example.org"]
    outbox.deliver(at=timezone.now())
    assert not [each for each in mail.outbox if "/password/reset/key/" in str(each.body)]


# Who knows the password, too, is heard of at the old address


def test_the_old_address_hears_of_every_step(anna: User) -> None:
    client, new = confirmed(stolen_session(anna)), "new@example.org"
    page = reverse("account_email")
    client.post(page, {"action_add": "", "email": new})
    assert mails_to(anna.email) == ["A new e-mail address for your account"]

    link = re.search(r"/accounts/confirm-email/\S+/", str(mail.outbox[0].body) + str(mail.outbox[1].body))
    assert link is not None
    client.post(link.group())
    client.post(page, {"action_primary": "", "email": new})
    assert mails_to(anna.email)[-1] == "Your account’s e-mail address has changed"
    client.post(page, {"action_remove": "", "email": "anna@example.org"})
    assert mails_to("anna@example.org")[-1] == "An e-mail address was removed from your account"
    assert mails_to(new)[-1] == "An e-mail address was removed from your account"


def test_a_new_password_is_told(anna: User) -> None:
    client = stolen_session(anna)
    asked = {"oldpassword": "password", "password1": "harp-lemon-42", "password2": "harp-lemon-42"}
    client.post(reverse("account_change_password"), asked)
    assert mails_to(anna.email) == ["Your password was changed"]


def test_no_mail_carries_what_a_browser_says_of_itself(anna: User) -> None:
    client = confirmed(stolen_session(anna))
    link = "https://evil.example.org/"
    client.post(
        reverse("account_email"),
        {"action_add": "", "email": "new@example.org"},
        headers={"User-Agent": f"Read {link}"},
    )
    outbox.deliver(at=timezone.now())
    assert mail.outbox
    assert not [each for each in mail.outbox if "evil" in str(each.body)]


def test_an_account_has_a_most_number_of_addresses(anna: User) -> None:
    client = confirmed(stolen_session(anna))
    for number in range(5):
        cache.clear()
        client.post(reverse("account_email"), {"action_add": "", "email": f"more{number}@example.org"})
    assert EmailAddress.objects.filter(user=anna).count() == 3


# Guessing


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was hashed since the list was cleared."""
    found: list[Any] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, *args: Any, **named: Any) -> str:
        found.append(args)
        return encode(self, *args, **named)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return found


def test_every_answer_to_a_password_costs_one_hash(anna: User, hashed: list[Any]) -> None:
    closed = factories.user("closed@example.org", is_active=False)
    without = factories.user("without@example.org")
    without.set_unusable_password()
    without.save()
    cases = [
        (anna.email, "password"), (anna.email, "wrong"), ("nobody@example.org", "password"),
        (closed.email, "password"), (closed.email, "wrong"), (without.email, "password"),
    ]  # fmt: skip
    for address in (reverse("account_login"), reverse("api_token")):
        is_api = address == reverse("api_token")
        for email, password in cases:
            cache.clear()
            hashed.clear()
            form = {"email" if is_api else "login": email, "password": password}
            Client().post(address, form, content_type="application/json") if is_api else Client().post(
                address, form
            )
            assert len(hashed) == 1, (address, email, password)


def test_signing_up_costs_one_hash_whether_there_is_an_account_or_not(
    anna: User, hashed: list[Any], settings: Any
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    closed = factories.user("closed@example.org", is_active=False)
    answers = set()
    for email in ("new@example.org", anna.email, anna.email.upper(), closed.email):
        hashed.clear()
        form = {
            "name": "New Person",
            "email": email,
            "password1": "harp-lemon-42",
            "password2": "harp-lemon-42",
        }
        answer = Client().post(reverse("account_signup"), form)
        answers.add((answer.status_code, answer["Location"], len(hashed)))
    assert answers == {(302, reverse("account_email_verification_sent"), 1)}


STRANGE = [
    '"http://evil.example/login"@attacker.example', "evil.example/login?x=@attacker.example", '"a b"@attacker.example',
    "a#b@attacker.example", "a=b@attacker.example", "a%b@attacker.example", "{a}@attacker.example",
]  # fmt: skip
USUAL = [
    "anna@example.com", "anna.berg+cards@example.com", "o'brien@example.com", "anna_berg-2@example.com",
    "r&d@example.com", "~x@example.com", "ANNA.B@Example.com",
]  # fmt: skip


@pytest.mark.parametrize("email", [*STRANGE, *USUAL])
def test_an_address_has_a_usual_mailbox(anna: User, email: str) -> None:
    form = {"name": "New Person", "email": email, "password1": "harp-lemon-42", "password2": "harp-lemon-42"}
    Client().post(reverse("account_signup"), form)
    assert User.objects.filter(email__iexact=email).exists() == (email in USUAL)
    User.objects.exclude(pk=anna.pk).delete()
    client = confirmed(stolen_session(anna))
    client.post(reverse("account_email"), {"action_add": "", "email": email})
    assert EmailAddress.objects.filter(user=anna, email__iexact=email).exists() == (email in USUAL)


def test_what_stands_before_the_at_is_no_link() -> None:
    assert str(User(email="evil.example.com@attacker.example")) == "evil example com"


def test_the_admin_has_no_login_of_its_own(anna: User) -> None:
    User.objects.filter(pk=anna.pk).update(is_staff=True, is_superuser=True)
    page = reverse("admin:login")
    stranger = Client()
    for answer in (
        stranger.get(page),
        stranger.post(page, {"username": anna.email, "password": "password"}),
    ):
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("account_login"))
    assert "_auth_user_id" not in stranger.session
    inside = stolen_session(anna)
    assert inside.get(reverse("admin:index")).status_code == 200
    assert inside.post(page, {"username": "eva@example.org", "password": "guess"}).status_code == 405


def test_the_admin_asks_for_the_second_step(anna: User) -> None:
    User.objects.filter(pk=anna.pk).update(is_staff=True, is_superuser=True)
    TOTP.activate(anna, "A" * 32)
    client = Client()
    client.post(reverse("account_login"), {"login": anna.email, "password": "password"})
    assert client.get(reverse("admin:index")).status_code == 302
    code = format_hotp_value(hotp_value("A" * 32, next(iter(yield_hotp_counters_from_time()))))
    client.post(reverse("mfa_authenticate"), {"code": code})
    assert client.get(reverse("admin:index")).status_code == 200


def log_in(email: str, password: str, *, address: str = "10.0.0.1", proxied: str = "") -> bool:
    """Whether somebody at that address gets in."""
    client = Client(REMOTE_ADDR=address)
    headers = {"X-Forwarded-For": proxied} if proxied else {}
    client.post(reverse("account_login"), {"login": email, "password": password}, headers=headers)
    return "_auth_user_id" in client.session


def test_guesses_at_one_account_are_stopped(anna: User) -> None:
    for _ in range(5):
        assert not log_in(anna.email, "guess")
    assert not log_in(anna.email, "password"), "even the right one: this address has guessed enough"


def test_a_stranger_who_guesses_locks_nobody_out(anna: User) -> None:
    for number in range(60):
        log_in(anna.email if number % 2 else f"nobody{number}@example.org", "guess", address="10.6.6.6")
    assert log_in(anna.email, "password", address="10.0.0.1")


def test_guesses_from_everywhere_are_stopped_too(anna: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login_failed_anywhere": "20/h/key"}
    for number in range(20):
        assert not log_in(anna.email, "guess", address=f"10.0.1.{number}")
    assert not log_in(anna.email, "password", address="10.0.2.1")


def test_a_device_that_was_there_before_is_not_kept_out(anna: User, settings: Any) -> None:
    """Neither by guesses from the same wifi nor by guesses from everywhere."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login_failed_anywhere": "20/h/key"}
    form = {"login": anna.email, "password": "password"}
    phone, eva = Client(), factories.user("eva@example.org")
    EmailAddress.objects.create(user=eva, email=eva.email, verified=True, primary=True)
    phone.post(reverse("account_login"), form)
    phone.post(reverse("account_logout"))
    device = phone.cookies[settings.DEVICE_COOKIE_NAME]
    assert device["httponly"]
    for number in range(30):
        log_in(f"nobody{number}@example.org", "guess", address="127.0.0.1")
        log_in(anna.email, "guess", address=f"10.0.1.{number}")
    assert not log_in(anna.email, "password", address="10.0.2.1")
    assert not log_in(eva.email, "password", address="127.0.0.1")

    others = Client(), Client(), Client()
    others[1].cookies[settings.DEVICE_COOKIE_NAME] = f"{anna.pk}.0000000000000000:1abcde:forged"
    others[2].cookies[settings.DEVICE_COOKIE_NAME] = device.value.replace(f"{anna.pk}.", f"{eva.pk}.", 1)
    for other in others:
        other.post(reverse("account_login"), form)
        assert "_auth_user_id" not in other.session
    phone.post(reverse("account_login"), {**form, "login": eva.email})
    assert "_auth_user_id" not in phone.session, "the device knows Anna, not Eva"
    phone.post(reverse("account_login"), form)
    assert phone.session["_auth_user_id"] == str(anna.pk)


def test_a_device_that_was_there_before_guesses_no_more_than_others(anna: User) -> None:
    phone = stolen_session(anna)
    phone.post(reverse("account_logout"))
    for password in (*["guess"] * 5, "password"):
        phone.post(reverse("account_login"), {"login": anna.email, "password": password})
        assert "_auth_user_id" not in phone.session


def test_a_whole_club_logs_in_behind_one_address() -> None:
    people = [factories.user() for _ in range(60)]
    for person in people:
        EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    assert all(log_in(person.email, "password") for person in people)


def test_behind_the_proxy_people_are_told_apart(anna: User, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for _ in range(120):
        log_in("nobody@example.org", "guess", proxied="10.6.6.6")
    assert not log_in(anna.email, "password", proxied="10.6.6.6")
    assert log_in(anna.email, "password", proxied="10.0.0.7")
    assert not log_in(anna.email, "password", proxied="10.0.0.7, 10.6.6.6"), "only what the proxy adds counts"


# The second step


def test_secrets_of_the_second_step_are_not_in_the_database_in_clear(anna: User) -> None:
    secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    TOTP.activate(anna, secret)
    codes = RecoveryCodes.activate(anna)
    kept = str(list(Authenticator.objects.values()))
    assert secret not in kept
    assert len(codes.get_unused_codes()) == 10
    assert codes.validate_code(codes.get_unused_codes()[0])
    assert Authenticator not in admin.site._registry


def test_without_the_key_no_code_fits_and_no_page_breaks(anna: User, settings: Any) -> None:
    TOTP.activate(anna, "A" * 32)
    key, settings.SECRET_KEY = settings.SECRET_KEY, "another-" * 8
    code = format_hotp_value(hotp_value("A" * 32, next(iter(yield_hotp_counters_from_time()))))
    client = Client()
    client.post(reverse("account_login"), {"login": anna.email, "password": "password"})
    assert client.post(reverse("mfa_authenticate"), {"code": code}).status_code == 200
    assert "_auth_user_id" not in client.session

    settings.SECRET_KEY_FALLBACKS = [key]
    assert client.post(reverse("mfa_authenticate"), {"code": code}).status_code == 302
    assert "_auth_user_id" in client.session


# A mail server that is away


def test_pages_about_accounts_do_not_ask_the_mail_server(anna: User, settings: Any) -> None:
    settings.EMAIL_BACKEND = "a.backend.that.nobody.may.load"
    client = Client()
    person = {
        "name": "New Person",
        "email": "new@example.org",
        "password1": "harp-lemon-42",
        "password2": "harp-lemon-42",
    }
    assert client.post(reverse("account_signup"), person).status_code == 302
    assert Client().post(reverse("account_reset_password"), {"email": anna.email}).status_code == 302
    assert OutboxMessage.objects.filter(template="account").count() == 2
