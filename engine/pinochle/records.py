"""A deal of Partnership Pinochle as people write it down, and what can be wrong with it (PP25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.errors import quoted
from engine.game.fields import by_side, one_of, read_fields
from engine.game.sheets import WrittenDeal
from engine.game.values import Json
from engine.packs import SUITS
from engine.pinochle.melds import FOURS, WORTH, points_of
from engine.pinochle.play import PACK, SEATS, SIDES, State
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.seats import Side
from engine.text import gettext_noop

#: PP18.
ALL_POINTS: Final = 250
#: PP25: so many points in melds of one side are rare.
MANY: Final = 600
#: The most that a total can hold, and more than a deal has.
MOST: Final = 10_000


def read_written(data: object) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem."""
    given, problems = read_fields(data, _READERS)
    if not isinstance(data, Mapping):
        return WrittenDeal({}, tuple(problems))
    problems += _wrong_trump(given) + _wrong_melds(given) + _wrong_cards(given)
    total, more = _total(given)
    problems += more
    if not any(problem.refuses for problem in problems):
        problems += _suspicious(given)
    return WrittenDeal(total, tuple(problems), given)


def written(state: State) -> dict[str, Json]:
    """PP25: a deal that was played out; of one that a claim ended the totals alone."""
    score = state.score()
    told: dict[str, Json] = {"trump": state.setting.trump, "up": state.setting.up, "total": dict(score.total)}
    if state.now.claimed is not None:
        return told
    named = {seat: list(Counter(melds).elements()) for seat, melds in state.melds.items() if melds}
    none = [side for side, won in score.detail["tricks"].items() if not won]  # type: ignore[union-attr]
    last = next(side for side in SIDES if state.now.won[-1] in SIDES[side])
    return {
        **told,
        "melds": {seat: named.get(seat, 0) for seat in SEATS},
        "cards": score.detail["cards"],
        "last": last,
        **({"no_trick": none[0]} if none else {}),
    }


# Reading


def _cards(given: object) -> tuple[int | None, list[Problem]]:
    if type(given) is int and 0 <= given <= ALL_POINTS and not given % 5:
        return given, []
    template = gettext_noop("“%(given)s” aren’t points in cards: they go from 0 to 250 in steps of 5.")
    return None, [impossible("bad-cards", template, given=quoted(given))]


def _points(given: object) -> tuple[int | None, list[Problem]]:
    if type(given) is int and 0 <= given <= MOST and not given % 5:
        return given, []
    template = gettext_noop("“%(given)s” isn’t a total: totals are never below 0 and go in steps of 5.")
    return None, [impossible("bad-points", template, given=quoted(given))]


def _melds(given: object) -> tuple[int | list[str] | None, list[Problem]]:
    """A player's melds by their names, or what they are worth together."""
    if type(given) is int:
        if 0 <= given <= MOST and not given % 10:
            return given, []
        template = gettext_noop("“%(given)s” isn’t a sum of melds: they go in steps of 10.")
        return None, [impossible("bad-melds", template, given=quoted(given))]
    names: list[Any] = list(given)[:40] if isinstance(given, list | tuple) else [given]
    wrong = [name for name in names if not isinstance(name, str) or name not in WORTH]
    template = gettext_noop("“%(given)s” isn’t a meld.")
    problems = [impossible("bad-meld", template, given=quoted(name)) for name in wrong]
    return [name for name in names if name not in wrong], problems


_READERS: Final = {
    "trump": one_of(tuple(SUITS)),
    "up": one_of(tuple(dict.fromkeys(PACK))),
    "melds": by_side(SEATS, _melds),
    "cards": by_side(tuple(SIDES), _cards),
    "last": one_of(tuple(SIDES)),
    "no_trick": one_of(tuple(SIDES)),
    "total": by_side(tuple(SIDES), _points),
}
#: PP25.
FIELDS: Final = tuple(_READERS)


# Checking


def _wrong_trump(given: Mapping[str, Any]) -> list[Problem]:
    up, trump = given.get("up", ""), given.get("trump", "")
    if not up or not trump or up[1] == trump:
        return []
    template = gettext_noop("The card that was turned up isn’t a trump.")
    return [impossible("trump-up", template, ("trump",))]


def _wrong_melds(given: Mapping[str, Any]) -> list[Problem]:
    """PP25: no more than two packs hold, and both dixes at the table."""
    trump = given.get("trump") or given.get("up", "")[1:]
    named = {
        seat: melds or []
        for seat, melds in given.get("melds", {}).items()
        if not melds or type(melds) is list
    }
    count = Counter(name for melds in named.values() for name in melds)
    found = []
    if trump and count[f"marriage-{trump}"]:
        template = gettext_noop("King and queen of trumps are the royal marriage, 40.")
        found.append(impossible("marriage-in-trumps", template, ("melds",)))
    if any(used > 2 for used in _used(count)):
        template = gettext_noop("There are only two of each card: these melds need more.")
        found.append(impossible("too-many-melds", template, ("melds",)))
    if count["dix"] > 2 or (len(named) == len(SEATS) and count["dix"] != 2):
        template = gettext_noop("Two nines of trumps are dealt, so the dix counts twice at the table.")
        found.append(inconsistent("dixes", template, ("melds",)))
    return found


def _used(count: Mapping[str, int]) -> list[int]:
    """PP10: how many copies of its cards each class of melds uses at most."""
    sequences = count["sequence"] + 2 * count["double-sequence"]
    fours = [count[f"four-{name}"] + 2 * count[f"eight-{name}"] for name, _points in FOURS.values()]
    marriages = [count[f"marriage-{suit}"] for suit in SUITS]
    pinochles = count["pinochle"] + 2 * count["double-pinochle"]
    return [sequences + count["royal-marriage"], pinochles, *fours, *marriages]


def _wrong_cards(given: Mapping[str, Any]) -> list[Problem]:
    found = []
    cards, none = given.get("cards", {}), given.get("no_trick")
    if len(cards) == len(SIDES) and sum(cards.values()) != ALL_POINTS:
        template = gettext_noop("The points in cards add up to %(sum)d. They must add up to 250.")
        found.append(inconsistent("cards-sum", template, ("cards",), sum=sum(cards.values())))
    if none and (cards.get(none) or given.get("last") == none):
        template = gettext_noop("A side without a trick has no points in cards, and not the last trick.")
        found.append(inconsistent("no-trick", template, ("no_trick",)))
    if none and given.get("total", {}).get(none):
        template = gettext_noop("Melds don’t count for a side without a trick.")
        found.append(inconsistent("melds-without-trick", template, ("total", none)))
    last = given.get("last")
    if last and cards.get(last, ALL_POINTS) < 10:
        template = gettext_noop("The side with the last trick has at least 10 points.")
        found.append(inconsistent("cards-last", template, ("last",)))
    return found


def _total(given: Mapping[str, Any]) -> tuple[dict[str, int], list[Problem]]:
    """PP19: the totals, as written or as their parts have it, and what keeps them from being known."""
    parts = {side: points for side in SIDES if (points := _part(given, side)) is not None}
    total: dict[str, int] = dict(given.get("total", {}))
    template = gettext_noop("The cards and the melds come to %(points)d.")
    problems = [
        inconsistent("total-parts", template, ("total", side), points=parts[side])
        for side in total
        if side in parts and total[side] != parts[side] and side != given.get("no_trick")
    ]
    total = {**parts, **total}
    template = gettext_noop("%(side)s’s total is missing.")
    return total, problems + [
        impossible("total-missing", template, ("total", side), is_missing=True, side=Side(side).title)
        for side in SIDES
        if side not in total
    ]


def _part(given: Mapping[str, Any], side: str) -> int | None:
    """What a side made by its cards and melds; None where they are not known."""
    none, cards = given.get("no_trick"), given.get("cards", {})
    if none == side:
        return 0
    other = next(each for each in SIDES if each != side)
    taken = ALL_POINTS if none else cards.get(side, ALL_POINTS - cards[other] if other in cards else None)
    melds = melded(given, SIDES[side])
    return None if taken is None or melds is None else taken + melds


def melded(given: Mapping[str, Any], seats: Sequence[str]) -> int | None:
    """What these players melded; None where that was not written of all of them."""
    melds = given.get("melds", {})
    if not melds.keys() >= set(seats):
        return None
    return sum(
        melds[seat] if isinstance(melds[seat], int) else points_of(Counter(melds[seat])) for seat in seats
    )


def _suspicious(given: Mapping[str, Any]) -> list[Problem]:
    found = []
    if given.get("no_trick"):
        template = gettext_noop("A side without a trick is rare.")
        found.append(suspicious("no-trick", template, ("no_trick",)))
    for seats in SIDES.values():
        if (melded(given, seats) or 0) >= MANY:
            template = gettext_noop("Melds of 600 points or more are rare.")
            found.append(suspicious("many-melds", template, ("melds",)))
    return found
