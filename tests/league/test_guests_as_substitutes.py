"""A guest is named as substitute in one line: by the pair with a name, by a director with an address as well."""

import pytest
from django.test import Client
from django.urls import reverse

from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Player, Substitution, User
from league.people.services import players
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return make_scene()


def anna(scene: Scene) -> Player:
    return Player.objects.get(club=scene.club, name="Anna Berg")


def post(scene: Scene, who: str, guest: str, **more: object) -> tuple[int, str]:
    client = Client()
    client.force_login(scene.users[who])
    fields = {"absent": anna(scene).pk, "substitute": "", "guest": guest, "reason": "", **more}
    answer = client.post(reverse("fixture_substitute", args=[scene.fixture.pk]), fields)
    return answer.status_code, answer.text


def appoint(scene: Scene, who: User, name: str = "Gina Ghost", email: str = "") -> Substitution:
    return players.appoint_guest(actor=who, fixture=scene.fixture, absent=anna(scene), name=name, email=email)


def test_a_player_names_a_guest_of_their_own_side(scene: Scene) -> None:
    assert post(scene, "anna", "Gina  Ghost")[0] == 302
    made = Substitution.objects.get()
    assert (made.substitute.name, made.substitute.email) == ("Gina Ghost", "")
    assert made.substitute.club == scene.club
    assert AuditEntry.objects.filter(action="player.guest_added", player=made.substitute).exists()


def test_a_director_adds_an_address(scene: Scene) -> None:
    assert post(scene, "dora", "Gina Ghost, Gina@example.org")[0] == 302
    guest = Substitution.objects.get().substitute
    assert (guest.name, guest.email, guest.email_by) == (
        "Gina Ghost",
        "gina@example.org",
        scene.users["dora"],
    )


def test_a_player_makes_no_member_of_the_club_by_an_address(scene: Scene) -> None:
    assert post(scene, "anna", "Gina Ghost gina@example.org")[0] == 403
    with pytest.raises(NotAllowed):
        appoint(scene, scene.users["anna"], email="gina@example.org")
    assert not Player.objects.filter(name="Gina Ghost").exists()


def test_nobody_is_added_twice_or_where_the_substitute_is_refused(scene: Scene) -> None:
    status, page = post(scene, "anna", "lindqvist, iris")
    assert status == 422
    assert "Iris Lindqvist is in the club already" in page
    with pytest.raises(Invalid):
        appoint(scene, scene.users["eva"])
    assert not Player.objects.filter(name="Gina Ghost").exists(), "both, or neither"


def test_one_of_the_two_is_chosen(scene: Scene) -> None:
    for guest, substitute in (("", ""), ("Gina Ghost", Player.objects.get(name="Iris Lindqvist").pk)):
        assert post(scene, "anna", guest, substitute=substitute)[0] == 422
    assert post(scene, "anna", "@")[0] in {403, 422}
    assert not Substitution.objects.exists()


def test_one_person_names_few_guests_in_a_day(scene: Scene) -> None:
    for number in range(players.MOST_GUESTS_A_DAY):
        appoint(scene, scene.users["anna"], name=f"Gina {'ABCDEFGH'[number]} Ghost")
    with pytest.raises(Conflict):
        appoint(scene, scene.users["anna"], name="Zoe Zander")


def test_others_name_nobody(scene: Scene) -> None:
    assert post(scene, "iris", "Gina Ghost")[0] == 403
    with pytest.raises(NotAllowed):
        appoint(scene, scene.users["iris"])
