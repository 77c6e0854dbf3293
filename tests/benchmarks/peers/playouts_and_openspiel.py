"""Random deals of our games and OpenSpiel's hearts played out from Python, in turns in one run; prints a table.

.venv/bin/python -m pip install --target /tmp/openspiel open_spiel
PYTHONPATH=/tmp/openspiel .venv/bin/python -m tests.benchmarks.peers.playouts_and_openspiel

A deal is dealt, and each legal action is as likely as the others, as in OpenSpiel, where the cards of a deal are
actions of chance. Counted are deals and the actions of players, by processor time. Ends with exit code 1 where a
below its goal: half as many deals as hearts for games of tricks, a quarter for games of vying, a tenth for Burraco.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from statistics import median
from time import process_time
from typing import Any

from engine.game import Game, known_games

TRICKS = {"tute", "pinochle-partnership", "pinochle-auction", "ecarte", "fuenfzehnern", "twenty-down"}
VYING = {"brag-nine", "brag-seven", "brag-six", "primiera", "primero", "bouillotte", "poch"}
GOALS = {**dict.fromkeys(TRICKS, 0.5), **dict.fromkeys(VYING, 0.25), "burraco": 0.1}
ROUNDS = 5
#: Seconds of processor time for each game in each round.
SHARE = 0.2

Deal = Callable[[], int]
"""Plays a deal out; how many actions the players took."""


def hearts() -> Deal:
    """OpenSpiel's."""
    game: Any = import_module("pyspiel").load_game("hearts")
    rng = random.Random(1)

    def deal() -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            actions += not state.is_chance_node()
            state.apply_action(legal[int(rng.random() * len(legal))])
        return actions

    return deal


def ours(game: Game) -> Deal:
    """As many players as can play, with the game's preset."""
    rng, players = random.Random(1), game.players.stop - 1
    options, seats = game.read_options(game.preset), game.seats(game.players.stop - 1)

    def deal() -> int:
        dealer = seats[int(rng.random() * len(seats))]
        state, actions = game.start(game.deal(rng, dealer, options, players), dealer, options, players), 0
        while not state.is_over:
            state = state.apply(game.drawn(state, rng.random()))
            actions += 1
        return actions

    return deal


def speed(deal: Deal) -> tuple[float, float]:
    """Deals and actions a second."""
    begun, deals, actions = process_time(), 0, 0
    while (took := process_time() - begun) < SHARE:
        actions += deal()
        deals += 1
    return deals / took, actions / took


def measured(games: list[Game]) -> Iterator[tuple[Game, float, float, float, float]]:
    """Each game with its deals and actions a second, and how many it has for each of hearts: medians of the rounds."""
    peer, own = hearts(), {game.key: ours(game) for game in games}
    rounds = []
    for _round in range(ROUNDS):
        found = {}
        for key, deal in own.items():
            # Beside each other, so that both meet the same machine.
            found[key] = (*speed(deal), speed(peer))
        rounds.append(found)
    for game in games:
        rows: list[Any] = [found[game.key] for found in rounds]
        deals, actions = median(row[0] for row in rows), median(row[1] for row in rows)
        of_deals, of_actions = (median(row[at] / row[2][at] for row in rows) for at in (0, 1))
        yield game, deals, actions, of_deals, of_actions
    hearts_rows = [found[games[0].key][2] for found in rounds]
    print(f"hearts: {median(row[0] for row in hearts_rows):,.0f} deals, "
          f"{median(row[1] for row in hearts_rows):,.0f} actions a second")  # fmt: skip


def main() -> None:
    """Print the table, and end with 1 below a goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="", help="keys with commas between; else all")
    chosen = set(parser.parse_args().games.split(",")) - {""}
    games = [game for game in known_games() if not chosen or game.key in chosen]
    missed = []
    for game, deals, actions, ratio, of_actions in measured(games):
        goal = GOALS.get(game.key)
        figures = f"{deals:,.0f} | {actions:,.0f} | {ratio:.2f} | {of_actions:.2f}"
        print(f"| {game.name} | {figures} | {goal or '–'} |", flush=True)
        if goal and ratio < goal:
            missed.append(game.key)
    sys.exit(f"Below the goal: {', '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
