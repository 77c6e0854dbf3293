"""A deal of Kowah as people write it down, and all that can be wrong with it (KO16 to KO19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.game.fields import Reader, by_side, one_of, read_written_deal, whole_number
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.kowah.play import CLAIM, DRAW, HAND, KINDS, OUT_OF_STOCK, PACK, STALEMATE, WON, State
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

FIELDS: Final = ("ended", "winner", "pair", "by", "from", "shown", "stock", "turns", "total")
#: KO19.
MANY_UNDECIDED: Final = 3
_MOST_TURNS: Final = 1000


def read_written(data: object, seats: Sequence[str]) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem."""
    readers: dict[str, Reader] = {
        "ended": one_of((WON, OUT_OF_STOCK, STALEMATE)),
        "winner": one_of(seats),
        "pair": one_of(KINDS),
        "by": one_of((DRAW, CLAIM)),
        "from": one_of(seats),
        "shown": by_side(seats, one_of(KINDS)),
        "stock": whole_number(0, len(PACK) - HAND * len(seats)),
        "turns": whole_number(0, _MOST_TURNS),
        "total": by_side(seats, whole_number(0, 1)),
    }
    return read_written_deal(
        data,
        seats,
        readers,
        faults=lambda given: [*_impossible(given), *_odd(given, len(seats))],
        told=lambda given: _told(given, seats),
        fault_of_total=fault_of_total,
    )


def written(state: State) -> dict[str, Json]:
    """KO16: a deal that was played out."""
    now, score = state.now, state.score()
    found: dict[str, Json] = {"ended": now.ended, "stock": state.stock_left, "turns": now.turns}
    if any(now.shown):
        found["shown"] = score.detail["shown"]
    if now.winner >= 0:
        found |= {"winner": str(now.winner + 1), "pair": now.shown[now.winner], "by": now.by}
    if now.by == CLAIM:
        found["from"] = str(now.given_by + 1)
    return {**found, "total": dict(score.total)}


def odd(checked: CheckedSheet) -> Iterator[Problem]:
    """KO19, of the whole sheet."""
    running = 0
    for number, score in enumerate(checked.scores):
        running = running + 1 if score is not None and not any(score.total.values()) else 0
        if running == MANY_UNDECIDED:
            template = gettext_noop("Three deals running without a winner are rare.")
            yield suspicious("undecided", template, ("deals", number))


def fault_of_total(total: Mapping[str, int]) -> str:
    """KO11, KO17: why no deal gives these totals; empty where one does."""
    if sorted(total.values())[-2:] in ([0, 1], [0, 0]) and min(total.values()) == 0:
        return ""
    return gettext_noop("One player wins 1, or nobody does.")


def _impossible(given: Mapping[str, Any]) -> Iterator[Problem]:
    winner, shown, pair = given.get("winner"), given.get("shown", {}), given.get("pair")
    ended, stock = given.get("ended"), given.get("stock")
    if winner and shown and winner not in shown:
        template = gettext_noop("The winner must have declared.")
        yield impossible("winner-declared", template, ("shown",))
    kind = pair or shown.get(winner)
    if pair and shown.get(winner, pair) != pair:
        template = gettext_noop("The winner’s pair is the one that was shown.")
        yield inconsistent("winner-pair", template, ("pair",))
    if winner and kind and sum(each == kind for each in shown.values()) > 1:
        template = gettext_noop("Where two players show the same kind nobody can get a third.")
        yield impossible("same-pair", template, ("shown",))
    if given.get("from") is not None and given.get("from") == winner:
        yield impossible("own-claim", gettext_noop("Nobody claims from themselves."), ("from",))
    if given.get("from") and given.get("by") == DRAW:
        template = gettext_noop("A card of one’s own comes from nobody.")
        yield impossible("own-draw", template, ("from",))
    if ended and (ended == WON) != bool(winner) and "winner" in given:
        yield impossible("winner-ended", gettext_noop("Only a deal that was won has a winner."), ("winner",))
    if stock and ended == OUT_OF_STOCK:
        template = gettext_noop("The deal ends without a winner only when the stock is used up.")
        yield impossible("stock-left", template, ("stock",))
    total = given.get("total", {})
    if stock and not winner and not ended and total and not any(total.values()):
        template = gettext_noop("The deal ends without a winner only when the stock is used up.")
        yield impossible("stock-left", template, ("stock",))


def _odd(given: Mapping[str, Any], players: int) -> Iterator[Problem]:
    if given.get("winner") and given.get("turns", players) < players - 1:
        template = gettext_noop("A win before every player has had a turn is rare.")
        yield suspicious("early-win", template, ("turns",))


def _told(given: Mapping[str, Any], seats: Sequence[str]) -> dict[str, int]:
    """KO11."""
    winner = given.get("winner")
    if winner or given.get("ended") in {OUT_OF_STOCK, STALEMATE}:
        return {seat: int(seat == winner) for seat in seats}
    return {}
