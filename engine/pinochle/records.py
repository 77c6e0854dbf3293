"""A deal of Partnership Pinochle as people write it down, and what can be wrong with it (PP25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.errors import quoted
from engine.game.fields import by_side, one_of, read_fields, whole_number
from engine.game.sheets import MOST_DEALS, WrittenDeal, wrong_running
from engine.game.values import CheckedSheet, Json
from engine.packs import SUITS
from engine.pinochle.melds import FOURS, WORTH, points_of
from engine.pinochle.play import (
    EXCHANGE,
    KEEP,
    LAST_TRICK,
    PACK,
    SEATS,
    SIDES,
    TRICKS,
    Setting,
    State,
    read,
    start,
)
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.seats import Side
from engine.text import gettext_noop

#: PP18.
ALL_POINTS: Final = 250
#: PP25: so many points in melds of one side are rare.
MANY: Final = 600
#: The most that a total can hold, and more than a deal has.
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Written(WrittenDeal):
    """PP25: what was given of a deal, and its totals as far as they are known.

    ``given`` has of FIELDS those that can be read: ``melds`` by seat as a list of names or a sum, ``cards``, ``total``
    and ``running`` (the totals of the match after the deal) by side, ``last`` and ``no_trick`` a side, ``trump`` a
    suit, ``up`` the card turned up, ``claim`` with who made it ``by`` and after how many ``tricks``.
    """


def read_written(data: object) -> Written:
    """The deal from JSON, whatever the JSON is, with every problem."""
    given, problems = read_fields(data, _READERS)
    if not isinstance(data, Mapping):
        return Written({}, tuple(problems))
    problems += _wrong_trump(given) + _wrong_melds(given) + _wrong_cards(given)
    total, more = _total(given)
    problems += more
    if not any(problem.refuses for problem in problems):
        problems += _suspicious(given)
    return Written(total, tuple(problems), given)


def written(state: State) -> dict[str, Json]:
    """PP25: a deal that was played out, or ended by a claim."""
    score, won = state.score(), [SEATS[place] for place in state.now.won]
    named = {seat: list(Counter(melds).elements()) for seat, melds in state.melds.items() if melds}
    none = [side for side, seats in SIDES.items() if not {*seats} & {*won}]
    claim: dict[str, Json] = {"by": state.now.claimed, "tricks": len(won)} if state.now.claimed else {}
    last: str = next(side for side, seats in SIDES.items() if won[-1] in seats) if not claim else ""
    told: dict[str, Json] = {
        "trump": state.setting.trump,
        "up": state.setting.up,
        "melds": {seat: named.get(seat, 0) for seat in SEATS},
        "cards": score.detail["cards"],
        "last": last,
        "no_trick": none[0] if len(none) == 1 else "",
        "claim": claim,
        "total": dict(score.total),
    }
    return {name: value for name, value in told.items() if value}


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


def _running(given: object) -> tuple[int | None, list[Problem]]:
    if type(given) is int and 0 <= given <= MOST_DEALS * MOST:
        return given, []
    template = gettext_noop("“%(given)s” isn’t a running total.")
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


def _claim(given: object) -> tuple[dict[str, Any] | None, list[Problem]]:
    """PP21: who claimed, and after how many tricks."""
    claim, problems = read_fields(given, {"by": one_of(SEATS), "tricks": whole_number(0, TRICKS - 1)})
    if "by" in claim or problems:
        return claim if "by" in claim else None, problems
    template = gettext_noop("Say which player made the claim.")
    return None, [impossible("claim-by", template, is_missing=True)]


_READERS: Final = {
    "trump": one_of(tuple(SUITS)),
    "up": one_of(tuple(dict.fromkeys(PACK))),
    "melds": by_side(SEATS, _melds),
    "cards": by_side(tuple(SIDES), _cards),
    "last": one_of(tuple(SIDES)),
    "no_trick": one_of(tuple(SIDES)),
    "claim": _claim,
    "total": by_side(tuple(SIDES), _points),
    "running": by_side(tuple(SIDES), _running),
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
    points = sum(cards.values())
    if points > ALL_POINTS or (len(cards) == len(SIDES) and points != ALL_POINTS and "claim" not in given):
        template = gettext_noop("The points in cards add up to %(sum)d. They must add up to 250.")
        found.append(inconsistent("cards-sum", template, ("cards",), sum=points))
    if none and (cards.get(none) or given.get("last") == none):
        template = gettext_noop("A side without a trick has no points in cards, and not the last trick.")
        found.append(inconsistent("no-trick", template, ("no_trick",)))
    if none and given.get("total", {}).get(none):
        template = gettext_noop("Melds don’t count for a side without a trick.")
        found.append(inconsistent("melds-without-trick", template, ("total", none)))
    last = given.get("last")
    if last and cards.get(last, ALL_POINTS) < LAST_TRICK:
        template = gettext_noop("The side with the last trick has at least 10 points.")
        found.append(inconsistent("cards-last", template, ("last",)))
    if last and "claim" in given:
        template = gettext_noop("After a claim play stops, so nobody took the last trick.")
        found.append(inconsistent("claim-last", template, ("last",)))
    return found


def _without_trick(given: Mapping[str, Any]) -> tuple[str, ...]:
    """PP12: the sides that are known to have won no trick."""
    if given.get("claim", {}).get("tricks") == 0:
        return tuple(SIDES)
    return tuple(side for side in SIDES if side == given.get("no_trick"))


def _total(given: Mapping[str, Any]) -> tuple[dict[str, int], list[Problem]]:
    """PP19: the totals, as written or as their parts have it, and what keeps them from being known."""
    parts = {side: points for side in SIDES if (points := _part(given, side)) is not None}
    total: dict[str, int] = dict(given.get("total", {}))
    template = gettext_noop("The cards and the melds come to %(points)d.")
    problems = [
        inconsistent("total-parts", template, ("total", side), points=parts[side])
        for side in total
        if side in parts and total[side] != parts[side] and side not in _without_trick(given)
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
    if side in _without_trick(given):
        return 0
    cards = given.get("cards", {})
    other = next(each for each in SIDES if each != side)
    taken: int | None = cards.get(side)
    if taken is None and "claim" not in given:
        taken = ALL_POINTS if given.get("no_trick") else ALL_POINTS - cards[other] if other in cards else None
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
    if "claim" in given:
        found.append(suspicious("claim", gettext_noop("A claim is rare."), ("claim",)))
    if given.get("no_trick"):
        template = gettext_noop("A side without a trick is rare.")
        found.append(suspicious("no-trick", template, ("no_trick",)))
    for seats in SIDES.values():
        if (melded(given, seats) or 0) >= MANY:
            template = gettext_noop("Melds of 600 points or more are rare.")
            found.append(suspicious("many-melds", template, ("melds",)))
    return found


# Beside other deals, and beside the board


def check_sheet(checked: CheckedSheet, *, claims: bool) -> CheckedSheet:
    """PP25: the running totals, claims that the competition does not have, and the same melds in two deals."""
    found: list[Problem] = []
    seen: list[tuple[Json, Json]] = []
    for number, record in enumerate(checked.records):
        given: Mapping[str, Any] = {} if record is None else record.as_json()
        if "claim" in given and not claims:
            template = gettext_noop("Claims are off in this competition.")
            found.append(impossible("claims-off", template, ("deals", number, "claim")))
        melds = given.get("melds", {})
        if any(type(each) is list for each in melds.values()) and melds.keys() == {*SEATS}:
            if any(other == melds and whole != given for other, whole in seen):
                template = gettext_noop("The melds are the same as those of another deal.")
                found.append(suspicious("same-melds", template, ("deals", number, "melds")))
            seen.append((melds, given))
    return replace(checked, problems=(*checked.problems, *found, *wrong_running(checked)))


def fits_deal(given: Mapping[str, Any], deal: str, dealer: str) -> bool:
    """PP25: whether the trump is that of the board, and its hands hold these melds, whoever exchanged."""
    dealt, up = read(deal)
    if given.get("up", up) != up or given.get("trump", up[1]) != up[1]:
        return False
    state = start(Setting(dealt, up, dealer, 0, claims=False, before={}))
    asked = len(state.setting.asked)
    ways = [[KEEP] * asked, *([KEEP] * kept + [EXCHANGE] for kept in range(asked))]
    return any(_holds(given.get("melds", {}), _after(state, way)) for way in ways)


def _after(state: State, tokens: Sequence[str]) -> State:
    for token in tokens:
        state = state.apply(token)
    return state


def _holds(melds: Mapping[str, Any], state: State) -> bool:
    """Whether each player holds the melds that were written; not all need have been."""
    return all(
        points_of(state.melds[seat]) >= given
        if isinstance(given, int)
        else Counter(given) <= Counter(state.melds[seat])
        for seat, given in melds.items()
    )
