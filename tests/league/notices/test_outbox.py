"""Mails are tried for three days with growing waits, then given up, seen, and tried again when somebody says so."""

import itertools
import json
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from league.actors import System
from league.errors import NotAllowed
from league.models import AuditEntry, OutboxMessage
from league.notices.services import outbox
from league.outgoing import queue
from tests.league import factories

pytestmark = pytest.mark.django_db


class Away(EmailBackend):
    """A mail server that refuses connections; it counts how often it was asked."""

    asked = 0

    def send_messages(self, messages: Any) -> int:
        type(self).asked += 1
        raise ConnectionRefusedError(111, "Connection refused")


class RefusesAnna(EmailBackend):
    """A mail server that knows nobody called Anna."""

    def send_messages(self, messages: Any) -> int:
        if "anna@example.org" in messages[0].to:
            raise SMTPRecipientsRefused({"anna@example.org": (550, b"unknown")})
        return super().send_messages(messages)


@pytest.fixture
def away(settings: Any) -> type[Away]:
    settings.EMAIL_BACKEND = f"{__name__}.Away"
    Away.asked = 0
    return Away


def posted(to: str = "anna@example.org", **more: Any) -> OutboxMessage:
    context = {"subject": "A link", "body": "https://example.org/accounts/password/reset/key/abc/"}
    return outbox.post(to=to, template="account", context=context, **more)


def tries_until_given_up(message: OutboxMessage) -> list[datetime]:
    """When the mail was tried, each time at the moment that its row names."""
    at, tried = timezone.now(), []
    while message.given_up_at is None:
        outbox.deliver(at=at)
        message.refresh_from_db()
        tried.append(at)
        at = message.next_try_at or at
    return tried


def test_a_mail_is_tried_for_three_days_with_growing_waits(away: type[Away]) -> None:
    message = posted()
    tried = tries_until_given_up(message)
    waits = [(later - earlier).total_seconds() for earlier, later in itertools.pairwise(tried)]

    assert timedelta(days=3) <= tried[-1] - tried[0] < timedelta(days=4)
    assert waits[0] == pytest.approx(60, abs=5)
    assert all(later >= earlier - 5 for earlier, later in itertools.pairwise(waits))
    assert len(tried) == away.asked == 14
    assert message.sent_at is None
    assert "refused" in message.last_error
    assert outbox.deliver(at=tried[-1] + timedelta(days=30)) == 0
    assert away.asked == 14, "what was given up is left alone"


def test_nothing_is_tried_before_its_time(away: type[Away]) -> None:
    posted()
    at = timezone.now()
    outbox.deliver(at=at)
    outbox.deliver(at=at + timedelta(seconds=50))
    assert away.asked == 1


def test_a_server_that_is_away_is_asked_once_for_all_that_waits(away: type[Away]) -> None:
    for number in range(5):
        posted(f"person{number}@example.org")
    outbox.deliver(at=timezone.now())

    assert away.asked == 1
    assert set(OutboxMessage.objects.values_list("attempts", flat=True)) == {1}
    assert not OutboxMessage.objects.filter(next_try_at__isnull=True).exists()


def test_one_refused_address_keeps_no_other_mail_back(settings: Any) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.RefusesAnna"
    refused, other = posted(), posted("eva@example.org")

    assert outbox.deliver(at=timezone.now()) == 1
    refused.refresh_from_db()
    other.refresh_from_db()
    assert (refused.sent_at, other.sent_at is None) == (None, False)


def test_the_row_says_when_it_was_handed_over() -> None:
    message, at = posted(), timezone.now() + timedelta(hours=1)
    outbox.deliver(at=at)
    message.refresh_from_db()

    assert message.sent_at is not None
    assert at <= message.sent_at < at + timedelta(minutes=1)


def test_a_link_is_never_in_clear_in_the_row_and_gone_once_it_is_sent() -> None:
    message = posted()
    row = json.dumps(list(OutboxMessage.objects.values()), default=str)
    assert "reset" not in row

    outbox.deliver(at=timezone.now())
    message.refresh_from_db()
    assert message.contents == ""
    assert "password/reset/key/abc" in mail.outbox[0].body


def test_without_its_key_a_mail_waits_and_keeps_no_other_back(settings: Any) -> None:
    old = posted()
    key, settings.SECRET_KEY = settings.SECRET_KEY, "another-" * 8
    posted("eva@example.org")
    assert outbox.deliver(at=timezone.now()) == 1
    old.refresh_from_db()
    assert "SECRET_KEY_FALLBACKS" in old.last_error

    settings.SECRET_KEY_FALLBACKS = [key]
    assert outbox.deliver(at=timezone.now() + timedelta(minutes=5)) == 1


def test_a_worker_that_ends_each_time_is_not_given_the_mail_for_ever() -> None:
    message, at = posted(), timezone.now()
    attempts = len(queue.WAITS) + 1
    OutboxMessage.objects.update(attempts=attempts, leased_until=at + queue.LEASE)
    assert outbox.deliver(at=at + timedelta(minutes=1)) == 0
    assert not OutboxMessage.objects.given_up().exists(), "somebody is at it"
    assert outbox.deliver(at=at + queue.LEASE + timedelta(minutes=1)) == 0
    assert OutboxMessage.objects.given_up().get() == message


def test_what_was_given_up_is_tried_again_when_somebody_says_so(away: type[Away], settings: Any) -> None:
    message = posted()
    tries_until_given_up(message)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

    assert outbox.retry(actor=System("test"), messages=[message.pk]) == 1
    assert outbox.deliver(at=timezone.now()) == 1
    assert AuditEntry.objects.filter(action="outbox.retried").count() == 1
    assert outbox.retry(actor=System("test")) == 0


def test_an_owner_retries_the_mails_of_the_club_and_no_others() -> None:
    club, other = factories.club(), factories.club()
    owner = factories.member(club, "owner")
    own, foreign, accounts = posted(club=club), posted(club=other), posted()
    OutboxMessage.objects.update(given_up_at=timezone.now())

    with pytest.raises(NotAllowed):
        outbox.retry(actor=owner)
    with pytest.raises(NotAllowed):
        outbox.retry(actor=owner, club=other)
    with pytest.raises(NotAllowed):
        outbox.retry(actor=factories.member(club, "director"), club=club)
    keys = [own.pk, foreign.pk, accounts.pk]
    assert outbox.retry(actor=owner, club=club, messages=keys) == 1
    assert set(OutboxMessage.objects.given_up()) == {foreign, accounts}


def test_old_mails_are_deleted() -> None:
    now = timezone.now()
    waiting, sent, given_up, recent = posted(), posted(), posted(), posted()
    OutboxMessage.objects.filter(pk=sent.pk).update(sent_at=now - timedelta(days=91))
    OutboxMessage.objects.filter(pk=given_up.pk).update(given_up_at=now - timedelta(days=31))
    OutboxMessage.objects.filter(pk=recent.pk).update(sent_at=now - timedelta(days=89))

    assert outbox.purge(at=now) == 2
    assert set(OutboxMessage.objects.all()) == {waiting, recent}
