"""A deal of Stealing Bundles as people write it down, and all that can be wrong with it (SB13 to SB16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.game.fields import Reader, by_side, one_of, read_written_deal, whole_number
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.stealing_bundles.play import PACK, SEATS, State
from engine.text import gettext_noop

FIELDS: Final = ("winner", "last", "steals", "left_over", "total")
LEVEL: Final = "level"
_WHOLE: Final = len(PACK)
#: SB7: the fourteenth open card finds its rank.
_MOST_LEFT: Final = 13


def read_written(data: object) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem."""
    readers: dict[str, Reader] = {
        "winner": one_of((*SEATS, LEVEL)),
        "last": one_of(SEATS),
        "steals": whole_number(0, _WHOLE - 4),
        "left_over": whole_number(0, _MOST_LEFT),
        "total": by_side(SEATS, whole_number(0, _WHOLE)),
    }
    return read_written_deal(
        data,
        SEATS,
        readers,
        faults=_faults,
        told=lambda _given: {},
        fault_of_total=fault_of_total,
        whole=_WHOLE,
    )


def written(state: State) -> dict[str, Json]:
    """SB13: a deal that was played out."""
    score = state.score()
    one, two = (score.total[seat] for seat in SEATS)
    winner = LEVEL if one == two else SEATS[two > one]
    return {"winner": winner, **score.detail, "total": dict(score.total)}


def odd(checked: CheckedSheet) -> Iterator[Problem]:
    """SB16."""
    for number, score in enumerate(checked.scores):
        if score is not None and 0 in score.total.values():
            template = gettext_noop("One player with all the cards is rare.")
            yield suspicious("takes-all", template, ("deals", number, "total"))


def fault_of_total(total: Mapping[str, int]) -> str:
    """SB8, SB14: why no deal gives these totals; empty where one does."""
    if sum(total.values()) != _WHOLE or min(total.values()) < 0:
        return gettext_noop("The two players have 52 cards together.")
    if 1 in total.values():
        return gettext_noop("No bundle has a single card.")
    return ""


def _faults(given: Mapping[str, Any]) -> Iterator[Problem]:
    total, winner = given.get("total", {}), given.get("winner")
    if len(total) == len(SEATS) and winner:
        one, two = (total[seat] for seat in SEATS)
        if winner != (LEVEL if one == two else SEATS[two > one]):
            template = gettext_noop("The winner has more cards.")
            yield inconsistent("winner-total", template, ("winner",))
    last = given.get("last")
    if last and total.get(last, 1) == 0:
        template = gettext_noop("Who captured last has cards.")
        yield impossible("last-empty", template, ("last",))
