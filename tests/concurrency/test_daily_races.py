"""Two tabs of one person begin the daily deal at the same moment."""

import threading
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import connection

from engine import game
from engine.game import Game
from games.daily import services
from games.models import DailyDeal, DailyPlay, Table
from tests.concurrency.test_scoresheet_races import at_once
from tests.scenes import make_scene

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
AT = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both know the day's deal, and neither has begun it, before either goes on."""
    meet = threading.Barrier(2, timeout=10)
    make = services.made

    def made(offered: Game, day: date) -> DailyDeal:
        found = make(offered, day)
        meet.wait()
        return found

    services.sweep(at=AT)
    monkeypatch.setattr(services, "made", made)


def begin_twice() -> list[Any]:
    anna = make_scene().users["anna"]

    def begin() -> Table:
        return services.play(actor=anna, offered=game.get("concerto"), at=AT)

    return at_once(begin, begin)


@pytest.mark.usefixtures("together")
def test_both_come_to_one_table() -> None:
    outcomes = begin_twice()
    assert [each.pk for each in outcomes] == [Table.objects.get().pk] * 2, outcomes


@pytest.mark.usefixtures("together")
def test_control_without_the_constraint_there_are_two() -> None:
    once = next(each for each in DailyPlay._meta.constraints if each.name == "daily_deal_once_a_person")
    with connection.schema_editor() as editor:
        editor.remove_constraint(DailyPlay, once)
    try:
        begin_twice()
        assert Table.objects.count() == 2
    finally:
        DailyPlay.objects.all().delete()
        with connection.schema_editor() as editor:
            editor.add_constraint(DailyPlay, once)
