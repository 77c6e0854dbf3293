"""What a PBN file says of the play: in tags and one table of the game that was played, which other programs pass over.

Each game that has such a section registers it; PBN itself knows none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, final

from engine.boards.files.pbn_lexing import Text
from engine.deals import Deal
from engine.problems import Problem
from engine.seats import Seat


class Played(Protocol):
    """A deal as it was played."""

    @property
    def dealer(self) -> Seat | None:
        """Who dealt, where that is known."""

    @property
    def deal(self) -> Deal | None:
        """The cards, where all are known from the play."""

    def as_json(self) -> dict[str, Any]:
        """The deal for a program."""


@final
@dataclass(frozen=True, slots=True)
class Section:
    """What a file says of the play: the values of the game's tags with their lines, and the rows of its table."""

    values: Mapping[str, tuple[str, int]]
    rows: tuple[Text, ...]

    def line(self, name: str) -> int:
        """Where this tag stands; the first of the section if it does not."""
        lines = [line for _, line in self.values.values()]
        return self.values[name.lower()][1] if name.lower() in self.values else min(lines, default=0)


R = TypeVar("R", bound=Played)


class PlayedSection(Protocol[R]):
    """How one game writes and reads its section."""

    @property
    def record(self) -> type[R]:
        """The records that it writes."""

    @property
    def table(self) -> str:
        """The tag of the table; its name ends in "Table", so that readers know that rows follow."""

    @property
    def tag_names(self) -> frozenset[str]:
        """Every tag of the section, in lower case."""

    def told(self, number: int, record: R, deal: Deal | None) -> R:
        """The record as a file tells it, without its cards, its points worked out where that is possible.

        Raises NotationError when something in it is wrong; what is merely not given stays so.
        """

    def tags(self, record: R) -> Mapping[str, str]:
        """The tags but the table, in the order of their names."""

    def rows(self, record: R) -> list[str]:
        """The value of the table's tag, then its rows; or nothing."""

    def read(self, section: Section, dealer: Seat | None, deal: Deal | None) -> tuple[R, list[Problem]]:
        """The record that the section holds, and everything that is wrong with it, each at its line."""


_SECTIONS: list[PlayedSection[Any]] = []


def register(section: PlayedSection[Any]) -> None:
    """Has PBN files tell of a game's play."""
    _SECTIONS.append(section)


def sections() -> tuple[PlayedSection[Any], ...]:
    """The section of every game that has one."""
    return tuple(_SECTIONS)


def section_of(record: Played) -> PlayedSection[Any]:
    """The section that writes this record."""
    return next(each for each in _SECTIONS if isinstance(record, each.record))
