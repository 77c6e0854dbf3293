"""The matches of tests/benchmarks/test_grades_speed.py rated by us and by openskill, one after the other.

openskill's beta is fitted on the same matches: the one that best foretells who wins.

.venv/bin/python -m pip install --target /tmp/openskill openskill
PYTHONPATH=/tmp/openskill .venv/bin/python -m tests.benchmarks.peers.grades_and_openskill
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from math import log
from time import process_time
from typing import Any

from engine.contest.grades import Match, Session, rate_all
from tests.benchmarks.test_grades_speed import PLAYERS, ten_years

#: openskill's own beta is 25 / 6. So many times that is tried, on so many matches.
TIMES = (0.5, 1, 2, 3, 4, 6, 8, 12, 16)
FITTED_ON, FORETOLD = 20_000, 5_000
USUAL_BETA = 25 / 6


def model_of(beta: float) -> Any:
    """openskill's Thurstone-Mosteller model."""
    return import_module("openskill.models").ThurstoneMostellerFull(beta=beta)


def fitted_beta(sessions: list[Session]) -> float:
    """The beta with which openskill is surprised least by who wins."""
    return min((times * USUAL_BETA for times in TIMES), key=partial(surprise, sessions[:FITTED_ON]))


def surprise(sessions: list[Session], beta: float) -> float:
    """The mean of -log P of what happened in the last matches, by the ratings before each."""
    found: list[float] = []

    def foretell(model: Any, teams: Any, ranks: list[int], order: int) -> None:
        if order >= len(sessions) - FORETOLD:
            found.append(-log(max(model.predict_win(teams)[ranks.index(1)], 1e-12)))

    by_openskill(sessions, beta=beta, before=foretell)
    return sum(found) / len(found)


def by_openskill(
    sessions: list[Session], *, beta: float, before: Callable[[Any, Any, list[int], int], None] | None = None
) -> dict[Any, Any]:
    """Everybody's rating after all matches; who made more has won."""
    model = model_of(beta)
    ratings: dict[Any, Any] = {player: model.rating() for player in range(PLAYERS)}
    for order, session in enumerate(sessions):
        played = session.played
        if not isinstance(played, Match):
            continue
        teams = [[ratings[player] for player in side] for side in played.sides]
        ranks = [1, 2] if played.made >= 0 else [2, 1]
        if before is not None:
            before(model, teams, ranks, order)
        for side, rated in zip(played.sides, model.rate(teams, ranks=ranks), strict=True):
            ratings.update(zip(side, rated, strict=True))
    return ratings


def main() -> None:
    """Prints both times, the ratio, and the beta."""
    sessions = ten_years()
    beta = fitted_beta(sessions)
    times = []
    for rate in (rate_all, partial(by_openskill, beta=beta)):
        begun = process_time()
        rate(sessions)
        times.append(process_time() - begun)
    print(
        f"ours {times[0]:.2f} s, openskill {times[1]:.2f} s, ratio {times[0] / times[1]:.2f}; beta {beta:.2f}"
    )


if __name__ == "__main__":
    main()
