"""Standing up is a press, a lost line is not: who comes back when, and who is asked."""

from datetime import timedelta
from typing import Any

import pytest

from games.models import Table, TableRequest
from games.tables.services import (
    play,
    requests,
    rulings,
    seats,
)
from games.tables.state.reader import standing_of
from games.tables.state.seat_view import view_for
from league.errors import Conflict, LeagueError, NotAllowed
from league.fixtures.services import substitutions
from league.models import Membership, Player, Role, Substitution
from tests.live.tables import START, Laid, casual_table, match_table, move, moves, play_deal
from tests.scenes import make_scene, make_user

pytestmark = pytest.mark.django_db
LATER = START + timedelta(minutes=10)


def stood_up(robots: str = "novice") -> tuple[Laid, str]:
    """A deal going on; the seat whose player has left it by a press, a robot in it."""
    laid = match_table(robot=robots)
    seat = laid.turn()
    seats.stand_up(actor=laid.at(seat), table_id=laid.table.pk, at=LATER)
    seats.seat_robot(actor=laid.at(seat), table_id=laid.table.pk, seat=seat, at=LATER)
    return laid, seat


def refused(laid: Laid, seat: str) -> str:
    with pytest.raises(LeagueError) as refusal:
        seats.sit(actor=laid.at(seat), table_id=laid.table.pk, seat=seat, at=LATER)
    return refusal.value.code


def ask(laid: Laid, seat: str) -> TableRequest:
    requests.come_back(actor=laid.at(seat), table_id=laid.table.pk, at=LATER)
    return TableRequest.objects.get(kind="return", state="open")


def answer(laid: Laid, seat: str, asked: TableRequest, *, agrees: bool = True) -> None:
    requests.answer(actor=laid.at(seat), table_id=laid.table.pk, request_id=asked.pk, agrees=agrees, at=LATER)


def sides(seat: str) -> tuple[str, str]:
    """The two opponents of the seat."""
    return ("E", "W") if seat in "NS" else ("N", "S")


def view_of(laid: Laid, seat: str) -> dict[str, Any]:
    """What the player of the seat is told, who holds it or not."""
    facts = laid.facts()
    table = Table.objects.with_match().get(pk=laid.table.pk)
    return view_for(facts=facts, reader=standing_of(laid.at(seat), table).reader(facts), at=LATER)


def may(laid: Laid, seat: str) -> list[str]:
    return list(view_of(laid, seat)["you"]["may"])


def test_who_stands_up_in_a_deal_does_not_sit_down_in_it_again() -> None:
    laid, seat = stood_up()
    for _each in range(3):
        assert refused(laid, seat) == "stood_up"
        play.play_robots(table_id=laid.table.pk)
        if laid.turn() != seat and not laid.facts().seats[laid.turn()].robot:
            move(laid)
    assert laid.facts().seats[seat].robot == "novice"
    assert not any(row["may_sit"] for row in view_of(laid, seat)["seats"])
    assert "return" in may(laid, seat)


def test_after_the_deal_the_seat_is_theirs() -> None:
    laid, seat = stood_up()
    while laid.facts().state == Table.State.PLAYING:
        play.play_robots(table_id=laid.table.pk)
        if laid.facts().state == Table.State.PLAYING:
            move(laid)
    seats.sit(actor=laid.at(seat), table_id=laid.table.pk, seat=seat, at=LATER)
    assert laid.facts().seats[seat].user == laid.at(seat).pk


def test_both_opponents_agree_and_nobody_else_is_asked() -> None:
    laid, seat = stood_up()
    one, other = sides(seat)
    partner = next(each for each in "NESW" if each not in {one, other, seat})
    asked = ask(laid, seat)
    assert view_of(laid, seat)["requests"][0]["needs"] == [one, other]
    assert "answer" in may(laid, one)
    assert "answer" not in may(laid, partner)
    with pytest.raises(NotAllowed) as refusal:
        answer(laid, partner, asked)
    assert refusal.value.code == "not_asked"

    answer(laid, one, asked)
    assert refused(laid, seat) == "stood_up"
    answer(laid, other, asked)
    assert laid.facts().seats[seat].user == laid.at(seat).pk


def test_a_refusal_holds_for_the_deal_and_the_wish_is_not_repeated() -> None:
    laid, seat = stood_up()
    answer(laid, sides(seat)[0], ask(laid, seat), agrees=False)
    for code in ("refused", "refused"):
        with pytest.raises(Conflict) as refusal:
            ask(laid, seat)
        assert refusal.value.code == code
        play.play_robots(table_id=laid.table.pk)
    assert "return" not in may(laid, seat)


def test_a_refusal_is_told_to_who_asked_until_the_deal_is_over() -> None:
    laid, seat = stood_up()
    asked = ask(laid, seat)
    answer(laid, sides(seat)[0], asked, agrees=False)
    shown = [(each["id"], each["state"]) for each in view_of(laid, seat)["requests"]]
    assert shown == [(asked.pk, "refused")]
    assert not any(view_of(laid, other)["requests"] for other in sides(seat))
    while laid.facts().state == Table.State.PLAYING:
        play.play_robots(table_id=laid.table.pk)
        if laid.facts().state == Table.State.PLAYING:
            move(laid)
    assert not view_of(laid, seat)["requests"]


def test_an_opponent_who_leaves_has_not_agreed_and_robots_agree_to_nothing() -> None:
    laid, seat = stood_up()
    one, other = sides(seat)
    asked = ask(laid, seat)
    answer(laid, one, asked)
    seats.stand_up(actor=laid.at(other), table_id=laid.table.pk, at=LATER)
    asked.refresh_from_db()
    assert asked.state == "lapsed"
    seats.stand_up(actor=laid.at(one), table_id=laid.table.pk, at=LATER)
    for each in (one, other):
        seats.seat_robot(actor=laid.at(each), table_id=laid.table.pk, seat=each, at=LATER)
    with pytest.raises(Conflict) as refusal:
        ask(laid, seat)
    assert refusal.value.code == "nobody_to_ask"
    assert refused(laid, seat) == "stood_up"


def test_who_was_called_absent_comes_back_at_any_moment() -> None:
    laid = match_table()
    for _each in range(3):
        seat = laid.turn()
        facts = laid.facts()
        assert facts.deal is not None
        late = facts.deal.fold.since + timedelta(seconds=181)
        requests.claim_absence(actor=laid.at(sides(seat)[0]), table_id=laid.table.pk, at=late)
        assert laid.facts().seats[seat].robot == "novice"
        play.play_robots(table_id=laid.table.pk)
        seats.sit(actor=laid.at(seat), table_id=laid.table.pk, seat=seat, at=late)
        assert laid.facts().seats[seat].user == laid.at(seat).pk


def test_who_stands_up_between_two_deals_comes_back_in_the_next() -> None:
    laid = match_table()
    play_deal(laid)
    ended = laid.facts().played[-1].finished_at
    seats.stand_up(actor=laid.at("N"), table_id=laid.table.pk, at=ended)
    seats.seat_robot(actor=laid.at("N"), table_id=laid.table.pk, seat="N", at=ended)
    for seat in "ESW":
        seats.ready(actor=laid.at(seat), table_id=laid.table.pk, at=ended + timedelta(seconds=5))
    assert laid.facts().state == Table.State.PLAYING
    seats.sit(actor=laid.at("N"), table_id=laid.table.pk, seat="N", at=ended + timedelta(seconds=9))
    assert laid.facts().seats["N"].user == laid.at("N").pk


def test_where_no_robots_play_nobody_else_has_played_on() -> None:
    laid = match_table()
    Table.objects.update(robots=False, version=laid.facts().version + 1)
    seat = laid.turn()
    seats.stand_up(actor=laid.at(seat), table_id=laid.table.pk, at=LATER)
    seats.sit(actor=laid.at(seat), table_id=laid.table.pk, seat=seat, at=LATER)
    assert laid.facts().seats[seat].user == laid.at(seat).pk


def test_at_a_casual_table_people_come_and_go() -> None:
    laid = casual_table(make_scene())
    seats.stand_up(actor=laid.at("W"), table_id=laid.table.pk, at=LATER)
    seats.sit(actor=laid.at("W"), table_id=laid.table.pk, seat="W", at=LATER)
    assert laid.facts().seats["W"].user == laid.at("W").pk


def test_a_robots_action_is_not_a_players_to_take_back() -> None:
    laid = match_table()
    seat = laid.turn()
    facts = laid.facts()
    assert facts.deal is not None
    late = facts.deal.fold.since + timedelta(seconds=181)
    requests.claim_absence(actor=laid.at(sides(seat)[0]), table_id=laid.table.pk, at=late)
    play.act(
        actor=play.robot_actor(laid.facts()),
        table_id=laid.table.pk,
        sent=play.robots_action(laid.facts()),  # type: ignore[arg-type]
        at=late,
    )
    seats.sit(actor=laid.at(seat), table_id=laid.table.pk, seat=seat, at=late)
    with pytest.raises(Conflict) as refusal:
        requests.take_back(actor=laid.at(seat), table_id=laid.table.pk, at=late)
    assert refusal.value.code == "too_late"


def test_a_director_who_plays_rules_there_neither_from_the_seat_nor_beside_it() -> None:
    laid = match_table()
    moves(laid, 3)
    scene = laid.scene
    member = scene.club.memberships.get(user=laid.at("N"))
    scene.club.memberships.filter(role__in=["director", "owner"]).update(role="member")
    member.role = "director"
    member.save()
    seats.stand_up(actor=laid.at("N"), table_id=laid.table.pk, at=LATER)
    with pytest.raises(NotAllowed):
        rulings.roll_back(actor=laid.at("N"), table_id=laid.table.pk, to=0, reason="no", at=LATER)
    with pytest.raises(NotAllowed) as refusal:
        seats.seat_robot(actor=laid.at("N"), table_id=laid.table.pk, seat="E", at=LATER)
    assert refusal.value.code == "not_your_robot"


def test_robots_alone_begin_no_deal_of_a_match() -> None:
    laid = match_table()
    for seat in "NESW":
        seats.stand_up(actor=laid.at(seat), table_id=laid.table.pk, at=LATER)
        seats.seat_robot(actor=laid.at(seat), table_id=laid.table.pk, seat=seat, at=LATER)
    while play.play_robots(table_id=laid.table.pk):
        pass
    assert laid.facts().state == Table.State.BETWEEN
    seats.sit(actor=laid.at("E"), table_id=laid.table.pk, seat="E", at=LATER)
    seats.ready(actor=laid.at("E"), table_id=laid.table.pk, at=LATER)
    assert laid.facts().deal_number == 2


# A substitute


def hanna_for(laid: Laid, seat: str) -> Player:
    """Hanna is named to play for whose seat it is."""
    scene, name = laid.scene, "Hanna Helper"
    if "hanna" not in scene.users:
        scene.users["hanna"] = make_user(name)
        Membership.objects.create(user=scene.users["hanna"], club=scene.club, role=Role.MEMBER)
        Player.objects.create(club=scene.club, name=name, user=scene.users["hanna"])
    hanna = Player.objects.get(name=name)
    absent = Player.objects.get(user=laid.at(seat))
    substitutions.appoint(actor=laid.at(seat), fixture=scene.fixture, absent=absent, substitute=hanna)
    named = Substitution.objects.get(substitute=hanna)
    substitutions.answer(actor=scene.users["hanna"], substitution=named, accept=True)
    return hanna


def plays_after_all(laid: Laid, seat: str) -> None:
    substitutions.cancel(actor=laid.at(seat), substitution=Substitution.objects.get())


def sits(laid: Laid, name: str, seat: str) -> None:
    seats.sit(actor=laid.scene.users[name], table_id=laid.table.pk, seat=seat, at=LATER)


def partner_of(seat: str) -> str:
    return "NESW"[("NESW".index(seat) + 2) % 4]


def called_absent(laid: Laid, seat: str) -> None:
    requests.claim_absence(actor=laid.at(sides(seat)[0]), table_id=laid.table.pk, at=LATER)


def test_who_leaves_the_seat_to_a_robot_by_way_of_a_substitute_has_stood_up() -> None:
    laid = match_table(robot="expert")
    seat = laid.turn()
    hanna_for(laid, seat)
    seats.seat_robot(actor=laid.at(partner_of(seat)), table_id=laid.table.pk, seat=seat, at=LATER)
    play.play_robots(table_id=laid.table.pk)
    plays_after_all(laid, seat)

    assert refused(laid, seat) == "stood_up"
    one, other = sides(seat)
    asked = ask(laid, seat)
    answer(laid, one, asked)
    answer(laid, other, asked)
    assert laid.facts().seats[seat].user == laid.at(seat).pk


def test_who_leaves_the_seat_to_a_substitute_has_stood_up_and_so_has_the_substitute_who_gives_it_back() -> (
    None
):
    laid = match_table(robot="expert")
    seat = laid.turn()
    hanna_for(laid, seat)
    sits(laid, "hanna", seat)
    plays_after_all(laid, seat)
    assert refused(laid, seat) == "stood_up"

    seats.seat_robot(actor=laid.at(partner_of(seat)), table_id=laid.table.pk, seat=seat, at=LATER)
    hanna_for(laid, seat)
    with pytest.raises(Conflict) as refusal:
        sits(laid, "hanna", seat)
    assert refusal.value.code == "stood_up"


def test_a_call_for_absence_is_no_way_back_for_who_has_a_substitute() -> None:
    laid = match_table()
    seat = laid.turn()
    hanna_for(laid, seat)
    called_absent(laid, seat)
    play.play_robots(table_id=laid.table.pk)
    plays_after_all(laid, seat)
    assert refused(laid, seat) == "stood_up"


def test_who_was_called_absent_and_let_a_substitute_play_on_comes_back_after_the_deal() -> None:
    laid = match_table()
    seat = laid.turn()
    called_absent(laid, seat)
    hanna_for(laid, seat)
    sits(laid, "hanna", seat)
    plays_after_all(laid, seat)
    assert refused(laid, seat) == "stood_up"


def test_a_substitute_named_and_cancelled_while_nobody_took_the_seat_changes_nothing() -> None:
    laid = match_table()
    seat = laid.turn()
    hanna_for(laid, seat)
    plays_after_all(laid, seat)
    move(laid, at=LATER)
    assert laid.facts().seats[seat].user == laid.at(seat).pk


def test_a_substitute_named_between_two_deals_plays_the_next_and_the_player_the_one_after() -> None:
    laid = match_table()
    play_deal(laid)
    hanna_for(laid, "N")
    sits(laid, "hanna", "N")
    plays_after_all(laid, "N")
    sits(laid, "anna", "N")
    assert laid.facts().seats["N"].user == laid.at("N").pk
