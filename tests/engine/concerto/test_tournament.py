"""Tournaments of robots: the scheme, and the figures."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

import engine.concerto.commands.tournament
from engine.cli import main
from engine.concerto.robots.novice import NOVICE
from engine.concerto.robots.player import PLAYER
from engine.concerto.robots.tournament import (
    Figure,
    Played,
    Setup,
    boards,
    deal_of_board,
    figures,
    play_board,
    play_tournament,
)
from engine.seats import Side
from tests.engine.robot_conformance import random_robot

assert engine.concerto.commands.tournament

RANDOM = random_robot()


def ticking() -> Callable[[], float]:
    """A clock that goes on by one second whenever it is looked at."""
    return count().__next__


def test_every_kind_plays_both_sides_of_the_same_deal_against_the_same_opponents() -> None:
    setup = Setup((RANDOM, NOVICE), NOVICE, "x")
    rows = play_board(setup, ticking(), boards(setup, 3)[2])
    assert [(row.robot, row.side) for row in rows] == [
        (robot, side) for robot in ("random", "novice") for side in Side
    ]
    by_random, by_novice = rows[:2], rows[2:]
    assert [row.best for row in by_random] == [row.best for row in by_novice]
    assert all(row.made <= row.best for row in rows)
    # Novices on both sides: one table, looked at from both sides.
    assert by_novice[0].ahead == -by_novice[1].ahead
    assert min(row.given_away for row in by_novice) == 0
    assert all(row.seconds == row.decisions and row.longest == 1 for row in rows)


def test_a_deal_is_the_same_whatever_else_is_dealt() -> None:
    assert deal_of_board("7", 12) == deal_of_board("7", 12)
    assert len({str(deal_of_board(seed, number)) for seed in "78" for number in range(1, 9)}) == 16


def test_the_known_marks_are_found() -> None:
    """The best possible averages 39.8 a side, the two best hands of own cards 18.8, and random play 2.6."""
    found = figures(play_tournament(Setup((RANDOM, NOVICE), NOVICE, "marks"), 40, ticking()))
    by_chance, novice = found.robots
    assert abs(found.best.mean - 39.8) < 3 * found.best.error < 3
    assert abs(by_chance.made.mean - 2.6) < 3 * by_chance.made.error < 1
    assert abs(novice.made.mean - 18.9) < 3 * novice.made.error < 3
    assert novice.percent.mean == pytest.approx(100 * novice.made.mean / found.best.mean)
    (difference,) = found.differences
    assert difference.made.mean == pytest.approx(by_chance.made.mean - novice.made.mean)
    assert difference.made.mean < -3 * difference.made.error


def test_the_player_makes_more_than_the_novice() -> None:
    found = figures(play_tournament(Setup((PLAYER, NOVICE), NOVICE, "better"), 8, ticking()))
    (difference,) = found.differences
    assert difference.made.mean > 3 * difference.made.error
    assert found.robots[0].percent.mean > 58


def test_workers_make_no_difference() -> None:
    setup = Setup((NOVICE,), NOVICE, "same")
    alone, together = (play_tournament(setup, 3, no_time, workers) for workers in (1, 2))
    assert alone == together


def no_time() -> float:
    """A clock that stands still; a function of its own so that it can be sent to other processes."""
    return 0.0


def test_errors_are_of_deals_and_differences_are_paired() -> None:
    row = Played("a", 1, Side.NS, 10, 40, 0, 5, 10, 1.0, 0.5)
    rows = [
        row,
        replace(row, side=Side.EW, made=20, given_away=10),
        replace(row, number=2, made=30),
        replace(row, number=2, side=Side.EW, made=40, longest=0.75),
    ]
    others = [replace(each, robot="b", made=each.made - 4) for each in rows]
    found = figures([*rows, *others])
    one = found.robots[0]
    # Deals made 15 and 35 on average: 25 ± 10.
    assert one.made == Figure(25, 10)
    assert one.percent == Figure(62.5, 25)
    assert one.given_away == Figure(2.5, 2.5)
    assert (one.decisions, one.mean_seconds, one.longest_seconds) == (40, 0.1, 0.75)
    assert found.differences[0].made == Figure(4, 0)
    assert Figure.of([3]).as_json() == {"mean": 3, "error": None}
    assert json.dumps(found.as_json())


def test_the_command_prints_json_and_a_table() -> None:
    output = io.StringIO()
    arguments = ["tournament", "--robots", "novice, novice", "--deals", "2", "--seed", "5"]
    assert main(arguments, output) == 0
    told = json.loads(output.getvalue())
    assert [each["robot"] for each in told["robots"]] == ["novice"]
    assert told["deals"] == 2
    table = io.StringIO()
    assert main([*arguments, "--table"], table) == 0
    assert f"{told['robots'][0]['made']['mean']:.2f}" in table.getvalue()


@pytest.mark.parametrize(
    "wrong",
    [
        ["--robots", "nobody"],
        ["--deals", "0"],
        ["--deals", "9999999999"],
        ["--workers", "0"],
        ["--workers", "100000"],
        ["--opponents", ""],
    ],
)
def test_the_command_says_what_is_wrong(wrong: list[str]) -> None:
    output = io.StringIO()
    assert main(["tournament", *wrong], output) == 1
    assert json.loads(output.getvalue())["problems"]
