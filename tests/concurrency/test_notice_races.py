"""Two workers tell the same people of the same thing at once: everybody is told once, by one mail."""

import threading
from typing import Any

import pytest
from django.db import connection

from league.models import Notice, OutboxMessage, User
from league.notices import events
from league.notices.services import notices
from tests.concurrency.test_scoresheet_races import at_once
from tests.league import factories

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
CONTEXT = {"player": "Eva Novak", "club": "Riverside", "path": "/my/"}


def told_by_two(monkeypatch: pytest.MonkeyPatch, people: list[list[User]]) -> list[Any]:
    """Each has seen that nobody was told yet before the other writes."""
    meeting, look = threading.Barrier(2), notices._untold
    seen = threading.local()

    def look_and_meet(*args: Any) -> list[User]:
        found = look(*args)
        if not getattr(seen, "once", False):
            seen.once = True
            meeting.wait(timeout=10)
        return found

    monkeypatch.setattr(notices, "_untold", look_and_meet)
    return at_once(
        *(
            lambda each=each: notices.notify(events.LINKED_YOU, each, context=CONTEXT, about="fixture 7")
            for each in people
        )
    )


def test_everybody_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    eva, luis, iris = (factories.user() for _ in range(3))
    first, second = told_by_two(monkeypatch, [[eva, luis], [luis, eva, iris]])
    assert sorted(each.pk for each in (*first, *second)) == [eva.pk, luis.pk, iris.pk]
    assert Notice.objects.count() == OutboxMessage.objects.count() == 3


def test_control_without_the_constraint_they_are_told_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    eva, luis = (factories.user() for _ in range(2))
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX told_once_about_it")
    try:
        told_by_two(monkeypatch, [[eva, luis], [luis, eva]])
        assert Notice.objects.count() == OutboxMessage.objects.count() == 4
    finally:
        OutboxMessage.objects.all().delete()
        Notice.objects.all().delete()
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE UNIQUE INDEX told_once_about_it ON league_notice (user_id, event, about) WHERE NOT (about = '')"
            )
