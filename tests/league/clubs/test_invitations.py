"""Invitations: nobody is enrolled without agreeing, and nobody learns who has an account."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from league.clubs.services import clubs, invitations
from league.errors import Conflict, Invalid, NotAllowed
from league.models import AuditEntry, Club, Invitation, Membership, OutboxMessage, Role, User
from league.notices.services import outbox
from tests.league import factories

pytestmark = pytest.mark.django_db
AT = timezone.now()


@pytest.fixture
def club() -> Club:
    return factories.club()


@pytest.fixture
def owner(club: Club) -> User:
    return factories.member(club, Role.OWNER)


def with_address(email: str, *, verified: bool = True) -> User:
    user = factories.user(email)
    EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)
    return user


def invite(owner: User, club: Club, email: str, role: str = Role.DIRECTOR, **more: Any) -> Invitation:
    return invitations.invite(actor=owner, club=club, email=email, role=role, **{"at": AT, **more})


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_who_is_invited_is_told_and_belongs_to_the_club_once_they_accept(owner: User, club: Club) -> None:
    eva = with_address("eva@example.org")
    made = invite(owner, club, " EVA@example.org ")
    outbox.deliver(at=AT)
    assert mail.outbox[0].to == ["eva@example.org"]
    assert f"/invitations/{made.pk}/" in mail.outbox[0].body
    assert f"within {(made.expires_at - AT).days} days" in mail.outbox[0].body
    assert not Membership.objects.filter(user=eva).exists(), "nobody is enrolled who has not agreed"

    client = client_of(eva)
    assert f"{club} has invited you" in client.get("/my/").text
    assert client.get(f"/invitations/{made.pk}/").status_code == 200
    assert client.post(f"/invitations/{made.pk}/", {}).status_code == 422
    assert not Membership.objects.filter(user=eva).exists()
    client.post(f"/invitations/{made.pk}/", {"answer": "accept"})
    assert Membership.objects.get(user=eva).role == Role.DIRECTOR
    assert not Invitation.objects.exists()


def test_the_mail_is_framed_and_signed_and_in_the_language_of_who_invites(owner: User, club: Club) -> None:
    User.objects.filter(pk=owner.pk).update(language="de")
    owner.refresh_from_db()
    made = invite(owner, club, "eva@example.org")
    outbox.deliver(at=AT)
    message: Any = mail.outbox[0]
    ((html, _kind),) = message.alternatives
    assert message.subject == f"{club} hat Sie eingeladen"
    assert f'href="http://localhost:8000/invitations/{made.pk}/"' in html
    assert f"Viele Grüße<br>{club}</p>" in html
    assert str(message.body).rstrip().endswith(f"Viele Grüße\n{club}")

    User.objects.filter(pk=owner.pk).update(language="xx")
    owner.refresh_from_db()
    invite(owner, club, "iris@example.org")
    outbox.deliver(at=AT)
    assert mail.outbox[1].subject == f"{club} has invited you", "else the site's own"


def test_an_owner_is_told_the_same_whether_there_is_an_account_or_not(owner: User, club: Club) -> None:
    with_address("there@example.org")
    client, page = client_of(owner), f"/clubs/{club.slug}/desk/members/"
    told = [
        client.post(page, {"email": email, "role": "director"}, follow=True).text.replace(email, "WHO")
        for email in ("there@example.org", "nobody@example.org")
    ]
    without = [
        re.sub(r'value="\w{64}"', "", text.split("<main", 1)[1].split("Invited</h2>", 1)[0]) for text in told
    ]
    assert without[0] == without[1]
    assert Membership.objects.filter(club=club).count() == 1
    assert OutboxMessage.objects.filter(template="invitation").count() == 2


def test_an_address_that_nobody_confirmed_gets_no_role(owner: User, club: Club) -> None:
    """Somebody signed up with Dora's address before she did, and never saw her mail."""
    thief = with_address("dora@example.org", verified=False)
    made = invite(owner, club, "dora@example.org")
    assert client_of(thief).get(f"/invitations/{made.pk}/").status_code == 404
    assert client_of(thief).post(f"/invitations/{made.pk}/", {"answer": "accept"}).status_code == 404
    with pytest.raises(NotAllowed):
        invitations.accept(actor=thief, invitation=made, at=AT)
    assert "invites you" not in client_of(thief).get("/my/").text
    assert not Membership.objects.filter(user=thief).exists()


def test_an_invitation_that_is_for_others_is_as_one_that_is_not_there(owner: User, club: Club) -> None:
    made, iris = invite(owner, club, "eva@example.org"), with_address("iris@example.org")
    answers = [client_of(iris).get(f"/invitations/{key}/") for key in (made.pk, made.pk + 99)]
    assert [each.status_code for each in answers] == [404, 404]
    with pytest.raises(NotAllowed):
        invitations.drop(actor=iris, invitation=made)
    assert Invitation.objects.exists()


def test_declined_and_taken_back(owner: User, club: Club) -> None:
    eva = with_address("eva@example.org")
    made = invite(owner, club, "eva@example.org")
    client_of(eva).post(f"/invitations/{made.pk}/", {"answer": "decline"})
    assert not Invitation.objects.exists()
    made = invite(owner, club, "eva@example.org")
    client_of(owner).post(f"/clubs/{club.slug}/desk/invitations/{made.pk}/")
    assert not Invitation.objects.exists()
    with pytest.raises(Conflict):
        invitations.accept(actor=eva, invitation=made, at=AT)
    assert AuditEntry.objects.filter(action="club.invitation_dropped").count() == 2


def test_an_invitation_ends_and_is_replaced_by_a_newer_one(owner: User, club: Club) -> None:
    eva = with_address("eva@example.org")
    old = invite(owner, club, "eva@example.org")
    new = invite(owner, club, "eva@example.org", Role.SCORER)
    assert Invitation.objects.get() == new
    with pytest.raises(Conflict):
        invitations.accept(actor=eva, invitation=old, at=AT)
    with pytest.raises(Conflict):
        invitations.accept(actor=eva, invitation=new, at=AT + timedelta(days=14))
    assert invitations.purge(at=AT + timedelta(days=15)) == 1


def test_accepting_takes_no_role_away(owner: User, club: Club) -> None:
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True, primary=True)
    made = invite(owner, club, owner.email, Role.MEMBER)
    assert invitations.accept(actor=owner, invitation=made, at=AT).role == Role.OWNER


def test_a_club_is_no_way_to_write_to_strangers(owner: User, club: Club) -> None:
    for number in range(40):
        invite(owner, club, f"person{number}@example.org")
    with pytest.raises(Conflict):
        invite(owner, club, "one-more@example.org")
    with pytest.raises(Conflict):
        invite(owner, club, "person0@example.org")
    assert OutboxMessage.objects.count() == 40
    with pytest.raises(Invalid):
        clubs.found(actor=owner, name="Win at www.example.com", time_zone="Europe/London")


def test_one_person_founds_few_clubs_and_sends_no_more_invitations_by_them(owner: User) -> None:
    made = [
        clubs.found(actor=owner, name=f"Club number {number}", time_zone="Europe/London") for number in "234"
    ]
    with pytest.raises(Conflict):
        clubs.found(actor=owner, name="One more", time_zone="Europe/London")
    assert clubs.found(actor=factories.user(), name="One more", time_zone="Europe/London")
    for number in range(40):
        invite(owner, made[number % 3], f"person{number}@example.org")
    with pytest.raises(Conflict):
        invite(owner, made[0], "one-more@example.org")
    assert OutboxMessage.objects.count() == 40
    assert invite(factories.member(made[0], Role.OWNER), made[0], "one-more@example.org")


def test_one_address_gets_few_invitations_in_a_day(owner: User, club: Club) -> None:
    for each in (club, club, factories.club()):
        invite(factories.member(each, Role.OWNER), each, "victim@example.org")
    other = factories.club()
    for each, by in ((club, owner), (other, factories.member(other, Role.OWNER))):
        with pytest.raises(Conflict):
            invite(by, each, "Victim@example.org")
    assert OutboxMessage.objects.count() == 3
    assert invite(owner, club, "victim@example.org", at=AT + timedelta(days=2))


@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.SCORER, Role.MEMBER])
def test_only_owners_invite(owner: User, club: Club, role: str) -> None:
    with pytest.raises(NotAllowed):
        invite(factories.member(club, role), club, "eva@example.org")


@pytest.mark.parametrize(
    ("email", "role"), [("no address", "member"), ("", "member"), ("eva@example.org", "emperor")]
)
def test_what_makes_no_sense_is_refused(owner: User, club: Club, email: str, role: str) -> None:
    with pytest.raises(Invalid):
        invite(owner, club, email, role)


@pytest.mark.parametrize("way", ["removed", "another role", "account closed"])
def test_an_owner_who_was_removed_comes_back_by_no_address_of_theirs(
    owner: User, club: Club, way: str
) -> None:
    """Only an owner gives a role above member: also at the moment when the invitation is accepted."""
    other = factories.member(club, Role.OWNER)
    second, friend = with_address("second@example.org"), with_address("friend@example.org")
    asked = invite(owner, club, "second@example.org", Role.OWNER)
    plain = invite(owner, club, "friend@example.org", Role.MEMBER)
    mine = Membership.objects.get(club=club, user=owner)
    if way == "removed":
        clubs.remove_member(actor=other, membership=mine)
    elif way == "another role":
        clubs.set_role(actor=other, membership=mine, role=Role.DIRECTOR)
    else:
        User.objects.filter(pk=owner.pk).update(is_active=False)
    with pytest.raises(Conflict, match="no longer valid"):
        invitations.accept(actor=second, invitation=asked, at=timezone.now())
    assert not Membership.objects.filter(club=club, user=second).exists()
    invitations.accept(actor=friend, invitation=plain, at=timezone.now())
    again = invite(other, club, "second@example.org", Role.OWNER)
    invitations.accept(actor=second, invitation=again, at=timezone.now())
    assert Membership.objects.get(club=club, user=second).role == Role.OWNER
