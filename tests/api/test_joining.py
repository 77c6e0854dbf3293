"""A program joins a club for its person, or asks to, and answers for a director."""

import pytest

from league.clubs.services import admissions
from league.models import Club, IdempotencyKey, JoinRequest, Membership, Notice, Role
from tests.league import factories

pytestmark = pytest.mark.django_db


def join(club: Club) -> str:
    return f"/api/v1/clubs/{club.slug}/join/"


def asking_at(club: Club) -> str:
    return f"/api/v1/clubs/{club.slug}/join-requests/"


@pytest.fixture
def closed(db: None) -> Club:
    return factories.club("Riverside", is_open=False)


def test_an_open_club_has_a_new_member_at_once(program) -> None:
    club, eva = factories.club(), factories.user()
    assert program(eva).get(join(club)).json() == {"state": "none", "asked_at": None}
    for _twice in range(2):
        assert program(eva).post(join(club), {}).json() == {"state": "member", "asked_at": None}
    assert Membership.objects.get(user=eva, club=club).role == Role.MEMBER
    assert not JoinRequest.objects.exists()


def test_a_closed_club_is_asked_once_and_asked_no_longer(program, closed) -> None:
    eva, luis = factories.user(), factories.user()
    first = program(eva).post(join(closed), {"message": "I play with Luis"}).json()
    assert first["state"] == "waiting"
    assert program(eva).post(join(closed), {"message": "Again"}).json() == first
    assert JoinRequest.objects.get().message == "I play with Luis"
    program(luis).post(f"{join(closed)}withdraw/", {})
    assert program(eva).get(join(closed)).json() == first, "only one's own"
    assert program(eva).post(f"{join(closed)}withdraw/", {}).json() == {"state": "none", "asked_at": None}
    assert not JoinRequest.objects.exists()


@pytest.mark.parametrize(
    "body", [{"message": 10**400}, {"message": ["x"]}, {"message": "x" * 301}, {"role": "owner"}, []]
)
def test_what_is_no_request_is_refused(program, closed, body) -> None:
    answer = program(factories.user()).post(join(closed), body)
    assert answer.status_code == 400
    assert answer.json()["error"]["details"]
    assert not JoinRequest.objects.exists()


def test_the_sixth_club_in_a_day_is_a_conflict(program) -> None:
    eva = factories.user()
    answers = [
        program(eva).post(join(factories.club(is_open=False)), {})
        for _each in range(admissions.MOST_A_DAY + 1)
    ]
    assert [each.status_code for each in answers] == [200] * admissions.MOST_A_DAY + [409]
    assert "ask another one tomorrow" in answers[-1].json()["error"]["message"]


def test_directors_of_the_club_alone_read_who_asks_and_answer(program, closed) -> None:
    eva = factories.user(name="Eva Novak")
    program(eva).post(join(closed), {"message": "Hello"})
    asked = JoinRequest.objects.get()
    one = f"{asking_at(closed)}{asked.pk}/"
    outsiders = [eva, factories.member(closed), factories.member(closed, Role.SCORER)]
    outsiders.append(factories.member(factories.club(), Role.OWNER))
    for each in outsiders:
        assert program(each).get(asking_at(closed)).status_code == 403
        assert program(each).post(one, {"accept": True}).status_code == 403
    director = program(factories.member(closed, Role.DIRECTOR))
    (row,) = director.get(asking_at(closed)).json()["results"]
    assert (row["id"], row["name"], row["message"]) == (asked.pk, "Eva Novak", "Hello")
    for body in ({}, {"accept": "perhaps"}, {"accept": None}, {"accept": True, "role": "owner"}):
        assert director.post(one, body).status_code == 400
    assert director.post(one, {"accept": False}).status_code == 422
    assert not Membership.objects.filter(user=eva).exists()
    assert not Notice.objects.filter(user=eva).exists()


def test_an_answer_sent_again_with_its_key_is_one_answer(program, closed) -> None:
    eva, director = factories.user(name="Eva Novak"), factories.member(closed, Role.DIRECTOR)
    program(eva).post(join(closed), {})
    one = f"{asking_at(closed)}{JoinRequest.objects.get().pk}/"
    send = program(director).post
    body = {"accept": False, "reason": "We are full"}
    answers = [send(one, body, headers={"Idempotency-Key": "k"}) for _twice in range(2)]
    assert [each.status_code for each in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["state"] == "refused"
    assert send(one, {"accept": True}, headers={"Idempotency-Key": "k"}).status_code == 409
    assert send(one, {"accept": True}).status_code == 409, "answered already"
    assert Notice.objects.filter(user=eva).count() == 1
    assert "Novak" not in str(IdempotencyKey.objects.get().answer)
    again = program(eva).post(join(closed), {})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")


def test_a_request_to_another_club_is_not_there(program, closed) -> None:
    elsewhere = factories.club(is_open=False)
    program(factories.user()).post(join(elsewhere), {})
    foreign = JoinRequest.objects.get()
    director = program(factories.member(closed, Role.DIRECTOR))
    assert director.post(f"{asking_at(closed)}{foreign.pk}/", {"accept": True}).status_code == 404
    assert director.post(f"{asking_at(closed)}{2**63 - 1}/", {"accept": True}).status_code == 404
    foreign.refresh_from_db()
    assert foreign.state == JoinRequest.State.OPEN
