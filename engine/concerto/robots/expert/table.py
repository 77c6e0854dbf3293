"""A view laid out for the expert's search, and the search's answer as a token.

Everything comes from the view. What the search draws at random it draws from a digest of the view, so that the same
view gives the same action everywhere.
"""

from __future__ import annotations

import hashlib
import json
from typing import Final

import numpy as np

from engine.cards import Card
from engine.concerto.play import PASS, PASS_TOKEN, PLAY
from engine.concerto.robots.expert import signals
from engine.concerto.robots.expert.belief import COLUMNS
from engine.concerto.robots.expert.cards import PACK, Floats, Ints
from engine.concerto.robots.expert.judgement import ACTIONS, NOT_ALLOWED
from engine.concerto.robots.expert.judgement import PASS as PASS_CHOSEN
from engine.concerto.robots.expert.search import Effort, Situation, choose
from engine.concerto.robots.expert.weights import FIGURES
from engine.concerto.signals.systems import System
from engine.concerto.view import HandSeen, View
from engine.deals import CARDS_EACH
from engine.seats import Seat

EFFORT: Final = Effort(
    drawn=250,
    kept=60,
    tried=7,
    trust=0.4,
    warmth=0.35,
    doubt=0.01,
    later=0.65,
    margin=0.6,
    errors=0.5,
    bonus=10.0,
)
#: How many points less than its own choice the system's signal may promise, for the expert to give the signal.
COST_OF_SIGNAL: Final = 0.1

# Actions in the log that are no cards, as the search has them: "Play" tells as little as a pass.
_NO_CARD: Final = PASS_CHOSEN


def decide(view: View, system: System) -> str:
    """The token of what the expert does on its turn."""
    return considered(view, system)[0]


def considered(view: View, system: System) -> tuple[str, dict[str, float]]:
    """What the expert does on its turn, and what it expects of each action that it looked at to the end, by token.

    In points: of the hand being played, and a share of the best total of what is left then.
    """
    if len(view.legal) == 1:
        return view.legal[0], {}
    values = np.zeros(ACTIONS)
    at, log = situation(view), log_of(view)
    lean = signals.lean(view, PACK & ~at.seen & ~at.mine, system)
    chosen = int(choose(log, at, EFFORT, FIGURES, lean, np.array([_seed(view)]), values))
    signal = signals.to_play(view, system)
    if signal is not None and _costs_nothing(values, signal.index, chosen):
        chosen = signal.index
    found = {_token(place): float(value) for place, value in enumerate(values) if value > NOT_ALLOWED}
    return _token(chosen), found


def _token(chosen: int) -> str:
    return PASS_TOKEN if chosen == PASS_CHOSEN else Card.at(chosen).text


def _costs_nothing(values: Floats, signal: int, chosen: int) -> bool:
    return chosen != PASS_CHOSEN and bool(values[signal] >= values[chosen] - COST_OF_SIGNAL)


def _seed(view: View) -> int:
    text = json.dumps(view.as_json()).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:7], "big")


def _place(seat: Seat) -> int:
    """Which of two partners a seat is: 0 for N and E, 1 for S and W."""
    return seat.index // 2


def situation(view: View) -> Situation:
    """Where the seat on turn is. The view must be of a seat while a hand is being played."""
    seat, hand = view.seat, view.current
    assert seat is not None and hand is not None  # noqa: S101, PT018
    by = [0, 0]
    for actor, action in hand.line:
        by[_place(actor)] |= action.bit
    gone = by[0] | by[1]
    for played in view.hands:
        gone |= sum(action.bit for _, action in played.line)
    me = _place(seat)
    return Situation(
        me=me,
        mine=view.mine.bits,
        partner_count=view.cards_left[seat.partner.index],
        seen=gone,
        hand=hand.number,
        leader=_place(hand.leader),
        by_me=by[me],
        by_other=by[1 - me],
        passes=_passes(hand),
        alone=any(action is PLAY for _, action in hand.line),
        ahead=view.made[seat.side] - view.made[seat.side.other],
    )


def _passes(hand: HandSeen) -> int:
    passes = 0
    for _, action in hand.line:
        passes = passes + 1 if action is PASS else 0
    return passes


def log_of(view: View) -> Ints:
    """What the two partners did so far, in the columns of ``belief``."""
    rows: list[list[int]] = []
    seen = 0
    held = [CARDS_EACH, CARDS_EACH]
    hands = (*view.hands, view.current) if view.current else view.hands
    for hand in hands:
        if view.seat is not None and hand.side is view.seat.side:
            rows += _rows(hand, seen, held)
        seen |= sum(action.bit for _, action in hand.line)
    return np.array(rows, dtype=np.int64).reshape(-1, COLUMNS)


def _rows(hand: HandSeen, seen: int, held: list[int]) -> list[list[int]]:
    """The rows of one hand; ``held`` is how many cards the two hold, and is kept up to date."""
    rows = []
    by = [0, 0]
    passes = alone = 0
    leader = _place(hand.leader)
    for seat, action in hand.line:
        actor = _place(seat)
        what = action.card.index if action.card else _NO_CARD
        rows.append([hand.number, actor, what, seen, *by, passes, alone, leader, *held])
        passes = passes + 1 if action is PASS else 0
        alone |= action is PLAY
        if action.card:
            by[actor] |= action.bit
            seen |= action.bit
            held[actor] -= 1
    return rows
