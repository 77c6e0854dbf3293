"""A deal of Fünfzehnern as people write it down, and all that can be wrong with it (FZ13 to FZ16)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from engine.errors import ActionError, quoted
from engine.fuenfzehnern.play import CARDS, HAND, PAR, Setting, State, begun, pack_of
from engine.game.core import SEAT_NAMES
from engine.game.fields import Reader, by_side, read_fields, whole_number
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

#: FZ16: so many deals without a point are rare.
MANY_EMPTY: Final = 3
FIELDS: Final = ("taken", "tricks", "play", "total")
_TOKEN: Final = re.compile(r"([7-9TJQKA][shdc])!?")


def read_written(data: object, seats: Sequence[str], dealer: str | None = None) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem.

    ``play`` are all cards as they were played, a queen with Zwang as ``Qd!``. ``dealer`` is who dealt, where the match
    tells: then it is known who played which card, and what each took.
    """
    whole = PAR * len(seats)
    readers: dict[str, Reader] = {
        "taken": by_side(seats, whole_number(0, whole)),
        "tricks": by_side(seats, whole_number(0, HAND)),
        "play": lambda play: _read_play(play, len(seats)),
        "total": by_side(seats, whole_number(-PAR, whole - PAR)),
    }
    given, problems = read_fields(data, readers)
    if not isinstance(data, Mapping):
        return WrittenDeal({}, tuple(problems))
    told, more = _told(given, seats, dealer)
    problems += more + _impossible(told, seats)
    total, more = _total(told, seats)
    problems += more
    return WrittenDeal(total, tuple(problems), given)


def _read_play(play: object, players: int) -> tuple[str | None, list[Problem]]:
    """All cards of a deal, each once."""
    text = play.replace(" ", "") if isinstance(play, str) and len(play) <= 200 else "?"
    cards = _TOKEN.findall(text)
    if _TOKEN.sub("", text) or sorted(cards) != sorted(pack_of(players)):
        template = gettext_noop("The play needs every card once, in the order in which they were played.")
        return None, [impossible("bad-play", template, given=quoted(play))]
    return text, []


def _told(
    given: Mapping[str, Any], seats: Sequence[str], dealer: str | None
) -> tuple[Mapping[str, Any], list[Problem]]:
    """What was given, with what the play tells of points and tricks; and what is wrong with it (FZ14, FZ15)."""
    if "play" not in given or dealer not in seats:
        return given, []
    state, wrong = replayed(given["play"], len(seats), seats.index(dealer))
    if state is None:
        template = gettext_noop("Card %(number)d can’t be played there.")
        return given, [impossible("play-rule", template, ("play",), number=wrong)]
    made = written(state)
    problems: list[Problem] = []
    for name in ("taken", "tricks"):
        by_seat: Any = made[name]
        for seat, number in given.get(name, {}).items():
            if by_seat[seat] != number:
                template = gettext_noop("The play says %(number)d.")
                problems.append(inconsistent("play-other", template, (name, seat), number=by_seat[seat]))
    return {**given, "taken": made["taken"], "tricks": made["tricks"]}, problems


@lru_cache(maxsize=64)
def replayed(play: str, players: int, dealer: int) -> tuple[State | None, int]:
    """The deal that was played like this; None, and the number of the first card, from 1, against FZ4 to FZ7."""
    tokens = [match.group() for match in _TOKEN.finditer(play)]
    hands, leader = [0] * players, (dealer + 1) % players
    for first in range(0, len(tokens), players):
        best = 0
        for place, token in enumerate(tokens[first : first + players]):
            card = CARDS.number[token[:2]]
            hands[(leader + place) % players] |= 1 << card
            if place and CARDS.above[CARDS.number[tokens[first + best][:2]]] >> card & 1:
                best = place
        leader = (leader + best) % players
    state = begun(Setting(tuple(hands), dealer))
    for number, token in enumerate(tokens, start=1):
        try:
            state = state.apply(token)
        except ActionError:
            return None, number
    return state, 0


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
