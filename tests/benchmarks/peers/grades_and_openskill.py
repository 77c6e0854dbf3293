"""The matches of tests/benchmarks/test_grades_speed.py rated by us and by openskill, one after the other.

.venv/bin/python -m pip install --target /tmp/openskill openskill
PYTHONPATH=/tmp/openskill .venv/bin/python -m tests.benchmarks.peers.grades_and_openskill
"""

from importlib import import_module
from time import process_time
from typing import Any

from engine.contest.grades import Match, Session, rate_all
from tests.benchmarks.test_grades_speed import PLAYERS, ten_years


def by_openskill(sessions: list[Session]) -> dict[Any, Any]:
    """Everybody's rating after all matches; who made more has won."""
    model = import_module("openskill.models").ThurstoneMostellerFull()
    ratings: dict[Any, Any] = {player: model.rating() for player in range(PLAYERS)}
    for session in sessions:
        played = session.played
        if not isinstance(played, Match):
            continue
        teams = [[ratings[player] for player in side] for side in played.sides]
        ranks = [1, 2] if played.made >= 0 else [2, 1]
        for side, rated in zip(played.sides, model.rate(teams, ranks=ranks), strict=True):
            ratings.update(zip(side, rated, strict=True))
    return ratings


def main() -> None:
    """Prints both times and the ratio."""
    sessions = ten_years()
    times = []
    for rate in (rate_all, by_openskill):
        begun = process_time()
        rate(sessions)
        times.append(process_time() - begun)
    print(f"ours {times[0]:.2f} s, openskill {times[1]:.2f} s, ratio {times[0] / times[1]:.2f}")


if __name__ == "__main__":
    main()
