"""Two at once at a table: one action for one number, and either the action or the take-back."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet

from games.models import Action, TableRequest
from games.tables.services import play, requests, seats
from games.tables.state import facts as reading
from games.tables.state.facts import TableSnapshot
from league.errors import Conflict, LeagueError
from tests.concurrency.test_scoresheet_races import at_once
from tests.live.tables import Laid, match_table, move, moves, next_move, sent

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _forget_tables() -> None:
    reading.memory.forget()


@pytest.fixture
def meet_after_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holds whoever has read the table until the other has read it too, or a second has passed."""
    meeting = threading.Barrier(2)
    read = reading.under_lock

    def read_and_meet(table: Any) -> TableSnapshot:
        facts = read(table)
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=1)
        return facts

    monkeypatch.setattr(reading, "under_lock", read_and_meet)


def told(call: Callable[[], Any]) -> Callable[[], Any]:
    """The call; what the database refuses is an outcome too."""

    def calling() -> Any:
        try:
            return call()
        except IntegrityError as refusal:
            return refusal

    return calling


def twice(laid: Laid) -> list[Any]:
    """The player on turn presses two cards at the same moment, on two devices."""
    facts = laid.facts()
    assert facts.deal is not None
    tokens = facts.deal.fold.state.legal()[:2]
    actor = laid.at(facts.deal.fold.turn or "")
    return at_once(
        *(
            told(lambda token=token: play.act(actor=actor, table_id=laid.table.pk, sent=sent(facts, token)))  # type: ignore[misc]
            for token in tokens
        )
    )


@pytest.mark.usefixtures("meet_after_reading")
def test_of_two_actions_for_one_number_one_is_written() -> None:
    laid = match_table()
    outcomes = twice(laid)
    refusals = [each for each in outcomes if isinstance(each, LeagueError)]

    assert [each.code for each in refusals] == ["stale"]
    assert [each.number for each in Action.objects.all()] == [0]
    assert reading.fresh(laid.table.pk).deal is not None


@pytest.mark.usefixtures("meet_after_reading")
def test_control_without_the_lock_both_are_believed_and_only_the_database_refuses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid = match_table()
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
    outcomes = twice(laid)

    assert not any(isinstance(each, LeagueError) for each in outcomes), outcomes
    assert [type(each) for each in outcomes if isinstance(each, Exception)] == [IntegrityError]
    assert Action.objects.count() == 1


def act_and_grant(laid: Laid) -> list[Any]:
    """The next player acts while the last of the others agrees to a take-back."""
    turn = laid.turn()
    move(laid)
    requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    asked = TableRequest.objects.get()
    facts = laid.facts()
    assert facts.deal is not None
    following = facts.deal.fold.turn or ""
    last, *others = [seat for seat in "NESW" if seat not in {turn, following}]
    for seat in (*others, following):
        requests.answer(actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=True)
    facts = laid.facts()
    return at_once(
        told(
            lambda: play.act(
                actor=laid.at(following), table_id=laid.table.pk, sent=sent(facts, next_move(facts))
            )
        ),
        told(
            lambda: requests.answer(
                actor=laid.at(last), table_id=laid.table.pk, request_id=asked.pk, agrees=True
            )
        ),
    )


def test_either_the_next_acts_or_the_last_action_is_taken_back() -> None:
    laid = match_table()
    moves(laid, 2)
    outcomes = act_and_grant(laid)
    refusals = [each for each in outcomes if isinstance(each, Conflict)]
    fold = reading.fresh(laid.table.pk).deal.fold  # type: ignore[union-attr]

    assert len(refusals) == 1
    assert refusals[0].code in {"stale", "decided", "not_your_turn"}
    assert [each.number for each in Action.objects.order_by("number")] == list(range(4))
    assert len(fold.counting) == (4 if outcomes[1] is refusals[0] else 2)


def test_four_who_are_ready_at_once_begin_one_deal() -> None:
    laid = match_table(begun=False)
    outcomes = at_once(
        *(lambda seat=seat: seats.ready(actor=laid.at(seat), table_id=laid.table.pk) for seat in "NESW")
    )
    assert not any(isinstance(each, Exception) for each in outcomes), outcomes
    facts = reading.fresh(laid.table.pk)
    assert (facts.state, facts.deal_number) == ("playing", 1)


def test_robots_asked_for_twice_at_once_act_once() -> None:
    laid = match_table(robots=dict.fromkeys("NS", "novice"))
    while laid.facts().seats[laid.turn()].robot == "":
        facts = laid.facts()
        asked, actor = sent(facts, next_move(facts)), laid.at(laid.turn())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("games.tables.services.rows.hint_robots", lambda _table: None)
            play.act(actor=actor, table_id=laid.table.pk, sent=asked)
    outcomes = at_once(*(lambda: play.play_robots(table_id=laid.table.pk) for _each in range(2)))

    numbers = list(Action.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(len(numbers)))
    assert sum(outcomes) > 0
    assert laid.facts().seats[laid.turn()].robot == ""
