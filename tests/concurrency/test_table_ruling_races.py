"""At a table at the same moment: rulings, answers, the clock, the end of the match. One is first, the other is told."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Action, Scoresheet, Table, TableDeal, TableRequest, TableSeat
from games.scoresheets.services import scoresheets
from games.tables.services import (
    opening,
    play,
    requests,
    results,
    rulings,
    seats,
)
from games.tables.state import facts as reading
from league.errors import LeagueError
from league.models import AuditEntry, Competition
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_table_races import _forget_tables, meet_after_reading, told
from tests.live.tables import Laid, laid_in, match_table, move, moves, next_move, sent
from tests.scenes import make_scene, totals_sheet

__all__ = ["_forget_tables", "meet_after_reading"]
pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def refused(outcomes: list[Any]) -> list[str]:
    """The codes of those who were told no; nothing else may go wrong."""
    faults = [each for each in outcomes if isinstance(each, Exception) and not isinstance(each, LeagueError)]
    assert not faults, faults
    return [each.code for each in outcomes if isinstance(each, LeagueError)]


def acting(laid: Laid) -> Callable[[], Any]:
    """The player on turn acts, by what lies on the table now."""
    facts, actor = laid.facts(), laid.at(laid.turn())
    asked = sent(facts, next_move(facts))
    return told(lambda: play.act(actor=actor, table_id=laid.table.pk, sent=asked))


def ruling(laid: Laid, to: int) -> Callable[[], Any]:
    """A director takes back to this action."""
    dora = laid.scene.users["dora"]
    return told(
        lambda: rulings.roll_back(actor=dora, table_id=laid.table.pk, to=to, reason="The wrong card.")
    )


def numbers() -> list[int]:
    """Those of the log's lines, in order."""
    return list(Action.objects.order_by("number").values_list("number", flat=True))


def test_an_action_and_a_ruling_at_once() -> None:
    laid = match_table()
    moves(laid, 4)
    codes = refused(at_once(acting(laid), ruling(laid, 1)))

    assert codes in ([], ["stale"], ["not_your_turn"])
    assert numbers() == list(range(5 if codes else 6))
    fold = reading.fresh(laid.table.pk).deal.fold  # type: ignore[union-attr]
    assert len(fold.counting) == 1, "whoever was first, the ruling stands"
    assert AuditEntry.objects.filter(action="table.rolled_back").count() == 1


def test_control_without_the_lock_an_action_and_a_ruling_want_the_same_line(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = match_table()
    moves(laid, 4)
    request.getfixturevalue("meet_after_reading")
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, **_options: self)

    with pytest.raises(AssertionError, match="duplicate key"):
        refused(at_once(acting(laid), ruling(laid, 1)))


def test_two_last_answers_at_once_take_back_once() -> None:
    laid = match_table()
    moves(laid, 3)
    turn = laid.turn()
    move(laid)
    requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    asked = TableRequest.objects.get()
    first, *others = [seat for seat in "NESW" if seat != turn]

    def agreeing(seat: str) -> Callable[[], Any]:
        return told(
            lambda: requests.answer(
                actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=True
            )
        )

    agreeing(first)()
    assert refused(at_once(*map(agreeing, others))) == []
    assert Action.objects.filter(back_to__isnull=False).count() == 1
    assert TableRequest.objects.get().state == TableRequest.State.GRANTED


def test_two_people_take_one_chair() -> None:
    scene = make_scene()
    table = opening.open_casual(actor=scene.users["dora"], club=scene.club, terms={}, options={})
    outcomes = at_once(
        *(
            told(lambda who=who: seats.sit(actor=scene.users[who], table_id=table.pk, seat="N"))  # type: ignore[misc]
            for who in ("iris", "tom")
        )
    )
    assert refused(outcomes) == ["seat_taken"]
    assert TableSeat.objects.filter(table=table).count() == 1


def one_before_the_end(*, deals: int = 4, **terms: Any) -> Laid:
    """A match with but one action to come in its first deal."""
    scene = make_scene()
    Competition.objects.update(rules={"deals": deals})
    scene.competition.refresh_from_db()
    scene.fixture.refresh_from_db()
    laid = laid_in(scene, **terms)
    while True:
        facts = laid.facts()
        assert facts.deal is not None
        after = facts.deal.fold.state.apply(next_move(facts))
        if after.is_over:
            return laid
        move(laid)


def test_the_last_card_and_the_end_of_the_time() -> None:
    laid = one_before_the_end(clock_seconds=600)
    facts = laid.facts()
    assert facts.deal is not None
    late = timezone.now().replace(year=facts.deal.fold.since.year + 1)
    checking = told(lambda: requests.check_time(table_id=laid.table.pk, at=late))
    codes = refused(at_once(acting(laid), checking))

    assert codes in ([], ["time_is_up"], ["no_deal"], ["stale"])
    deal = TableDeal.objects.get()
    assert deal.finished_at is not None
    assert numbers() == list(range(len(facts.deal.fold.lines) + 1)), "a person's or the robot's, once"
    by_robot = Action.objects.filter(robot="novice").count()
    assert by_robot == (1 if codes else 0)


def test_the_last_card_of_a_match_and_a_ruling() -> None:
    laid = one_before_the_end(deals=1)
    codes = refused(at_once(acting(laid), ruling(laid, 0)))
    table, sheets = Table.objects.get(), Scoresheet.objects.confirmed().count()

    assert codes in (["table_over"], ["stale"], ["not_your_turn"])
    assert (table.state, sheets) == (("finished", 1) if codes == ["table_over"] else ("playing", 0))


def unrecorded(monkeypatch: pytest.MonkeyPatch) -> Laid:
    """A match that is over, and no worker has written it down."""
    laid = one_before_the_end(deals=1)
    with monkeypatch.context() as patch:
        patch.setattr("games.tables.services.dealing.RECORD", "games.tasks.sweep_boards")
        patch.setattr("league.background.announce._send", lambda *_args: None)
        move(laid)
    assert Table.objects.get().state == Table.State.FINISHED
    assert not Scoresheet.objects.exists()
    return laid


def test_two_workers_write_a_match_down_once(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = unrecorded(monkeypatch)
    outcomes = at_once(*(told(lambda: results.record(table_id=laid.table.pk)) for _each in range(2)))

    assert sorted(outcomes) == [False, True]
    assert Scoresheet.objects.count() == 1


def test_a_sheet_confirmed_by_hand_and_the_tables_own(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = unrecorded(monkeypatch)
    scene = laid.scene
    sheet = scoresheets.submit(
        actor=scene.users["anna"], fixture=scene.fixture, content=totals_sheet((60, 20)), origin="page"
    )
    outcomes = at_once(
        told(lambda: scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)),
        told(lambda: results.record(table_id=laid.table.pk)),
    )
    codes = refused(outcomes)
    confirmed = Scoresheet.objects.confirmed().get()
    by_hand = confirmed.pk == sheet.pk

    assert bool(codes) != by_hand, "the pair is told when the table was first"
    assert bool(Table.objects.get().fault) == by_hand, "and the table says so when it was not"
    waiting = Scoresheet.objects.exclude(pk=confirmed.pk)
    assert {each.verdict for each in waiting} <= {Scoresheet.Verdict.REPLACED}
