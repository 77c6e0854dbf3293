"""The sweep of tables looks at those that are due, and at no other. Messages reach a worker where a test says so."""

from datetime import timedelta
from functools import partial

import pytest
from django.db.models import F
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.models import Action, Table, TableSeat
from games.tables.services import (
    play,
    requests,
    rows,
    seats,
    sweeping,
)
from tests.live.tables import START, Laid, casual_table, laid_in, match_table, move
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


#: Who comes after the one who begins.
SECOND = "W"


def due_at(laid: Laid) -> object:
    return Table.objects.values_list("due_at", flat=True).get(pk=laid.table.pk)


def make_due(laid: Laid, at: object = START) -> None:
    Table.objects.filter(pk=laid.table.pk).update(due_at=at)


def test_a_quiet_table_leaves_its_place_to_the_next(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """With one place: a table where somebody thinks is looked at once, and then the one behind it."""
    scene = make_scene()
    thinking, waiting = laid_in(scene, clock_seconds=0), casual_table(scene)
    monkeypatch.setattr(sweeping, "MOST_AT_ONCE", 1)
    make_due(thinking)
    make_due(waiting, START + timedelta(seconds=1))
    at = START + timedelta(seconds=2)
    of_robots = Action.objects.filter(deal__table=waiting.table)

    assert (sweeping.sweep(at=at), of_robots.count()) == (0, 0)
    assert due_at(thinking) is None
    with django_capture_on_commit_callbacks(execute=True):
        sweeping.sweep(at=at)
        assert of_robots.count() == 0, "the sweep itself does not think"
    assert of_robots.count() > 0
    assert not play.is_robots_turn(waiting.facts())


def test_robots_are_told_again_where_nothing_came_of_it(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    laid = casual_table(make_scene())
    make_due(laid)
    with django_capture_on_commit_callbacks() as told:
        for seconds in (0, 5, 10):
            sweeping.sweep(at=START + timedelta(seconds=seconds))
    hints = [each for each in told if isinstance(each, partial) and rows.PLAY_ROBOTS in each.args]
    assert len(hints) == 2
    assert due_at(laid) == START + timedelta(seconds=20)


def test_control_a_table_that_stays_due_starves_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = make_scene()
    thinking, waiting = laid_in(scene, clock_seconds=0), casual_table(scene)
    monkeypatch.setattr(sweeping, "MOST_AT_ONCE", 1)
    monkeypatch.setattr(sweeping, "_due", lambda _facts, _at: START)
    make_due(thinking)
    make_due(waiting, START + timedelta(seconds=1))
    for _sweep in range(3):
        assert sweeping.sweep(at=START + timedelta(seconds=2)) == 0


def test_it_is_due_when_a_clock_runs_out() -> None:
    laid = match_table(clock_seconds=60)
    make_due(laid)
    sweeping.sweep(at=START + timedelta(seconds=5))
    assert due_at(laid) == START + timedelta(seconds=60)

    assert sweeping.sweep(at=START + timedelta(seconds=59)) == 0
    assert sweeping.sweep(at=START + timedelta(seconds=60)) == 1
    assert laid.facts().is_overtime(laid.facts().side_of(laid.turn())) is True


def test_a_change_makes_it_due_a_moment_later() -> None:
    laid = match_table()
    make_due(laid, None)
    before = timezone.now()
    seats.stand_up(actor=laid.at("N"), table_id=laid.table.pk)

    due = Table.objects.get().due_at
    assert due is not None
    assert before + rows.QUIET <= due <= timezone.now() + rows.QUIET


@pytest.mark.parametrize(
    ("clock_seconds", "robots", "after"),
    [(0, "", None), (60, "", 60), (0, "novice", 9), (60, "novice", 9)],
)
def test_after_an_action_it_is_due_when_something_is_to_come(
    clock_seconds: int, robots: str, after: int | None
) -> None:
    """The clock of the side, or two seconds later a robot's move that may be forgotten; without them nothing."""
    laid = match_table(clock_seconds=clock_seconds, robots={SECOND: robots} if robots else None)
    make_due(laid)
    acted = move(laid, at=START + timedelta(seconds=7))

    assert acted.deal is not None
    assert acted.deal.fold.turn == SECOND
    assert due_at(laid) == (None if after is None else START + timedelta(seconds=after))


def test_after_an_action_that_came_too_late_the_clock_is_looked_at_soon() -> None:
    laid = match_table(clock_seconds=60)
    side, at = laid.facts().side_of(laid.turn()), START + timedelta(seconds=61)
    for _each in range(2):
        move(laid, at=at)

    assert laid.facts().side_of(laid.turn()) == side
    assert due_at(laid) == at + rows.QUIET
    assert sweeping.sweep(at=at + rows.QUIET) == 1
    assert laid.facts().is_overtime(side) is True


def test_a_change_in_the_meantime_keeps_it_due(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = match_table()
    make_due(laid)
    look = sweeping._due

    def after_a_move(facts: object, at: object) -> object:
        move(laid)
        return look(facts, at)  # type: ignore[arg-type]

    monkeypatch.setattr(sweeping, "_due", after_a_move)
    sweeping.sweep(at=START + timedelta(seconds=2))

    assert due_at(laid) is not None


def test_a_deal_that_waits_for_nobody_begins_though_the_server_ended_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid = match_table(robots=dict.fromkeys("NES", "novice"))
    with monkeypatch.context() as patch:
        patch.setattr(play, "next_deal", lambda facts, _at: facts)
        while laid.facts().state == Table.State.PLAYING:
            play.play_robots(table_id=laid.table.pk)
            if laid.facts().state == Table.State.PLAYING:
                move(laid)
        TableSeat.objects.filter(seat="W").update(ready_for=2)
    Table.objects.update(due_at=START, version=F("version") + 1)
    sweeping.sweep(at=START)

    assert (laid.facts().state, laid.facts().deal_number) == (Table.State.PLAYING, 2)


def test_a_table_left_behind_is_closed_and_no_longer_due() -> None:
    laid = casual_table(make_scene())
    opened = Table.objects.get().changed_at
    make_due(laid)
    sweeping.sweep(at=opened + play.IDLE + timedelta(minutes=1))

    assert Table.objects.get().state == Table.State.CLOSED
    assert due_at(laid) is None


def test_a_pause_stops_the_clock_and_the_sweep() -> None:
    laid = match_table(clock_seconds=60)
    requests.pause(actor=laid.at("N"), table_id=laid.table.pk, at=START)
    asked = laid.facts().requests[-1]
    for seat in "ESW":
        requests.answer(
            actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.row, agrees=True, at=START
        )
    make_due(laid)
    sweeping.sweep(at=START + timedelta(minutes=5))

    assert laid.facts().is_paused
    assert due_at(laid) is None
