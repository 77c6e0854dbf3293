"""What entries are ranked by: a registry of metrics, each with a name and a description for players.

A metric measures a group of tied entries against the ledger. Most look at each entry alone; a *relative*
metric has a meaning only among those who are tied (head-to-head, lots) and may not be applicable to them. In which
order they are asked is a competition's own choice; without one, `ranking.DEFAULT_TIE_BREAKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import lcm
from typing import TypeAlias

from engine.contest.results import Key
from engine.contest.standings.ledger import Account, Contribution, Ledger, Source
from engine.errors import ContestError, quoted
from engine.text import gettext_noop

Group: TypeAlias = tuple[Key, ...]


class NotApplicable(StrEnum):
    """Why a metric says nothing about a group."""

    NOT_MET_EQUALLY = "not_met_equally"
    """Those tied have not all met each other equally often."""
    NO_LOTS = "no_lots"
    """No lots were drawn among those tied."""
    MORE_THAN_TWO = "more_than_two"
    """It compares the two sides of a match, and here more than two meet."""


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
    """Measured again among those whom it leaves tied, as long as that separates some of them."""
    is_of_scores: bool = False
    """Counts what was scored: where the lowest score is the best, the lowest figure is."""
    is_for_two: bool = False
    """Has a meaning only where all matches are of two sides."""

    def fits(self, sides: int) -> bool:
        """Whether it has a meaning in a contest whose matches have up to so many sides."""
        return sides == 2 or not self.is_for_two

    def figures(self, group: Group, ledger: Ledger) -> Measured | NotApplicable:
        """What it measures of a group in this contest."""
        return self.measure(group, ledger) if self.fits(ledger.most_sides) else NotApplicable.MORE_THAN_TWO

    def prefers_higher(self, ledger: Ledger) -> bool:
        """Whether the higher figure is the better one in this contest."""
        return self.higher_is_better != (self.is_of_scores and ledger.lower_is_better)


def of_each(figure: Callable[[Account, Ledger], Fraction]) -> Measure:
    """The measure that looks at each entry's account alone."""

    def measure(group: Group, ledger: Ledger) -> Measured:
        return Measured({entry: figure(ledger.accounts[entry], ledger) for entry in group})

    return measure


def sonneborn_berger(account: Account, ledger: Ledger) -> Fraction:
    """The match points of the opponents beaten, and half of those of the opponents drawn with.

    FIDE C.07 article 9.1; at a table of more than two, everybody else is an opponent.
    """
    points, denominator = _whole([ledger.accounts[entry].match_points for entry in account.halves])
    total = sum(halves * worth for halves, worth in zip(account.halves.values(), points, strict=True))
    return Fraction(total, 2 * denominator)


def opponents_score(account: Account, ledger: Ledger, *, without: int = 0) -> Fraction:
    """F34: the scores of all opponents; a round not played counts the entry's own. `without` so many of the lowest.

    Where partners change there are two opponents in a round, and what is missed counts twice.
    """
    played = [line for line in account.matches if line.source is Source.PLAYED]
    scores = [ledger.accounts[met.entry].league_points for line in played for met in line.opponents]
    missed = len(ledger.rounds) - len({line.round for line in played})
    missed *= 2 if ledger.partners_change else 1
    points, denominator = _whole([*scores, *[account.league_points] * missed])
    return Fraction(sum(sorted(points)[without:]), denominator)


def _whole(points: Sequence[Fraction]) -> tuple[list[int], int]:
    """The same as whole numbers over one denominator, with which the costliest metrics count."""
    denominator = lcm(*{worth.denominator for worth in points})
    return [worth.numerator * (denominator // worth.denominator) for worth in points], denominator


def head_to_head(group: Group, ledger: Ledger) -> Measured | NotApplicable:
    """Points in the matches among those tied, if all of them have met equally often (FIDE C.07 article 6).

    Where tables have more than two sides, any two who sat at one have met: 2 for being placed before the other, 1
    for being level with it.
    """
    if not _have_met_equally(group, ledger):
        return NotApplicable.NOT_MET_EQUALLY
    tied = frozenset(group)
    matches = {
        entry: tuple(
            line
            for line in ledger.accounts[entry].matches
            if any(opponent.entry in tied for opponent in line.opponents)
        )
        for entry in group
    }
    values = {
        entry: sum((_worth_among(line, tied, ledger) for line in lines), Fraction(0))
        for entry, lines in matches.items()
    }
    return Measured(values, matches)


def _have_met_equally(group: Group, ledger: Ledger) -> bool:
    """Whether any two of the group have met, and all of them equally often; most ties are refuted by the first two."""
    times = 0
    for one, other in combinations(group, 2):
        met = ledger.accounts[one].met.get(other, 0)
        if not met or (times and met != times):
            return False
        times = met
    return times > 0


def _worth_among(line: Contribution, tied: AbstractSet[Key], ledger: Ledger) -> Fraction:
    if ledger.most_sides == 2:
        return line.points
    return Fraction(sum(opponent.halves for opponent in line.opponents if opponent.entry in tied))


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
    description=gettext_noop("The points for all matches, including byes, penalties and adjustments."),
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


_UNKNOWN = gettext_noop("There’s no tie-break called “%(value)s”. Choose from: %(known)s.")

for _metric in (
    LEAGUE_POINTS,
    Metric(
        key="head_to_head",
        name=gettext_noop("Head-to-head"),
        description=gettext_noop(
            "The points won in the matches among those who are tied. It is used when all of them have met "
            "equally often. Those who are still tied are compared again among themselves. Where more than two "
            "meet in a match, each of the other tied sides counts: 2 points for finishing ahead of it, 1 for "
            "finishing level."
        ),
        measure=head_to_head,
        is_relative=True,
        is_repeated=True,
    ),
    Metric(
        key="points_difference",
        name=gettext_noop("Points difference"),
        description=gettext_noop("All points scored in matches, minus all points conceded."),
        measure=of_each(lambda account, _: Fraction(account.score_for - account.score_against)),
        is_signed=True,
        is_of_scores=True,
        is_for_two=True,
    ),
    Metric(
        key="points_scored",
        name=gettext_noop("Points scored"),
        description=gettext_noop("All points scored in matches."),
        measure=of_each(lambda account, _: Fraction(account.score_for)),
        is_of_scores=True,
    ),
    Metric(
        key="imps",
        name=gettext_noop("IMPs"),
        description=gettext_noop("Of teams: the IMPs of all matches, won minus lost."),
        measure=of_each(lambda account, _: Fraction(account.imps)),
        is_signed=True,
        is_for_two=True,
    ),
    Metric(
        key="net",
        name=gettext_noop("Net"),
        description=gettext_noop("Of teams: the points of all boards over both rooms, won minus lost."),
        measure=of_each(lambda account, _: Fraction(account.net)),
        is_signed=True,
        is_for_two=True,
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
            "The points of every opponent you beat, and half the points of every opponent you drew "
            "with. Beating strong opponents counts more. Only points from matches count, not "
            "adjustments."
        ),
        measure=of_each(sonneborn_berger),
    ),
    Metric(
        key="opponents_score",
        name=gettext_noop("Opponents’ points"),
        description=gettext_noop(
            "The league points of everyone you met, added up. A round that you did not play counts your own points."
        ),
        measure=of_each(opponents_score),
        is_for_two=True,
    ),
    Metric(
        key="opponents_score_cut1",
        name=gettext_noop("Opponents’ points without the lowest"),
        description=gettext_noop(
            "The league points of everyone you met but the weakest. A round that you did not play counts your own"
            " points."
        ),
        measure=of_each(partial(opponents_score, without=1)),
        is_for_two=True,
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
