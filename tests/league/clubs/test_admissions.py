"""Asking to become a member of a club that is not open: once, answered by a director, told to those it concerns."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.clubs.services import admissions
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Club, JoinRequest, Membership, Notice, Role, User
from tests.league import factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def closed() -> tuple[Club, User, User]:
    """A club that is not open, a director, and somebody else."""
    club = factories.club("Riverside", is_open=False)
    return club, factories.member(club, Role.DIRECTOR), factories.user("eva@example.org", "Eva Novak")


def titles(user: User) -> list[str]:
    return list(Notice.objects.of(user).values_list("event", flat=True))


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_who_asks_and_is_accepted_is_a_member_and_is_told() -> None:
    club, director, eva = closed()
    asked = admissions.ask(actor=eva, club=club, at=NOW, message="I play\nwith Luis")
    assert asked.message == "I play with Luis"
    assert admissions.ask(actor=eva, club=club, at=NOW) == asked, "asking twice is asking once"
    assert titles(director) == ["join_asked"]
    assert "Luis" not in str(Notice.objects.get().context), "strangers write to no director by way of us"
    admissions.decide(actor=director, request=asked, accept=True, at=NOW)
    assert Membership.objects.get(user=eva).role == Role.MEMBER
    assert titles(eva) == ["join_answered"]
    with pytest.raises(NotAllowed):
        admissions.ask(actor=eva, club=club, at=NOW)


def test_a_no_has_a_reason_that_the_person_reads_and_lasts_a_month() -> None:
    club, director, eva = closed()
    asked = admissions.ask(actor=eva, club=club, at=NOW)
    with pytest.raises(Invalid):
        admissions.decide(actor=director, request=asked, accept=False, at=NOW)
    admissions.decide(actor=director, request=asked, accept=False, reason="We are full", at=NOW)
    assert not Membership.objects.filter(user=eva).exists()
    assert Notice.objects.of(eva).get().context["reason"] == "We are full"
    assert "We are full" in client_of(eva).get("/my/notices/").text
    with pytest.raises(Conflict):
        admissions.decide(actor=director, request=asked, accept=True, at=NOW)
    with pytest.raises(Conflict):
        admissions.ask(actor=eva, club=club, at=NOW + timedelta(days=29))
    admissions.ask(actor=eva, club=club, at=NOW + timedelta(days=31))


def test_nobody_asks_more_than_a_few_clubs_in_a_day() -> None:
    eva = factories.user()
    for _each in range(admissions.MOST_A_DAY):
        admissions.ask(actor=eva, club=factories.club(is_open=False), at=NOW)
    with pytest.raises(Conflict):
        admissions.ask(actor=eva, club=factories.club(is_open=False), at=NOW)
    admissions.ask(actor=eva, club=factories.club(is_open=False), at=NOW + timedelta(days=1, minutes=1))


def test_directors_hear_once_a_day_however_many_ask() -> None:
    club, director, eva = closed()
    for user in (eva, factories.user(), factories.user()):
        admissions.ask(actor=user, club=club, at=NOW)
    assert titles(director) == ["join_asked"]


def test_only_directors_of_the_club_answer_and_nobody_asks_an_open_one() -> None:
    club, _director, eva = closed()
    asked = admissions.ask(actor=eva, club=club, at=NOW)
    elsewhere = factories.member(factories.club(), Role.OWNER)
    for stranger in (eva, elsewhere, factories.member(club, Role.SCORER)):
        with pytest.raises(NotAllowed):
            admissions.decide(actor=stranger, request=asked, accept=True, at=NOW)
    with pytest.raises(NotAllowed):
        admissions.ask(actor=eva, club=factories.club(), at=NOW)


def test_a_request_withdrawn_is_gone_and_can_no_longer_be_answered() -> None:
    club, director, eva = closed()
    asked = admissions.ask(actor=eva, club=club, at=NOW)
    admissions.withdraw(actor=eva, club=club)
    assert not JoinRequest.objects.exists()
    with pytest.raises(Conflict):
        admissions.decide(actor=director, request=asked, accept=True, at=NOW)
    assert AuditEntry.objects.filter(action="club.join_withdrawn").count() == 1


def test_the_whole_way_on_the_pages() -> None:
    club, director, eva = closed()
    visitor, desk = client_of(eva), client_of(director)
    assert "Ask to become a member" in visitor.get(club.get_absolute_url()).text
    join = f"/clubs/{club.slug}/join/"
    answer = visitor.post(join, {"message": "It’s Eva"}, follow=True).text
    assert "The directors are asked." in answer
    assert "Withdraw the request" in answer
    address = f"/clubs/{club.slug}/desk/admissions/"
    assert "Eva Novak asks to join" in desk.get(f"/clubs/{club.slug}/desk/").text
    page = desk.get(address).text
    assert "“It’s Eva”" in page
    assert "eva@example.org" not in page
    asked = JoinRequest.objects.get()
    refused = desk.post(address, {"request": asked.pk, "answer": "decline"}, follow=True)
    assert "Please say why." in refused.text
    assert desk.post(address, {"request": asked.pk, "answer": "?"}, follow=True).status_code == 200
    assert desk.post(address, {"request": "9" * 40, "answer": "accept"}).status_code == 404
    other = client_of(factories.member(factories.club(), Role.OWNER))
    assert other.post(address, {"request": asked.pk, "answer": "accept"}).status_code in {403, 404}
    assert (
        "Eva Novak is now a member."
        in desk.post(address, {"request": asked.pk, "answer": "accept"}, follow=True).text
    )
    assert "Nobody is waiting" in desk.get(address).text
    assert "Ask to become a member" not in visitor.get(club.get_absolute_url()).text


def test_too_long_a_message_is_refused_in_words_and_nothing_is_written() -> None:
    club, _director, eva = closed()
    answer = client_of(eva).post(f"/clubs/{club.slug}/join/", {"message": "x" * 301}, follow=True)
    assert answer.status_code < 500
    assert not JoinRequest.objects.exists()
