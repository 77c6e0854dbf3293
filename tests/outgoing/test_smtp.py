"""Mails as a mail server gets them: by SMTP, from a server of the tests' own."""

import email
import socket
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.test import Client
from django.utils import timezone

from league.models import Notice, NoticeSettings, OutboxMessage, User
from league.notices import events
from league.notices.services import notices, outbox
from tests.league import factories
from tests.thorough import IS_THOROUGH

pytestmark = pytest.mark.django_db
CONTEXT = {"player": "Jörg Müller", "club": "Riverside", "path": "/my/"}


class Mailbox:
    """What arrives, and which addresses are refused with which answer."""

    def __init__(self) -> None:
        self.mails: list[tuple[list[str], EmailMessage]] = []
        self.refused: dict[str, str] = {}

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """The recipient."""
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """The mail."""
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.mails.append((list(envelope.rcpt_tos), message))
        return "250 taken"

    @property
    def recipients(self) -> list[str]:
        """Whom mails arrived for."""
        return [address for addresses, _message in self.mails for address in addresses]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture
def port(settings: Any, monkeypatch: pytest.MonkeyPatch) -> int:
    """Where mails go to; nobody is there yet. A worker comes when the test says so."""
    monkeypatch.setattr("league.background.announce._send", lambda _task, _keys: None)
    settings.EMAIL_BACKEND = "config.mail.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", free_port(), 5
    return int(settings.EMAIL_PORT)


@pytest.fixture
def mailbox(port: int) -> Iterator[Mailbox]:
    box = Mailbox()
    yield from _served(box, port)


def _served(box: Mailbox, port: int) -> Iterator[Mailbox]:
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


def told(user: User) -> None:
    notices.notify(events.LINKED_YOU, [user], context=CONTEXT)


def deliver(at: datetime | None = None) -> int:
    return outbox.deliver(at=at or timezone.now(), bounced=notices.refused)


def test_a_notice_arrives_as_text_and_html_with_the_way_out(mailbox: Mailbox) -> None:
    eva = factories.user()
    told(eva)
    assert deliver() == 1
    ((recipients, message),) = mailbox.mails
    assert recipients == [eva.email]
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    for kind in ("plain", "html"):
        body = message.get_body((kind,))
        assert body is not None
        assert "Jörg Müller" in body.get_content()
    assert "Jörg Müller" in message["Subject"]
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    leave = message["List-Unsubscribe"].strip().strip("<>")
    Client().post(leave.removeprefix("http://localhost:8000"), {"List-Unsubscribe": "One-Click"})
    told(eva)
    assert deliver() == 0


def test_a_mail_about_the_account_has_no_way_out(mailbox: Mailbox) -> None:
    outbox.post(
        to="a@example.org", template="account", context={"subject": "A\nBcc: x@y.org", "body": "Grüße"}
    )
    deliver()
    ((recipients, message),) = mailbox.mails
    assert recipients == ["a@example.org"]
    assert message["List-Unsubscribe"] is None
    assert message["Bcc"] is None
    assert {part.get_content_type() for part in message.iter_parts()} == {"text/plain", "text/html"}
    assert all("Grüße" in part.get_content() for part in message.iter_parts())


def test_a_refused_address_is_bounced_at_once_and_the_others_get_theirs(mailbox: Mailbox) -> None:
    gone, eva = factories.user(), factories.user()
    mailbox.refused[gone.email] = "550 5.1.1 no such mailbox"
    told(gone)
    told(eva)
    assert deliver() == 1
    assert mailbox.recipients == [eva.email]
    row = OutboxMessage.objects.get(to=gone.email)
    assert row.given_up_at is not None
    assert "no such mailbox" in row.last_error
    assert NoticeSettings.objects.get(user=gone).bounced == gone.email
    assert Notice.objects.filter(user=gone, event="mail_bounced").exists()
    told(gone)
    assert OutboxMessage.objects.filter(to=gone.email).count() == 1, "nothing more goes there"


def test_a_server_that_says_later_is_asked_later(mailbox: Mailbox) -> None:
    """Greylisting: that is no bounce."""
    eva = factories.user()
    mailbox.refused[eva.email] = "450 4.2.0 come again"
    told(eva)
    at = timezone.now()
    assert deliver(at) == 0
    assert not NoticeSettings.objects.filter(user=eva).exists()
    mailbox.refused.clear()
    assert deliver(at + timedelta(minutes=2)) == 1


def test_a_server_that_is_down_for_a_day_loses_nothing_and_gets_nothing_twice(port: int) -> None:
    people = [factories.user() for _ in range(6)]
    for each in people:
        told(each)
    at = timezone.now()
    for minutes in range(0, 24 * 60, 30):
        assert deliver(at + timedelta(minutes=minutes)) == 0
    assert OutboxMessage.objects.waiting().count() == 6
    box = Mailbox()
    for _ in _served(box, port):
        for hours in range(24, 38):
            deliver(at + timedelta(hours=hours))
    assert sorted(box.recipients) == sorted(each.email for each in people)
    assert not OutboxMessage.objects.waiting().exists()


def test_very_many_mails_in_one_go_each_arrive_once(
    mailbox: Mailbox,
    port: int,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    """Each full batch asks for the next at once: nobody waits for the clock."""
    count = 2000 if IS_THOROUGH else 50
    people = User.objects.bulk_create(
        User(email=f"person{number}@example.org", name=f"Person {number}") for number in range(count)
    )
    notices.notify(events.LINKED_YOU, people, context=CONTEXT)
    asked: list[str] = []
    monkeypatch.setattr("league.background.announce._send", lambda task, _keys: asked.append(task))
    at, batches, sent = timezone.now(), 0, 0
    while True:
        with django_capture_on_commit_callbacks(execute=True):
            sent += deliver(at)
        batches += 1
        if not asked:
            break
        asked.clear()
    assert sent == count
    assert batches == count // 20 + 1
    assert sorted(mailbox.recipients) == sorted(each.email for each in people)
