"""A mail belongs to one worker as long as that one lives; when it has ended, the next takes the mail at once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone

from league.background import announce
from league.models import OutboxMessage
from league.notices.services import outbox
from league.outgoing import queue

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody hands a mail over before the test asks for it."""
    monkeypatch.setattr(announce, "after_commit", lambda *_task: None)


def posted() -> OutboxMessage:
    context = {"subject": "A link", "body": "https://example.org/accounts/"}
    return outbox.post(to="anna@example.org", template="account", context=context)


def taken_by_another_that_ends(at: datetime) -> None:
    """Taken, and never handed over: the session of that worker has ended."""

    def work() -> None:
        try:
            assert queue.lease(OutboxMessage.objects.all(), at=at, limit=20)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as worker:
        worker.submit(work).result()


def test_what_a_worker_took_that_ended_is_handed_over_at_once() -> None:
    message, at = posted(), timezone.now()
    taken_by_another_that_ends(at)
    assert outbox.deliver(at=at + timedelta(seconds=1)) == 1
    message.refresh_from_db()
    assert (message.attempts, message.leased_until) == (2, None)
    assert len(mail.outbox) == 1


def test_what_a_worker_has_that_lives_is_its_own() -> None:
    message, at = posted(), timezone.now()
    has_taken, may_end = threading.Event(), threading.Event()

    def work() -> None:
        try:
            queue.lease(OutboxMessage.objects.all(), at=at, limit=20)
            has_taken.set()
            may_end.wait(60)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as worker:
        working = worker.submit(work)
        assert has_taken.wait(60)
        try:
            assert outbox.deliver(at=at + timedelta(seconds=1)) == 0
            assert outbox.deliver(at=at + queue.LEASE / 2) == 0
        finally:
            may_end.set()
        working.result()
    message.refresh_from_db()
    assert (message.attempts, mail.outbox) == (1, [])


def test_what_ends_each_worker_is_not_taken_at_once_for_ever() -> None:
    message, at = posted(), timezone.now()
    for second in range(queue.AT_ONCE):
        taken_by_another_that_ends(at + timedelta(seconds=second))
    assert outbox.deliver(at=at + timedelta(seconds=10)) == 0
    assert outbox.deliver(at=at + queue.LEASE + timedelta(minutes=1)) == 1
    message.refresh_from_db()
    assert message.attempts == queue.AT_ONCE + 1
