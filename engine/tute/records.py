"""A deal of Tute as people write it down, at any depth, and all that can be wrong with it (TU24 to TU27)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import quoted
from engine.game.fields import by_side, one_of, read_fields
from engine.game.sheets import WrittenDeal
from engine.game.values import Json
from engine.packs import SUITS
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.seats import Side
from engine.text import gettext_noop
from engine.tute.cards import ALL_POINTS, NUMBER
from engine.tute.match import fault_of_total
from engine.tute.play import DECLARATIONS, LAST_TRICK, MOST, SIDES, TUTE, VEINTE, winner_of
from engine.tute.written_tricks import NO_TRICKS, Tricks, rare_tricks, read_tricks, tricks_of, wrong_tricks

#: TU27: so many marriages of one side are rare.
MANY: Final = 3


@dataclass(frozen=True, slots=True)
class Written(WrittenDeal):
    """TU24: what was given of a deal, as it is read, and its totals as far as they are known.

    ``given`` has of FIELDS those that can be read: ``cards`` and ``total`` by side, ``declared`` by side as lists of
    tokens, ``last`` and ``tute`` a side, ``trump`` a suit, ``up`` the shown card, ``tricks`` a list with who took each
    or its cards in the order of play.
    """

    tricks: Tricks = NO_TRICKS

    def detail(self) -> dict[str, Json]:
        """TU17: with the side that won the deal."""
        last = str(self.given.get("tute") or self.given.get("last") or self.tricks.last)
        return {**self.given, "winner": winner_of(dict(self.total), last)}


def read_written(data: object, dealer: str | None = None, *, under_trump: bool = False) -> Written:
    """The deal from JSON, whatever the JSON is, with every problem.

    ``dealer`` is who dealt, where the match tells: then it is known who played which card of a trick. ``under_trump``:
    whether the option of TU8 is known to be on.
    """
    fields, problems = read_fields(data, _READERS)
    given: Mapping[str, Any] = fields
    if not isinstance(data, Mapping):
        return Written({}, tuple(problems))
    trump = given.get("trump") or given.get("up", "")[1:]
    tricks = tricks_of(given, trump, dealer)
    problems += _impossible(given)
    problems += wrong_tricks(given, tricks, trump, dealer, under_trump=under_trump)
    total, more = _total({**_told_by(tricks), **given})
    problems += more
    if not any(problem.refuses for problem in problems):
        problems += rare_tricks(tricks) or _suspicious(given, total)
    return Written(total, tuple(problems), given, tricks)


def _told_by(tricks: Tricks) -> dict[str, Any]:
    """The fields that follow from the tricks."""
    told = {"cards": tricks.cards, "last": tricks.last}
    return {name: value for name, value in told.items() if value}


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
    "tricks": read_tricks,
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
