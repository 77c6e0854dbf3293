"""Robots that stood in are recorded as robots: on the sheet, wherever the deal is shown, and in nobody's figures."""

import json
import re
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.boards.services import releases
from games.comparisons.reckoning import columns
from games.comparisons.reckoning.columns import Terms
from games.models import PlayedHand, PlayedSide, RobotHand, Scoresheet, Table
from games.records.display import robot_hands
from games.scoresheets.services import scoresheets
from games.tables.services import (
    play,
    requests,
    results,
    seats,
)
from league.errors import NotAllowed
from league.models import AuditEntry, Fixture
from tests.games.boards import duplicate_scene, sealed
from tests.live.tables import START, Laid, laid_in, match_table, move
from tests.lock_order import recorded
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db
LATER = START + timedelta(minutes=10)


def played(scene: Scene | None = None, *, leaves: str = "N", back: bool = True, **terms: Any) -> Laid:
    """A match played to its end; in its first deal a robot stands in for a seat, and its player comes back after it.

    Two deals: one with a robot, and one without.
    """
    laid = laid_in(scene or make_scene(deals=2), **terms)
    move(laid)
    seats.stand_up(actor=laid.at(leaves), table_id=laid.table.pk, at=LATER)
    seats.seat_robot(actor=laid.at(leaves), table_id=laid.table.pk, seat=leaves, at=LATER)
    while (facts := laid.facts()).state in {Table.State.PLAYING, Table.State.BETWEEN}:
        if facts.state == Table.State.PLAYING:
            play.play_robots(table_id=laid.table.pk)
            if laid.facts().state == Table.State.PLAYING and not laid.facts().robot_at(laid.turn()):
                move(laid)
            continue
        at = facts.played[-1].finished_at + timedelta(seconds=5)
        if back and facts.seats[leaves].robot:
            seats.sit(actor=laid.at(leaves), table_id=laid.table.pk, seat=leaves, at=at)
        for seat, holder in laid.facts().seats.items():
            if holder.user is not None:
                seats.ready(actor=laid.at(seat), table_id=laid.table.pk, at=at)
    return laid


def sheet_of(laid: Laid) -> Scoresheet:
    results.record(table_id=laid.table.pk)
    found = Scoresheet.objects.filter(match=laid.scene.fixture.pk, verdict="confirmed").first()
    assert found is not None
    return found


def test_the_sheet_keeps_which_robot_acted_for_whom_and_how_often() -> None:
    sheet = sheet_of(played())
    hands = list(RobotHand.objects.filter(deal__sheet=sheet))
    logged = Table.objects.get().deals.get(number=1).actions.filter(robot="novice").count()

    assert hands
    assert {(hand.deal.number, hand.seat, hand.side, hand.robot) for hand in hands} == {
        (1, "N", "NS", "novice")
    }
    assert sum(hand.actions for hand in hands) == logged


def test_hands_of_robots_are_in_nobodys_figures() -> None:
    sheet = sheet_of(played())
    taken = set(RobotHand.objects.filter(deal__sheet=sheet).values_list("number", flat=True))
    every: Any = PlayedHand.objects.filter(played__deal__sheet=sheet, played__deal__number=1)
    counted = every.counting()

    own = set(every.filter(played__side="NS").values_list("number", flat=True))
    assert set(counted.filter(played__side="NS").values_list("number", flat=True)) == own - taken
    assert own & taken
    assert counted.filter(played__side="EW").count() == every.filter(played__side="EW").count()
    every_side: Any = PlayedSide.objects.filter(deal__sheet=sheet)
    sides = every_side.counting()
    assert set(sides.filter(deal__number=1).values_list("side", flat=True)) == {"EW"}
    assert set(sides.filter(deal__number=2).values_list("side", flat=True)) == {"NS", "EW"}


def test_hands_with_a_robot_are_listed_as_people_say_it() -> None:
    def said(*numbers: int) -> str:
        rows = [RobotHand(seat="N", side="NS", number=each, robot="novice", actions=2) for each in numbers]
        return robot_hands.in_words(rows, {"N": "Anna Berg"}, "concerto")[0]

    assert said(3) == "A robot (Novice) played for Anna Berg (North) in hand 3: 2 actions."
    assert said(3, 5) == "A robot (Novice) played for Anna Berg (North) in hands 3 and 5: 4 actions."
    assert said(3, 5, 7) == "A robot (Novice) played for Anna Berg (North) in hands 3, 5 and 7: 6 actions."


def test_a_card_is_the_robots_only_where_it_did_all_that_its_seat_did_in_the_hand() -> None:
    row = RobotHand(seat="N", side="NS", number=3, robot="novice", actions=2)
    (found,) = robot_hands.stand_ins([row], {"N": "Anna Berg"}, "concerto").values()
    assert found.line == "North, Robot (Novice) for Anna Berg: 2 actions"
    assert found.acted(2) == "North, Robot (Novice) for Anna Berg"
    assert found.acted(3) == "Anna Berg or Robot (Novice)"

    (nobody,) = robot_hands.stand_ins([row], {}, "concerto").values()
    assert nobody.line == "North, Robot (Novice): 2 actions"
    assert nobody.acted(3) == "North, Robot (Novice)", "there was nobody else"


def test_a_preview_of_a_correction_says_where_robots_played() -> None:
    laid = played()
    sheet = sheet_of(laid)
    client = Client()
    client.force_login(laid.at("N"))
    content = {"content": json.dumps(sheet.content)}
    page = client.post(f"/matches/{sheet.match_id}/scoresheet/", content).content.decode()
    row = RobotHand.objects.filter(deal__sheet=sheet).first()
    assert row
    assert f"North, Robot (Novice) for Anna Berg: {row.actions} action" in page


def test_match_page_replay_and_trail_name_the_robot() -> None:
    laid = played()
    sheet = sheet_of(laid)
    client = Client()
    client.force_login(laid.at("N"))
    page = client.get(f"/matches/{laid.scene.fixture.pk}/").content.decode()
    hands = re.findall(r'<li class="hand-row.*?</li>', page, re.DOTALL)
    for number in range(1, 9):
        row = RobotHand.objects.filter(deal__sheet=sheet, deal__number=1, number=number).first()
        line = f"North, Robot (Novice) for Anna Berg: {row.actions} action" if row else "Novice"
        assert (line in hands[number - 1]) == bool(row), number
    assert "Novice" not in "".join(hands[8:]), "the second deal was played by its players"
    assert "Hands with a robot" in page
    for address in (f"/matches/{laid.scene.fixture.pk}/deals/1/replay/", f"/tables/{laid.table.pk}/deals/1/"):
        replay = client.get(f"{address}?step=end").content.decode()
        assert "A robot (Novice) played for" in replay, address
        assert "Robot (Novice)" in replay, address
        rows = replay.split('class="hand-rows"')[1].split("</ol>")[0]
        for each in RobotHand.objects.filter(deal__sheet=sheet):
            assert f"North, Robot (Novice) for Anna Berg: {each.actions} action" in rows, address
    other = client.get(f"/matches/{laid.scene.fixture.pk}/deals/2/replay/?step=end").content.decode()
    assert "Novice" not in other


def test_a_correction_does_not_make_people_of_robots() -> None:
    laid = played()
    first = sheet_of(laid)
    before = list(RobotHand.objects.filter(deal__sheet=first).values_list("seat", "number", "actions"))
    content = {**first.content, "first_dealer": first.content["first_dealer"]}
    second = scoresheets.submit(
        actor=laid.at("N"), fixture=Fixture.objects.get(pk=first.match_id), content=content, origin="page"
    )
    assert (
        list(RobotHand.objects.filter(deal__sheet=second).values_list("seat", "number", "actions")) == before
    )


def test_an_upgrade_writes_down_what_the_log_of_an_old_match_says() -> None:
    """0.1.0 kept in the log of the table which robot acted, and told it nowhere."""
    laid = played()
    first = sheet_of(laid)
    scoresheets.submit(
        actor=laid.at("N"),
        fixture=Fixture.objects.get(pk=first.match_id),
        content=first.content,
        origin="page",
    )
    facts = ("deal", "seat", "side", "number", "robot", "actions")
    before = list(RobotHand.objects.values_list(*facts))
    assert len({deal for deal, *_rest in before}) == 2
    RobotHand.objects.all().delete()

    upgrade = import_module("games.migrations.0020_robots_of_before")
    for _twice in range(2):
        upgrade.write_down(apps, connection.schema_editor())
        assert list(RobotHand.objects.values_list(*facts)) == before
    taken = [number for _deal, _seat, _side, number, *_rest in before]
    own: Any = PlayedHand.objects.filter(
        played__deal__sheet=first, played__deal__number=1, played__side="NS", number__in=taken
    )
    assert (own.count(), own.counting().count()) == (len(set(taken)), 0)


def test_a_board_s_page_marks_the_pair_for_which_a_robot_acted() -> None:
    """Its own table, and the traveller when the board is open."""
    scene = duplicate_scene()
    board_set = sealed(scene)
    laid = played(scene)
    sheet_of(laid)
    client = Client()
    client.force_login(laid.at("N"))

    def marked(number: int, of: str) -> list[bool]:
        page = client.get(reverse("board", args=[board_set.pk, number])).content.decode()
        return ["with a robot" in each for each in re.findall(of, page, re.DOTALL)]

    own, traveller = r'<p class="bold">.*?</p>', r'<th class="who" scope="row">.*?</th>'
    assert marked(1, own) == [True, False], "North stood up"
    assert marked(2, own) == [False, False]
    assert marked(1, traveller) == []
    releases.release(actor=scene.users["dora"], board_set=board_set, reason="Everybody has seen them")
    assert sorted(marked(1, traveller)[:2]) == [False, True]
    assert not any(marked(2, traveller))


def test_a_match_with_too_many_robot_hands_waits_for_a_director() -> None:
    laid = played(most_robot_hands=0)
    results.record(table_id=laid.table.pk)
    table = Table.objects.get()
    assert table.sheet_id is None
    assert "counts with at most 0" in table.fault
    with recorded() as locked, pytest.raises(NotAllowed):
        results.count(actor=laid.at("N"), table_id=table.pk, reason="We like it")
    assert not any(locked.orders), "somebody who may not decide keeps nobody waiting"

    results.count(actor=laid.scene.users["dora"], table_id=table.pk, reason="Both pairs asked for it")
    counted = Table.objects.get()
    assert (counted.sheet_id is not None, counted.fault) == (True, "")
    assert AuditEntry.objects.get(action="table.counted").reason == "Both pairs asked for it"


def test_control_as_many_as_are_allowed_count() -> None:
    assert sheet_of(played(most_robot_hands=16))


@pytest.mark.parametrize("compares", [True, False])
def test_a_competition_says_whether_boards_with_robots_are_compared(*, compares: bool) -> None:
    scene = duplicate_scene()
    sealed(scene)
    laid = played(scene, compares_robots=compares)
    sheet_of(laid)
    boards = dict(scene.fixture.boards.values_list("position", "board"))
    found = columns.plays_of(list(boards.values()))
    mine = {
        position: next(each for each in found[board] if each.fixture == scene.fixture.pk)
        for position, board in boards.items()
    }

    assert mine[1].has_result is compares
    assert mine[1].is_expected is compares
    assert mine[2].has_result
    assert columns.compared(found[boards[1]], Terms()) is not None


def test_the_rules_page_says_what_robots_may_do() -> None:
    laid = match_table(most_robot_hands=4, robot="player", compares_robots=True)
    competition = laid.scene.competition
    page = Client().get(competition.get_absolute_url()).content.decode()
    pages = [
        page,
        *(
            Client().get(f"{competition.get_absolute_url()}{name}/").content.decode()
            for name in ("rules", "table")
        ),
    ]
    assert any("at most 4 hands" in each for each in pages)
    assert any("the same one for all sides: Player" in each for each in pages)


def test_a_robot_that_took_over_for_time_is_recorded_too() -> None:
    laid = match_table(clock_seconds=60)
    turn = laid.turn()
    side = laid.facts().side_of(turn)
    assert requests.check_time(table_id=laid.table.pk, at=START + timedelta(hours=1))
    play.play_robots(table_id=laid.table.pk)
    deal = laid.facts().deal
    assert deal is not None
    hands = list(results.robot_hands(deal))
    assert {hand.side for hand in hands} == {side}
    assert {hand.robot for hand in hands} == {"novice"}
