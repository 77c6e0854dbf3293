"""Best play from the command line."""

from __future__ import annotations

import argparse
from typing import Any

from engine.boards.files.hands import hand_of_suits
from engine.cards import CardSet
from engine.cli import FILE, Answer, command, problems_answer, read_json
from engine.concerto.best_play.deal_par import par_of
from engine.concerto.best_play.par import Frontier, deal_frontiers, frontiers
from engine.concerto.spelling import SEAT_NAMES
from engine.deals import Deal
from engine.errors import CardError, RuleError
from engine.problems import problems_of
from engine.seats import Seat, Side
from engine.text import gettext_noop

_NOT_AN_ITEM = gettext_noop(
    "Each item must be an object with a deal, or with hands: the cards of two partners."
)


@command("par", FILE)
def par(arguments: argparse.Namespace) -> Answer:
    """The best that sides can make: a list of {"deal": ..., "dealer": ...} or {"hands": [two partners' cards]}."""
    data = read_json(arguments.file)
    if not isinstance(data, list):
        return _one(data)
    answers = [_one(item) for item in data]
    return Answer([answer.value for answer in answers], all(answer.is_good for answer in answers))


def _one(item: Any) -> Answer:
    try:
        return Answer(_analysed(item))
    except RuleError as error:
        return Answer(problems_answer(problems_of(error)), is_good=False)


def _analysed(item: Any) -> dict[str, Any]:
    if isinstance(item, dict) and isinstance(item.get("hands"), list) and "deal" not in item:
        hands = item["hands"]
        return {"hands": hands, **_frontier_json(frontiers([_partners(hands)])[0])}
    if not isinstance(item, dict) or "deal" not in item:
        raise CardError("par-item", _NOT_AN_ITEM, given=item)
    deal = Deal.parse(item["deal"])
    both = deal_frontiers([deal])[0]
    dealer = item.get("dealer")
    rest = {} if dealer is None else par_of(both, _seat(dealer)).as_json()
    return {
        "deal": str(deal),
        **rest,
        "frontier": {side.value: _pairs(both[side]) for side in Side},
        "best": {side.value: [point.as_json() for point in both[side]] for side in Side},
    }


def _partners(hands: list[Any]) -> tuple[CardSet, CardSet]:
    """The cards of two partners, each as ``spades.hearts.diamonds.clubs``."""
    suits = [hand.split(".") if isinstance(hand, str) else [] for hand in hands]
    if len(suits) != 2 or any(len(parts) != 4 for parts in suits):
        raise CardError("par-item", _NOT_AN_ITEM, given=hands)
    return hand_of_suits(suits[0], Seat.N), hand_of_suits(suits[1], Seat.S)


def _seat(text: Any) -> Seat:
    return SEAT_NAMES[text] if isinstance(text, str) and text in SEAT_NAMES else Seat.parse(text)


def _pairs(points: Frontier) -> list[list[int]]:
    return [[point.points, point.left_over] for point in points]


def _frontier_json(points: Frontier) -> dict[str, Any]:
    return {"frontier": _pairs(points), "best": [point.as_json() for point in points]}
