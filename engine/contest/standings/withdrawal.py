"""What becomes of the matches of an entry that withdraws (FIDE Tournament Rules: the half-played rule).

Whoever has played less than half of all its matches is taken out of the table with all its results, for and
against. Otherwise the results stand, and the matches still to play are lost by forfeit: the opponents get
walkovers.

Only matches that were played at a table count as played, and all matches that were not declared void count as
matches to play, whoever else withdrew: so the verdicts do not depend on each other, nor on the order in which
people left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.contest.results import Key, ResultKind, ResultLine, Withdrawal, in_order


class Rule(StrEnum):
    """Which half of the half-played rule applies."""

    REMOVED = "removed"
    """Less than half played: no result counts for anybody."""
    STANDS = "stands"
    """Half or more played: the results stand, the rest is forfeited."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the half-played rule says of one entry: so many of its matches were played when it withdrew."""

    entry: Key
    rule: Rule
    played: int
    matches: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Settlement:
    """The results as they count after all withdrawals, with the verdicts and the fixtures removed."""

    results: tuple[ResultLine, ...]
    verdicts: Mapping[Key, Verdict]
    removed: tuple[Key, ...]


def settle(results: Iterable[ResultLine], withdrawals: Iterable[Withdrawal]) -> Settlement:
    """Apply the half-played rule to every withdrawal."""
    lines = tuple(results)
    verdicts = _verdicts(lines, withdrawals)
    gone = {entry for entry, verdict in verdicts.items() if verdict.rule is Rule.REMOVED}
    return Settlement(
        results=tuple(_forfeited(line, verdicts) for line in lines if not gone & {line.home, line.away}),
        verdicts=verdicts,
        removed=tuple(
            sorted(
                (line.fixture for line in lines if line.kind.is_counted and gone & {line.home, line.away}),
                key=in_order,
            )
        ),
    )


def _verdicts(lines: tuple[ResultLine, ...], withdrawals: Iterable[Withdrawal]) -> dict[Key, Verdict]:
    played: Counter[Key] = Counter()
    matches: Counter[Key] = Counter()
    for line in lines:
        if line.kind is ResultKind.VOID:
            continue
        for entry in (line.home, line.away):
            matches[entry] += 1
            played[entry] += line.kind is ResultKind.PLAYED
    return {
        leaving.entry: _verdict(leaving, played[leaving.entry], matches[leaving.entry])
        for leaving in withdrawals
    }


def _verdict(leaving: Withdrawal, played: int, matches: int) -> Verdict:
    has_played_half = played > 0 and 2 * played >= matches
    rule = Rule.STANDS if has_played_half else Rule.REMOVED
    return Verdict(leaving.entry, rule, played, matches, leaving.reason)


def _forfeited(line: ResultLine, verdicts: Mapping[Key, Verdict]) -> ResultLine:
    """The line as it counts when those who withdrew forfeit what they did not play."""
    if line.kind is not ResultKind.UNPLAYED or line.is_void:
        return line
    match (line.home in verdicts, line.away in verdicts):
        case (True, True):
            return replace(line, kind=ResultKind.DOUBLE_FORFEIT)
        case (True, False):
            return replace(line, kind=ResultKind.WALKOVER_AWAY)
        case (False, True):
            return replace(line, kind=ResultKind.WALKOVER_HOME)
        case _:
            return line
