"""Convention cards: reading a partnership's own system of signals from JSON, with all faults at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final, TypeVar, final

from engine.cards import PACK, Suit
from engine.concerto.signals.holdings import (
    HOLDINGS,
    STEPS,
    Holding,
    Step,
)
from engine.concerto.signals.systems import System
from engine.concerto.signals.ways import (
    BOTH,
    CardThenPass,
    Order,
    Phase,
    Ranks,
    Suits,
    TwoCards,
    Way,
)
from engine.errors import Place, RuleError, quoted
from engine.text import Word, gettext_noop

LONGEST_NAME: Final = 60
MOST_WAYS: Final = 50
MOST_FAULTS: Final = 100

_NOT_OBJECT = gettext_noop("A convention card must be names with values, not %(given)s.")
_UNKNOWN_FIELD = gettext_noop("“%(given)s” isn’t recognised. Leave it out.")
_NAME = gettext_noop("A system’s name must have 1 to %(longest)d characters.")
_CHECKLIST = gettext_noop(
    "Give the checklist as two lists, “strong” and “weak”, with what to signal first at the top."
)
_TWICE = gettext_noop("“%(given)s” appears twice.")
_CHOICE = gettext_noop("“%(given)s” isn’t one of these: %(choices)s.")
_WAYS = gettext_noop("Give the rows as a list of at most %(most)d.")
_ROW = gettext_noop("A row must be names with values, not %(given)s.")
_NO_ROW = gettext_noop("No row says how to show “%(step)s”. Add one, or remove it from the checklist.")
_BETWEEN = gettext_noop("The ranks between two cards must be a list of different numbers from 0 to 3.")
_BETWEEN_APART = gettext_noop("Only cards in range can have a number of ranks between them.")
_YES_NO = gettext_noop("Write true or false, not “%(given)s”.")
_PREFERRED = gettext_noop("Give the suits as a list, such as “cs” and then “d”, with each suit at most once.")
_NEEDS_TWO = gettext_noop("A card and a pass can’t show “%(given)s”. It takes two cards.")
_SAME_ORDER = gettext_noop("Two cards of the same rank have no order. Leave it out.")
_NEVER = gettext_noop("No cards can show this: the suits, ranks and order don’t go with what is held.")
_AGAIN = gettext_noop("This row is already there, as number %(row)d.")
_ALIKE = gettext_noop("Partner can’t tell this from row %(row)d (%(step)s): both look the same.")
_UNUSED = gettext_noop("This is never played: “%(step)s” isn’t on the checklist for those hands.")
_PHASES = gettext_noop("The phases are “strong”, “weak” or both, each once.")

E = TypeVar("E", bound=Enum)
_SUIT_OF_LETTER: Final = {suit.letter: suit for suit in Suit}


class SystemFault(RuleError):
    """A convention card that cannot be read; ``causes`` holds every fault, each with its place."""


@final
class _Faults:
    """What is found wrong while a card is read."""

    def __init__(self) -> None:
        self.found: list[SystemFault] = []

    def add(self, code: str, template: str, place: Place, **params: Any) -> None:
        if len(self.found) < MOST_FAULTS:
            self.found.append(SystemFault(code, template, place=place, **params))

    def unknown_fields(self, given: Mapping[Any, Any], known: Iterable[str], place: Place) -> None:
        for name in given:
            if name not in known:
                self.add("field-unknown", _UNKNOWN_FIELD, (*place, quoted(name)), given=name)

    def choice(self, given: Any, choices: Mapping[str, E], place: Place) -> E | None:
        chosen = choices.get(given) if isinstance(given, str) else None
        if chosen is None:
            self.add("choice", _CHOICE, place, given=given, choices=", ".join(choices))
        return chosen

    def raise_any(self) -> None:
        if self.found:
            told = " ".join(str(fault) for fault in self.found)
            code, template = self.found[0].code, gettext_noop("%(faults)s")
            raise SystemFault(code, template, causes=self.found, faults=told)


def read_system(data: object) -> System:
    """The system written as JSON, as ``System.as_json`` writes it. Raises SystemFault with all faults in ``causes``."""
    faults = _Faults()
    if not isinstance(data, Mapping):
        raise SystemFault("card-shape", _NOT_OBJECT, given=data)
    faults.unknown_fields(data, ("name", "checklist", "ways"), ())
    name = data.get("name")
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= LONGEST_NAME:
        faults.add("name", _NAME, ("name",), longest=LONGEST_NAME)
    checklists = _read_checklists(data.get("checklist"), faults)
    ways = _read_ways(data.get("ways"), faults)
    if not faults.found:
        _check_rows_there(checklists, ways, faults)
        _check_rows_possible(ways, faults)
    faults.raise_any()
    return System(str(name).strip(), checklists[Phase.STRONG], checklists[Phase.WEAK], ways)


def _read_checklists(data: Any, faults: _Faults) -> dict[Phase, tuple[Step, ...]]:
    place = ("checklist",)
    if not isinstance(data, Mapping):
        faults.add("checklist", _CHECKLIST, place)
        return {}
    faults.unknown_fields(data, tuple(Phase), place)
    return {phase: _read_checklist(data.get(phase.value), (*place, phase.value), faults) for phase in Phase}


def _read_checklist(data: Any, place: Place, faults: _Faults) -> tuple[Step, ...]:
    if not isinstance(data, list):
        faults.add("checklist", _CHECKLIST, place)
        return ()
    steps: list[Step] = []
    for index, given in enumerate(data):
        step = faults.choice(given, STEPS, (*place, index))
        if step in steps:
            faults.add("twice", _TWICE, (*place, index), given=given)
        elif step:
            steps.append(step)
    return tuple(steps)


def _read_ways(data: Any, faults: _Faults) -> tuple[Way, ...]:
    if not isinstance(data, list) or len(data) > MOST_WAYS:
        faults.add("ways", _WAYS, ("ways",), most=MOST_WAYS)
        return ()
    read = (_read_way(row, ("ways", index), faults) for index, row in enumerate(data))
    return tuple(way for way in read if way is not None)


def _read_way(row: Any, place: Place, faults: _Faults) -> Way | None:
    if not isinstance(row, Mapping):
        faults.add("row", _ROW, place, given=row)
        return None
    phases = _read_phases(row, place, faults)
    holding = faults.choice(row.get("holding"), HOLDINGS, (*place, "holding"))
    if "then" in row:
        return _read_card_then_pass(row, holding, phases, place, faults)
    return _read_two_cards(row, holding, phases, place, faults)


def _read_two_cards(
    row: Mapping[Any, Any], holding: Holding | None, phases: tuple[Phase, ...], place: Place, faults: _Faults
) -> TwoCards | None:
    known = ("holding", "suits", "ranks", "order", "between", "in_order", "without_gap", "phases")
    faults.unknown_fields(row, known, place)
    suits = faults.choice(row.get("suits"), {each.value: each for each in Suits}, (*place, "suits"))
    ranks = faults.choice(row.get("ranks"), {each.value: each for each in Ranks}, (*place, "ranks"))
    orders = {each.value: each for each in Order}
    order = faults.choice(row.get("order", Order.EITHER.value), orders, (*place, "order"))
    if ranks is Ranks.SAME and order not in (Order.EITHER, None):
        faults.add("order", _SAME_ORDER, (*place, "order"))
    between = _read_between(row, ranks, place, faults)
    in_order = _read_yes_no(row, "in_order", place, faults)
    without_gap = _read_yes_no(row, "without_gap", place, faults)
    if holding is None or suits is None or ranks is None or order is None:
        return None
    return TwoCards(holding, suits, ranks, order, between, in_order, without_gap, phases)


def _read_between(
    row: Mapping[Any, Any], ranks: Ranks | None, place: Place, faults: _Faults
) -> tuple[int, ...]:
    given, place = row.get("between", []), (*place, "between")
    if not isinstance(given, list) or any(type(each) is not int or not 0 <= each <= 3 for each in given):
        faults.add("between", _BETWEEN, place)
        return ()
    if len(set(given)) < len(given):
        faults.add("between", _BETWEEN, place)
    if given and ranks not in (Ranks.IN_RANGE, None):
        faults.add("between-apart", _BETWEEN_APART, place)
    return tuple(given)


def _read_yes_no(row: Mapping[Any, Any], name: str, place: Place, faults: _Faults) -> bool:
    given = row.get(name, False)
    if not isinstance(given, bool):
        faults.add("yes-no", _YES_NO, (*place, name), given=given)
    return given is True


def _read_card_then_pass(
    row: Mapping[Any, Any], holding: Holding | None, phases: tuple[Phase, ...], place: Place, faults: _Faults
) -> CardThenPass | None:
    faults.unknown_fields(row, ("holding", "then", "preferred", "phases"), place)
    if row["then"] != "pass":
        faults.add("choice", _CHOICE, (*place, "then"), given=row["then"], choices="pass")
    if holding is not None and holding.needs_two:
        faults.add("needs-two", _NEEDS_TWO, (*place, "holding"), given=holding.key)
    given = row.get("preferred")
    tiers = given if isinstance(given, list) and all(isinstance(tier, str) and tier for tier in given) else []
    letters = "".join(tiers)
    if not letters or len(set(letters)) < len(letters) or not set(letters) <= set(_SUIT_OF_LETTER):
        faults.add("preferred", _PREFERRED, (*place, "preferred"))
        return None
    preferred = tuple(tuple(_SUIT_OF_LETTER[letter] for letter in tier) for tier in tiers)
    return CardThenPass(holding, preferred, phases) if holding else None


def _read_phases(row: Mapping[Any, Any], place: Place, faults: _Faults) -> tuple[Phase, ...]:
    given = row.get("phases", [phase.value for phase in BOTH])
    chosen = tuple(phase for phase in Phase if isinstance(given, list) and phase.value in given)
    if not chosen or len(chosen) != len(given):
        faults.add("phases", _PHASES, (*place, "phases"))
        return BOTH
    return chosen


def _check_rows_there(
    checklists: Mapping[Phase, tuple[Step, ...]], ways: tuple[Way, ...], faults: _Faults
) -> None:
    for phase, steps in checklists.items():
        shown = {way.holding.step for way in ways if phase in way.phases}
        for index, step in enumerate(steps):
            if step not in shown:
                faults.add("no-row", _NO_ROW, ("checklist", phase.value, index), step=Word(step.title))


def _check_rows_possible(ways: tuple[Way, ...], faults: _Faults) -> None:
    for index, way in enumerate(ways):
        if way in ways[:index]:
            faults.add("twice", _AGAIN, ("ways", index), row=ways.index(way) + 1)
        elif next(iter(way.shown_by(PACK)), None) is None:
            faults.add("never-shown", _NEVER, ("ways", index))


def doubts(system: System) -> tuple[SystemFault, ...]:
    """What partners may have meant otherwise, each with its place: rows that look alike, and rows that nobody plays."""
    found = _Faults()
    for index, way in enumerate(system.ways):
        step = way.holding.step
        if not any(step in system.checklist(phase) for phase in way.phases):
            found.add("unused", _UNUSED, ("ways", index), step=step.title)
            continue
        for earlier, other in enumerate(system.ways[:index]):
            if (
                other.holding.step is not step
                and _look_alike(way, other)
                and not _is_fallback(system, index, earlier)
            ):
                place = ("ways", index)
                found.add("alike", _ALIKE, place, row=earlier + 1, step=other.holding.step.title)
    return tuple(found.found)


def _is_fallback(system: System, *rows: int) -> bool:
    """Whether one of these rows comes after another one for the same holding, and is only there to be read."""
    return any(earlier.holding is system.ways[row].holding for row in rows for earlier in system.ways[:row])


def _look_alike(one: Way, other: Way) -> bool:
    """Whether the same cards are played for both in some phase, as far as partner sees."""
    if not set(one.phases) & set(other.phases):
        return False
    if isinstance(one, TwoCards) and isinstance(other, TwoCards):
        return _looks(one) == _looks(other)
    return (
        isinstance(one, CardThenPass) and isinstance(other, CardThenPass) and one.preferred == other.preferred
    )


def _looks(way: TwoCards) -> tuple[Suits, Ranks, Order, frozenset[int]]:
    return way.suits, way.ranks, way.order, frozenset(way.between)
