"""What is kept for a time goes when its time is over: logins, answers of requests, mails, tokens."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.utils import timezone

from league import idempotency, tasks
from league.models import ApiToken, IdempotencyKey, OutboxMessage
from league.notices.services import outbox
from league.people.services import tokens
from tests.league import factories

pytestmark = pytest.mark.django_db


def furnish() -> None:
    """An old and a new row of everything."""
    now, user = timezone.now(), factories.user()
    for key, age in (("old", timedelta(days=31)), ("new", timedelta(days=29))):
        idempotency.once(actor=user, key=key, action="test", request={}, write=lambda: {"answer": 1})
        IdempotencyKey.objects.filter(key=key).update(made_at=now - age)
        Session.objects.create(session_key=key, session_data="", expire_date=now + timedelta(days=30) - age)
        message = outbox.post(to=f"{key}@example.org", template="account", context={})
        OutboxMessage.objects.filter(pk=message.pk).update(sent_at=now - 3 * age)
    tokens.make(actor=user, at=now - timedelta(days=40), days=30)
    tokens.make(actor=factories.user(), at=now - timedelta(days=20), days=30)
    OutboxMessage.objects.filter(template="token_made").delete()


def left() -> list[list[Any]]:
    return [
        list(IdempotencyKey.objects.values_list("key", flat=True)),
        list(Session.objects.values_list("session_key", flat=True)),
        list(OutboxMessage.objects.values_list("to", flat=True)),
        [token.expires_at > timezone.now() for token in ApiToken.objects.all()],
    ]


def test_the_old_goes_and_the_new_stays() -> None:
    furnish()
    assert tasks.purge() == 4
    assert left() == [["new"], ["new"], ["new@example.org"], [True]]
    assert tasks.purge() == 0


def test_one_that_fails_keeps_no_other_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*, at: Any) -> int:
        raise DatabaseError("away for a moment")

    furnish()
    monkeypatch.setattr(tasks, "PURGES", (fail, *tasks.PURGES))
    assert tasks.purge() == 4


def test_it_is_done_every_night() -> None:
    assert "league.tasks.purge" in {each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values()}


def test_files_of_mails_go_after_the_same_time(settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_FILE_PATH = str(tmp_path)
    now = timezone.now()
    for name, days in (("old.log", 91), ("new.log", 89), ("not-ours.txt", 91)):
        (tmp_path / name).write_text("Subject: x\n")
        moment = (now - timedelta(days=days)).timestamp()
        os.utime(tmp_path / name, (moment, moment))
    assert outbox.purge(at=now) == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new.log", "not-ours.txt"]
    settings.EMAIL_FILE_PATH = str(tmp_path / "nothing")
    assert outbox.purge(at=now) == 0
