"""A pair's convention card: what its leader's first two cards tell partner, row by row, in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from engine.text import Message
from league.web.wording import in_words


@dataclass(frozen=True, slots=True)
class CardRow:
    """What is held, how it is shown, with an example; what the example tells, and what else it can mean."""

    held: str
    played: str
    first: str
    second: str
    """Empty: a pass."""
    meaning: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of the checklist with its rows, the preferred one first."""

    title: str
    rows: tuple[CardRow, ...]


@dataclass(frozen=True, slots=True)
class CardSection:
    """The strong signals, or the weak ones."""

    title: str
    lines: tuple[CardLine, ...]


@dataclass(frozen=True, slots=True)
class ConventionCard:
    """The whole card. `checklists` has each phase's title and lines; one without a title where both are the same."""

    system: str
    checklists: tuple[tuple[str, tuple[str, ...]], ...]
    sections: tuple[CardSection, ...]
    notes: tuple[str, ...]


def convention_card(game_key: str) -> ConventionCard | None:
    """The card of the system that pairs and robots play; None where the game has no signals."""
    signals = game.get(game_key).signals
    if signals is None:
        return None
    found: Any = signals.convention_card()
    lists = [
        (_(str(each["title"])), tuple(_(str(step)) for step in each["steps"])) for each in found["checklists"]
    ]
    return ConventionCard(
        system=found["name"],
        checklists=(("", lists[0][1]),) if found["is_one_checklist"] else tuple(lists),
        sections=tuple(_section(each) for each in found["sections"]),
        notes=tuple(_(note) for note in found["notes"]),
    )


def _section(section: Mapping[str, Any]) -> CardSection:
    lines: dict[str, list[CardRow]] = {}
    for row in section["rows"]:
        lines.setdefault(_(str(row["step"])), []).append(_row(row))
    return CardSection(
        _(str(section["title"])), tuple(CardLine(title, tuple(rows)) for title, rows in lines.items())
    )


def _row(row: Mapping[str, Any]) -> CardRow:
    return CardRow(
        held=_(row["held"]),
        played="; ".join(_said(part) for part in row["played"]),
        first=row["first"],
        second=row["second"] or "",
        meaning=_said(row["meaning"]),
        others=tuple(_said(each) for each in row["others"]),
    )


def _said(phrase: Mapping[str, Any]) -> str:
    return in_words(Message(phrase["template"], phrase["params"]))
