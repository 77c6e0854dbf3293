"""Matches that play numbered boards: what their sheets call the deals, who deals, and who sits where."""

import pytest
from django.db import transaction

from games import locks
from games.fixture_boards import numbers_of
from games.front import shown_sheet
from games.models import Board, BoardSet, FixtureBoard
from games.records import parsing as readings
from league.models import Fixture
from tests.scenes import Scene, make_scene, totals_sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def boarded(scene: Scene, first: int = 6) -> Fixture:
    """The first fixture, with four boards from this number on. Nothing here looks at a card."""
    board_set = BoardSet.objects.create(
        competition=scene.competition,
        round=scene.rounds[0],
        first_number=first,
        count=4,
        commitment="0" * 64,
        secret="nobody reads this",
    )
    for position in range(1, 5):
        number = first + position - 1
        board = Board.objects.create(
            board_set=board_set, place=position, number=number, dealer="WNES"[number % 4]
        )
        FixtureBoard.objects.create(fixture=scene.fixture, board=board, position=position)
    return scene.fixture


def test_deals_are_called_by_the_boards_numbers(scene: Scene) -> None:
    fixture = boarded(scene)
    reading = readings.read(fixture=fixture, content=totals_sheet((60, 20), (40, 10)) | {"first_dealer": "E"})
    sheet = shown_sheet(fixture, reading)
    assert numbers_of(fixture) == (6, 7, 8, 9)
    assert [deal.name for deal in sheet.deals] == ["Board 6", "Board 7", "Board 8", "Board 9"]
    assert [deal.dealer.key for deal in sheet.deals] == ["E", "S", "W", "N"]


def test_a_match_without_boards_counts_its_deals(scene: Scene) -> None:
    reading = readings.read(fixture=scene.fixture, content=totals_sheet((60, 20)))
    assert [deal.name for deal in shown_sheet(scene.fixture, reading).deals][:2] == ["Deal 1", "Deal 2"]


def test_the_first_board_says_who_deals(scene: Scene) -> None:
    fixture = boarded(scene)
    assert readings.read(fixture=fixture, content={}).seating.first_dealer == "E"
    with transaction.atomic():
        assert locks.match(fixture=fixture).first_dealer == "E"


def test_another_dealer_than_the_boards_is_refused_with_the_right_one_proposed(scene: Scene) -> None:
    reading = readings.read(fixture=boarded(scene), content={"first_dealer": "N", "deals": []})
    fault = next(problem for problem in reading.refused if problem.code == "first-dealer")
    assert fault.place == ("first_dealer",)
    assert fault.message.params["computed"] == "E"
    assert reading.seating.first_dealer == "E"


def test_the_home_pair_sits_on_the_first_side(scene: Scene) -> None:
    fixture = boarded(scene)
    usual = readings.read(fixture=fixture, content={}).seating
    seats = {seat: usual.players[other].pk for seat, other in zip("NESW", "ESWN", strict=True)}
    turned = readings.read(fixture=fixture, content={"seats": seats})
    assert any("sit North-South" in fault for fault in turned.seating.faults), turned.seating.faults
    partners = {"N": "S", "S": "N", "E": "E", "W": "W"}
    changed = {seat: usual.players[other].pk for seat, other in partners.items()}
    assert not readings.read(fixture=fixture, content={"seats": changed}).seating.faults
