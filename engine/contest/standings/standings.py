"""Standings: the table that results make, now and after every round.

How a table is made, and where its rules come from, is told in docs/standings.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from engine.contest.facts import Facts
from engine.contest.faults import Faults
from engine.contest.points.scheme import PointsScheme
from engine.contest.results import (
    Adjustment,
    Bye,
    DrawOfLots,
    Ending,
    Entry,
    Key,
    ResultLine,
    Withdrawal,
    in_order,
)
from engine.contest.standings.ledger import (
    Account,
    Event,
    Ledger,
    in_round_order,
)
from engine.contest.standings.ranking import (
    Ranked,
    Ranking,
    rank,
    read_tie_breaks,
)
from engine.contest.standings.table import Row, Table
from engine.contest.standings.tie_breaks import Metric
from engine.contest.standings.withdrawal import Rule, settle
from engine.text import gettext_noop

FORM_LENGTH = 5

_OTHER_SIDES = gettext_noop("This points scheme doesn’t work for matches of %(sides)s sides.")


def standings(
    entries: Iterable[Entry],
    results: Iterable[ResultLine],
    scheme: PointsScheme,
    tie_breaks: Sequence[str] = (),
    *,
    adjustments: Iterable[Adjustment] = (),
    byes: Iterable[Bye] = (),
    draw_of_lots: Iterable[DrawOfLots] = (),
    withdrawals: Iterable[Withdrawal] = (),
) -> Table:
    """The table of all results; in whatever order the facts are listed, it is the same.

    `results` also names the fixtures not played yet: they count nothing, but the half-played rule needs them.
    `tie_breaks` are keys of metrics in order; none stands for the usual ones. Of `draw_of_lots` the order
    matters: the newest comes last. Raises ContestError, with all faults as its `causes`, when the facts
    contradict each other, and for unknown tie-breaks.
    """
    facts = Facts(
        entries=tuple(entries),
        results=tuple(results),
        adjustments=tuple(adjustments),
        byes=tuple(byes),
        draws=tuple(draw_of_lots),
        withdrawals=tuple(withdrawals),
    )
    contest = _Contest(facts, scheme, read_tie_breaks(tie_breaks))
    contest.ledger.enter_all(contest.events)
    return contest.table(after_round=None)


def history(
    entries: Iterable[Entry],
    results: Iterable[ResultLine],
    scheme: PointsScheme,
    tie_breaks: Sequence[str] = (),
    *,
    adjustments: Iterable[Adjustment] = (),
    byes: Iterable[Bye] = (),
    draw_of_lots: Iterable[DrawOfLots] = (),
    withdrawals: Iterable[Withdrawal] = (),
) -> tuple[Table, ...]:
    """The table after each round up to the last with a result: what its results and those before make.

    An entry that withdrew with less than half played is out of all of them, as if it had never entered; a
    late entry is in them from its first round. Takes the same facts as `standings`.
    """
    facts = Facts(
        entries=tuple(entries),
        results=tuple(results),
        adjustments=tuple(adjustments),
        byes=tuple(byes),
        draws=tuple(draw_of_lots),
        withdrawals=tuple(withdrawals),
    )
    contest = _Contest(facts, scheme, read_tie_breaks(tie_breaks))
    last = max((line.round for line in facts.results if line.is_counted), default=0)
    by_round = {number: list(events) for number, events in groupby(contest.events, key=lambda e: e.round)}
    for number in [number for number in by_round if number < 1]:
        contest.ledger.enter_all(by_round[number])
    tables = []
    for number in range(1, last + 1):
        contest.ledger.enter_all(by_round.get(number, ()))
        tables.append(contest.table(after_round=number))
    return tuple(tables)


class _Contest:
    """A contest while its events are booked one after the other."""

    def __init__(self, facts: Facts, scheme: PointsScheme, metrics: tuple[Metric, ...]) -> None:
        _check_sides(facts.results, scheme)
        self.metrics = metrics
        self.settlement = settle(facts.results, facts.withdrawals)
        entries = sorted(facts.entries, key=lambda entry: (entry.seed, in_order(entry.key)))
        self.removed = [entry for entry in entries if self._is_removed(entry.key)]
        self.staying = [entry for entry in entries if not self._is_removed(entry.key)]
        self.ledger = Ledger(
            scheme,
            {entry.key: Account() for entry in entries},
            facts.draws,
            most_sides=max((len(line.sides) for line in facts.results), default=2),
            lower_is_better=any(line.lower_is_better for line in facts.results),
            partners_change=any(side.partner is not None for line in facts.results for side in line.sides),
        )
        self.matches = _count_matches(self.settlement.results)
        self.events: list[Event] = in_round_order(
            [
                *(line for line in self.settlement.results if line.is_counted),
                *(bye for bye in facts.byes if not self._is_removed(bye.entry)),
                *(made for made in facts.adjustments if not self._is_removed(made.entry)),
            ]
        )

    def table(self, after_round: int | None) -> Table:
        """The table of what is booked so far."""
        here = [entry for entry in self.staying if self._is_present(entry, after_round)]
        ranking = rank([entry.key for entry in here if entry.is_ranked], self.metrics, self.ledger)
        beside = [self._beside_row(entry.key, ranking) for entry in here if not entry.is_ranked]
        return Table(
            tie_breaks=tuple(metric.key for metric in self.metrics),
            rows=(*(self._ranked_row(ranked, ranking) for ranked in ranking.order), *beside),
            withdrawn=tuple(self._removed_row(entry.key, ranking) for entry in self.removed),
            removed=self.settlement.removed,
            mini_leagues=ranking.mini_leagues,
            results_counted=self.ledger.results,
            after_round=after_round,
        )

    def _is_removed(self, entry: Key) -> bool:
        verdict = self.settlement.verdicts.get(entry)
        return verdict is not None and verdict.rule is Rule.REMOVED

    def _is_present(self, entry: Entry, after_round: int | None) -> bool:
        has_played = self.ledger.accounts[entry.key].played > 0
        return after_round is None or entry.first_round <= after_round or has_played

    def _ranked_row(self, ranked: Ranked, ranking: Ranking) -> Row:
        metrics = {key: figures[ranked.entry] for key, figures in ranking.figures.items()}
        return self._row(ranked, metrics)

    def _beside_row(self, entry: Key, ranking: Ranking) -> Row:
        """Of one without standing: what it made, without a place (F32)."""
        nothing = dict.fromkeys(ranking.figures, Fraction(0))
        made = {"league_points": self.ledger.accounts[entry].league_points}
        return self._row(Ranked(entry, None, is_shared=False, parting=None), nothing | made)

    def _removed_row(self, entry: Key, ranking: Ranking) -> Row:
        nothing = dict.fromkeys(ranking.figures, Fraction(0))
        return self._row(Ranked(entry, None, is_shared=False, parting=None), nothing)

    def _row(self, ranked: Ranked, metrics: dict[str, Fraction]) -> Row:
        account = self.ledger.accounts[ranked.entry]
        form = "".join(line.outcome for line in account.contributions if line.outcome is not None)
        return Row(
            entry=ranked.entry,
            place=ranked.place,
            is_shared=ranked.is_shared,
            played=account.played,
            won=account.won,
            drawn=account.drawn,
            lost=account.lost,
            walkovers=account.walkovers,
            forfeits=account.forfeits,
            byes=account.byes,
            to_play=self.matches[ranked.entry] - account.played,
            score_for=account.score_for,
            score_against=account.score_against,
            form=form[-FORM_LENGTH:],
            metrics=metrics,
            contributions=tuple(account.contributions),
            separated_by=ranked.parting,
            withdrawal=self.settlement.verdicts.get(ranked.entry),
        )


def _check_sides(results: Iterable[ResultLine], scheme: PointsScheme) -> None:
    faults = Faults()
    for number, line in enumerate(results):
        if not scheme.fits(len(line.sides)):
            faults.add("sides", _OTHER_SIDES, place=("results", number), sides=len(line.sides))
    faults.refuse()


def _count_matches(results: Iterable[ResultLine]) -> Counter[Key]:
    """How many matches each entry has to play in all."""
    counted = (side for line in results for side in line.sides if side.ending is not Ending.VOID)
    return Counter([player for side in counted for player in side.players])
