"""What is kept of a person: the page that says so, and the file that they take along."""

import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.home.queries import my_data
from league.models import ApiToken, Contact, User
from league.people.services import tokens
from tests.scenes import Scene, make_scene

REAUTHENTICATE = "/accounts/reauthenticate/"


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def client_of(user: User) -> Client:
    user.set_password("password")
    user.save()
    client = Client()
    client.force_login(user)
    return client


def downloaded(user: User) -> dict[str, Any]:
    client = client_of(user)
    client.post(REAUTHENTICATE, {"password": "password"})
    answer = client.post(reverse("my_data"))
    assert answer["Content-Disposition"].startswith("attachment")
    found: dict[str, Any] = json.loads(answer.content)
    return found


def test_everybody_reads_what_is_kept_and_finds_it_at_the_foot_of_each_page(scene: Scene) -> None:
    assert reverse("privacy") in Client().get("/").content.decode()
    assert "180 days" in Client().get(reverse("privacy")).content.decode()
    assert reverse("my_privacy") in client_of(scene.users["anna"]).get(reverse("privacy")).content.decode()


def test_the_file_has_the_account_the_players_the_entries_and_the_matches(scene: Scene) -> None:
    anna = scene.users["anna"]
    EmailAddress.objects.create(user=anna, email=anna.email, verified=True, primary=True)
    Contact.objects.create(user=anna, telephone="+353 1 496 0123", address="3 Harbour Row")
    found = downloaded(anna)

    assert found["account"]["telephone"] == "+353 1 496 0123"
    assert found["account"]["postal_address"] == "3 Harbour Row"
    assert [each["email"] for each in found["account"]["addresses"]] == [anna.email]
    assert [each["club"] for each in found["memberships"]] == [str(scene.club)]
    assert found["players"][0]["name"] == scene.players[0].name
    assert found["entries"][0]["name"] == str(scene.entries[0])
    names = {side["name"] for match in found["matches"] for side in match["sides"]}
    assert str(scene.entries[0]) in names
    assert len(found["matches"]) == len(
        [
            each
            for each in scene.fixtures
            if anna.pk in {p.user_id for e in each.entries for p in e.lineup.players}
        ]
    )


def test_the_file_has_no_secret_and_no_address_of_others(scene: Scene) -> None:
    anna = scene.users["anna"]
    _token, text = tokens.make(actor=anna, at=timezone.now(), scope="write", days=30)
    tokens.renew_calendar_address(actor=anna, at=timezone.now())
    stored = ApiToken.objects.get(user=anna)
    content = json.dumps(downloaded(anna))

    assert stored.hint in content
    secrets = (text, stored.digest, stored.session_digest, anna.password, anna.calendar_address.seed)
    assert not [each for each in secrets if each in content]
    others = User.objects.exclude(pk=anna.pk).values_list("email", flat=True)
    assert not [each for each in others if each in content]


def test_the_trail_in_it_says_neither_who_else_acted_nor_why(scene: Scene) -> None:
    content = my_data.everything(user=scene.users["anna"], at=timezone.now())
    assert {each["by"] for each in content["trail"]} <= {"you", "somebody else"}
    assert not [each for each in content["trail"] if each["by"] != "you" and each["told"]]


def test_a_session_alone_downloads_nothing(scene: Scene) -> None:
    answer = client_of(scene.users["anna"]).post(reverse("my_data"))
    assert answer.status_code == 302
    assert answer["Location"].startswith(REAUTHENTICATE)


def test_directors_find_telephone_and_address_on_both_pages_of_a_player_and_nobody_else_does(
    scene: Scene,
) -> None:
    anna, player = scene.users["anna"], scene.players[0]
    Contact.objects.create(user=anna, telephone="+353 1 496 0123", address="3 Harbour Row")
    pages = (
        reverse("desk_player", args=[scene.club.slug, player.pk]),
        reverse("player", args=[player.pk]),
    )
    for address in pages:
        told = client_of(scene.users["dora"]).get(address).text
        assert "+353 1 496 0123" in told
        assert "3 Harbour Row" in told
    for other in ("chidi", None):
        client = client_of(scene.users[other]) if other else Client()
        for address in pages:
            assert "496 0123" not in client.get(address).text
