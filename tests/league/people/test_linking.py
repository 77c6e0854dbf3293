"""Linking by a confirmed address: at once when its person acts, by a question when an official does."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import AuditEntry, Club, Membership, OutboxMessage, Player, PlayerClaim, Role, User
from league.notices.services import outbox
from league.people.services import claims, players
from tests.league import factories

pytestmark = pytest.mark.django_db
EMAIL = "eva@example.org"
STRONG = "seven green teapots"


@pytest.fixture
def club() -> Club:
    return factories.club("Riverside")


@pytest.fixture
def dora(club: Club) -> User:
    return factories.member(club, Role.DIRECTOR, factories.user(name="Dora Director"))


def added(dora: User, club: Club, name: str = "Eva Novak", email: str = EMAIL) -> Player:
    return players.add(actor=dora, club=club, name=name, email=email)


def account(email: str = EMAIL, *, verified: bool = True, name: str = "Eva") -> User:
    user = factories.user(email, name)
    EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)
    return user


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def confirm(user: User, email: str = EMAIL) -> None:
    """Presses the button on the page that the mail's link opens."""
    key = EmailConfirmationHMAC(EmailAddress.objects.get(user=user, email=email)).key
    assert client_of(user).post(reverse("account_confirm_email", args=[key])).status_code == 302


def owner_of(player: Player) -> User | None:
    player.refresh_from_db()
    return player.user


# The person acts


def test_who_confirms_the_address_that_a_club_lists_is_that_player_at_once(dora: User, club: Club) -> None:
    eva, user = added(dora, club), account(verified=False)
    confirm(user)
    assert owner_of(eva) == user
    assert Membership.objects.filter(user=user, club=club).exists()
    assert (eva.linked_by, eva.linked_at) == (dora, eva.email_at)
    outbox.deliver(at=timezone.now())
    told = {each.to[0]: str(each.body) for each in mail.outbox if "Eva Novak" in str(each.body)}
    assert set(told) == {EMAIL, dora.email}, "both sides hear of it"
    assert f"/clubs/{club.slug}/desk/players/{eva.pk}/" in told[dora.email]
    assert AuditEntry.objects.filter(action="player.linked", player=eva, actor=user).exists()


def test_an_address_of_two_players_asks_which_one(dora: User, club: Club) -> None:
    both = [added(dora, club, name) for name in ("Eva Novak", "Karl Novak")]
    user = account(verified=False)
    confirm(user)
    assert [owner_of(each) for each in both] == [None, None]
    page = client_of(user).get("/my/").text
    assert "Riverside lists you as Eva Novak" in page
    assert "Riverside lists you as Karl Novak" in page


def test_who_is_a_player_of_the_club_already_stays_that_one(dora: User, club: Club) -> None:
    user = account(verified=False)
    factories.player(club, "Eva Other", user=user)
    eva = added(dora, club)
    confirm(user)
    assert owner_of(eva) is None


def test_a_director_undoes_it_and_it_is_not_done_again(dora: User, club: Club) -> None:
    eva, user = added(dora, club), account(verified=False)
    confirm(user)
    claims.unlink(actor=dora, player=eva)
    assert claims.listed(user=user) == []
    claims.claim(actor=user, player=eva, at=timezone.now())
    assert owner_of(eva) is None, "a director decides now"
    assert PlayerClaim.objects.filter(player=eva, state="open").exists()


# An official acts


@pytest.mark.parametrize("way", ["add", "edit"])
def test_an_official_links_nobody_and_the_account_is_asked(dora: User, club: Club, way: str) -> None:
    user = account()
    eva = added(dora, club, email=EMAIL if way == "add" else "")
    if way == "edit":
        players.edit(actor=dora, player=eva, name=eva.name, email=EMAIL)
    assert owner_of(eva) is None
    client = client_of(user)
    assert "Riverside lists you as Eva Novak" in client.get("/my/").text
    client.post(reverse("player_answer", args=[eva.pk]), {"answer": "yes"})
    assert owner_of(eva) == user
    assert "lists you as" not in client.get("/my/").text


def test_a_no_is_kept_and_the_club_hears_nothing_of_it(dora: User, club: Club) -> None:
    user, eva = account(), added(dora, club)
    asked = [reverse("desk_player", args=[club.slug, eva.pk]), f"/api/players/{eva.pk}/"]
    asked += [reverse(name, args=[club.slug]) for name in ("desk_players", "desk_claims", "desk_trail")]
    director = client_of(dora)
    before, mails = [_plain(director.get(each).text) for each in asked], OutboxMessage.objects.count()
    client_of(user).post(reverse("player_answer", args=[eva.pk]), {"answer": "no"})
    assert [_plain(director.get(each).text) for each in asked] == before
    assert OutboxMessage.objects.count() == mails
    assert "lists you as" not in client_of(user).get("/my/").text
    assert client_of(user).post(reverse("player_answer", args=[eva.pk]), {"answer": "yes"}).status_code == 403


def test_the_club_sees_the_same_of_an_address_with_an_account_and_without(dora: User, club: Club) -> None:
    account()
    rows = [added(dora, club, "Kim Aaaa"), added(dora, club, "Kim Bbbb", "other@example.org")]
    director = client_of(dora)
    for path in ("/clubs/{club}/desk/players/{pk}/", "/api/players/{pk}/", "/players/{pk}/"):
        pages = []
        for row in rows:
            text = director.get(path.format(club=club.slug, pk=row.pk)).text
            text = text.replace(row.name, "NAME").replace(row.email, "MAIL")
            pages.append(_plain(text.replace(f"/{row.pk}/", "/KEY/").replace(f'"id":{row.pk}', "")))
        assert pages[0] == pages[1], path


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_nobody_answers_for_a_player_who_is_not_listed_with_their_address(
    dora: User, club: Club, answer: str
) -> None:
    eva, stranger = added(dora, club), account("stranger@example.org")
    unconfirmed = account("other@example.org")
    EmailAddress.objects.create(user=unconfirmed, email=EMAIL, verified=False)
    for user in (stranger, unconfirmed):
        for key in (eva.pk, eva.pk + 99):
            answered = client_of(user).post(reverse("player_answer", args=[key]), {"answer": answer})
            assert answered.status_code == 403
    assert owner_of(eva) is None


# Names


def test_sign_up_asks_for_a_name(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    fields = {"email": EMAIL, "password1": STRONG, "password2": STRONG}
    assert "id_name" in Client().post("/accounts/signup/", fields).text
    for bad in ("Eva http://example.com/", "E\u202eva", "Εva Novak", " "):
        assert Client().post("/accounts/signup/", {**fields, "name": bad}).status_code == 200, bad
    assert not User.objects.exists()
    Client().post("/accounts/signup/", {**fields, "name": "  Eva   Novak "})
    assert str(User.objects.get()) == "Eva Novak"


def test_an_account_without_a_name_takes_the_players(dora: User, club: Club) -> None:
    user = account(verified=False)
    User.objects.filter(pk=user.pk).update(name="")
    added(dora, club)
    confirm(User.objects.get(pk=user.pk))
    user.refresh_from_db()
    assert user.name == "Eva Novak"


def test_everybody_can_change_their_name() -> None:
    user = account()
    client = client_of(user)
    assert client.post("/my/name/", {"name": "Eva www.example.com"}).status_code == 422
    assert client.post("/my/name/", {"name": ""}).status_code == 422
    assert client.post("/my/name/", {"name": "Eva Novák"})["Location"] == "/my/"
    assert "Eva Novák" in client.get("/my/").text


def _plain(text: str) -> str:
    """The page without the tokens of its forms."""
    return "".join(part.partition('"')[2] for part in text.split('name="csrfmiddlewaretoken" value="'))
