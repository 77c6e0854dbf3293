"""Hostile play at a table: old keys, claims against who is there, other people's robots, calls that come back."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from games.models import Action, Scoresheet, Table, TableRequest
from games.scoresheets.services import scoresheets
from games.tables.services import (
    opening,
    play,
    requests,
    rulings,
    seats,
)
from games.tables.state import facts as reading
from league.errors import Conflict, LeagueError, NotAllowed
from league.models import AuditEntry, Competition
from tests.live.tables import (
    START,
    Laid,
    all_ready,
    laid_in,
    match_table,
    move,
    moves,
    next_move,
    play_deal,
    sent,
)
from tests.scenes import make_scene, totals_sheet

pytestmark = pytest.mark.django_db(transaction=True)
Kind, Asked = TableRequest.Kind, TableRequest.State


@pytest.fixture(autouse=True)
def _forget_tables() -> None:
    reading.memory.forget()


def one_after(laid: Laid, seat: str, many: int = 1) -> str:
    """The seat so many to the left."""
    return "NESW"[("NESW".index(seat) + many) % 4]


def paused(laid: Laid, seconds: int) -> None:
    """A pause that all agree to, so many seconds after the start."""
    at = START + timedelta(seconds=seconds)
    requests.pause(actor=laid.at("N"), table_id=laid.table.pk, at=at)
    asked = TableRequest.objects.get(kind=Kind.PAUSE, state=Asked.OPEN)
    for seat in "ESW":
        requests.answer(actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=True, at=at)


def test_an_old_key_does_not_stand_for_the_same_token_at_another_moment() -> None:
    """It would be acknowledged, and nothing would have been done."""
    laid = match_table()
    passed = None
    while passed is None:
        facts = laid.facts()
        asked = sent(facts, next_move(facts))
        after = play.act(actor=laid.at(laid.turn()), table_id=laid.table.pk, sent=asked)
        passed = asked if asked.token == "-" else None
        actor = laid.at(facts.deal.fold.turn or "")  # type: ignore[union-attr]
    before = Action.objects.count()
    again = play.act(actor=actor, table_id=laid.table.pk, sent=passed)
    assert again.version == after.version
    with pytest.raises(Conflict) as refusal:
        play.act(actor=actor, table_id=laid.table.pk, sent=replace(passed, number=passed.number + 8))

    assert refusal.value.code == "key_used"
    assert Action.objects.count() == before


def test_an_old_key_of_an_earlier_deal_does_not_either() -> None:
    laid = match_table()
    while laid.facts().state == "playing":
        facts, actor = laid.facts(), laid.at(laid.turn())
        asked = sent(facts, next_move(facts))
        play.act(actor=actor, table_id=laid.table.pk, sent=asked)

    with pytest.raises(Conflict):
        play.act(actor=actor, table_id=laid.table.pk, sent=replace(asked, number=0))


def test_nobody_is_absent_during_a_pause() -> None:
    laid = match_table()
    turn = laid.turn()
    paused(laid, 10)
    with pytest.raises(Conflict) as refusal:
        requests.claim_absence(
            actor=laid.at(one_after(laid, turn)), table_id=laid.table.pk, at=START + timedelta(minutes=20)
        )

    assert refusal.value.code == "paused"
    assert laid.facts().seats[turn].robot == ""


def test_the_time_of_a_pause_makes_nobody_absent_after_it() -> None:
    laid = match_table()
    turn = laid.turn()
    paused(laid, 10)
    requests.resume(actor=laid.at(turn), table_id=laid.table.pk, at=START + timedelta(minutes=20))
    claim = partial(requests.claim_absence, actor=laid.at(one_after(laid, turn)), table_id=laid.table.pk)
    with pytest.raises(Conflict) as refusal:
        claim(at=START + timedelta(minutes=20, seconds=169))
    assert refusal.value.code == "not_yet"

    claim(at=START + timedelta(minutes=20, seconds=171))
    assert laid.facts().seats[turn].robot == "novice"


def test_opponents_do_not_change_a_pairs_robot() -> None:
    laid = match_table(robots={"S": "expert"})
    for seat in "EW":
        with pytest.raises(LeagueError) as refusal:
            seats.seat_robot(actor=laid.at(seat), table_id=laid.table.pk, seat="S")
        assert refusal.value.code == "not_your_robot"
    with pytest.raises(LeagueError) as refusal:
        seats.seat_robot(actor=laid.at("N"), table_id=laid.table.pk, seat="S", robot="player")
    assert refusal.value.code == "robot_fixed"
    assert laid.facts().seats["S"].robot == "expert"


def test_who_does_not_sit_at_a_casual_table_changes_no_robot_there() -> None:
    scene = match_table(begun=False).scene
    table = opening.open_casual(actor=scene.users["anna"], club=scene.club, terms={}, options={})
    seats.sit(actor=scene.users["anna"], table_id=table.pk, seat="N")
    seats.seat_robot(actor=scene.users["anna"], table_id=table.pk, seat="E", robot="expert")
    with pytest.raises(LeagueError):
        seats.seat_robot(actor=scene.users["iris"], table_id=table.pk, seat="E", robot="novice")

    seats.seat_robot(actor=scene.users["anna"], table_id=table.pk, seat="E", robot="player")
    assert reading.fresh(table.pk).seats["E"].robot == "player"


def test_a_call_that_a_director_has_settled_does_not_come_back_by_itself() -> None:
    laid = match_table(clock_seconds=60, on_timeout="director")
    late = START + timedelta(seconds=61)
    requests.check_time(table_id=laid.table.pk, at=late)
    dora = laid.scene.users["dora"]
    asked = TableRequest.objects.get()
    rulings.settle(
        actor=dora, table_id=laid.table.pk, request_id=asked.pk, answer="Play on, a little faster."
    )

    assert requests.check_time(table_id=laid.table.pk, at=late + timedelta(seconds=5)) is False
    rulings.add_time(actor=dora, table_id=laid.table.pk, minutes=1)
    assert requests.check_time(table_id=laid.table.pk, at=late + timedelta(seconds=30)) is False
    assert requests.check_time(table_id=laid.table.pk, at=late + timedelta(seconds=90)) is True


def test_an_action_taken_back_is_not_asked_for_again_and_again() -> None:
    laid = match_table()
    turn = laid.turn()
    move(laid)
    requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    asked = TableRequest.objects.get()
    with pytest.raises(Conflict) as twice:
        requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    assert twice.value.code == "asked"
    with pytest.raises(NotAllowed):
        requests.answer(
            actor=laid.scene.users["iris"], table_id=laid.table.pk, request_id=asked.pk, agrees=True
        )
    refuses = laid.at(one_after(laid, turn))
    requests.answer(actor=refuses, table_id=laid.table.pk, request_id=asked.pk, agrees=False)
    with pytest.raises(Conflict) as again:
        requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    assert again.value.code == "refused"

    moves(laid, 3)
    move(laid)
    assert laid.facts().deal is not None


def test_nobody_talks_without_end() -> None:
    """Each phrase is a row, and all of a deal are read with the table: a flood would hold up all four."""
    laid = match_table(begun=False)
    for _each in range(requests.MOST_PHRASES):
        requests.say(actor=laid.at("N"), table_id=laid.table.pk, phrase="hello")
    with pytest.raises(Conflict) as refusal:
        requests.say(actor=laid.at("N"), table_id=laid.table.pk, phrase="hello")
    assert refusal.value.code == "enough"

    requests.say(actor=laid.at("E"), table_id=laid.table.pk, phrase="hello")
    all_ready(laid)
    Table.objects.update(state=Table.State.BETWEEN, version=99)
    requests.say(actor=laid.at("N"), table_id=laid.table.pk, phrase="thanks")


def test_a_made_up_sheet_does_not_keep_a_lost_match_from_counting() -> None:
    scene = make_scene()
    Competition.objects.update(rules={"deals": 1})
    for thing in (scene.competition, scene.fixture):
        thing.refresh_from_db()
    laid = laid_in(scene)
    made_up = scoresheets.submit(
        actor=laid.at("N"), fixture=scene.fixture, content=totals_sheet((99, 0)), origin="page"
    )
    facts = play_deal(laid)
    table, sheet = Table.objects.get(pk=laid.table.pk), Scoresheet.objects.confirmed().get()
    made_up.refresh_from_db()

    assert table.fault == ""
    assert table.sheet_id == sheet.pk != made_up.pk
    assert [sheet.home_total, sheet.away_total] == list(facts.result.total.values())
    assert made_up.verdict == Scoresheet.Verdict.REPLACED
    told = AuditEntry.objects.get(action="sheet.submitted", actor_name="table")
    assert told.before is not None
    assert told.before["version"] == made_up.version, "what was replaced is named"


def test_nobody_rules_where_he_sits_whatever_his_office() -> None:
    laid = match_table()
    moves(laid, 3)
    anna = laid.at("N")
    anna.is_superuser = anna.is_staff = True
    anna.save()
    with pytest.raises(NotAllowed):
        rulings.roll_back(actor=anna, table_id=laid.table.pk, to=0, reason="I did not see that.")
    with pytest.raises(NotAllowed):
        rulings.add_time(actor=anna, table_id=laid.table.pk, minutes=60)
    assert Action.objects.count() == 3
