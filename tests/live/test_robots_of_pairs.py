"""Nobody plays a match against robots alone, because the other pair has not come yet."""

import pytest

from games.services.tables import opening, seats
from league.errors import Conflict
from tests.live.tables import START, Laid
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
    with pytest.raises(Conflict) as refusal:
        seat_robot(laid, "anna", "E")
    assert refusal.value.code == "pair_absent"
    assert set(laid.facts().seats) == {"N", "S"}


def test_for_a_missing_player_beside_one_who_is_there_anybody_does(laid: Laid) -> None:
    seats.sit(actor=laid.at("W"), table_id=laid.table.pk, seat="W", at=START)
    seat_robot(laid, "anna", "E")
    assert laid.facts().seats["E"].robot == "novice"


@pytest.mark.parametrize("who", ["eva", "dora"])
def test_the_pair_itself_and_a_director_do(laid: Laid, who: str) -> None:
    for seat in "EW":
        seat_robot(laid, who, seat)
    assert {laid.facts().seats[seat].robot for seat in "EW"} == {"novice"}
