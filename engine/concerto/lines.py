"""Reading a written line of play: who did what, by R3 to R7 alone.

Nobody's cards need be known for that: only how many each player can still hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, final

from engine.concerto import messages
from engine.concerto.play import MOVES, PLAY, Action, Move
from engine.concerto.record import SeatBits
from engine.concerto.rules import CARDS_IN_HAND
from engine.concerto.turns import Refusal, partner_follows, refusal_to_pass
from engine.deals import Deal
from engine.problems import Problem
from engine.seats import SEATS, Seat


@final
class LineRead(NamedTuple):
    """What a line of play says. ``problem`` tells where it stops being legal; the moves before it stand."""

    moves: tuple[Move, ...]
    by_seat: SeatBits
    problem: Problem | None


def read_line(
    actions: Sequence[Action], number: int, leader: Seat, left: Sequence[int], deal: Deal | None = None
) -> LineRead:
    """Hand ``number`` (from 0), led by ``leader``, as the rules determine who acts.

    ``left`` is how many cards each seat holds at most. ``deal`` is given only where that is uncertain: whether
    R7 has taken the turn from a player can then be seen from whose card it is.
    """
    held = list(left)
    turn = leader.index if held[leader.index] > 0 else leader.index ^ 2
    moves: list[Move] = []
    by_seat = [0, 0, 0, 0]
    cards = passes = 0
    alone = False
    problem = None
    for action in actions:
        if cards == CARDS_IN_HAND:
            problem = messages.LINE_TOO_LONG.at(("hands", number), hand=number + 1, given=action.token)
            break
        bit = action.bit
        if bit:
            if deal is not None and deal.hands[turn ^ 2].bits & bit:
                turn ^= 2
            moves.append(MOVES[turn][action])
            by_seat[turn] |= bit
            cards += 1
            passes = 0
            held[turn] -= 1
            if partner_follows(alone, held[turn], held[turn ^ 2]):
                turn ^= 2
            continue
        refusal = refusal_to_pass(cards, passes, alone, held[turn ^ 2])
        if refusal:
            problem = _illegal(number, len(moves), SEATS[turn], refusal)
            break
        moves.append(MOVES[turn][action])
        alone = action is PLAY
        passes += 1
        turn ^= 2
    north, east, south, west = by_seat
    return LineRead(tuple(moves), (north, east, south, west), problem)


def _illegal(number: int, step: int, seat: Seat, refusal: Refusal) -> Problem:
    reason = refusal[1] % {"seat": seat.title}
    return messages.LINE_PASS.at(("hands", number), hand=number + 1, step=step + 1, reason=reason)
