"""Round robins: everybody meets everybody, by the Berger tables (FIDE Handbook C.05 Annex 1).

Entries are numbered from 1. With an odd number of entries the highest number of the table is a dummy:
its opponent has a bye in that round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.errors import ContestError
from engine.text import gettext_noop

_TOO_FEW = gettext_noop("A round robin needs at least two entries, not %(entries)s.")


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that meet, by number; the first is at home."""

    home: int
    away: int

    def reversed(self) -> Pairing:
        """The same two, at the other's place."""
        return Pairing(self.away, self.home)


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its number from 1, who meets whom in table order, and who has the bye."""

    number: int
    pairings: tuple[Pairing, ...]
    bye: int | None


def berger(entries: int) -> tuple[Round, ...]:
    """The rounds of a single round robin; ContestError for fewer than two entries."""
    return tuple(
        _round(number, pairings, entries) for number, pairings in enumerate(_single(entries), start=1)
    )


def double_berger(entries: int) -> tuple[Round, ...]:
    """The rounds of a double round robin: the second cycle is the table with home and away exchanged.

    The last two rounds of the first cycle change places, so that nobody is at home, or away, three times
    in a row where the cycles meet (FIDE Handbook C.05 Annex 1).
    """
    first = list(_single(entries))
    second = [tuple(pairing.reversed() for pairing in pairings) for pairings in first]
    first[-2:] = reversed(first[-2:])
    return tuple(_round(number, pairings, entries) for number, pairings in enumerate(first + second, start=1))


def _single(entries: int) -> Iterator[tuple[Pairing, ...]]:
    """The pairings of each round of the Berger table that has room for so many entries, dummy included."""
    if entries < 2:
        raise ContestError("too-few", _TOO_FEW, entries=entries)
    size = entries + entries % 2
    for number in range(1, size):
        yield _pairings(number, size)


def _pairings(number: int, size: int) -> tuple[Pairing, ...]:
    """One round of the Berger table of an even size.

    All but the last entry stand in a circle. In each round one of them, the pivot, meets the last entry,
    and the others meet across the pivot, who moves half-way round the circle from round to round. The last
    entry is at home in even rounds.
    """
    circle = size - 1
    pivot = (number * (size // 2) - size // 2) % circle
    top = Pairing(pivot + 1, size) if number % 2 else Pairing(size, pivot + 1)
    across = (
        Pairing((pivot + step) % circle + 1, (pivot - step) % circle + 1) for step in range(1, size // 2)
    )
    return (top, *across)


def _round(number: int, pairings: tuple[Pairing, ...], entries: int) -> Round:
    """The round as it is played: the opponent of a number beyond the entries has a bye instead."""
    played = tuple(pairing for pairing in pairings if max(pairing.home, pairing.away) <= entries)
    bye = next((min(p.home, p.away) for p in pairings if max(p.home, p.away) > entries), None)
    return Round(number, played, bye)
