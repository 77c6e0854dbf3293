"""Acting at a table: once, in turn, on the newest state, from one window, within the time."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Action, Table, TableDeal, TableRequest, TableSeat
from games.tables.services import (
    play,
    requests,
    rulings,
    seats,
    sweeping,
)
from games.tables.state import facts as reading
from games.tables.state.clocks import clock_of
from games.tables.state.replays import replay_of
from games.tables.state.seat_view import Reader, view_for
from games.tables.steps import STEPS
from league.errors import Conflict, Invalid, LeagueError, NotAllowed
from league.models import AuditEntry
from tests.live.tables import (
    START,
    Laid,
    all_ready,
    casual_table,
    laid_in,
    match_table,
    move,
    moves,
    next_move,
    play_deal,
    sent,
)
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db(transaction=True)


def code_of(refusal: pytest.ExceptionInfo[LeagueError]) -> str:
    return refusal.value.code


def other(laid: Laid) -> str:
    """A seat that is not on turn, of the other side."""
    return "NESW"["NESW".index(laid.turn()) - 1]


def test_the_same_action_twice_has_one_effect() -> None:
    laid = match_table()
    actor, asked = laid.at(laid.turn()), sent(laid.facts(), next_move(laid.facts()), "once")
    first = play.act(actor=actor, table_id=laid.table.pk, sent=asked)
    again = play.act(actor=actor, table_id=laid.table.pk, sent=asked)

    assert Action.objects.count() == 1
    assert again.version == first.version
    assert again.deal is not None
    assert again.deal.fold.next_number == 1


def test_the_last_action_of_a_deal_may_be_repeated_when_the_next_has_begun() -> None:
    laid = match_table()
    while laid.facts().state == Table.State.PLAYING:
        facts, actor = laid.facts(), laid.at(laid.turn())
        asked = sent(facts, next_move(facts))
        play.act(actor=actor, table_id=laid.table.pk, sent=asked)
    all_ready(laid)
    before = Action.objects.count()

    facts = play.act(actor=actor, table_id=laid.table.pk, sent=asked)

    assert Action.objects.count() == before
    assert facts.deal_number == 2


def test_a_key_of_another_action_is_refused() -> None:
    laid = match_table()
    move(laid)
    first = Action.objects.get()
    facts = laid.facts()
    with pytest.raises(Conflict) as refusal:
        play.act(
            actor=laid.at(laid.turn()), table_id=laid.table.pk, sent=sent(facts, next_move(facts), first.key)
        )

    assert code_of(refusal) == "key_used"


@pytest.mark.parametrize("change", [{"number": 1}, {"number": 3}, {"deal": 2}, {"deal": 0}])
def test_an_action_for_another_moment_is_stale(change: dict[str, Any]) -> None:
    laid = match_table()
    moves(laid, 2)
    facts = laid.facts()
    with pytest.raises(Conflict) as refusal:
        play.act(
            actor=laid.at(laid.turn()),
            table_id=laid.table.pk,
            sent=replace(sent(facts, next_move(facts)), **change),
        )

    assert code_of(refusal) == "stale"
    assert Action.objects.count() == 2


def test_nobody_acts_out_of_turn_or_without_a_seat() -> None:
    laid = match_table()
    facts = laid.facts()
    with pytest.raises(Conflict) as refusal:
        play.act(actor=laid.at(other(laid)), table_id=laid.table.pk, sent=sent(facts, next_move(facts)))
    assert code_of(refusal) == "not_your_turn"
    for who in ("iris", "dora"):
        with pytest.raises(NotAllowed) as no_seat:
            play.act(actor=laid.scene.users[who], table_id=laid.table.pk, sent=sent(facts, next_move(facts)))
        assert no_seat.value.code == "no_seat"


def test_what_the_rules_refuse_is_not_written() -> None:
    laid = match_table()
    for token in ("-", ">", "", "1x", "As As"):
        with pytest.raises(Invalid):
            play.act(actor=laid.at(laid.turn()), table_id=laid.table.pk, sent=sent(laid.facts(), token))
    assert not Action.objects.exists()


def test_the_older_window_does_not_play() -> None:
    laid = match_table()
    actor = laid.at(laid.turn())
    seats.take_window(actor=actor, table_id=laid.table.pk, window="new")
    asked = replace(sent(laid.facts(), next_move(laid.facts())), window="old")
    with pytest.raises(Conflict) as refusal:
        play.act(actor=actor, table_id=laid.table.pk, sent=asked)
    assert code_of(refusal) == "other_window"

    play.act(actor=actor, table_id=laid.table.pk, sent=replace(asked, window="new"))
    assert Action.objects.count() == 1


def test_the_log_cannot_be_changed() -> None:
    laid = match_table()
    move(laid)
    with pytest.raises(IntegrityError), transaction.atomic():
        Action.objects.update(token="2c")
    with pytest.raises(IntegrityError), transaction.atomic():
        Action.objects.all().delete()


def test_a_take_back_needs_all_four_and_voids_the_last_action() -> None:
    laid = match_table()
    moves(laid, 3)
    before, turn = laid.facts(), laid.turn()
    move(laid)
    requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    asked = TableRequest.objects.get()
    others = [seat for seat in "NESW" if seat != turn]
    for seat in others:
        assert laid.facts().deal.fold.next_number == 4  # type: ignore[union-attr]
        requests.answer(actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=True)

    after = laid.facts()
    assert after.deal is not None
    assert before.deal is not None
    assert after.deal.fold.state == before.deal.fold.state
    assert after.deal.fold.next_number == 5
    assert Action.objects.count() == 5
    assert reading.fresh(laid.table.pk).deal.fold.state == before.deal.fold.state  # type: ignore[union-attr]
    move(laid)
    assert laid.facts().deal.fold.counting[-1].number == 5  # type: ignore[union-attr]


def test_a_take_back_that_one_refuses_changes_nothing() -> None:
    laid = match_table()
    turn = laid.turn()
    move(laid)
    requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    asked = TableRequest.objects.get()
    one = "NESW"["NESW".index(turn) - 1]
    requests.answer(actor=laid.at(one), table_id=laid.table.pk, request_id=asked.pk, agrees=False)

    with pytest.raises(Conflict) as refusal:
        requests.answer(actor=laid.at(one), table_id=laid.table.pk, request_id=asked.pk, agrees=True)
    assert code_of(refusal) == "decided"
    assert Action.objects.count() == 1


def test_a_take_back_is_too_late_when_somebody_else_has_acted() -> None:
    laid = match_table()
    turn = laid.turn()
    move(laid)
    requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    move(laid)

    assert TableRequest.objects.get().state == TableRequest.State.LAPSED
    with pytest.raises(Conflict) as refusal:
        requests.take_back(actor=laid.at(turn), table_id=laid.table.pk)
    assert code_of(refusal) == "too_late"


def test_robots_agree_to_everything_at_a_casual_table() -> None:
    laid = casual_table(make_scene())
    requests.pause(actor=laid.at("W"), table_id=laid.table.pk)

    assert laid.facts().is_paused


def test_in_a_match_nothing_is_taken_back_where_no_opponent_is_there_to_agree() -> None:
    laid = match_table(robots=dict.fromkeys("NS", "novice"))
    seat = laid.turn()
    move(laid)
    with pytest.raises(Conflict) as refusal:
        requests.take_back(actor=laid.at(seat), table_id=laid.table.pk)
    assert refusal.value.code == "nobody_to_ask"


def test_a_director_takes_back_to_any_action_with_a_reason() -> None:
    laid = match_table()
    moves(laid, 3)
    before = laid.facts().deal
    moves(laid, 9)
    dora = laid.scene.users["dora"]
    with pytest.raises(Invalid) as refusal:
        rulings.roll_back(actor=dora, table_id=laid.table.pk, to=3, reason=" ")
    assert code_of(refusal) == "no_reason"
    rulings.roll_back(actor=dora, table_id=laid.table.pk, to=3, reason="A card was shown.")

    after = laid.facts().deal
    assert after is not None
    assert before is not None
    assert after.fold.state == before.fold.state
    assert Action.objects.count() == 13
    assert AuditEntry.objects.get(action="table.rolled_back").reason == "A card was shown."


def test_a_director_takes_back_into_a_deal_that_is_over() -> None:
    laid = match_table()
    play_deal(laid)
    deal = laid.facts().deal
    assert deal is not None
    rulings.roll_back(actor=laid.scene.users["dora"], table_id=laid.table.pk, to=10, reason="Wrong card.")

    facts = laid.facts()
    assert facts.state == Table.State.PLAYING
    assert facts.played == ()
    assert TableDeal.objects.get().finished_at is None
    assert play_deal(laid).state == Table.State.BETWEEN
    assert len(laid.facts().played) == 1


def test_without_a_match_a_deal_that_can_be_replayed_is_not_taken_back() -> None:
    laid = casual_table(make_scene())
    dora = laid.scene.users["dora"]

    def may() -> list[str]:
        reader = Reader(may_rule=True)
        return list(view_for(facts=laid.facts(), reader=reader, at=START)["you"]["may"])

    assert {"roll_back", "add_time"} <= set(may())
    rulings.roll_back(actor=dora, table_id=laid.table.pk, to=0, reason="A card fell.")
    assert play_deal(laid).state == Table.State.BETWEEN
    assert replay_of(laid.table, 1, visitor=dora) is not None
    assert not {"roll_back", "add_time"} & set(may())
    with pytest.raises(Conflict) as refusal:
        rulings.roll_back(actor=dora, table_id=laid.table.pk, to=1, reason="Wrong card.")
    assert code_of(refusal) == "deal_over"
    all_ready(laid)
    assert "roll_back" in may()


def test_time_is_added_only_where_clocks_run() -> None:
    laid = match_table(clock_seconds=0)
    told = view_for(facts=laid.facts(), reader=Reader(may_rule=True), at=START)
    assert "roll_back" in told["you"]["may"]
    assert "add_time" not in told["you"]["may"]
    with pytest.raises(Conflict) as refusal:
        rulings.add_time(actor=laid.scene.users["dora"], table_id=laid.table.pk, minutes=5)
    assert code_of(refusal) == "no_clock"


@pytest.mark.parametrize("who", ["sam", "anna", "iris", "stranger"])
def test_only_a_director_who_does_not_play_takes_back(who: str) -> None:
    laid = match_table()
    moves(laid, 3)
    with pytest.raises(NotAllowed):
        rulings.roll_back(actor=laid.scene.users[who], table_id=laid.table.pk, to=0, reason="Because")


def test_a_pause_stops_play_and_the_clocks() -> None:
    laid = match_table()
    turn = laid.turn()
    at = START + timedelta(seconds=40)
    requests.pause(actor=laid.at(turn), table_id=laid.table.pk, at=at)
    asked = TableRequest.objects.get()
    for seat in set("NESW") - {turn}:
        requests.answer(actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=True, at=at)
    with pytest.raises(Conflict) as refusal:
        move(laid)
    assert code_of(refusal) == "paused"
    later = at + timedelta(minutes=30)
    clock = clock_of(laid.facts(), later)
    assert clock is not None
    assert clock.running is None
    requests.resume(actor=laid.at(other(laid)), table_id=laid.table.pk, at=later)
    told = view_for(facts=laid.facts(), reader=Reader("N"), at=later)["deal"]
    assert told["turn_ms"] == 40_000, "a pause is no time in which somebody could have acted"
    side = laid.facts().deal.fold.side_on_turn  # type: ignore[union-attr]
    move(laid, at=later + timedelta(seconds=20))

    clock = clock_of(laid.facts(), later + timedelta(seconds=20))
    assert clock is not None
    assert clock.left[side or ""] == 900_000 - 60_000


def test_what_waits_for_somebody_who_has_gone_is_asked_anew() -> None:
    laid = match_table()
    key, (one, *others, gone) = laid.table.pk, list("NESW")
    requests.pause(actor=laid.at(one), table_id=key)
    seats.stand_up(actor=laid.at(gone), table_id=key)
    assert TableRequest.objects.get().state == "lapsed", (
        "else it would wait for nobody to the end of the deal"
    )
    requests.pause(actor=laid.at(one), table_id=key)
    asked = TableRequest.objects.latest("pk")
    for seat in others:
        requests.answer(actor=laid.at(seat), table_id=key, request_id=asked.pk, agrees=True)

    assert laid.facts().is_paused


def test_when_a_sides_time_is_up_a_robot_plays_on() -> None:
    laid = match_table(clock_seconds=60)
    turn = laid.turn()
    late = START + timedelta(seconds=61)
    assert requests.check_time(table_id=laid.table.pk, at=START + timedelta(seconds=59)) is False
    assert requests.check_time(table_id=laid.table.pk, at=late) is True
    assert requests.check_time(table_id=laid.table.pk, at=late) is False

    facts = laid.facts()
    assert facts.deal is not None
    assert {line.robot for line in facts.deal.fold.lines} == {"novice"}
    assert facts.deal.fold.turn not in {turn, laid.table.places[(laid.table.places.index(turn) + 2) % 4]}
    with pytest.raises(Conflict) as refusal:
        play.act(actor=laid.at(turn), table_id=laid.table.pk, sent=sent(facts, "-"))
    assert code_of(refusal) == "time_is_up"
    rulings.add_time(actor=laid.scene.users["dora"], table_id=laid.table.pk, minutes=5)
    assert laid.facts().robot_at(turn) == ""


def test_time_that_is_given_twice_by_one_press_is_given_once() -> None:
    laid = match_table(clock_seconds=60)

    def press() -> None:
        body = {"minutes": 5, "reason": "Late", "limit_ms": 60_000}
        STEPS["add_time"](laid.scene.users["dora"], laid.table.pk, body)

    press()
    with pytest.raises(Conflict) as refusal:
        press()
    assert code_of(refusal) == "decided"
    facts = laid.facts()
    assert facts.deal is not None
    assert facts.deal.extra_seconds == 300


def test_an_absence_that_is_claimed_twice_by_one_press_takes_one_seat() -> None:
    laid = match_table(absence_seconds=30)
    turn, late = laid.turn(), START + timedelta(seconds=31)
    actor = laid.at(next(seat for seat in laid.table.places if seat != turn))
    requests.claim_absence(actor=actor, table_id=laid.table.pk, at=late)
    for is_played in (False, True):
        if is_played:
            play.play_robots(table_id=laid.table.pk)
        with pytest.raises(Conflict):
            requests.claim_absence(actor=actor, table_id=laid.table.pk, at=late)
    assert [holder.robot for holder in laid.facts().seats.values()].count("") == 3


def test_when_the_time_is_up_a_director_is_called_where_the_terms_say_so() -> None:
    laid = match_table(clock_seconds=60, on_timeout="director")
    requests.check_time(table_id=laid.table.pk, at=START + timedelta(seconds=61))

    asked = TableRequest.objects.get()
    assert (asked.kind, asked.state) == ("time", "open")
    assert not Action.objects.exists()
    rulings.settle(
        actor=laid.scene.users["dora"], table_id=laid.table.pk, request_id=asked.pk, answer="Play on."
    )
    assert TableRequest.objects.get().answer == "Play on."


def test_the_sweep_finds_the_clock_that_ran_out() -> None:
    match_table(clock_seconds=60)
    TableDeal.objects.update(started_at=timezone.now() - timedelta(minutes=5))
    Table.objects.update(due_at=timezone.now() - timedelta(minutes=5), version=99)
    sweeping.sweep(at=timezone.now())

    assert Action.objects.filter(robot="novice").exists()


def test_a_table_that_cannot_be_read_holds_up_no_other() -> None:
    scene = make_scene()
    lost = casual_table(scene)
    laid_in(scene, clock_seconds=60)
    TableDeal.objects.update(started_at=timezone.now() - timedelta(minutes=5))
    TableDeal.objects.filter(table=lost.table).update(secret="of a key that is gone")
    Table.objects.update(due_at=timezone.now() - timedelta(minutes=5), version=99)
    sweeping.sweep(at=timezone.now())

    assert TableRequest.objects.get(kind="time").table_id != lost.table.pk


def test_an_absent_player_is_replaced_by_a_robot_after_a_time() -> None:
    laid = match_table()
    turn, one = laid.turn(), other(laid)
    with pytest.raises(Conflict) as refusal:
        requests.claim_absence(actor=laid.at(one), table_id=laid.table.pk, at=START + timedelta(seconds=179))
    assert code_of(refusal) == "not_yet"
    requests.claim_absence(actor=laid.at(one), table_id=laid.table.pk, at=START + timedelta(seconds=181))
    assert TableSeat.objects.get(table=laid.table, seat=turn, left_at=None).robot == "novice"

    seats.sit(actor=laid.at(turn), table_id=laid.table.pk, seat=turn)
    assert laid.facts().seats[turn].user == laid.at(turn).pk
    assert TableSeat.objects.filter(table=laid.table, seat=turn).count() == 3


def test_nobody_talks_during_a_deal() -> None:
    laid = match_table(begun=False)
    requests.say(actor=laid.at("N"), table_id=laid.table.pk, phrase="hello")
    shown = view_for(facts=laid.facts(), reader=Reader("E"), at=START)["phrases"]
    assert shown == [{"seat": "N", "phrase": "hello"}]
    with pytest.raises(Invalid):
        requests.say(actor=laid.at("N"), table_id=laid.table.pk, phrase="I have four aces")
    all_ready(laid)
    with pytest.raises(Conflict) as refusal:
        requests.say(actor=laid.at("N"), table_id=laid.table.pk, phrase="hello")
    assert code_of(refusal) == "deal_going_on"
    assert view_for(facts=laid.facts(), reader=Reader("E"), at=START)["phrases"] == []


def test_what_was_said_before_a_deal_is_not_told_again_after_it() -> None:
    laid = match_table(robots=dict.fromkeys("NS", "novice"), begun=False)
    requests.say(actor=laid.at("W"), table_id=laid.table.pk, phrase="hello")
    all_ready(laid)
    play_deal(laid)

    def told() -> list[Any]:
        return list(view_for(facts=laid.facts(), reader=Reader("E"), at=START)["phrases"])

    assert told() == []
    for _each in range(requests.MOST_PHRASES):
        requests.say(actor=laid.at("W"), table_id=laid.table.pk, phrase="thanks")
    assert told() == [{"seat": "W", "phrase": "thanks"}] * requests.MOST_PHRASES


def test_in_a_match_everybody_sits_at_the_own_seat() -> None:
    laid = match_table(begun=False, robots={"N": "novice"})
    for who, seat in (("iris", "N"), ("dora", "N"), ("eva", "N"), ("luis", "E")):
        with pytest.raises(LeagueError):
            seats.sit(actor=laid.scene.users[who], table_id=laid.table.pk, seat=seat)
    seats.sit(actor=laid.at("N"), table_id=laid.table.pk, seat="N")
    assert laid.facts().seats["N"].robot == ""


def test_a_deal_waits_until_everybody_is_there_and_ready() -> None:
    laid = match_table(begun=False)
    for seat in "NES":
        seats.ready(actor=laid.at(seat), table_id=laid.table.pk)
        assert laid.facts().state == Table.State.WAITING
    seats.ready(actor=laid.at("W"), table_id=laid.table.pk)
    assert laid.facts().state == Table.State.PLAYING
