"""A deal of Put and Take as people write it down, and all that can be wrong with it (PT10 to PT13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.game.fields import (
    Reader,
    by_side,
    one_of,
    read_written_deal,
    row_of_cards,
    whole_number,
    wrong_dealer,
)
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import read_cards
from engine.problems import Problem, impossible, suspicious
from engine.put_and_take.play import HAND, PACK, TURNED, State, settled
from engine.text import gettext_noop

FIELDS: Final = ("dealer", "hands", "put", "take", "total")
#: PT11: the most that anybody but the dealer wins or loses; with ``doubling``.
MOST, MOST_DOUBLING = 29, 72
#: PT13: with so many players somebody usually pays.
MANY: Final = 5
_MOST_PLAYERS: Final = 9


def read_written(
    data: object, seats: Sequence[str], options: Mapping[str, Any] | None, dealer: str | None = None
) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem; ``dealer``: who must be, where that is known."""
    doubling = bool(options and options["doubling"])
    most = MOST if options and not doubling else MOST_DOUBLING
    turned = row_of_cards(PACK, (TURNED,), is_hand=False)
    limit = most * (_MOST_PLAYERS - 1)
    readers: dict[str, Reader] = {
        "dealer": one_of(seats),
        "hands": by_side(seats, row_of_cards(PACK, (HAND,))),
        "put": turned,
        "take": turned,
        "total": by_side(seats, whole_number(-limit, limit)),
    }
    return read_written_deal(
        data,
        seats,
        readers,
        # PT1: the deal passes to the left.
        faults=lambda given: [
            *_faults({"dealer": dealer, **given}, most),
            *wrong_dealer(given, dealer, seats),
        ],
        told=lambda given: _told({"dealer": dealer, **given}, seats, doubling=doubling) if options else {},
        fault_of_total=fault_of_total,
        whole=0,
    )


def written(state: State) -> dict[str, Json]:
    """PT10: a deal that was played out."""
    score = state.score()
    hands = {str(place + 1): "".join(hand) for place, hand in sorted(state.setting.hands.items())}
    dealer = str(state.setting.dealer + 1)
    turned = {name: score.detail[name] for name in ("put", "take")}
    return {"dealer": dealer, "hands": hands, **turned, "total": dict(score.total)}


def odd(checked: CheckedSheet) -> Iterator[Problem]:
    """PT13."""
    for number, score in enumerate(checked.scores):
        if score is not None and len(score.total) >= MANY and not any(score.total.values()):
            template = gettext_noop("It’s rare that nobody pays or gets anything.")
            yield suspicious("nothing", template, ("deals", number, "total"))


def fault_of_total(total: Mapping[str, int]) -> str:
    """PT6, PT11: why no deal gives these totals; empty where one does."""
    if sum(total.values()):
        return gettext_noop("The scores of a deal must add up to 0.")
    if sum(abs(points) > MOST_DOUBLING for points in total.values()) > 1:
        return gettext_noop("Nobody but the dealer wins or loses so much.")
    return ""


def _faults(given: Mapping[str, Any], most: int) -> Iterator[Problem]:
    total, dealer = given.get("total", {}), given.get("dealer")
    over = [seat for seat, points in total.items() if abs(points) > most and seat != dealer]
    if len(over) > (dealer is None):
        template = gettext_noop("Nobody but the dealer wins or loses more than %(most)d.")
        yield impossible("too-much", template, ("total", over[-1]), most=most)
    hands = given.get("hands", {})
    if dealer in hands:
        yield impossible("dealer-hand", gettext_noop("The dealer has no cards."), ("hands", str(dealer)))
    rows = [*hands.values(), given.get("put", ""), given.get("take", "")]
    counts = Counter(card for row in rows for card in read_cards(row))
    if counts and max(counts.values()) > 1:
        yield impossible("card-twice", gettext_noop("A card is there twice."), ("hands",))


def _told(given: Mapping[str, Any], seats: Sequence[str], *, doubling: bool) -> dict[str, int]:
    """PT12: what follows from the cards."""
    dealer, hands = given.get("dealer"), given.get("hands", {})
    if dealer is None or "put" not in given or "take" not in given:
        return {}
    turned = read_cards(given["put"] + given["take"])
    held = {at: read_cards(hands[seat]) for at, seat in enumerate(seats) if seat in hands and seat != dealer}
    points = settled(held, turned, doubling=doubling).points
    found = {seats[at]: each for at, each in points.items()}
    return {**found, dealer: -sum(found.values())} if len(found) == len(seats) - 1 else found
