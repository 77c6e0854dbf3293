"""A round of a Swiss after seven rounds, drawn by us, by us with networkx's matching, and by py4swiss's Dutch system.

.venv/bin/python -m pip install --target /tmp/peers networkx py4swiss
PYTHONPATH=/tmp/peers .venv/bin/python -m tests.benchmarks.peers.swiss_and_others

networkx gets the meetings that our own matching gets, so its time is what another library for the same sum would take.
py4swiss draws by FIDE's rules for chess: the same size and results, but another question.
"""

import random
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from unittest.mock import patch

from engine.contest.draws import swiss
from engine.contest.draws.swiss import SwissDraw, SwissEntry, SwissField, SwissMatch, SwissRound

ROUNDS = 7


def after_seven_rounds(entries: int, seed: int = 20) -> SwissField:
    """An even number of entries, each round drawn, wins and draws by chance; the eighth is to be drawn."""
    chance = random.Random(seed)
    field = SwissField(tuple(SwissEntry(number, number) for number in range(1, entries + 1)), seed="bench")
    rounds: list[SwissRound] = []
    for number in range(1, ROUNDS + 1):
        drawn = SwissField(field.entries, tuple(rounds), number, seed="bench").draw()
        won = (Fraction(chance.choice((0, 2, 2, 2, 1, 0))) for _table in drawn.tables)
        matches = (
            SwissMatch(home, away, (points, 2 - points))
            for (home, away), points in zip(drawn.tables, won, strict=True)
        )
        rounds.append(SwissRound(number, tuple(matches)))
    return SwissField(field.entries, tuple(rounds), ROUNDS + 1, seed="bench")


def by_networkx(meetings: list[tuple[int, int, int]], seats: int) -> list[tuple[int, int]]:
    """The matching of least weight among the largest, as our own function gives it."""
    networkx = import_module("networkx")
    dearest = max(weight for *_two, weight in meetings) + 1
    graph = networkx.Graph()
    graph.add_nodes_from(range(seats))
    graph.add_weighted_edges_from((one, other, dearest - weight) for one, other, weight in meetings)
    return [(min(two), max(two)) for two in networkx.max_weight_matching(graph, maxcardinality=True)]


def as_trf(field: SwissField) -> str:
    """The same results as a chess tournament's file; home is white."""
    lines: dict[int | str, str] = {entry.key: "" for entry in field.entries}
    for played in field.rounds:
        for match in played.matches:
            sides = ((match.home, match.away, "w"), (match.away, match.home, "b"))
            for (own, other, colour), made in zip(sides, match.points, strict=True):
                lines[own] += f"  {other:>4} {colour} {'0=1'[int(made)]}"
    ranked = {
        key: rank for rank, key in enumerate(sorted(lines, key=lambda key: -field.scores[key]), start=1)
    }
    points = {key: float(score / 2) for key, score in field.scores.items()}
    return "XXR 9\n" + "".join(
        f"001 {key:>4} {'':39}{2500 - int(str(key)):>4}{'':28}{points[key]:>4.1f} {ranked[key]:>4}{line}\n"
        for key, line in lines.items()
    )


def py4swiss_draw(field: SwissField) -> Callable[[], object]:
    """Its draw from the parsed file, as ours is from read facts."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "tournament.trf")
        path.write_text(as_trf(field), encoding="ascii")
        parsed = import_module("py4swiss.trf").TrfParser.parse(path)
    engine = import_module("py4swiss.engines").DutchEngine
    return lambda: engine.generate_pairings(parsed)


def main() -> None:
    """Prints the processor time of each."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("entries", nargs="*", type=int, default=[100, 300, 600])
    parser.add_argument("--most-networkx", type=int, default=300, help="larger fields take it minutes")
    options = parser.parse_args()
    for entries in options.entries:
        field = after_seven_rounds(entries)
        ours, took = _timed(partial(draw, field))
        said = [f"{entries} entries: ours {took:.2f} s"]
        if entries <= options.most_networkx:
            with patch.object(swiss, "_matching", by_networkx):
                theirs, took = _timed(partial(draw, field))
            # Both find the one draw of least cost.
            said.append(f"with networkx {took:.2f} s{'' if theirs == ours else ' (another draw)'}")
        _drawn, took = _timed(py4swiss_draw(field))
        said.append(f"py4swiss {took:.2f} s")
        print("; ".join(said), flush=True)


def draw(field: SwissField) -> SwissDraw:
    """From the facts alone: nothing that a draw before has computed."""
    return replace(field).draw()


def _timed(work: Callable[[], object]) -> tuple[object, float]:
    begun = process_time()
    return work(), process_time() - begun


if __name__ == "__main__":
    main()
