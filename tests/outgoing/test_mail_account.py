"""The mail account that is entered on the site, tried with mail servers of the tests' own."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from league.models import AuditEntry, MailAccount, OutboxMessage, User
from league.notices.services import mail_account, outbox
from league.storage import encryption
from tests.league import factories
from tests.league.notices.test_reading_mails import browser
from tests.outgoing.servers import NAME, certificate
from tests.outgoing.test_smtp import Mailbox, free_port

pytestmark = pytest.mark.django_db
PAGE = "/mails/account/"
SECRET = "s3cret-of-the-mails"


@pytest.fixture(autouse=True)
def _one_computer(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()  # how often a password was typed
    settings.MAILS_ON_SITE = True
    settings.EMAIL_BACKEND = mail_account.INTO_FILES
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    settings.EMAIL_TIMEOUT = 2
    # A worker comes when the test says so.
    monkeypatch.setattr("league.background.announce._send", lambda _task, _keys: None)


@pytest.fixture
def owner() -> User:
    return factories.user(is_superuser=True, email="olive@example.org", language="en")


@pytest.fixture
def client(owner: User) -> Client:
    return browser(owner)


@contextmanager
def mail_server(box: Mailbox, **options: Any) -> Iterator[int]:
    """It knows one login, and asks for encryption first unless `options` say otherwise. Gives its port."""

    def known(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        fits = (data.login, data.password) == (b"club", SECRET.encode())
        return AuthResult(success=fits, handled=False)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate())
    asks: dict[str, Any] = {
        "tls_context": context,
        "require_starttls": True,
        "authenticator": known,
        "auth_required": True,
    }
    controller = Controller(box, hostname="127.0.0.1", port=free_port(), **(asks | options))
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


PLAIN = {"tls_context": None, "require_starttls": False, "authenticator": None, "auth_required": False}


def typed(port: int, /, **more: Any) -> dict[str, Any]:
    return {
        "act": "save",
        "host": NAME,
        "security": "starttls",
        "port": port,
        "user": "club",
        "password": SECRET,
        "sender": "league@example.org",
        **more,
    }


def worker() -> int:
    return outbox.deliver(at=timezone.now())


def result(client: Client) -> str:
    """What the page says that asks again and again."""
    text: str = client.get(f"{PAGE}test/").text
    return text


def post_some(count: int = 3) -> None:
    for number in range(count):
        context = {"subject": "Hello", "body": "There"}
        outbox.post(to=f"person{number}@example.org", template="account", context=context)


@pytest.mark.usefixtures("names")
def test_an_account_is_entered_tried_and_used_from_then_on(client: Client, settings: Any) -> None:
    box = Mailbox()
    post_some(1)
    worker()
    assert len(list(Path(settings.EMAIL_FILE_PATH).iterdir())) == 1, "a file, until now"
    with mail_server(box) as port:
        answer = client.post(PAGE, typed(port))
        assert answer["Location"] == PAGE
        assert box.mails == [], "no page waits for a mail server"
        assert 'hx-trigger="every 1s"' in result(client)
        assert worker() == 1
        ((recipients, message),) = box.mails
        assert recipients == ["olive@example.org"]
        assert message["From"] == "Concertmaster <league@example.org>"
        assert message["Subject"] == "Your mail account works"
        assert "took the test mail" in result(client)
        assert "hx-get" not in result(client)
        post_some()
        assert worker() == 3
    assert box.recipients[1:] == [f"person{number}@example.org" for number in range(3)]
    kept = OutboxMessage.objects.exclude(contents="")
    assert kept.count() == 1, "only the mail that became a file can still be read"


@pytest.mark.usefixtures("names")
def test_the_password_is_told_to_nobody(client: Client, owner: User) -> None:
    client.post(PAGE, typed(465, security="tls"))
    account = MailAccount.objects.get()
    assert SECRET not in account.password
    assert encryption.decrypt(account.password, purpose=mail_account.PURPOSE) == SECRET
    pages = (client.get(PAGE).text, client.post(PAGE, typed(0)).text)
    assert not any(text in page for page in pages for text in (SECRET, account.password))
    (line,) = AuditEntry.objects.filter(action="mail_account.saved")
    assert line.actor == owner
    assert line.after == {
        "host": NAME, "security": "tls", "port": 465, "user": "club", "sender": "league@example.org"
    }  # fmt: skip
    client.post(PAGE, {"act": "remove"})
    assert AuditEntry.objects.get(action="mail_account.removed").after == line.after


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"password": "wrong"}, "doesn’t accept the user name or the password"),
        ({"host": "127.0.0.1"}, "certificate of the mail server isn’t valid"),
        ({"security": "tls"}, "doesn’t offer this kind of encryption"),
        ({"host": "nobody.invalid"}, "nobody knows the name"),
        ({"port": 1}, "Nothing answers at this server and port"),
    ],
    ids=["password", "certificate", "encryption", "name", "port"],
)
def test_the_page_says_plainly_why_a_test_did_not_arrive(
    client: Client, more: dict[str, Any], said: str
) -> None:
    box = Mailbox()
    with mail_server(box) as port:
        client.post(PAGE, typed(port, **more))
        assert worker() == 0
    assert box.mails == []
    page = result(client)
    assert said.casefold() in page.casefold()
    assert "hx-get" not in page
    assert SECRET not in page


@pytest.mark.usefixtures("names")
def test_a_server_without_encryption_is_told_from_one_without_a_login(client: Client) -> None:
    with mail_server(Mailbox(), **PLAIN) as port:
        client.post(PAGE, typed(port))
        worker()
        assert "doesn’t offer this kind of encryption" in result(client)
        client.post(PAGE, typed(port, security="none", host="localhost"))
        worker()
        assert "doesn’t accept the user name" in result(client)


def test_a_server_on_this_computer_needs_neither_encryption_nor_login(client: Client) -> None:
    box = Mailbox()
    with mail_server(box, **PLAIN) as port:
        client.post(PAGE, typed(port, host="localhost", security="none", user="", password=""))
        assert worker() == 1
    assert box.recipients == ["olive@example.org"]


def test_a_server_that_says_nothing_holds_up_neither_page_nor_mails(client: Client, settings: Any) -> None:
    settings.EMAIL_TIMEOUT = 0.2
    post_some()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        client.post(PAGE, typed(port, host="127.0.0.1", security="none", user="", password=""))
        assert worker() == 0
    assert "didn’t answer in time" in result(client)
    tried = OutboxMessage.objects.filter(attempts=1)
    assert [each.template for each in tried] == [mail_account.TEST], "the test goes before those that wait"


@pytest.mark.usefixtures("names")
def test_mails_that_wait_go_out_as_soon_as_the_account_is_right(client: Client) -> None:
    post_some()
    box = Mailbox()
    with mail_server(box) as port:
        client.post(PAGE, typed(port, password="wrong"))
        for _turn in range(2):
            worker()
        assert OutboxMessage.objects.filter(attempts=1, failure="login").count() == 4
        client.post(PAGE, typed(port))
        for _turn in range(2):
            worker()
    assert sorted(box.recipients) == [
        "olive@example.org",
        *(f"person{number}@example.org" for number in range(3)),
    ]
    assert not OutboxMessage.objects.filter(failure="login").exists()


def test_a_test_is_one_mail_however_often_it_is_pressed(client: Client) -> None:
    client.post(PAGE, typed(free_port(), host="localhost"))
    worker()
    assert "Nothing answers" in result(client)
    for _press in range(3):
        client.post(PAGE, {"act": "test"})
    assert OutboxMessage.objects.count() == 1
    assert "on its way" in result(client)
    client.post(PAGE, {"act": "remove"})
    assert not OutboxMessage.objects.exists(), "a test of nothing becomes no file"


def test_without_the_account_mails_become_files_again(client: Client, settings: Any) -> None:
    client.post(PAGE, typed(free_port(), host="localhost"))
    client.post(PAGE, {"act": "remove"})
    assert not MailAccount.objects.exists()
    post_some(1)
    assert worker() == 1
    assert len(list(Path(settings.EMAIL_FILE_PATH).iterdir())) == 1
    assert "Nobody gets our mails yet" in client.get("/mails/").text


def test_who_invites_is_told_that_nobody_gets_a_mail(client: Client) -> None:
    club = factories.club()
    director = browser(factories.member(club, "director"))
    page = f"/clubs/{club.slug}/desk/players/invitations/"
    assert 'href="/mails/account/"' in client.get(page).text
    said = director.get(page).text
    assert "Nobody gets our mails yet" in said
    assert "/mails/account/" not in said
    client.post(PAGE, typed(free_port(), host="localhost"))
    assert "Nobody gets our mails yet" not in director.get(page).text


def test_a_mail_server_of_the_settings_wins(client: Client, settings: Any, mailoutbox: list[Any]) -> None:
    client.post(PAGE, typed(free_port(), host="localhost"))
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert "EMAIL_URL" in client.get(PAGE).text
    assert worker() == 1
    (mail,) = mailoutbox
    assert "league@example.org" not in mail.from_email


def test_with_another_key_the_page_says_so_and_loses_no_mail(client: Client, settings: Any) -> None:
    client.post(PAGE, typed(free_port(), host="localhost"))
    MailAccount.objects.update(password="nonsense")
    assert worker() == 0
    assert "Our key was changed" in result(client)
    assert client.get(PAGE).status_code == 200


# What is typed


@pytest.mark.parametrize(
    "more",
    [
        {"host": ""},
        {"host": "smtp.example.org\nRCPT TO:<x@y.org>"},
        {"host": "smtp example org"},
        {"host": "https://smtp.example.org/"},
        {"host": "smtp.example.org:587"},
        {"host": "-x"},
        {"host": "a..b"},
        {"host": "x" * 64 + ".org"},
        {"host": "fe80::1%eth0"},
        {"port": "0"},
        {"port": "65536"},
        {"port": "x"},
        {"security": "ssl3"},
        {"user": "club\nx"},
        {"user": "Müller"},
        {"user": ""},
        {"password": "pass\x01word"},
        {"password": "Grüße"},
        {"password": ""},
        {"security": "none"},
        {"security": "none", "host": "192.168.1.20"},
        {"sender": "league"},
        {"sender": "league@example.org\nBcc: x@y.org"},
    ],
    ids=str,
)
def test_what_is_no_account_is_refused_in_place(client: Client, more: dict[str, Any]) -> None:
    answer = client.post(PAGE, typed(587, **more))
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert not MailAccount.objects.exists()
    assert not OutboxMessage.objects.exists()


@pytest.mark.parametrize(
    "host", ["localhost", "192.168.1.20", "mail", "mail.lan", "::1", "2001:db8::1", "post.müller.de"]
)
def test_a_server_may_stand_anywhere(client: Client, host: str) -> None:
    assert client.post(PAGE, typed(587, host=host)).status_code == 302
    assert MailAccount.objects.get().host == host


def test_a_stored_password_goes_to_no_other_server(client: Client) -> None:
    client.post(PAGE, typed(587))
    before = MailAccount.objects.get().password
    client.post(PAGE, typed(587, password="", sender="other@example.org"))
    account = MailAccount.objects.get()
    assert (account.password, account.sender) == (before, "other@example.org")
    for more in ({"host": "evil.example.org"}, {"port": 588}, {"security": "tls"}, {"user": "other"}):
        answer = client.post(PAGE, typed(587, **{"password": "", **more}))
        assert answer.status_code == 422
        assert "Enter the password again" in answer.text
    assert MailAccount.objects.get().host == NAME
    client.post(PAGE, typed(25, host="localhost", security="none", user="", password=""))
    assert MailAccount.objects.get().password == ""


def test_there_is_one_account() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        MailAccount.objects.create(id=2, host="a", sender="a@example.org")


# Who may


def test_what_was_typed_too_late_is_kept_nowhere(owner: User) -> None:
    """allauth would keep the posted form, password and all, in the session until the password is typed again."""
    client = browser(owner, has_reauthenticated=False)
    answer = client.post(PAGE, typed(587))
    assert answer["Location"] == PAGE
    assert client.get(PAGE)["Location"].startswith("/accounts/reauthenticate/")
    assert not MailAccount.objects.exists()
    assert not any(SECRET in str(each.get_decoded()) for each in Session.objects.all())


def test_nobody_else_enters_tries_or_removes_one(owner: User) -> None:
    browser(owner).post(PAGE, typed(587))
    others = (
        browser(factories.member(factories.club(), "owner")),
        browser(factories.user(is_staff=True)),
    )
    for act in ("save", "test", "remove"):
        for client in others:
            assert client.post(PAGE, typed(25, act=act)).status_code == 403
        elsewhere = browser(owner).post(PAGE, typed(25, act=act), REMOTE_ADDR="192.168.1.20")
        assert elsewhere.status_code == 403
    assert MailAccount.objects.get().port == 587
    assert OutboxMessage.objects.count() == 1
