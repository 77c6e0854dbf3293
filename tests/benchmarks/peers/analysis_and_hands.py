"""Measures best play, five-card hands and random play beside their peers, all in the same run, and prints a table.

    python -m tests.benchmarks.peers.analysis_and_hands [--deals 32] [--rounds 3] [--python PATH]

The peers: DDS, the double-dummy analysis of bridge deals, through endplay; phevaluator and eval7, for hands; OpenSpiel
(hearts) and RLCard (bridge), for playing a game of 52 cards out at random, each legal action as likely as the others.
They are no dependencies of the project: they are installed into an environment of their own in a temporary folder, with
the numpy and numba that ours needs, unless ``--python`` names the interpreter of one that has them all. Theirs and ours
are measured there in turns, so that both meet the same machine. Ends with exit code 1 when ours is not 100 times faster
than DDS.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from engine.deals import Deal

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("endplay==0.5.12", "phevaluator", "eval7", "open_spiel", "rlcard", "numpy", "numba")
GOAL = 100

#: Runs in the other environment: reads deals as JSON, prints seconds as JSON.
MEASURE = """
import json, random, sys, time
from itertools import combinations, islice
import eval7, phevaluator, pyspiel
from endplay.dds import calc_all_tables
from endplay.types import Deal as BridgeDeal
from rlcard.games.bridge.game import BridgeGame
from engine.cards import Card, CardSet
from engine.concerto.best_play.deal_par import deal_pars
from engine.concerto.play import start
from engine.concerto.options import Options
from engine.deals import Deal
from engine.concerto.poker import classify
from engine.seats import SEATS

texts, rounds, count = json.load(sys.stdin)
boards = [(Deal.parse(text), SEATS[number % 4]) for number, text in enumerate(texts)]
bridge = [BridgeDeal(text) for text in texts]
fives = list(islice(combinations(range(52), 5), 0, None, 2598960 // count))[:count]
names = [Card.at(card).text for card in range(52)]
theirs = [[eval7.Card(names[card]) for card in five] for five in fives]
written = [[names[card] for card in five] for five in fives]
ours = [CardSet.of(Card.at(card) for card in five) for five in fives]

rng = random.Random(1)
hearts = pyspiel.load_game("hearts")

def open_spiel():
    state, count = hearts.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            count += 1
    return count

def rlcard():
    game, count = BridgeGame(), 0
    game.init_game()
    while not game.is_over():
        game.step(rng.choice(game.judger.get_legal_actions()))
        count += 1
    return count

def concerto():
    state, count = start(Deal.random(rng), SEATS[0], Options()), 0
    while not state.is_over:
        state = state.apply(rng.choice(state.legal_actions()))
        count += 1
    return count

players = {"open_spiel": open_spiel, "rlcard": rlcard, "concerto": concerto}
played = {name: 0 for name in players}

def play_out(name):
    played[name] += sum(players[name]() for _ in range(200))

def timed(work):
    start, cpu = time.perf_counter(), time.process_time()
    work()
    return [time.perf_counter() - start, time.process_time() - cpu]

first = timed(lambda: deal_pars(boards[:1]))
works = {
    "dds": lambda: [list(part) for at in range(0, len(bridge), 32) for part in [calc_all_tables(bridge[at:at + 32])]],
    "par": lambda: deal_pars(boards),
    "eval7": lambda: [eval7.evaluate(hand) for hand in theirs],
    "phevaluator": lambda: [phevaluator.evaluate_cards(*hand) for hand in written],
    "classify": lambda: [classify(hand) for hand in ours],
    **{name: lambda name=name: play_out(name) for name in players},
}
taken = {name: [] for name in works}
for _ in range(rounds):
    for name, work in works.items():
        taken[name].append(timed(work))
answer = {"first": first, "hands": count, "taken": taken}
print(json.dumps({**answer, "deals": 200, "actions": {name: n / rounds for name, n in played.items()}}))
"""


def main() -> int:
    """Measure and print; the exit code says whether the goal is met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=32, help="how many deals are analysed")
    parser.add_argument("--rounds", type=int, default=3, help="how often everything is measured")
    parser.add_argument("--python", default=None, help="the interpreter of an environment with all packages")
    arguments = parser.parse_args()
    rng = random.Random(32)
    given = [[str(Deal.random(rng)) for _ in range(arguments.deals)], arguments.rounds, 100_000]
    with tempfile.TemporaryDirectory() as name:
        python = arguments.python or environment(Path(name) / "environment")
        done = subprocess.run(
            [python, "-c", MEASURE],
            check=True,
            cwd=ROOT,
            input=json.dumps(given),
            stdout=subprocess.PIPE,
            text=True,
        )
    return report(json.loads(done.stdout), arguments.deals)


def environment(folder: Path) -> str:
    """The interpreter of a new environment with the peers."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return str(python)


def report(found: dict[str, Any], deals: int) -> int:
    """Print elapsed time (two cores for DDS) and processor time; medians of the rounds."""
    elapsed = {name: median(wall for wall, _ in taken) for name, taken in found["taken"].items()}
    cpu = {name: median(used for _, used in taken) for name, taken in found["taken"].items()}
    print(f"first deal, loading and compiling or its cache included: {found['first'][0]:.2f} s")
    for name in ("dds", "par"):
        print(
            f"{name}: {1000 * elapsed[name] / deals:.3f} ms a deal ({1000 * cpu[name] / deals:.3f} ms of processor)"
        )
    for name, count in counted(found):
        print(f"{name}: {count / cpu[name] / 1e6:.2f} million hands a second")
    for name, actions in found["actions"].items():
        deals_played = found["deals"] / cpu[name]
        print(f"{name}: {deals_played:.0f} deals a second, {actions / cpu[name]:.0f} actions a second")
    ratio = elapsed["dds"] / elapsed["par"]
    print(f"par is {ratio:.0f} times as fast as dds")
    return 0 if ratio >= GOAL else 1


def counted(found: dict[str, Any]) -> list[tuple[str, int]]:
    """How many hands each of the three was given."""
    return [(name, found["hands"]) for name in ("eval7", "phevaluator", "classify")]


if __name__ == "__main__":
    sys.exit(main())
