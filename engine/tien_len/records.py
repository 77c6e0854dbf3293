"""A deal of Tien Len as people write it down, and all that can be wrong with it (TL21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.errors import CardError, quoted
from engine.game.core import SEAT_NAMES
from engine.game.fields import Reader, by_side, one_of, read_fields, whole_number
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import read_cards
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop
from engine.tien_len.combinations import NUMBER, text_of
from engine.tien_len.match import fault_of_total, order_of
from engine.tien_len.play import HAND, LOSER, PLACES, State, points_of

#: TL21: the same player first in so many deals running is rare.
MANY_FIRST: Final = 6
FIELDS: Final = ("order", "loser", "leader", "left", "total")


def read_written(data: object, seats: Sequence[str], scoring: str | None = None) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem; ``scoring``: where the competition tells it."""
    readers: dict[str, Reader] = {
        "order": _order(seats),
        "loser": one_of(seats),
        "leader": one_of(seats),
        "left": _left,
        "total": by_side(seats, whole_number(1 - len(seats), len(seats) - 1)),
    }
    fields, problems = read_fields(data, readers)
    given: Mapping[str, Any] = fields
    if not isinstance(data, Mapping):
        return WrittenDeal({}, tuple(problems))
    possible = (scoring,) if scoring else (LOSER, PLACES)
    if given.get("loser", given.get("order", [None])[-1]) != given.get("order", [given.get("loser")])[-1]:
        template = gettext_noop("The loser is the last in the order.")
        problems.append(inconsistent("loser-order", template, ("loser",)))
    total, more = _total(given, seats, possible)
    problems += more
    if len(given.get("left", "")) == 2 * HAND and not problems:
        template = gettext_noop("A player who never played a card is rare.")
        problems.append(suspicious("never-played", template, ("left",)))
    return WrittenDeal(total, tuple(problems), given)


def written(state: State) -> dict[str, Json]:
    """TL21: a deal that was played out."""
    score = state.score()
    return {**score.detail, "total": dict(score.total)}


def with_sheet_checks(checked: CheckedSheet, seats: Sequence[str]) -> CheckedSheet:
    """TL21, of the sheet: who led, and players with more luck than is likely."""
    problems: list[Problem] = []
    orders = [None if score is None else order_of(score) for score in checked.scores]
    running = 0
    for number, order in enumerate(orders):
        before = orders[number - 1] if number else None
        record = checked.records[number]
        leader = record.as_json().get("leader") if record is not None else None
        if before and leader and leader != before[0]:
            template = gettext_noop("The player who was first out in the deal before leads.")
            problems.append(inconsistent("leader", template, ("deals", number, "leader")))
        is_same = bool(order and before and order[0] == before[0])
        running = running + 1 if is_same else int(bool(order))
        if running == MANY_FIRST:
            template = gettext_noop("The same player first out in six deals running is rare.")
            problems.append(suspicious("many-first", template, ("deals", number)))
    if checked.result.is_over and len(orders) == checked.result.counted > 1:
        lowest = [min(score.total.values()) for score in checked.scores if score is not None]
        lucky = [
            seat
            for seat in seats
            if all(
                score.total[seat] > low
                for score, low in zip((s for s in checked.scores if s is not None), lowest, strict=True)
            )
        ]
        template = gettext_noop("A match in which a player never came last is rare.")
        problems += [suspicious("never-last", template, ("deals",)) for _seat in lucky[:1]]
    return replace(checked, problems=(*checked.problems, *problems))


def _order(seats: Sequence[str]) -> Reader:
    """Every seat once."""

    def read(given: object) -> tuple[Any, list[Problem]]:
        if isinstance(given, list | tuple) and sorted(map(str, given)) == sorted(seats):
            return [str(seat) for seat in given], []
        template = gettext_noop("“%(given)s” must name each player exactly once.")
        return None, [impossible("bad-order", template, given=quoted(given))]

    return read


def _left(given: object) -> tuple[Any, list[Problem]]:
    """The last player's cards, in any order."""
    try:
        cards = read_cards(given if isinstance(given, str) else "?")
        numbers = {NUMBER[card] for card in cards}
    except (CardError, KeyError):
        template = gettext_noop("“%(given)s” isn’t a row of cards.")
        return None, [impossible("bad-cards", template, given=quoted(given))]
    if len(numbers) < len(cards):
        return None, [impossible("card-twice", gettext_noop("A card is there twice."))]
    if not 1 <= len(cards) <= HAND:
        template = gettext_noop("The last player has 1 to 13 cards left.")
        return None, [impossible("left-count", template)]
    return text_of(sum(1 << number for number in numbers)), []


def _total(
    given: Mapping[str, Any], seats: Sequence[str], scoring: tuple[str, ...]
) -> tuple[dict[str, int], list[Problem]]:
    """TL16, TL17: the totals, as written or by the order, or by who lost."""
    total: dict[str, int] = dict(given.get("total", {}))
    order, loser = given.get("order"), given.get("loser")
    possible = [points_of(order, each) for each in scoring] if order else []
    if not order and loser and LOSER in scoring:
        others = [seat for seat in seats if seat != loser]
        possible = [points_of([*others, loser], LOSER)]
    missing = [seat for seat in seats if seat not in total]
    if missing and len(possible) == 1 and not any(total[seat] != possible[0][seat] for seat in total):
        return possible[0], []
    if missing:
        template = gettext_noop("%(side)s’s total is missing.")
        return total, [
            impossible("total-missing", template, ("total", seat), is_missing=True, side=name)
            for seat, name in zip(seats, SEAT_NAMES, strict=False)
            if seat in missing
        ]
    if fault := fault_of_total(total, scoring):
        return total, [impossible("totals-impossible", fault, ("total",))]
    is_wrong = order and total not in possible
    if is_wrong or (loser and total[loser] != min(total.values())):
        template = gettext_noop("These points don’t go with the order in which the players went out.")
        return total, [inconsistent("total-order", template, ("total",))]
    return total, []
