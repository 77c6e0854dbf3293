"""The fields of a deal that people wrote down, each read separately, whatever the JSON is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from engine.errors import quoted
from engine.problems import Problem, impossible
from engine.text import gettext_noop

Reader: TypeAlias = Callable[[object], tuple[Any, list[Problem]]]
"""What was given, None where it cannot be read, and what is wrong with it."""


def read_fields(data: object, readers: Mapping[str, Reader]) -> tuple[dict[str, Any], list[Problem]]:
    """What can be read of these fields; those that were not given are left out."""
    if not isinstance(data, Mapping):
        template = gettext_noop("We can’t read %(given)s under “%(field)s”.")
        return {}, [impossible("bad-shape", template, ("total",), field="total", given=quoted(data))]
    unknown = gettext_noop("There’s no field “%(given)s”.")
    problems = [
        impossible("unknown-field", unknown, (quoted(name),), given=quoted(name))
        for name in list(data)[:20]
        if name not in readers
    ]
    given: dict[str, Any] = {}
    for name, read in readers.items():
        if data.get(name) is None:
            continue
        value, faults = read(data[name])
        problems += [fault.under(name) for fault in faults]
        if value is not None and value != {}:
            given[name] = value
    return given, problems


def one_of(values: Sequence[str]) -> Reader:
    """One of these texts."""

    def read(given: object) -> tuple[Any, list[Problem]]:
        if isinstance(given, str) and given in values:
            return given, []
        template = gettext_noop("“%(given)s” isn’t allowed here.")
        return None, [impossible("bad-value", template, given=quoted(given))]

    return read


def whole_number(least: int, most: int) -> Reader:
    """A number from the least to the most."""

    def read(given: object) -> tuple[Any, list[Problem]]:
        if type(given) is int and least <= given <= most:
            return given, []
        template = gettext_noop("“%(given)s” isn’t a whole number from %(least)d to %(most)d.")
        return None, [impossible("bad-number", template, given=quoted(given), least=least, most=most)]

    return read


def by_side(sides: Sequence[str], read_one: Reader) -> Reader:
    """One for each side, or for some of them."""

    def read(given: object) -> tuple[Any, list[Problem]]:
        if not isinstance(given, Mapping):
            template = gettext_noop("“%(given)s” must be given for each side.")
            return None, [impossible("bad-shape", template, given=quoted(given))]
        template = gettext_noop("There’s no side “%(given)s”.")
        problems = [
            impossible("unknown-side", template, given=quoted(name))
            for name in list(given)[:20]
            if name not in sides
        ]
        found = {}
        for side in sides:
            if given.get(side) is not None:
                found[side], faults = read_one(given[side])
                problems += [fault.under(side) for fault in faults]
        return {side: value for side, value in found.items() if value is not None}, problems

    return read
