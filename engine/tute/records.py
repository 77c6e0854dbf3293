"""A deal of Tute as people write it down, at any depth, and all that can be wrong with it (TU24 to TU27)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.errors import quoted
from engine.game.fields import by_side, one_of, read_fields
from engine.game.sheets import Totals
from engine.game.values import Json, Points
from engine.packs import SUITS
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.seats import Side
from engine.text import gettext_noop
from engine.tute.cards import ALL_POINTS, NUMBER
from engine.tute.match import fault_of_total
from engine.tute.play import DECLARATIONS, LAST_TRICK, MOST, SIDES, TUTE, VEINTE, winner_of

#: TU27: so many marriages of one side are rare.
MANY: Final = 3


@dataclass(frozen=True, slots=True)
class Written(Totals):
    """TU24: what was given of a deal, as it is read, and its totals as far as they are known.

    ``given`` has of FIELDS those that can be read: ``cards`` and ``total`` by side, ``declared`` by side as lists of
    tokens, ``last`` and ``tute`` a side, ``trump`` a suit, ``up`` the shown card.
    """

    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def score(self) -> Points | None:
        """TU17: with the side that won the deal; None where something is wrong or missing."""
        if any(problem.refuses for problem in self.problems):
            return None
        last = self.given.get("tute") or self.given.get("last") or ""
        return Points(self.total, {**self.given, "winner": winner_of(dict(self.total), last)})

    def as_json(self) -> dict[str, Json]:
        """What was given; of a field that cannot be read nothing."""
        return dict(self.given)


def read_written(data: object) -> Written:
    """The deal from JSON, whatever the JSON is, with every problem."""
    given, problems = read_fields(data, _READERS)
    if not isinstance(data, Mapping):
        return Written({}, tuple(problems))
    problems += _impossible(given)
    total, more = _total(given)
    problems += more
    if not any(problem.refuses for problem in problems):
        problems += _suspicious(given, total)
    return Written(total, tuple(problems), given)


# Reading


def _points(given: object) -> tuple[int | None, list[Problem]]:
    if type(given) is int and 0 <= given <= MOST:
        return given, []
    template = gettext_noop("“%(given)s” isn’t a number of points from 0 to %(most)d.")
    return None, [impossible("bad-points", template, given=quoted(given), most=MOST)]


def _tokens(given: object) -> tuple[list[str] | None, list[Problem]]:
    tokens: list[Any] = list(given)[:20] if isinstance(given, list | tuple) else [given]
    wrong = [token for token in tokens if token == TUTE or token not in DECLARATIONS]
    template = gettext_noop("“%(given)s” isn’t a declaration: write 40, or 20 and the suit.")
    problems = [impossible("bad-declaration", template, given=quoted(token)) for token in wrong]
    return [token for token in tokens if token not in wrong], problems


_READERS: Final = {
    "trump": one_of(tuple(SUITS)),
    "up": one_of(tuple(NUMBER)),
    "cards": by_side(tuple(SIDES), _points),
    "declared": by_side(tuple(SIDES), _tokens),
    "last": one_of(tuple(SIDES)),
    "tute": one_of(tuple(SIDES)),
    "total": by_side(tuple(SIDES), _points),
}
#: TU24.
FIELDS: Final = tuple(_READERS)


# Checking


def _impossible(given: Mapping[str, Any]) -> list[Problem]:
    """TU25, and of TU26 the trump."""
    found: list[Problem] = []
    up, trump = given.get("up", ""), given.get("trump", "")
    if up and trump and up[1] != trump:
        template = gettext_noop("The card that was shown isn’t a trump.")
        found.append(inconsistent("trump-up", template, ("trump",)))
    cards = given.get("cards", {})
    if len(cards) == len(SIDES) and sum(cards.values()) != ALL_POINTS:
        template = gettext_noop("The points in cards add up to %(sum)d. They must add up to 120.")
        found.append(impossible("cards-sum", template, ("cards",), sum=sum(cards.values())))
    for side, points in cards.items():
        if points in {1, ALL_POINTS - 1} or points > ALL_POINTS:
            template = gettext_noop("No cards make %(points)d points.")
            found.append(impossible("cards-points", template, ("cards", side), points=points))
    return found + _wrong_declarations(given, trump or up[1:])


def _wrong_declarations(given: Mapping[str, Any], trump: str) -> list[Problem]:
    found, seen = [], set()
    for side, tokens in given.get("declared", {}).items():
        place = ("declared", side)
        for token in tokens:
            if token in seen:
                template = gettext_noop("The same declaration can’t be made twice in a deal.")
                found.append(impossible("declared-twice", template, place))
            seen.add(token)
            if trump and token == VEINTE + trump:
                template = gettext_noop("King and queen of trumps are las cuarenta, 40.")
                found.append(impossible("veinte-in-trumps", template, place))
        if tokens and given.get("tute") not in {None, side}:
            template = gettext_noop("With all four kings on the other side, nobody here can have declared.")
            found.append(impossible("declared-and-tute", template, place))
    if sum(token.startswith(VEINTE) for token in seen) == len(SUITS):
        template = gettext_noop("There can be at most three veintes: the fourth suit is trumps.")
        found.append(impossible("veintes", template, ("declared",)))
    return found


def _total(given: Mapping[str, Any]) -> tuple[dict[str, int], list[Problem]]:
    """TU15 to TU17, TU26: the totals, as written or as their parts have it, and what keeps them from being known."""
    total: dict[str, int] = dict(given.get("total", {}))
    parts = _parts(given)
    problems = [
        inconsistent("total-parts", _NOT_THE_PARTS, ("total", side), points=parts[side])
        for side in total
        if side in parts and total[side] != parts[side]
    ]
    total = {**parts, **total}
    missing = [side for side in SIDES if side not in total]
    if missing:
        template = gettext_noop("%(side)s’s total is missing.")
        return total, problems + [
            impossible("total-missing", template, ("total", side), is_missing=True, side=Side(side).title)
            for side in missing
        ]
    if given.get("tute"):
        return total, problems
    if fault := fault_of_total(total):
        problems.append(impossible("totals-impossible", fault, ("total",)))
    declared = sum(int(token[:2]) for tokens in given.get("declared", {}).values() for token in tokens)
    if given.get("declared") and sum(total.values()) != ALL_POINTS + LAST_TRICK + declared:
        template = gettext_noop("With these declarations the totals must add up to %(sum)d.")
        want = ALL_POINTS + LAST_TRICK + declared
        problems.append(inconsistent("total-declared", template, ("total",), sum=want))
    last = given.get("last")
    if last and total[last] < LAST_TRICK:
        template = gettext_noop("The side with the last trick has at least 10 points.")
        problems.append(inconsistent("total-last", template, ("last",)))
    if total["NS"] == total["EW"] and not last:
        template = gettext_noop("The points are equal: say who took the last trick.")
        problems.append(impossible("last-missing", template, ("last",), is_missing=True))
    return total, problems


def _parts(given: Mapping[str, Any]) -> dict[str, int]:
    """TU15, TU16: the totals that follow from what else was given; nothing where that is not enough."""
    if given.get("tute"):
        return {side: MOST * (side == given["tute"]) for side in SIDES}
    cards, last = given.get("cards", {}), given.get("last")
    if not cards or not last:
        return {}
    (known,) = list(cards.items())[:1]
    other = next(side for side in SIDES if side != known[0])
    cards = {known[0]: known[1], other: cards.get(other, ALL_POINTS - known[1])}
    declared = given.get("declared", {})
    return {
        side: cards[side]
        + LAST_TRICK * (side == last)
        + sum(int(token[:2]) for token in declared.get(side, ()))
        for side in SIDES
    }


def _suspicious(given: Mapping[str, Any], total: Mapping[str, int]) -> list[Problem]:
    """TU27, of one deal."""
    if given.get("tute"):
        return [suspicious("tute", gettext_noop("A tute is rare."), ("tute",))]
    found = [
        suspicious("no-points", gettext_noop("A side without a single point is rare."), ("total", side))
        for side in SIDES
        if total[side] == 0
    ]
    return found + [
        suspicious(
            "many-declared", gettext_noop("Three declarations by one side are rare."), ("declared", side)
        )
        for side, tokens in given.get("declared", {}).items()
        if len(tokens) >= MANY
    ]


_NOT_THE_PARTS: Final = gettext_noop("The cards, the declarations and the last trick come to %(points)d.")
