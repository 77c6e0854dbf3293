"""Tables in the browser as a way to cards that one may not see yet."""

import pytest
from django.test import Client

from games.models import Table, TableDeal
from games.tables.queries.lists import online_step
from games.tables.services import opening, seats
from league.errors import Conflict
from league.models import Fixture, User
from tests.games.evening_rooms import begin, club_with_director, laid_out, tables
from tests.league import factories
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db


def player_of(fixture: Fixture) -> User:
    """Somebody of the home pair, with an account."""
    player = fixture.home.lineup.players[0]
    player.user = factories.user()
    player.save()
    return player.user


def test_nobody_plays_the_boards_of_a_later_round_of_an_evening_beforehand() -> None:
    """They lie at other tables by then, and whoever has played them online knows them."""
    club, dora = club_with_director()
    evening = laid_out(club, dora, pairs=8)
    begin(evening, dora, 2)
    (later, *_others), (now, *_more) = tables(evening, 3), tables(evening, 2)
    who = player_of(later)
    with pytest.raises(Conflict) as refusal:
        opening.open_match(actor=who, fixture=later)

    assert refusal.value.code == "round_to_come"
    step = online_step(visitor=who, fixture=tables(evening, 3)[0])
    assert step is not None
    assert step.why_not
    assert not Table.objects.exists()

    assert opening.open_match(actor=player_of(now), fixture=now).fixture_id == now.pk, (
        "the round that is played"
    )


def test_no_cache_keeps_what_a_table_tells_a_person() -> None:
    """Neither a proxy nor the browser that the next person uses: the answer hangs on who asks, and on the moment."""
    scene = make_scene()
    anna = scene.users["anna"]
    table = opening.practise(actor=anna, club=scene.club, robot="novice")
    seats.ready(actor=anna, table_id=table.pk)
    Table.objects.update(state=Table.State.FINISHED)
    deal = TableDeal.objects.get()
    TableDeal.objects.update(finished_at=deal.started_at, score={"total": {"NS": 0, "EW": 0}})
    client = Client()
    client.force_login(anna)
    for part in ("", "view/", "hands/0/meaning/", "deals/1/replay/"):
        answer = client.get(f"/tables/{table.pk}/{part}")
        assert "no-store" in answer.headers.get("Cache-Control", ""), (part, answer.status_code)
    assert "no-store" in client.get(f"/api/v1/tables/{table.pk}/").headers.get("Cache-Control", "")
