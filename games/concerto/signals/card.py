"""A pair's convention card: what its leader's first two cards tell partner, row by row, in the reader's language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import game
from engine.concerto.signals.holdings import Holding, Step
from engine.concerto.signals.sheet import HELD, played
from engine.concerto.signals.systems import System
from engine.concerto.signals.ways import Phase, Way
from engine.game.capabilities import Signals
from engine.text import Message
from league.web.wording import in_words

#: The two checklists by the hands that they are for.
HANDS = {Phase.STRONG: gettext_lazy("First two hands"), Phase.WEAK: gettext_lazy("Third and fourth hand")}


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


def convention_card(game_key: str, signals: Signals | None = None) -> ConventionCard | None:
    """The card of a pair's own signals, else of the usual ones; None where the game has no signals."""
    signals = signals or game.get(game_key).signals
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


def way_in_words(way: Way) -> str:
    """Which two cards the row asks for."""
    return "; ".join(_(template) % params for template, params in played(way))


def row_in_words(way: Way) -> str:
    """The same, after what is held where the line of the checklist leaves that open."""
    is_clear = sum(each.step is way.holding.step for each in Holding) == 1
    return way_in_words(way) if is_clear else _whole(way)


def differences(before: System, after: System) -> list[str]:
    """What changed between two versions of a card, in sentences; an order that changed is told as one."""
    told = []
    if before.name != after.name:
        told.append(_("Name: “%(before)s”, now “%(after)s”.") % {"before": before.name, "after": after.name})
    for phase, words in HANDS.items():
        told += _list_differences(str(words), before.checklist(phase), after.checklist(phase))
    told += [_("Removed: %(way)s.") % {"way": _whole(way)} for way in before.ways if way not in after.ways]
    told += [_("Added: %(way)s.") % {"way": _whole(way)} for way in after.ways if way not in before.ways]
    for step in Step:
        kept = [
            [way for way in one.ways if way.holding.step is step and way in other.ways]
            for one, other in ((before, after), (after, before))
        ]
        if kept[0] != kept[1]:
            told.append(_("Another way to show “%(step)s” comes first.") % {"step": _(str(step.title))})
    return told


def _list_differences(words: str, before: tuple[Step, ...], after: tuple[Step, ...]) -> list[str]:
    def named(steps: Iterable[Step]) -> str:
        return ", ".join(_(str(step.title)) for step in steps)

    told = []
    if gone := [step for step in before if step not in after]:
        told.append(_("%(list)s: no longer signalled: %(steps)s.") % {"list": words, "steps": named(gone)})
    if new := [step for step in after if step not in before]:
        told.append(_("%(list)s: now signalled: %(steps)s.") % {"list": words, "steps": named(new)})
    if [step for step in before if step in after] != [step for step in after if step in before]:
        told.append(_("%(list)s: the order is now: %(steps)s.") % {"list": words, "steps": named(after)})
    return told


def _whole(way: Way) -> str:
    return _("%(held)s: %(played)s") % {"held": _(HELD[way.holding]), "played": way_in_words(way)}


def _said(phrase: Mapping[str, Any]) -> str:
    return in_words(Message(phrase["template"], phrase["params"]))
