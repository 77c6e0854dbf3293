"""Nobody plays a match against robots alone, because the other pair has not come yet."""

import pytest

from games.tables.services import opening, seats
from league.errors import Conflict, NotAllowed
from tests.live.tables import START, Laid, match_table
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def laid() -> Laid:
    """Anna and her partner sit down, and nobody else is there."""
    scene = make_scene()
    made = Laid(scene, opening.open_match(actor=scene.users["anna"], fixture=scene.fixture))
    for seat in "NS":
        seats.sit(actor=made.at(seat), table_id=made.table.pk, seat=seat, at=START)
    return made


def seat_robot(laid: Laid, who: str, seat: str) -> None:
    seats.seat_robot(actor=laid.scene.users[who], table_id=laid.table.pk, seat=seat, robot="novice", at=START)


def test_a_pair_seats_no_robots_for_the_other_that_is_not_there(laid: Laid) -> None:
    with pytest.raises(NotAllowed) as refusal:
        seat_robot(laid, "anna", "E")
    assert refusal.value.code == "not_your_robot"
    assert set(laid.facts().seats) == {"N", "S"}


def test_for_a_missing_player_only_the_partner_or_a_director_does(laid: Laid) -> None:
    seats.sit(actor=laid.at("W"), table_id=laid.table.pk, seat="W", at=START)
    for who in ("anna", "chidi"):
        with pytest.raises(NotAllowed) as refusal:
            seat_robot(laid, who, "E")
        assert refusal.value.code == "not_your_robot"
    seat_robot(laid, "luis", "E")
    assert laid.facts().seats["E"].robot == "novice"


@pytest.mark.parametrize("robot", ["player", "expert"])
@pytest.mark.parametrize("who", ["eva", "dora"])
def test_the_terms_say_which_robot_plays_on_both_sides(laid: Laid, who: str, robot: str) -> None:
    with pytest.raises(Conflict) as refusal:
        seats.seat_robot(actor=laid.scene.users[who], table_id=laid.table.pk, seat="E", robot=robot, at=START)
    assert refusal.value.code == "robot_fixed"


def test_without_a_name_it_is_the_robot_of_the_terms() -> None:
    laid = match_table(begun=False, robots={"S": "player"})
    seats.stand_up(actor=laid.at("E"), table_id=laid.table.pk)
    seats.seat_robot(actor=laid.at("E"), table_id=laid.table.pk, seat="E")
    assert {laid.facts().seats[seat].robot for seat in "ES"} == {"player"}


@pytest.mark.parametrize("who", ["eva", "dora"])
def test_the_pair_itself_and_a_director_do(laid: Laid, who: str) -> None:
    for seat in "EW":
        seat_robot(laid, who, seat)
    assert {laid.facts().seats[seat].robot for seat in "EW"} == {"novice"}
