"""A guest is named as substitute in one line: a name, and an address for a mail; a director's word keeps it."""

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import substitutions
from league.models import AuditEntry, OutboxMessage, Player, Substitution, User
from league.notices.services import outbox
from league.people.services import claims, erasing, merging, players
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
    assert OutboxMessage.objects.get(template="guest_named").to == "gina@example.org"


def test_a_player_adds_an_address_for_the_mail_alone(scene: Scene) -> None:
    assert post(scene, "anna", "Gina Ghost, Gina@example.org")[0] == 302
    guest = Substitution.objects.get().substitute
    assert (guest.email, guest.email_by, guest.email_at) == ("", None, None), "no member by a player's word"
    message = OutboxMessage.objects.get(template="guest_named")
    assert message.to == "gina@example.org"
    mail = outbox.written(message)
    assert mail.subject == "Berg & Okafor – Novak & Reyes: you play for Anna Berg"
    for words in ("Hello Gina Ghost,", "Anna Berg named you as a guest", "please tell Anna Berg"):
        assert words in mail.body
    assert "gina@" not in str(AuditEntry.objects.get(action="player.guest_added").after)


def test_an_erasure_takes_the_mail_and_with_it_the_address(scene: Scene) -> None:
    guest = appoint(scene, scene.users["anna"], "Gina Ghost", "gina@example.org").substitute
    director = scene.users["dora"]
    known = players.add(actor=director, club=scene.club, name="Georgina Ghost")
    merging.merge(actor=director, keep=known, duplicate=guest)
    outbox.deliver(at=timezone.now())
    assert OutboxMessage.objects.get(to="gina@example.org").sent_at
    erasing.erase(actor=scene.users["olive"], player=known, at=timezone.now())
    assert not OutboxMessage.objects.filter(to="gina@example.org").exists()


def test_the_mail_is_the_same_whether_the_address_has_an_account(scene: Scene) -> None:
    known = scene.users["iris"]
    EmailAddress.objects.create(user=known, email=known.email, verified=True, primary=True)
    said = []
    for name, email in (("Gina Ghost", "gina@example.org"), ("Hugo Haze", known.email)):
        with CaptureQueriesContext(connection) as queries:
            made = appoint(scene, scene.users["anna"], name=name, email=email)
        assert not [each for each in queries.captured_queries if "account_emailaddress" in each["sql"]]
        body = outbox.written(OutboxMessage.objects.get(to=email, template="guest_named")).body
        said.append((made.substitute.user, body.replace(name, "NAME")))
        substitutions.cancel(actor=scene.users["anna"], substitution=made)
    assert said[0] == said[1]
    assert claims.listed(user=known) == [], "nobody is asked: is this you?"


def test_one_address_gets_few_mails_in_a_day_and_then_nobody_is_named(scene: Scene) -> None:
    for number in range(players.MOST_TO_ONE):
        appoint(scene, scene.users["anna"], name=f"Gina {'ABC'[number]} Ghost", email="gina@example.org")
    with pytest.raises(Conflict, match="several times today"):
        appoint(scene, scene.users["chidi"], name="Zoe Zander", email="gina@example.org")
    assert not Player.objects.filter(name="Zoe Zander").exists()


@pytest.mark.parametrize("who", ["anna", "dora"])
def test_what_is_no_address_is_refused(scene: Scene, who: str) -> None:
    status, page = post(scene, who, "Gina Ghost, gina@")
    assert status == 422
    assert "Gina Ghost" in page
    assert not Substitution.objects.exists()


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
