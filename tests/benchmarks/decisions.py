"""How long a robot of the table thinks, in every game: prints a table, and ends with 1 above 0.3 s.

    .venv/bin/python -m tests.benchmarks.decisions

The strongest robot of each game at the budget of the table, with as many players as can play, in deals that novices
play; processor time.
"""

import argparse
import random
import sys
from statistics import median
from time import process_time

from engine.game import Game, known_games
from engine.game.searching import Searcher

GOAL = 0.3
DEALS = 3
#: One decision in so many is timed.
EVERY = 4


def times(game: Game, deals: int) -> list[float]:
    """The seconds of the decisions that were timed."""
    robot, novice, players = game.robots[-1], game.robots[0], game.players.stop - 1
    options, seats = game.read_options(game.preset), game.seats(players)
    rng, found, asked = random.Random(1), [], 0
    for number in range(deals):
        dealer = seats[number % len(seats)]
        state = game.start(game.deal(rng, dealer, options, players), dealer, options, players)
        while state.turn is not None:
            view = game.view(state, state.turn)
            if len(state.legal()) > 1:
                asked += 1
                if asked % EVERY == 1:
                    begun = process_time()
                    robot.token(view)
                    found.append(process_time() - begun)
            state = state.apply(novice.token(view))
    return found


def main() -> None:
    """Print the table, and end with 1 above the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="", help="keys with commas between; else all")
    parser.add_argument("--deals", type=int, default=DEALS)
    arguments = parser.parse_args()
    chosen, slow = set(arguments.games.split(",")) - {""}, []
    for game in known_games():
        if not game.robots or (chosen and game.key not in chosen):
            continue
        found, robot = times(game, arguments.deals), game.robots[-1]
        budget = robot.playouts if isinstance(robot, Searcher) else "–"
        print(
            f"| {game.name} | {budget} | {median(found):.3f} s | {max(found):.3f} s | {len(found)} |",
            flush=True,
        )
        if max(found) > GOAL:
            slow.append(game.key)
    sys.exit(f"Above the goal: {', '.join(slow)}" if slow else 0)


if __name__ == "__main__":
    main()
