"""Mails are read on the site by who runs it, at the computer it runs on, after the password once more; nowhere else."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from league.models import OutboxMessage, User
from league.notices.services import mail_account, outbox
from tests.league import factories

pytestmark = pytest.mark.django_db
LINK = "http://localhost:8000/accounts/password/reset/key/abc-def/"
ACCOUNT = "/mails/account/"
PASSWORD = "concerto-13-cards"


@pytest.fixture(autouse=True)
def _one_computer(settings: Any, tmp_path: Path) -> None:
    cache.clear()  # how often a password was typed
    settings.MAILS_ON_SITE = True
    settings.EMAIL_BACKEND = mail_account.INTO_FILES
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")


def browser(user: User, *, has_reauthenticated: bool = True) -> Client:
    client = Client(SERVER_NAME="localhost", SERVER_PORT="8000")
    client.force_login(user)
    if has_reauthenticated:
        user.set_password(PASSWORD)
        user.save()
        client.force_login(user)
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def who_runs_the_site() -> User:
    return factories.user(is_superuser=True)


def mail_to(address: str = "anna@example.org") -> OutboxMessage:
    context = {"subject": f"Forgotten? {LINK}", "body": f"Choose a password: {LINK}\nBye"}
    return outbox.post(to=address, template="account", context=context)


def pages() -> tuple[str, ...]:
    return "/mails/written/", f"/mails/{mail_to().pk}/", ACCOUNT, f"{ACCOUNT}test/"


def test_who_runs_the_site_reads_a_mail_before_and_after_it_went_out() -> None:
    client, mail = browser(who_runs_the_site()), mail_to()
    assert f"/mails/{mail.pk}/" in client.get("/mails/written/").text
    assert "/mails/written/" in client.get("/mails/").text
    for _moment in ("waiting", "handed over"):
        answer = client.get(f"/mails/{mail.pk}/")
        assert answer.status_code == 200
        assert f'href="{LINK}"' in answer.text
        assert "no-store" in answer["Cache-Control"]
        outbox.deliver(at=timezone.now())
    mail.refresh_from_db()
    assert mail.sent_at
    assert LINK not in mail.contents


@pytest.mark.parametrize("role", ["stranger", "owner", "staff"])
def test_nobody_else_reads_them(role: str) -> None:
    users: dict[str, Callable[[], User]] = {
        "stranger": factories.user,
        "owner": lambda: factories.member(factories.club(), "owner"),
        "staff": lambda: factories.user(is_staff=True),
    }
    client = browser(users[role]())
    for page in pages():
        assert client.get(page).status_code == 403
        assert Client(SERVER_NAME="localhost").get(page)["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(
    "meta",
    [
        {"REMOTE_ADDR": "192.168.1.20"},
        {"REMOTE_ADDR": "203.0.113.9"},
        {"REMOTE_ADDR": "::ffff:192.168.1.20"},
        {"REMOTE_ADDR": ""},
        {"REMOTE_ADDR": "127.0.0.1, 203.0.113.9"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_X_FORWARDED_HOST": "localhost"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_VIA": "1.1 somewhere"},
        {"HTTP_CF_CONNECTING_IP": "127.0.0.1"},
        {"SERVER_NAME": "testserver"},
    ],
    ids=str,
)
def test_they_are_read_at_this_computer_only(meta: Any) -> None:
    # The password was typed: only the place is wrong.
    user = who_runs_the_site()
    client = browser(user)
    for page in pages():
        assert client.get(page).status_code == 200
        refused = client.get(page, **meta)
        assert refused.status_code == 403
        assert "only on the computer" in refused.text
        assert "anna@example.org" not in refused.text


@pytest.mark.parametrize(
    "meta",
    [
        {"REMOTE_ADDR": "127.0.0.1", "SERVER_NAME": "127.0.0.1"},
        {"REMOTE_ADDR": "::1"},
        {"REMOTE_ADDR": "::ffff:127.0.0.1"},
    ],
    ids=str,
)
def test_this_computer_has_several_names(meta: Any) -> None:
    assert browser(who_runs_the_site()).get("/mails/written/", **meta).status_code == 200


def test_the_password_is_asked_for_once_more() -> None:
    client = browser(who_runs_the_site(), has_reauthenticated=False)
    for page in pages():
        answer = client.get(page)
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/reauthenticate/")


def test_there_are_no_such_pages_in_production(settings: Any) -> None:
    client = browser(who_runs_the_site())
    settings.MAILS_ON_SITE = False
    for page in pages():
        assert [each.get(page).status_code for each in (client, Client(SERVER_NAME="localhost"))] == [404] * 2
    assert "/mails/written/" not in client.get("/mails/").text
    # And no text of a mail is kept, wherever it goes.
    outbox.deliver(at=timezone.now())
    assert set(OutboxMessage.objects.values_list("contents", flat=True)) == {""}


def test_nothing_is_written_and_nothing_posted() -> None:
    client = browser(who_runs_the_site())
    for page in pages():
        if page != ACCOUNT:
            assert client.post(page).status_code == 405
    assert client.get("/mails/999999/").status_code == 404
    assert client.get("/mails/written/?after=999").status_code == 404


# Links


@pytest.mark.parametrize("role", ["scorer", "director", "owner"])
def test_links_of_who_holds_a_role_are_hidden(role: str) -> None:
    official = factories.member(factories.club(), role)
    page = browser(who_runs_the_site()).get(f"/mails/{mail_to(official.email.upper()).pk}/").text
    assert "Choose a password: (link hidden)" in page
    assert "Forgotten? (link hidden)" in page
    assert "abc-def" not in page


def test_links_are_hidden_at_each_address_of_who_holds_a_role_and_of_who_runs_the_site() -> None:
    runs, official = who_runs_the_site(), factories.member(factories.club(), "director")
    EmailAddress.objects.create(user=official, email="second@example.org", verified=False)
    client = browser(runs)
    for address in ("second@example.org", runs.email):
        assert "abc-def" not in client.get(f"/mails/{mail_to(address).pk}/").text


def test_links_of_a_member_are_shown_until_the_member_gets_a_role() -> None:
    club = factories.club()
    person = factories.member(club, "member")
    client, mail = browser(who_runs_the_site()), mail_to(person.email)
    assert LINK in client.get(f"/mails/{mail.pk}/").text
    club.memberships.filter(user=person).update(role="director")
    assert "abc-def" not in client.get(f"/mails/{mail.pk}/").text


@pytest.mark.parametrize("hidden", [False, True])
def test_markup_in_a_mail_is_text(hidden: bool) -> None:
    """Who writes a mail's words (a name, a reason) runs nothing in the browser of who runs the site."""
    to = factories.member(factories.club(), "owner").email if hidden else "anna@example.org"
    context = {"subject": "<b>Hi</b>", "body": '<script>alert(1)</script> http://x.org/?a=1&b=2"><i>it</i>'}
    mail = outbox.post(to=to, template="account", context=context)
    page = browser(who_runs_the_site()).get(f"/mails/{mail.pk}/").text
    assert not any(each in page for each in ("<script>alert", "<i>it", "<b>Hi"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt; " in page
    assert "&lt;b&gt;Hi&lt;/b&gt;" in page


@pytest.mark.parametrize("contents", ["", "nonsense"])
def test_a_mail_whose_text_is_gone_or_locked_says_so(contents: str) -> None:
    mail = mail_to()
    OutboxMessage.objects.filter(pk=mail.pk).update(contents=contents)
    answer = browser(who_runs_the_site()).get(f"/mails/{mail.pk}/")
    assert answer.status_code == 200
    assert ("can’t be read" if contents else "isn’t kept") in answer.text
    with pytest.raises(CommandError, match="can't be read" if contents else "isn't kept"):
        call_command("mail", str(mail.pk))


def test_the_text_goes_where_a_mail_server_takes_it(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail = mail_to()
    outbox.deliver(at=timezone.now())
    mail.refresh_from_db()
    assert mail.sent_at
    assert mail.contents == ""


def test_the_command_prints_the_whole_mail() -> None:
    official = factories.member(factories.club(), "owner")
    out = StringIO()
    call_command("mail", str(mail_to(official.email).pk), stdout=out)
    assert f"To: {official.email}\n" in out.getvalue()
    assert f"Choose a password: {LINK}\nBye" in out.getvalue()
    with pytest.raises(CommandError, match="no such mail"):
        call_command("mail", "999999")
