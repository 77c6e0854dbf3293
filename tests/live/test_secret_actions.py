"""What a table tells of an action that is secret in part, and deals where something stayed on the table."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from engine import game
from engine.deals import Deal
from engine.seats import Seat
from games.models import Table, TableDeal
from games.options import port_of
from games.tables.state.carried import dealer_of_deal, options_of_deal
from games.tables.state.log import Line, fold
from games.tables.state.seat_view import Reader, view_for
from games.tables.state.snapshot import Holder, TableSnapshot
from league.errors import Invalid
from tests.engine.trio import TRIO
from tests.live.positions import START, Position, facts_of
from tests.scenes import Scene, make_scene

DEAL = "AsKs7s6s AhKh7h6h 9s8s7d6d | QsJsTsQhJhThAdKdQdJdTd9d8dAcKcQcJcTc9c8c7c6c9h8h"


@pytest.fixture(autouse=True)
def _trio() -> Iterator[None]:
    game.register(TRIO)
    yield
    game.forget("trio")


def laid() -> TableSnapshot:
    """A table of three; seat 2 has exchanged its two lowest hearts."""
    lines = (Line(0, "2", "x7h6h", None, START + timedelta(seconds=10)),)
    folded = fold(game_key="trio", deal=DEAL, dealer="1", options={"pot": 3}, started_at=START, lines=lines)
    facts = facts_of(Position(Deal.random(random.Random(1)), Seat.N, ()))
    assert facts.deal is not None
    seats = {seat: Holder(seat, int(seat), None, seat, "", 2, "w", int(seat)) for seat in TRIO.seats()}
    deal = replace(facts.deal, dealer="1", fold=folded)
    return replace(facts, game="trio", seats=seats, deal=deal, played=(), requests=())


@pytest.mark.parametrize("seat", ["1", "2", "3", None])
def test_only_who_exchanged_is_told_which_cards(seat: str | None) -> None:
    reader = Reader() if seat is None else Reader(seat=seat)
    told = view_for(facts=laid(), reader=reader, at=datetime(2026, 1, 1, tzinfo=UTC))
    assert told["deal"]["last"]["token"] == ("x7h6h" if seat == "2" else "x2")
    assert ("7h" in json.dumps(told)) is (seat == "2")
    assert told["deal"]["view"]["pot"] == 6


def test_who_watches_late_is_told_late_what_was_done() -> None:
    facts = laid()
    facts = replace(facts, terms={**facts.terms, "delay_seconds": 60})
    told = [
        view_for(facts=facts, reader=Reader(), at=START + timedelta(seconds=seconds))["deal"]["view"]
        for seconds in (65, 75)
    ]
    assert [view["actions"] for view in told] == [
        [],
        [{"seat": "2", "token": "x2", "text": "exchanges 2 cards"}],
    ]


@pytest.mark.django_db
def test_what_nobody_won_lies_on_the_table_of_the_next_deal(scene: Scene) -> None:
    table = Table.objects.create(
        club=scene.club, game="trio", options={"deals": 5, "target": 0}, first_dealer="2", kind="casual",
        opened_by=scene.users["anna"],
    )  # fmt: skip
    assert options_of_deal(table, 1, is_board=False) == {"deals": 5, "target": 0, "pot": 0}
    assert dealer_of_deal(table, 1) == "2"
    score = {"total": {"1": -1, "2": -1, "3": -1}, "pot": 3}
    TableDeal.objects.create(
        table=table, number=1, dealer="2", score=score, started_at=START, finished_at=START
    )
    assert options_of_deal(table, 2, is_board=False) == {"deals": 5, "target": 0, "pot": 3}
    assert options_of_deal(table, 2, is_board=True) == {"deals": 5, "target": 0}
    assert dealer_of_deal(table, 2) == "3"


def test_no_competition_puts_anything_on_the_table() -> None:
    with pytest.raises(Invalid, match="no option “pot”"):
        port_of(TRIO).read_options({"pot": 1000})


@pytest.fixture(name="scene")
def _scene() -> Scene:
    return make_scene()
