"""The fields of a deal that people wrote down, each read separately, whatever the JSON is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from engine.errors import CardError, quoted
from engine.game.core import SEAT_NAMES
from engine.game.sheets import WrittenDeal
from engine.game.values import Json
from engine.packs import cards_text, read_cards
from engine.problems import Problem, impossible, inconsistent
from engine.text import gettext_noop

Reader: TypeAlias = Callable[[object], tuple[Json, list[Problem]]]
"""What was given, None where it cannot be read, and what is wrong with it."""


def read_fields(data: object, readers: Mapping[str, Reader]) -> tuple[dict[str, Json], list[Problem]]:
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
    given: dict[str, Json] = {}
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

    def read(given: object) -> tuple[Json, list[Problem]]:
        if isinstance(given, str) and given in values:
            return given, []
        template = gettext_noop("“%(given)s” isn’t allowed here.")
        return None, [impossible("bad-value", template, given=quoted(given))]

    return read


def whole_number(least: int, most: int) -> Reader:
    """A number from the least to the most."""

    def read(given: object) -> tuple[Json, list[Problem]]:
        if type(given) is int and least <= given <= most:
            return given, []
        template = gettext_noop("“%(given)s” isn’t a whole number from %(least)d to %(most)d.")
        return None, [impossible("bad-number", template, given=quoted(given), least=least, most=most)]

    return read


def by_side(sides: Sequence[str], read_one: Reader) -> Reader:
    """One for each side, or for some of them."""

    def read(given: object) -> tuple[Json, list[Problem]]:
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


def row_of_cards(pack: Collection[str], counts: Container[int], *, is_hand: bool = True) -> Reader:
    """Cards of this pack, each no more often than it is there, as many as one of these counts.

    As a hand is written, or where they are no hand as they came.
    """
    copies = Counter(pack)

    def read(given: object) -> tuple[Json, list[Problem]]:
        template = gettext_noop("“%(given)s” isn’t a row of cards.")
        try:
            cards = read_cards(given.replace(" ", "") if isinstance(given, str) else "?")
        except CardError:
            return None, [impossible("bad-cards", template, given=quoted(given))]
        if not cards or set(cards) - copies.keys() or len(cards) not in counts:
            return None, [impossible("bad-cards", template, given=quoted(given))]
        if Counter(cards) - copies:
            return None, [impossible("card-twice", gettext_noop("A card is there twice."))]
        return cards_text(cards) if is_hand else "".join(cards), []

    return read


def wrong_dealer(
    given: Mapping[str, Json],
    dealer: str | None,
    seats: Sequence[str],
    field: str = "dealer",
    template: str = gettext_noop("%(seat)s deals this one."),
) -> Iterator[Problem]:
    """What speaks against the dealer that was written down in this field, where the match tells who deals."""
    if dealer is not None and given.get(field, dealer) != dealer:
        yield inconsistent(field, template, (field,), seat=SEAT_NAMES[seats.index(dealer)])


def read_written_deal(
    data: object,
    seats: Sequence[str],
    readers: Mapping[str, Reader],
    *,
    faults: Callable[[Mapping[str, Json]], Iterable[Problem]],
    told: Callable[[Mapping[str, Json]], Mapping[str, int]],
    fault_of_total: Callable[[Mapping[str, int]], str],
    whole: int | None = None,
) -> WrittenDeal:
    """A deal from JSON, whatever the JSON is, with every problem. Its readers have one for ``total``.

    ``faults`` are those of what was given, ``told`` the points that other fields tell; ``whole`` is what the points of
    all add up to where that is known, so that the last follows.
    """
    given, problems = read_fields(data, readers)
    if not isinstance(data, Mapping):
        return WrittenDeal({}, tuple(problems))
    problems += faults(given)
    total = dict(cast("Mapping[str, int]", given.get("total", {})))
    for seat, points in told(given).items():
        if total.setdefault(seat, points) != points:
            template = gettext_noop("The other entries make this %(points)d.")
            problems.append(inconsistent("total-other", template, ("total", seat), points=points))
    missing = [seat for seat in seats if seat not in total]
    if len(missing) == 1 and whole is not None:
        total[missing.pop()] = whole - sum(total.values())
    total = {seat: total[seat] for seat in seats if seat in total}
    if missing:
        template = gettext_noop("%(side)s’s total is missing.")
        problems += [
            impossible("total-missing", template, ("total", seat), is_missing=True, side=name)
            for seat, name in zip(seats, SEAT_NAMES, strict=False)
            if seat in missing
        ]
    elif not any(problem.refuses for problem in problems) and (fault := fault_of_total(total)):
        problems.append(impossible("totals-impossible", fault, ("total",)))
    return WrittenDeal(total, tuple(problems), given)
