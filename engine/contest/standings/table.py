"""A table of standings as a value: rows that explain themselves, exact to store and to compare.

As JSON figures are integers or "numerator/denominator", entries and fixtures are named by their keys, and
everything stands in one order: equal tables are equal to the byte, as `Table.digest` shows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.contest import exact
from engine.contest.results import Key, Outcome
from engine.contest.standings.ledger import Contribution, Opponent, Source
from engine.contest.standings.ranking import (
    MiniLeague,
    MiniRow,
    Parting,
    Skipped,
)
from engine.contest.standings.tie_breaks import NotApplicable
from engine.contest.standings.withdrawal import Rule, Verdict


@dataclass(frozen=True, slots=True)
class Row:
    """One entry in the table.

    `won` are the matches in which the entry was first alone, `drawn` those in which it was first with others.
    `place` is None for an entry taken out by withdrawal, and for one without standing. `played` counts all matches
    with a result; `walkovers` of them were won and `forfeits` lost without play. `form` is up to five letters W, D, L,
    the newest last. `metrics` has the figure of every metric of the table that looks at an entry alone.
    `contributions` add up to the league points. `separated_by` says what parts the entry from the row above;
    None in the first row.
    """

    entry: Key
    place: int | None
    is_shared: bool
    played: int
    won: int
    drawn: int
    lost: int
    walkovers: int
    forfeits: int
    byes: int
    to_play: int
    score_for: int
    score_against: int
    form: str
    metrics: Mapping[str, Fraction] = field(hash=False)
    contributions: tuple[Contribution, ...] = field(hash=False)
    separated_by: Parting | None
    withdrawal: Verdict | None = None

    @property
    def league_points(self) -> Fraction:
        """The points that the table is made by."""
        return self.metrics["league_points"]


@dataclass(frozen=True, slots=True)
class Table:
    """The standings, after all results or after those of the first rounds.

    `rows` are in order of place; `withdrawn` are the entries taken out, whose results, `removed` by fixture,
    count for nobody. `tie_breaks` are the metrics' keys in order. `after_round` is None for the table of all
    results.
    """

    tie_breaks: tuple[str, ...]
    rows: tuple[Row, ...]
    withdrawn: tuple[Row, ...] = ()
    removed: tuple[Key, ...] = ()
    mini_leagues: tuple[MiniLeague, ...] = ()
    results_counted: int = 0
    after_round: int | None = None

    def row_of(self, entry: Key) -> Row | None:
        """The row of an entry, withdrawn or not."""
        return next((row for row in (*self.rows, *self.withdrawn) if row.entry == entry), None)

    def as_json(self) -> dict[str, Any]:
        """The table as JSON values; `from_json` makes the same table of them."""
        return {
            "tie_breaks": list(self.tie_breaks),
            "after_round": self.after_round,
            "results_counted": self.results_counted,
            "rows": [_row_as_json(row) for row in self.rows],
            "withdrawn": [_row_as_json(row) for row in self.withdrawn],
            "removed": list(self.removed),
            "mini_leagues": [[_mini_row_as_json(row) for row in mini.rows] for mini in self.mini_leagues],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Table:
        """The table that `as_json` wrote."""
        return cls(
            tie_breaks=tuple(data["tie_breaks"]),
            after_round=data["after_round"],
            results_counted=data["results_counted"],
            rows=tuple(map(_row_from_json, data["rows"])),
            withdrawn=tuple(map(_row_from_json, data["withdrawn"])),
            removed=tuple(data["removed"]),
            mini_leagues=tuple(
                MiniLeague(tuple(map(_mini_row_from_json, mini))) for mini in data["mini_leagues"]
            ),
        )

    def canonical_json(self) -> str:
        """The one JSON text of this table."""
        return json.dumps(self.as_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def digest(self) -> str:
        """The SHA-256 of the table's one JSON text, in hexadecimal."""
        return hashlib.sha256(self.canonical_json().encode()).hexdigest()


#: The fields of a row that are the same in JSON.
_PLAIN = (
    "entry",
    "place",
    "is_shared",
    "played",
    "won",
    "drawn",
    "lost",
    "walkovers",
    "forfeits",
    "byes",
    "to_play",
    "score_for",
    "score_against",
    "form",
)


def _row_as_json(row: Row) -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in _PLAIN},
        "metrics": {key: exact.write(figure) for key, figure in row.metrics.items()},
        "contributions": [_contribution_as_json(line) for line in row.contributions],
        "separated_by": _parting_as_json(row.separated_by),
        "withdrawal": _verdict_as_json(row.withdrawal),
    }


def _row_from_json(data: Mapping[str, Any]) -> Row:
    return Row(
        **{name: data[name] for name in _PLAIN},
        metrics={key: exact.restore(figure) for key, figure in data["metrics"].items()},
        contributions=tuple(map(_contribution_from_json, data["contributions"])),
        separated_by=_parting_from_json(data["separated_by"]),
        withdrawal=_verdict_from_json(data["withdrawal"]),
    )


def _contribution_as_json(line: Contribution) -> dict[str, Any]:
    always = {"source": line.source.value, "round": line.round, "points": exact.write(line.points)}
    if line.source in {Source.ADJUSTMENT, Source.CARRIED}:
        return {**always, "reason": line.reason}
    if line.outcome is None:
        return always
    common = {**always, "fixture": line.fixture, "outcome": line.outcome.value, "score_for": line.score_for}
    if line.sides == 2 and line.partner is None:
        against = {"opponent": line.opponent, "score_against": line.score_against, "is_home": line.is_home}
        return {**common, **against}
    if line.partner is not None:
        common["partner"] = line.partner
    opponents = [_opponent_as_json(opponent) for opponent in line.opponents]
    return {**common, "sides": line.sides, "order": line.order, "place": line.place, "opponents": opponents}


def _opponent_as_json(opponent: Opponent) -> dict[str, Any]:
    return {
        "entry": opponent.entry,
        "outcome": opponent.outcome.value,
        "score": opponent.score,
        "is_absent": opponent.is_absent,
    }


def _contribution_from_json(data: Mapping[str, Any]) -> Contribution:
    named: dict[str, Any] = {
        **data,
        "source": Source(data["source"]),
        "points": exact.restore(data["points"]),
    }
    if "outcome" in data:
        named["outcome"] = Outcome(data["outcome"])
    if "opponent" in data:
        named |= _of_two(Outcome(data["outcome"]), named)
    elif "opponents" in data:
        named["opponents"] = tuple(
            Opponent(**{**met, "outcome": Outcome(met["outcome"])}) for met in data["opponents"]
        )
    return Contribution(**named)


def _of_two(outcome: Outcome, named: dict[str, Any]) -> dict[str, Any]:
    """What a match of two has, taken out of its shorter form."""
    other, score, is_home = named.pop("opponent"), named.pop("score_against"), named.pop("is_home")
    return {
        "sides": 2,
        "order": 1 if is_home else 2,
        "place": 2 if outcome is Outcome.LOST else 1,
        "opponents": (Opponent(other, outcome, score),),
    }


def _parting_as_json(parting: Parting | None) -> dict[str, Any] | None:
    if parting is None:
        return None
    return {
        "metric": parting.metric,
        "above": None if parting.above is None else exact.write(parting.above),
        "below": None if parting.below is None else exact.write(parting.below),
        "tied": list(parting.tied),
        "skipped": [{"metric": skip.metric, "reason": skip.reason.value} for skip in parting.skipped],
        "mini_league": parting.mini_league,
    }


def _parting_from_json(data: Mapping[str, Any] | None) -> Parting | None:
    if data is None:
        return None
    return Parting(
        metric=data["metric"],
        above=None if data["above"] is None else exact.restore(data["above"]),
        below=None if data["below"] is None else exact.restore(data["below"]),
        tied=tuple(data["tied"]),
        skipped=tuple(Skipped(skip["metric"], NotApplicable(skip["reason"])) for skip in data["skipped"]),
        mini_league=data["mini_league"],
    )


def _verdict_as_json(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {
        "entry": verdict.entry,
        "rule": verdict.rule.value,
        "played": verdict.played,
        "matches": verdict.matches,
        "reason": verdict.reason,
    }


def _verdict_from_json(data: Mapping[str, Any] | None) -> Verdict | None:
    return None if data is None else Verdict(**{**data, "rule": Rule(data["rule"])})


def _mini_row_as_json(row: MiniRow) -> dict[str, Any]:
    return {
        "entry": row.entry,
        "points": exact.write(row.points),
        "matches": [_contribution_as_json(line) for line in row.matches],
    }


def _mini_row_from_json(data: Mapping[str, Any]) -> MiniRow:
    matches = tuple(map(_contribution_from_json, data["matches"]))
    return MiniRow(data["entry"], exact.restore(data["points"]), matches)
