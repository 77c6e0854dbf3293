"""The desk of a director who plays: what the services would refuse is not offered there, and says why."""

import pytest
from django.test import Client

from league.models import Membership, PlayerClaim, Role
from tests.games.boards import duplicate_scene, sealed
from tests.scenes import Scene

pytestmark = pytest.mark.django_db


def read(scene: Scene, name: str, address: str) -> str:
    client = Client()
    client.force_login(scene.users[name])
    return client.get(f"/clubs/{scene.club.slug}/desk/{address}").content.decode()


def test_whose_account_a_player_is_is_offered_to_a_director_who_does_not_play_there() -> None:
    scene = duplicate_scene()
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    sealed(scene)
    luis = scene.players[7]
    PlayerClaim.objects.create(player=luis, user=scene.users["stranger"])

    for address, button in (("claims/", 'value="accept"'), (f"players/{luis.pk}/", 'name="unlink"')):
        assert button in read(scene, "dora", address)
        refused = read(scene, "anna", address)
        assert button not in refused
        assert "Another director has to decide" in refused
