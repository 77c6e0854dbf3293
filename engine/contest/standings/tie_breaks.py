"""What entries are ranked by: a registry of metrics, each with a name and a description for players.

A metric measures a group of tied entries against the ledger. Most look at each entry alone; a *relative*
metric has a meaning only among those who are tied (head-to-head, lots) and may not be applicable to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import TypeAlias

from engine.contest.results import Key, Outcome
from engine.contest.standings.ledger import Account, Contribution, Ledger
from engine.errors import ContestError, gettext_noop, quoted

Group: TypeAlias = tuple[Key, ...]


class NotApplicable(StrEnum):
    """Why a metric says nothing about a group."""

    NOT_MET_EQUALLY = "not_met_equally"
    """Those tied have not all met each other equally often."""
    NO_LOTS = "no_lots"
    """No lots were drawn among those tied."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of a group, and for a mini-league the matches that they were made of."""

    values: Mapping[Key, Fraction]
    matches: Mapping[Key, tuple[Contribution, ...]] | None = None


Measure: TypeAlias = Callable[[Group, Ledger], Measured | NotApplicable]


@dataclass(frozen=True, slots=True)
class Metric:
    """One way to tell entries apart."""

    key: str
    name: str
    description: str
    measure: Measure = field(repr=False, compare=False)
    higher_is_better: bool = True
    is_relative: bool = False
    is_signed: bool = False
    """Shown with its sign, as a difference is."""
    is_repeated: bool = False
    """Measured anew among those whom it leaves tied, as long as that separates some of them."""


def of_each(figure: Callable[[Account, Ledger], Fraction]) -> Measure:
    """The measure that looks at each entry's account alone."""

    def measure(group: Group, ledger: Ledger) -> Measured:
        return Measured({entry: figure(ledger.accounts[entry], ledger) for entry in group})

    return measure


def sonneborn_berger(account: Account, ledger: Ledger) -> Fraction:
    """The match points of the opponents beaten, and half of those of the opponents drawn with.

    FIDE C.07 article 9.1. Counted with whole numbers over one denominator: this is the costliest metric.
    """
    matches = account.matches
    opponents = [ledger.accounts[line.opponent] for line in matches if line.opponent is not None]
    denominator = lcm(*(opponent.match_points.denominator for opponent in opponents))
    total = 0
    for line, opponent in zip(matches, opponents, strict=True):
        points = opponent.match_points
        total += _HALVES[line.outcome] * points.numerator * (denominator // points.denominator)
    return Fraction(total, 2 * denominator)


_HALVES = {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0, None: 0}


def head_to_head(group: Group, ledger: Ledger) -> Measured | NotApplicable:
    """Points in the matches among those tied, if all of them have met equally often (FIDE C.07 article 6)."""
    tied = frozenset(group)
    matches = {
        entry: tuple(line for line in ledger.accounts[entry].matches if line.opponent in tied)
        for entry in group
    }
    met = Counter((entry, line.opponent) for entry, lines in matches.items() for line in lines)
    times = {met[pair] for pair in combinations(group, 2)}
    if len(times) != 1 or 0 in times:
        return NotApplicable.NOT_MET_EQUALLY
    values = {entry: sum((line.points for line in lines), Fraction(0)) for entry, lines in matches.items()}
    return Measured(values, matches)


def draw_of_lots(group: Group, ledger: Ledger) -> Measured | NotApplicable:
    """The place in the newest recorded draw that names all those tied."""
    for draw in reversed(ledger.draws):
        if set(group) <= set(draw.order):
            drawn = [entry for entry in draw.order if entry in group]
            return Measured({entry: Fraction(place) for place, entry in enumerate(drawn, start=1)})
    return NotApplicable.NO_LOTS


LEAGUE_POINTS = Metric(
    key="league_points",
    name=gettext_noop("League points"),
    description=gettext_noop("The points for all matches, with byes, penalties and adjustments."),
    measure=of_each(lambda account, _: account.league_points),
)

_METRICS: dict[str, Metric] = {}


def register(metric: Metric) -> None:
    """Make a metric available under its key."""
    if metric.key in _METRICS:
        raise ValueError(f"there is a metric {metric.key} already")
    _METRICS[metric.key] = metric


def get(key: object) -> Metric:
    """The metric of a key; ContestError names those that exist."""
    metric = _METRICS.get(key) if isinstance(key, str) else None
    if metric is None:
        raise ContestError(
            "unknown-metric", _UNKNOWN, given=key, value=quoted(key), known=", ".join(_METRICS)
        )
    return metric


def all_metrics() -> tuple[Metric, ...]:
    """Every metric, in the order of registration."""
    return tuple(_METRICS.values())


_UNKNOWN = gettext_noop("There is no tie-break called “%(value)s”. Choose from: %(known)s.")

for _metric in (
    LEAGUE_POINTS,
    Metric(
        key="head_to_head",
        name=gettext_noop("Head-to-head"),
        description=gettext_noop(
            "The points won in the matches among those who are tied. Used when all of them have met equally"
            " often; those whom it leaves tied are compared again among themselves."
        ),
        measure=head_to_head,
        is_relative=True,
        is_repeated=True,
    ),
    Metric(
        key="points_difference",
        name=gettext_noop("Points difference"),
        description=gettext_noop("All points scored in matches, less all points conceded."),
        measure=of_each(lambda account, _: Fraction(account.score_for - account.score_against)),
        is_signed=True,
    ),
    Metric(
        key="points_scored",
        name=gettext_noop("Points scored"),
        description=gettext_noop("All points scored in matches."),
        measure=of_each(lambda account, _: Fraction(account.score_for)),
    ),
    Metric(
        key="matches_won",
        name=gettext_noop("Matches won"),
        description=gettext_noop("The number of matches won, walkovers included."),
        measure=of_each(lambda account, _: Fraction(account.won)),
    ),
    Metric(
        key="sonneborn_berger",
        name=gettext_noop("Sonneborn-Berger"),
        description=gettext_noop(
            "The points of every opponent beaten, and half the points of every opponent drawn with: beating"
            " strong pairs counts more. Opponents' points are those from their matches, without adjustments."
        ),
        measure=of_each(sonneborn_berger),
    ),
    Metric(
        key="draw_of_lots",
        name=gettext_noop("Draw of lots"),
        description=gettext_noop("Lots drawn by the director among those tied, and recorded."),
        measure=draw_of_lots,
        higher_is_better=False,
        is_relative=True,
    ),
):
    register(_metric)
