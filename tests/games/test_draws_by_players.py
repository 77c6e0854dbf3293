"""If somebody takes cards out and then plays in the event after all, the set's page says so to everybody."""

import pytest
from django.test import Client

from games.boards.services import boards
from games.models import BoardDraw
from league.models import Player, Substitution
from tests.games.boards import AGREED, duplicate_scene

pytestmark = pytest.mark.django_db

SAID = "(is playing in this competition)"


def test_a_director_who_joins_after_taking_cards_out_is_marked() -> None:
    scene = duplicate_scene()
    dora = scene.users["dora"]
    board_set = boards.make(
        actor=dora, competition=scene.competition, round=scene.rounds[0], count=4, delayed=AGREED
    )
    boards.draw_out(actor=dora, board_set=board_set, kind=BoardDraw.Kind.PAPER, reason="To deal them")
    page = f"/boards/{board_set.pk}/"
    assert SAID not in Client().get(page).content.decode()

    fixture = scene.fixtures[1]
    Substitution.objects.create(
        fixture=fixture,
        entry=fixture.home,
        absent=fixture.home.lineup.players[0],
        substitute=Player.objects.create(club=scene.club, name="Dora Director", user=dora),
    )
    # Once beside who made the set, once beside who took its cards out.
    assert Client().get(page).content.decode().count(SAID) == 2
