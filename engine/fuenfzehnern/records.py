"""A deal of Fünfzehnern as people write it down, and all that can be wrong with it (FZ13 to FZ16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.fuenfzehnern.play import HAND, PAR, State
from engine.game.core import SEAT_NAMES
from engine.game.fields import Reader, by_side, read_fields, whole_number
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

#: FZ16: so many deals without a point are rare.
MANY_EMPTY: Final = 3
FIELDS: Final = ("taken", "tricks", "total")


def read_written(data: object, seats: Sequence[str]) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem."""
    whole = PAR * len(seats)
    readers: dict[str, Reader] = {
        "taken": by_side(seats, whole_number(0, whole)),
        "tricks": by_side(seats, whole_number(0, HAND)),
        "total": by_side(seats, whole_number(-PAR, whole - PAR)),
    }
    given, problems = read_fields(data, readers)
    if not isinstance(data, Mapping):
        return WrittenDeal({}, tuple(problems))
    problems += _impossible(given, seats)
    total, more = _total(given, seats)
    problems += more
    return WrittenDeal(total, tuple(problems), given)


def written(state: State) -> dict[str, Json]:
    """FZ13: a deal that was played out."""
    score = state.score()
    tricks = str(score.detail["tricks"])
    return {
        "taken": score.detail["taken"],
        "tricks": {seat: tricks.count(seat) for seat in score.total},
        "total": dict(score.total),
    }


def with_sheet_checks(checked: CheckedSheet, seats: Sequence[str]) -> CheckedSheet:
    """FZ16: deals that are rare."""
    everything = gettext_noop("One player taking everything is rare.")
    taken = [
        suspicious("takes-all", everything, ("deals", number, "total"))
        for number, score in enumerate(checked.scores)
        if score is not None and max(score.total.values()) == PAR * (len(seats) - 1)
    ]
    template = gettext_noop("Three deals without a point taken are rare.")
    found = [
        suspicious("many-empty", template, ("deals",))
        for seat in seats
        if sum(score.total[seat] == -PAR for score in checked.scores if score is not None) >= MANY_EMPTY
    ]
    return replace(checked, problems=(*checked.problems, *taken, *found[:1]))


def fault_of_total(total: Mapping[str, int]) -> str:
    """FZ8, FZ14: why no deal gives these totals, in a sentence; empty where one does."""
    if sum(total.values()) != 0:
        return gettext_noop("The scores of a deal must add up to 0.")
    if min(total.values()) < -PAR:
        return gettext_noop("Nobody can lose more than 15 points in a deal.")
    return ""


def _impossible(given: Mapping[str, Any], seats: Sequence[str]) -> list[Problem]:
    """FZ14."""
    found: list[Problem] = []
    taken, tricks = given.get("taken", {}), given.get("tricks", {})
    for name, parts, whole in (("taken", taken, PAR * len(seats)), ("tricks", tricks, HAND)):
        if len(parts) == len(seats) and sum(parts.values()) != whole:
            template = gettext_noop("The total is %(sum)d. It must be %(whole)d.")
            found.append(impossible(f"{name}-sum", template, (name,), sum=sum(parts.values()), whole=whole))
    total = given.get("total", {})
    for seat, number in tricks.items():
        if number == 0 and taken.get(seat, total.get(seat, -PAR) + PAR) > 0:
            template = gettext_noop("A player without a trick can’t take points.")
            found.append(impossible("points-without-trick", template, ("tricks", seat)))
    return found


def _total(given: Mapping[str, Any], seats: Sequence[str]) -> tuple[dict[str, int], list[Problem]]:
    """FZ8, FZ15: the totals, as written or by what was taken."""
    total: dict[str, int] = dict(given.get("total", {}))
    problems = []
    for seat, points in given.get("taken", {}).items():
        if total.setdefault(seat, points - PAR) != points - PAR:
            template = gettext_noop("The score must be what was taken less 15.")
            problems.append(inconsistent("total-taken", template, ("total", seat)))
    missing = [seat for seat in seats if seat not in total]
    if len(missing) == 1:
        # The others' scores tell the last one.
        total[missing[0]] = -sum(total.values())
        total, missing = {seat: total[seat] for seat in seats}, []
    if missing:
        template = gettext_noop("%(side)s’s total is missing.")
        return total, problems + [
            impossible("total-missing", template, ("total", seat), is_missing=True, side=name)
            for seat, name in zip(seats, SEAT_NAMES, strict=False)
            if seat in missing
        ]
    if not problems and (fault := fault_of_total(total)):
        kind = inconsistent if sum(total.values()) else impossible
        problems.append(kind("totals-sum", fault, ("total",)))
    return total, problems
