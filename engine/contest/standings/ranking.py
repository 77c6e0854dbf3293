"""Putting entries in order by metrics, and keeping what separated each from the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from engine.contest.faults import Faults
from engine.contest.results import Key
from engine.contest.standings.ledger import Contribution, Ledger
from engine.contest.standings.tie_breaks import LEAGUE_POINTS, Group, Measured, Metric, NotApplicable, get
from engine.errors import ContestError
from engine.text import gettext_noop

DEFAULT_TIE_BREAKS = (
    "league_points",
    "head_to_head",
    "points_difference",
    "points_scored",
    "draw_of_lots",
)

_NOT_A_LIST = gettext_noop("The tie-breaks must be a list of their names, in order.")
_TWICE = gettext_noop("This tie-break is in the list twice.")
_POINTS_FIRST = gettext_noop("League points always come first. The tie-breaks decide among equal points.")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A metric that could not be used for a tie, and why."""

    metric: str
    reason: NotApplicable


@dataclass(frozen=True, slots=True)
class Parting:
    """What separates an entry from the one above it.

    `metric` is None where nothing does, and the place is shared. `tied` are all those who were level when
    that metric was applied. `mini_league` numbers the mini-league that decided, in the table's list of them.
    """

    metric: str | None
    above: Fraction | None
    below: Fraction | None
    tied: tuple[Key, ...]
    skipped: tuple[Skipped, ...] = ()
    mini_league: int | None = None


@dataclass(frozen=True, slots=True)
class MiniRow:
    """One entry in a mini-league: its points there, and the matches that they come from."""

    entry: Key
    points: Fraction
    matches: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class MiniLeague:
    """The table of the matches among entries that are tied."""

    rows: tuple[MiniRow, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One entry in order, with its place (1, 2, 2, 4); without a place when it was taken out."""

    entry: Key
    place: int | None
    is_shared: bool
    parting: Parting | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """All entries in order, with their figures by metric and the mini-leagues looked at on the way."""

    order: tuple[Ranked, ...]
    figures: Mapping[str, Mapping[Key, Fraction]]
    mini_leagues: tuple[MiniLeague, ...]


def read_tie_breaks(keys: object) -> tuple[Metric, ...]:
    """The metrics of a list of keys, in order; an empty list stands for the usual ones.

    League points come first, whether they are listed or not. Raises ContestError with all faults as `causes`.
    """
    if not isinstance(keys, list | tuple):
        raise ContestError("tie-breaks-shape", _NOT_A_LIST, given=keys)
    faults = Faults()
    metrics: list[Metric] = []
    for number, key in enumerate(keys or DEFAULT_TIE_BREAKS):
        try:
            metric = get(key)
        except ContestError as unknown:
            faults.extend(unknown, place=(number,))
            continue
        if metric in metrics:
            faults.add("tie-break-twice", _TWICE, given=key, place=(number,))
        elif metric == LEAGUE_POINTS and number:
            faults.add("league-points-first", _POINTS_FIRST, given=key, place=(number,))
        metrics.append(metric)
    faults.refuse()
    return tuple(metrics) if LEAGUE_POINTS in metrics else (LEAGUE_POINTS, *metrics)


def rank(entries: Sequence[Key], metrics: Sequence[Metric], ledger: Ledger) -> Ranking:
    """Rank the entries; those whom no metric separates stay in the given order and share their place."""
    measured = {
        metric.key: metric.figures(tuple(entries), ledger) for metric in metrics if not metric.is_relative
    }
    figures = {key: found.values for key, found in measured.items() if isinstance(found, Measured)}
    split = _Split(ledger, figures)
    blocks = list(split.blocks(tuple(entries), tuple(metrics), ()))
    return Ranking(tuple(_placed(blocks)), figures, tuple(split.mini_leagues))


@dataclass(frozen=True, slots=True)
class _Block:
    """Entries that share a place, what parts them from the block above, and what could not part them."""

    entries: Group
    parting: Parting | None
    skipped: tuple[Skipped, ...]


def _placed(blocks: Sequence[_Block]) -> Iterator[Ranked]:
    place = 1
    for block in blocks:
        is_shared = len(block.entries) > 1
        level = Parting(None, None, None, tied=block.entries, skipped=block.skipped)
        for position, entry in enumerate(block.entries):
            yield Ranked(entry, place, is_shared, level if position else block.parting)
        place += len(block.entries)


@dataclass(slots=True)
class _Split:
    """Splits tied groups metric by metric."""

    ledger: Ledger
    figures: Mapping[str, Mapping[Key, Fraction]]
    mini_leagues: list[MiniLeague] = field(default_factory=list)

    def blocks(
        self, tied: Group, metrics: tuple[Metric, ...], skipped: tuple[Skipped, ...]
    ) -> Iterator[_Block]:
        """The blocks that the metrics make of a tied group, best first."""
        if len(tied) < 2 or not metrics:
            yield _Block(tied, None, skipped)
            return
        metric, *others = metrics
        measured = self._measure(metric, tied)
        if isinstance(measured, NotApplicable):
            yield from self.blocks(tied, tuple(others), (*skipped, Skipped(metric.key, measured)))
            return
        mini_league = self._keep(tied, measured)
        groups = _by_value(tied, measured, highest_first=metric.prefers_higher(self.ledger))
        following = metrics if metric.is_repeated and len(groups) > 1 else tuple(others)
        above: Key | None = None
        for group in groups:
            parting = None
            if above is not None:
                values = measured.values[above], measured.values[group[0]]
                parting = Parting(metric.key, *values, tied, skipped, mini_league)
            yield from _led_by(parting, self.blocks(group, following, skipped))
            above = group[0]

    def _measure(self, metric: Metric, tied: Group) -> Measured | NotApplicable:
        known = self.figures.get(metric.key)
        return metric.figures(tied, self.ledger) if known is None else Measured(known)

    def _keep(self, tied: Group, measured: Measured) -> int | None:
        """Keep a mini-league and give its number."""
        if measured.matches is None:
            return None
        rows = [MiniRow(entry, measured.values[entry], measured.matches[entry]) for entry in tied]
        self.mini_leagues.append(MiniLeague(tuple(sorted(rows, key=lambda row: -row.points))))
        return len(self.mini_leagues) - 1


def _by_value(tied: Group, measured: Measured, *, highest_first: bool) -> list[Group]:
    """The groups of equal value, best first; in each the given order is kept."""

    def value(entry: Key) -> Fraction:
        return measured.values[entry]

    ordered = sorted(tied, key=lambda entry: -value(entry)) if highest_first else sorted(tied, key=value)
    return [tuple(group) for _, group in groupby(ordered, key=value)]


def _led_by(parting: Parting | None, blocks: Iterator[_Block]) -> Iterator[_Block]:
    """The blocks, the first of which is parted so from what is above."""
    first = next(blocks)
    yield _Block(first.entries, parting or first.parting, first.skipped)
    yield from blocks
