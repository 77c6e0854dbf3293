"""Lets endplay, a bridge library, read the PBN and LIN files that we write, and compares what it read.

    python -m tests.benchmarks.peers.endplay_reads_our_files [--files 100] [--python PATH]

endplay is no dependency of the project: it is installed into an environment of its own in a temporary folder, unless
``--python`` names the interpreter of one that has it. Ends with exit code 1 at the first difference.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.boards.files.boards import Board
from engine.boards.files.hands import hand_text
from engine.boards.files.lin import write_lin
from engine.boards.files.pbn import write_pbn
from engine.boards.files.pbn_game import PbnGame
from engine.concerto.records.record import Record
from engine.deals import Deal
from engine.seats import SEATS, dealer_of_board
from tests.engine.boards.files.material import ORACLE_BOARDS, at_other_depths, played_out

ENDPLAY = "endplay==0.5.12"
GAMES_IN_FILE = 8
ODD_VALUES = (
    "Zoë Müller",
    'The "Big" One',
    "a\\b",
    "Łódź",
    "{not a comment",
    "semi;colon",
    "[brackets]",
    "#1",
    "% 5",
    "'",
)

#: Runs in the other environment: reads the named files, prints what it found as JSON.
READER = """
import json, sys
from endplay.parsers import lin, pbn
from endplay.types import Player
found = {}
for name in sys.argv[1:]:
    parser, encoding = (pbn, "latin-1") if name.endswith(".pbn") else (lin, "ascii")
    with open(name, encoding=encoding, newline="") as file:
        boards = parser.load(file)
    found[name] = [
        {
            "board": board.board_num,
            "dealer": board.dealer.abbr,
            "deal": board.deal.to_pbn(Player.north),
            "rows": len(board.info.get("ConcertoPlayTable", {}).get("rows", [])),
            "event": board.info.get("Event"),
        }
        for board in boards
    ]
print(json.dumps(found))
"""


def main() -> int:
    """Write, let read, compare; the exit code says whether all agreed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", type=int, default=100, help="how many PBN files to write")
    parser.add_argument("--python", default=None, help="the interpreter of an environment with endplay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        expected = written_files(folder, arguments.files)
        python = arguments.python or environment(folder / "environment")
        read = subprocess.run(
            [python, "-c", READER, *expected], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    return report(expected, json.loads(read))


def environment(folder: Path) -> str:
    """The interpreter of a new environment with endplay."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", ENDPLAY], check=True)
    return str(python)


def written_files(folder: Path, count: int) -> dict[str, list[dict[str, Any]]]:
    """The files by name, each with what a reader should find."""
    rng = random.Random(2026)
    expected = {}
    for number in range(count):
        games = [game(rng, 1 + GAMES_IN_FILE * number + place) for place in range(GAMES_IN_FILE)]
        path = folder / f"{number}.pbn"
        path.write_bytes(write_pbn(games))
        expected[str(path)] = [expectation(each) for each in games]
    sets = [ORACLE_BOARDS, [Board.of(number, Deal.random(rng)) for number in range(1, 200)]]
    for name, boards in zip(("oracle", "random"), sets, strict=True):
        pbn, lin = folder / f"{name}.pbn", folder / f"{name}.lin"
        pbn.write_bytes(write_pbn(boards))
        lin.write_bytes(write_lin(boards))
        found = [expectation(PbnGame.of_board(board)) for board in boards]
        expected[str(pbn)] = found
        expected[str(lin)] = [each | {"event": None} for each in found]
    return expected


def game(rng: random.Random, number: int) -> PbnGame:
    """A game played out, told in part, hidden in part, or not played."""
    tags = {name: rng.choice(ODD_VALUES) for name in ("Event", "Site", "North", "Room")}
    dealer = rng.choice([dealer_of_board(number), *SEATS])
    played = played_out(rng, dealer)
    kind = rng.choice(["played", "told in part", "hidden", "not played"])
    if kind == "told in part":
        return PbnGame.of_record(number, at_other_depths(rng, played), played.deal, tags)
    whole = PbnGame.of_record(number, played.record, played.deal, tags)
    if kind == "hidden":
        north, east, south, west = (cards if rng.random() < 0.5 else None for cards in whole.hands)
        return PbnGame(number, dealer, (north, east, south, west), whole.tags)
    return whole if kind == "played" else PbnGame.of_board(Board(number, played.deal, dealer), tags)


def expectation(written: PbnGame) -> dict[str, Any]:
    """What endplay should find of this game.

    A hidden hand is four empty suits to it; and of games without a contract it takes the dealer that goes with the
    board's number, whatever the tag Dealer says.
    """
    hands = ["..." if cards is None else hand_text(cards, ("", ".", ".", ".")) for cards in written.hands]
    record = written.record
    rows = 0
    if isinstance(record, Record):
        rows = sum(
            entry is not None or points is not None
            for entry, points in zip(record.hands, record.points, strict=True)
        )
    return {
        "board": written.number,
        "dealer": dealer_of_board(written.number or 1).letter,
        "deal": "N:" + " ".join(hands),
        "rows": rows,
        "event": written.tags.get("Event", "?"),
    }


def report(expected: dict[str, list[dict[str, Any]]], read: dict[str, list[dict[str, Any]]]) -> int:
    """Say how much agreed, or what did not."""
    for difference in differences(expected, read):
        print(difference)
        return 1
    games = sum(len(each) for each in expected.values())
    print(
        f"{ENDPLAY} read {len(expected)} files with {games} games; number, dealer, cards and rows agree in all."
    )
    return 0


def differences(
    expected: dict[str, list[dict[str, Any]]], read: dict[str, list[dict[str, Any]]]
) -> Iterator[str]:
    for name, games in expected.items():
        if len(games) != len(read[name]):
            yield f"{name}: {len(games)} games were written, {len(read[name])} read"
        for ours, theirs in zip(games, read[name], strict=False):
            if ours != theirs:
                yield f"{name}:\n  written {ours}\n  read    {theirs}"


if __name__ == "__main__":
    sys.exit(main())
