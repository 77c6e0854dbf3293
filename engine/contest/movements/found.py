"""Movements found by search (tests/benchmarks/movement_search.py), as `found.txt` keeps them: one in each line.

A line has the name, tables, rounds, balance, the seconds that it was searched for and how many tries came to this
balance; then, where the first round tells all others, for each table who moves and the set ("3/4"; "3-7/4" where both
pairs move); then for each round the tables at which the pairs' directions are exchanged ("-" where none are), each as
one sign: 1 to 9, then a for 10, b for 11 and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("found.txt")


@dataclass(frozen=True, slots=True)
class Found:
    """A start, by table the pairs that move and their set, and by round the tables that are turned round."""

    start: tuple[tuple[tuple[int, ...], int], ...]
    turned: tuple[frozenset[int], ...]


@cache
def found() -> dict[tuple[str, int, int], Found]:
    """What is known, by name, tables and rounds."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return dict(_read(line) for line in lines if line and not line.startswith("#"))


def turned_in(name: str, tables: int, rounds: int) -> tuple[frozenset[int], ...]:
    """The tables turned round in each round; none for a movement that is not in the file."""
    key = (name, tables, rounds)
    return found()[key].turned if key in found() else (frozenset(),) * rounds


def _read(line: str) -> tuple[tuple[str, int, int], Found]:
    head, start, turned = line.split("|")
    name, tables, rounds, _balance, _seconds, _times = head.split()
    return (name, int(tables), int(rounds)), Found(
        tuple(_table(text) for text in start.split()),
        tuple(frozenset(int(sign, 36) for sign in row if sign != "-") for row in turned.split()),
    )


def _table(text: str) -> tuple[tuple[int, ...], int]:
    pairs, boards = text.split("/")
    return tuple(int(pair) for pair in pairs.split("-")), int(boards)
