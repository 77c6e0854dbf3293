"""Claims: who may say "this player is me", and who decides."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league import policies
from league.errors import Conflict, NotAllowed
from league.models import OutboxMessage, PlayerClaim, Role
from league.notices.services import outbox
from league.people.services import claims, merging
from tests.league import factories
from tests.league.factories import DIRECTOR, NOW

pytestmark = pytest.mark.django_db

State = PlayerClaim.State


def claim(user, player, message=""):
    return claims.claim(actor=user, player=player, at=NOW, message=message)


def decide(made, accept, actor=DIRECTOR):
    return claims.decide(actor=actor, claim=made, accept=accept, at=NOW)


def with_address(address, *, verified):
    user = factories.user()
    EmailAddress.objects.create(user=user, email=address, verified=verified)
    return user


def owner_of(player):
    player.refresh_from_db()
    return player.user


def test_a_verified_address_is_proof_enough():
    player = factories.player(factories.club(), email="anna@example.org")
    user = with_address("Anna@Example.org", verified=True)
    made = claim(user, player)
    assert (made.state, made.decided_at) == (State.ACCEPTED, NOW)
    assert owner_of(player) == user
    assert policies.role_in(user, player.club) == Role.MEMBER


@pytest.mark.parametrize(
    ("address", "verified", "players"),
    [
        ("anna@example.org", False, "anna@example.org"),
        ("other@example.org", True, "anna@example.org"),
        ("", True, ""),
    ],
)
def test_anything_less_waits_for_a_director(address, verified, players):
    player = factories.player(factories.club(), email=players)
    made = claim(with_address(address, verified=verified), player, "It is me")
    assert (made.state, made.message) == (State.OPEN, "It is me")
    assert owner_of(player) is None


def test_a_login_address_that_was_never_verified_is_no_proof():
    player = factories.player(factories.club(), email="anna@example.org")
    assert claim(factories.user(email="anna@example.org"), player).state == State.OPEN


def test_claiming_twice_is_one_claim():
    user, player = factories.user(), factories.player(factories.club())
    assert claim(user, player) == claim(user, player)
    assert PlayerClaim.objects.count() == 1


def test_a_director_accepts_and_the_rest_is_answered():
    club = factories.club()
    player, other = factories.player(club), factories.player(club)
    user, rival = factories.user(), factories.user()
    mine, elsewhere, theirs = claim(user, player), claim(user, other), claim(rival, player)
    director = factories.member(club, Role.DIRECTOR)
    decide(mine, accept=True, actor=director)
    assert owner_of(player) == user
    states = dict(PlayerClaim.objects.values_list("pk", "state"))
    assert states == {mine.pk: State.ACCEPTED, elsewhere.pk: State.REFUSED, theirs.pk: State.REFUSED}
    with pytest.raises(Conflict, match="already been answered"):
        decide(theirs, accept=True)


def test_a_director_refuses_and_the_person_may_ask_again():
    user, player = factories.user(), factories.player(factories.club())
    made = claim(user, player)
    assert decide(made, accept=False).state == State.REFUSED
    assert owner_of(player) is None
    assert claim(user, player).pk != made.pk


def test_one_player_an_account_and_club():
    club = factories.club()
    user = factories.user()
    factories.player(club, "Anna Berg", user=user)
    with pytest.raises(Conflict, match="already linked to Anna Berg"):
        claim(user, factories.player(club))
    elsewhere = factories.player(factories.club(), email="a@example.org")
    EmailAddress.objects.create(user=user, email="a@example.org", verified=True)
    assert claim(user, elsewhere).state == State.ACCEPTED


def test_a_player_who_is_taken_or_merged_cannot_be_claimed():
    club = factories.club()
    taken = factories.player(club, user=factories.user())
    with pytest.raises(Conflict, match="another account"):
        claim(factories.user(), taken)
    with pytest.raises(Conflict, match="are already linked"):
        claim(taken.user, taken)
    merged = factories.player(club)
    merging.merge(actor=DIRECTOR, keep=taken, duplicate=merged)
    with pytest.raises(Conflict, match="merged"):
        claim(factories.user(), merged)
    with pytest.raises(NotAllowed):
        claim(DIRECTOR, factories.player(club))


@pytest.mark.parametrize("role", [Role.SCORER, Role.MEMBER, None])
def test_only_directors_decide_and_link(role):
    club = factories.club()
    player = factories.player(club)
    made = claim(factories.user(), player)
    actor = factories.member(club, role) if role else made.user
    with pytest.raises(NotAllowed):
        decide(made, accept=True, actor=actor)
    with pytest.raises(NotAllowed):
        claims.link(actor=actor, player=player, user=made.user, at=NOW)
    assert owner_of(player) is None


def test_a_director_links_and_unlinks():
    club = factories.club()
    player, user = factories.player(club), factories.user()
    director = factories.member(club, Role.DIRECTOR)
    claims.link(actor=director, player=player, user=user, at=NOW)
    assert owner_of(player) == user
    claims.unlink(actor=director, player=player, reason="Wrong person")
    assert owner_of(player) is None
    assert club.memberships.filter(user=user).exists()


# A stranger writes to nobody by way of us


def test_one_account_claims_no_more_than_a_few_players() -> None:
    club, stranger, at = factories.club(), factories.user(), timezone.now()
    factories.member(club, "director")
    for _ in range(2):
        claims.claim(actor=stranger, player=factories.player(club), at=at)
    with pytest.raises(Conflict):
        claims.claim(actor=stranger, player=factories.player(club), at=at)
    for _ in range(3):
        claims.claim(actor=stranger, player=factories.player(factories.club()), at=at)
    with pytest.raises(Conflict):
        claims.claim(actor=stranger, player=factories.player(factories.club()), at=at)
    assert PlayerClaim.objects.count() == 5


def test_directors_get_one_mail_a_day_without_the_strangers_words() -> None:
    club, at = factories.club(), timezone.now()
    director = factories.member(club, "director")
    for number in range(4):
        claims.claim(
            actor=factories.user(
                f'"https://evil.example/{number}"@attacker.example', name="see www.example.com"
            ),
            player=factories.player(club),
            at=at,
            message="https://example.com/evil",
        )
    assert OutboxMessage.objects.count() == 1
    assert outbox.deliver(at=at) == 1
    text = f"{mail.outbox[0].subject} {mail.outbox[0].body}"
    assert not [word for word in ("example.com", "evil", "attacker") if word in text]
    assert reverse("desk_claims", args=[club.slug]) in text
    client = Client()
    client.force_login(director)
    page = client.get(reverse("desk_claims", args=[club.slug])).text
    assert "attacker.example" in page
    assert not re.search(r"<a[^>]*(evil|attacker)", page)
    claims.claim(actor=factories.user(), player=factories.player(club), at=at + timedelta(days=1, minutes=1))
    assert OutboxMessage.objects.count() == 2
