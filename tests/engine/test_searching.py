"""What is shared by robots of any game: dealing what nobody has seen, the searcher, and tournaments."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

import engine.game.tournament
from engine.cli import main
from engine.errors import ActionError, DealError
from engine.game.searching import Searcher
from engine.game.tournament import Setup, compared, margin_of
from engine.game.unseen import dealt_unseen
from engine.tute.game import TUTE_FOR_FOUR as TUTE
from engine.tute.play import SIDES
from engine.tute.sampling import SAMPLING

assert engine.game.tournament

CARDS = ("As", "Ks", "Qh", "Jd")


def test_cards_are_dealt_where_they_may_lie_each_way_as_often() -> None:
    """The ace may not lie with the first, the queen not with the second: of twelve deals four are left."""
    rng = random.Random(1)
    found = Counter(
        tuple(map(frozenset, dealt_unseen(CARDS, (1, 1, 2), ({"As"}, {"Qh"}, ()), rng)))
        for _deal in range(4000)
    )
    possible = {
        (frozenset(order[:1]), frozenset(order[1:2]), frozenset(order[2:]))
        for order in permutations(CARDS)
        if order[0] != "As" and order[1] != "Qh"
    }
    assert set(found) == possible
    assert all(abs(times - 4000 / len(possible)) < 150 for times in found.values())


def test_without_bars_every_card_may_lie_anywhere() -> None:
    found = {dealt_unseen(CARDS, (1, 1, 2), ((), (), ()), random.Random(seed))[0] for seed in range(60)}
    assert found == {(card,) for card in CARDS}


def test_what_cannot_lie_anywhere_is_told() -> None:
    with pytest.raises(DealError):
        dealt_unseen(CARDS, (2, 2), ({"As", "Ks", "Qh"}, ()), random.Random(1))


def test_the_searcher_does_the_same_in_the_same_place_and_waits_for_its_turn() -> None:
    searcher = Searcher(SAMPLING, SIDES, playouts=20)
    options = TUTE.read_options({})
    state = TUTE.start(TUTE.deal(random.Random(3), "N", options), "N", options)
    for token in state.legal()[:3]:
        later = state.apply(token)
        view = TUTE.view(later, later.turn)
        chosen = searcher.token(view)
        assert chosen in later.legal()
        assert {searcher.token(view) for _time in range(3)} == {chosen}
        with pytest.raises(ActionError):
            searcher.token(TUTE.view(later, None))
        with pytest.raises(ActionError):
            searcher.token(TUTE.view(later, "N" if later.turn != "N" else "S"))


def test_the_searcher_keeps_four_kings_together() -> None:
    """West has taken a trick, holds four kings, and will win the next trick too: any tute is worth 230."""
    hands = "2c4c7h2s4s5s6s7s2h4h 7cJc5h6hJh3h2d4d5dJd 5c6c6d7d3d3sAsJsQsAh Ac3cAdKsKhKdKcQhQdQc | 7h"
    state = TUTE.replay(hands, "N", TUTE.read_options({}), ["Ac", "5c", "7c", "2c"])
    assert state.turn == "W"
    assert Searcher(SAMPLING, SIDES, playouts=60).token(TUTE.view(state, "W")) in {"tute", "Ad"}


def test_a_robot_is_no_better_than_itself_and_a_novice_better_than_chance() -> None:
    assert margin_of(Setup("tute", ("novice", "novice"), "1", 1), 4) == 0
    found: Any = compared(Setup("tute", ("novice", "beginner"), "1", 1), 100)
    assert found["deals"] == 100
    assert found["errors"] > 5


def test_the_command_says_who_is_better_and_what_is_wrong() -> None:
    output = io.StringIO()
    arguments = ["tournament", "--game", "tute", "--robots", "searcher,novice", "--playouts", "8"]
    assert main([*arguments, "--deals", "2", "--seed", "x"], output) == 0
    told = json.loads(output.getvalue())
    assert (told["game"], told["robots"], told["deals"]) == ("tute", ["searcher", "novice"], 2)
    for wrong in (
        ["--robots", "novice"],
        ["--robots", "novice,nobody"],
        ["--playouts", "0"],
        ["--deals", "0"],
    ):
        output = io.StringIO()
        assert main(["tournament", "--game", "tute", *wrong], output) == 1
        assert json.loads(output.getvalue())["problems"]
