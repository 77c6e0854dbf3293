"""A match of every game of the tests, of two sides and of more, is played at its table and becomes its result."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from django.test import Client

from games.models import Table
from games.options import port_of
from games.tables.services import opening, play, results, seats
from games.tables.state import facts as reading
from league import extension
from league.errors import NotAllowed
from league.models import Fixture
from league.people.services import lineups
from tests.engine.conformance.adapters import Adapter, registered
from tests.league import factories
from tests.live.tables import sent
from tests.live.test_any_game import each_game
from tests.scenes import Scene, make_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> Iterator[Adapter]:
    games = {**extension.layer().games, adapter.game.key: port_of(adapter.game)}
    monkeypatch.setattr(extension.layer(), "games", games)
    with registered(adapter.game):
        yield adapter


def meeting_of(adapter: Adapter, scene: Scene) -> Fixture:
    """A match of this game between as many sides as sit down, each with its own players."""
    scene.competition.game, scene.competition.rules = adapter.game.key, dict(adapter.game.read_options({}))
    scene.competition.save()
    free = iter(scene.players)
    entries = []
    for side in adapter.game.sides(adapter.players).values():
        keys = [next(free).pk for _seat in side]
        lineup = lineups.find(scene.club, keys) or lineups.make(scene.club, [(keys, "")])[0]
        there = scene.division.entries.filter(lineup=lineup).first()
        entries.append(there or factories.entry(scene.division, lineup))
    Fixture.objects.filter(round=scene.rounds[0]).delete()
    return factories.meet(scene.rounds[0], *entries)


@each_game
def test_a_match_is_played_at_its_table_and_becomes_its_result(playing: Adapter) -> None:
    scene, rng = make_scene(), random.Random(7)
    fixture = meeting_of(playing, scene)
    users = {player.pk: player.user for player in scene.players if player.user}
    table = opening.open_match(actor=scene.users["anna"], fixture=fixture)
    assert tuple(table.places) == playing.seats
    at = {seat: users[key] for seat, key in table.seating.items()}
    assert set(at) == set(playing.seats)
    with pytest.raises(NotAllowed):
        seats.sit(actor=at[playing.seats[1]], table_id=table.pk, seat=playing.seats[0])
    for seat, user in at.items():
        seats.sit(actor=user, table_id=table.pk, seat=seat)
    while (facts := reading.current(table.pk)).state != Table.State.FINISHED:
        if facts.state != Table.State.PLAYING:
            for user in at.values():
                seats.ready(actor=user, table_id=table.pk)
            continue
        assert facts.deal is not None
        state = facts.deal.fold.state
        play.act(actor=at[str(state.turn)], table_id=table.pk, sent=sent(facts, rng.choice(state.legal())))
    results.record(table_id=table.pk)
    table.refresh_from_db()
    assert (table.fault, table.sheet is not None) == ("", True)
    fixture = Fixture.objects.get(pk=fixture.pk)
    assert fixture.status == Fixture.Status.CONFIRMED
    total = reading.current(table.pk).result.total
    assert [side.score for side in fixture.sides] == list(total.values())

    client = Client()
    client.force_login(scene.users["anna"])
    # No pair led a hand of it whose cards would mean something.
    meaning = client.get(f"/tables/{table.pk}/hands/1/meaning/").json()
    assert meaning["meanings"] == []

    # Its play is stepped through from the match, and its page links there.
    replay = f"/matches/{fixture.pk}/deals/1/replay/"
    shown = client.get(replay)
    deal = reading.current(table.pk).played[0]
    assert shown.context["replay"]["steps"][-1]["score"]["total"] == deal.score["total"]
    page = client.get(f"/matches/{fixture.pk}/")
    assert page.status_code == 200
    assert replay in page.text
