"""A deal of Play or Pay as people write it down, and all that can be wrong with it (PY12 to PY15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.game.fields import Reader, by_side, one_of, read_written_deal, whole_number
from engine.game.sheets import WrittenDeal
from engine.game.values import Json
from engine.play_or_pay.play import PACK, State
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

FIELDS: Final = ("winner", "paid", "left", "total")
#: PY15: with four players a pot above this is odd.
LARGE_POT: Final = 100
_FOUR: Final = 4
_MOST: Final = 1000


def read_written(data: object, seats: Sequence[str]) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem."""
    dealt = -(-len(PACK) // len(seats))
    readers: dict[str, Reader] = {
        "winner": one_of(seats),
        "paid": by_side(seats, whole_number(0, _MOST)),
        "left": by_side(seats, whole_number(0, dealt)),
        "total": by_side(seats, whole_number(-_MOST, _MOST * len(seats))),
    }
    return read_written_deal(
        data,
        seats,
        readers,
        faults=lambda given: _faults(given, seats, dealt),
        told=lambda given: _told(given, seats),
        fault_of_total=fault_of_total,
        whole=0,
    )


def written(state: State) -> dict[str, Json]:
    """PY12: a deal that was played out."""
    score = state.score()
    return {**{name: score.detail[name] for name in ("winner", "paid", "left")}, "total": dict(score.total)}


def fault_of_total(total: Mapping[str, int]) -> str:
    """PY7, PY13: why no deal gives these totals; empty where one does."""
    if sum(total.values()):
        return gettext_noop("The scores of a deal must add up to 0.")
    if sum(points > 0 for points in total.values()) != 1 or 0 in total.values():
        return gettext_noop("One player wins, and everybody else loses.")
    return ""


def _faults(given: Mapping[str, Any], seats: Sequence[str], dealt: int) -> Iterator[Problem]:
    left, winner, total = given.get("left", {}), given.get("winner"), given.get("total", {})
    empty = [seat for seat, count in left.items() if count == 0]
    if len(empty) > 1 or (winner and empty not in ([], [winner])):
        template = gettext_noop("Only the winner has no cards left.")
        yield impossible("left-empty", template, ("left",))
    if left.get(winner):
        yield impossible("winner-left", gettext_noop("The winner has no cards left."), ("left", str(winner)))
    if len(left) == len(seats) and sum(left.values()) >= len(PACK):
        template = gettext_noop("More cards are left than were not played.")
        yield impossible("left-sum", template, ("left",))
    if winner in total and total[winner] < 0:
        yield impossible("winner-loses", gettext_noop("The winner can’t lose."), ("total", str(winner)))
    best = max(total, key=total.__getitem__, default=None)
    if winner and len(total) == len(seats) and best != winner:
        template = gettext_noop("The winner has the highest score.")
        yield inconsistent("winner-total", template, ("winner",))
    if len(seats) == _FOUR and max(total.values(), default=0) > LARGE_POT:
        template = gettext_noop("A pot of more than 100 is rare with four players.")
        yield suspicious("large-pot", template, ("total", str(best)))
    for seat, count in left.items():
        if seat != winner and count >= len(PACK) // len(seats) and count == dealt:
            template = gettext_noop("A player who never played a card is rare.")
            yield suspicious("never-played", template, ("left", seat))


def _told(given: Mapping[str, Any], seats: Sequence[str]) -> dict[str, int]:
    """PY7, PY14."""
    paid, left, winner = given.get("paid", {}), given.get("left", {}), given.get("winner")
    if not winner:
        return {}
    found = {
        seat: -paid[seat] - left[seat] for seat in seats if seat != winner and seat in paid and seat in left
    }
    return {**found, winner: -sum(found.values())} if len(found) == len(seats) - 1 else found
