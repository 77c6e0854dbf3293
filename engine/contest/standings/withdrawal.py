"""What becomes of the matches of an entry that withdraws (FIDE Tournament Rules: the half-played rule).

An entry that has played less than half of all its matches is removed from the table with all its results, for and
against. Where more than two sat at a table, the others' result stands among themselves. Otherwise the results
stand, and the matches still to play are lost by forfeit: the opponents get walkovers, or play on without it where
two or more are left.

In a Swiss all results stand, however few (F31).

Only matches that were played at a table count as played, and all matches that were not declared void count as
matches to play, no matter who else withdrew: so the verdicts do not depend on each other, nor on the order in which
people left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.contest.results import Ending, Key, ResultLine, Side, Withdrawal, in_order


class Rule(StrEnum):
    """Which half of the half-played rule applies."""

    REMOVED = "removed"
    """Less than half played: no result counts for anybody."""
    STANDS = "stands"
    """Half or more played: the results stand, the rest is forfeited."""
    ALL_STAND = "all_stand"
    """However few were played: as before, because the format has it so."""


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
    """The results as they count after all withdrawals, with the verdicts and the fixtures removed.

    A fixture is removed when fewer than two of its sides are left.
    """

    results: tuple[ResultLine, ...]
    verdicts: Mapping[Key, Verdict]
    removed: tuple[Key, ...]


def settle(results: Iterable[ResultLine], withdrawals: Iterable[Withdrawal]) -> Settlement:
    """Apply the half-played rule to every withdrawal."""
    lines, leaving = tuple(results), tuple(withdrawals)
    if not leaving:
        return Settlement(lines, {}, ())
    verdicts = _verdicts(lines, leaving)
    gone = {entry for entry, verdict in verdicts.items() if verdict.rule is Rule.REMOVED}
    kept = [(line, line.without(gone)) for line in lines]
    removed = (line.fixture for line, left in kept if left is None and line.is_counted)
    return Settlement(
        results=tuple(_forfeited(left, verdicts) for _, left in kept if left is not None),
        verdicts=verdicts,
        removed=tuple(sorted(removed, key=in_order)),
    )


def _verdicts(lines: tuple[ResultLine, ...], withdrawals: Iterable[Withdrawal]) -> dict[Key, Verdict]:
    played: Counter[Key] = Counter()
    matches: Counter[Key] = Counter()
    for line in lines:
        for side in line.sides:
            if side.ending is not Ending.VOID:
                matches.update(side.players)
                played.update(side.players if side.ending is Ending.PLAYED else ())
    return {
        leaving.entry: _verdict(leaving, played[leaving.entry], matches[leaving.entry])
        for leaving in withdrawals
    }


def _verdict(leaving: Withdrawal, played: int, matches: int) -> Verdict:
    has_played_half = played > 0 and 2 * played >= matches
    rule = Rule.STANDS if has_played_half else Rule.REMOVED
    if leaving.results_stand:
        rule = Rule.ALL_STAND
    return Verdict(leaving.entry, rule, played, matches, leaving.reason)


def _forfeited(line: ResultLine, verdicts: Mapping[Key, Verdict]) -> ResultLine:
    """The line as it counts when those who withdrew forfeit what they did not play.

    Who is left alone has won by walkover; two or more can still play without those who left.
    """
    is_open = [side.ending is Ending.OPEN for side in line.sides]
    leaving = [
        open_ and not verdicts.keys().isdisjoint(side.players)
        for open_, side in zip(is_open, line.sides, strict=True)
    ]
    if line.is_void or not any(leaving):
        return line
    alone = Ending.WALKOVER_WON if sum(is_open) - sum(leaving) == 1 else Ending.OPEN
    return replace(
        line,
        sides=tuple(
            Side(side.entry, Ending.WALKOVER_LOST if leaves else alone, partner=side.partner)
            if open_
            else side
            for side, open_, leaves in zip(line.sides, is_open, leaving, strict=True)
        ),
    )
