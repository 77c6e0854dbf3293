"""Reading a written line of play: who did what, by R3 to R7 alone.

Nobody's cards need be known for that: only how many each player can still hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from engine.concerto import messages
from engine.concerto.play import PLAY, Action
from engine.concerto.record import SeatBits
from engine.concerto.rules import CARDS_IN_HAND
from engine.concerto.turns import partner_follows, refusal_to_pass
from engine.deals import Deal
from engine.game import Problem
from engine.seats import SEATS, Seat


@final
@dataclass(frozen=True, slots=True)
class LineRead:
    """What a line of play says. ``problem`` tells where it stops being legal; the moves before it stand."""

    moves: tuple[tuple[Seat, Action], ...]
    by_seat: SeatBits
    problem: Problem | None


def read_line(
    actions: Sequence[Action], number: int, leader: Seat, left: Sequence[int], deal: Deal | None = None
) -> LineRead:
    """Hand ``number`` (from 0), led by ``leader``, as the rules determine who acts.

    ``left`` is how many cards each seat holds at most. ``deal`` is given only where that is uncertain: whether
    R7 has taken the turn from a player can then be seen from whose card it is.
    """
    reader = _LineReader(list(left), leader.index if left[leader.index] else leader.index ^ 2, deal)
    for step, action in enumerate(actions):
        problem = reader.take(action, number, step)
        if problem:
            return LineRead(tuple(reader.moves), reader.played(), problem)
    return LineRead(tuple(reader.moves), reader.played(), None)


class _LineReader:
    """The state of one hand while its line is read."""

    __slots__ = ("alone", "by_seat", "cards", "deal", "left", "moves", "passes", "turn")

    def __init__(self, left: list[int], turn: int, deal: Deal | None) -> None:
        self.left = left
        self.turn = turn
        self.deal = deal
        self.moves: list[tuple[Seat, Action]] = []
        self.by_seat = [0, 0, 0, 0]
        self.cards = 0
        self.passes = 0
        self.alone = False

    def played(self) -> SeatBits:
        north, east, south, west = self.by_seat
        return north, east, south, west

    def take(self, action: Action, number: int, step: int) -> Problem | None:
        """Let the player on turn do this; or say why they cannot."""
        place = ("hands", number)
        if self.cards == CARDS_IN_HAND:
            return messages.LINE_TOO_LONG.at(place, hand=number + 1, given=action.token)
        if action.bit:
            self._play(action)
            return None
        refusal = refusal_to_pass(self.cards, self.passes, self.alone, self.left[self.turn ^ 2])
        seat = SEATS[self.turn]
        if refusal:
            reason = refusal[1] % {"seat": seat.title}
            return messages.LINE_PASS.at(place, hand=number + 1, step=step + 1, reason=reason)
        self.moves.append((seat, action))
        self.alone = action is PLAY
        self.passes = 0 if self.alone else self.passes + 1
        self.turn ^= 2
        return None

    def _play(self, action: Action) -> None:
        turn = self.turn
        if self.deal is not None and self.deal.hands[turn ^ 2].bits & action.bit:
            turn ^= 2
        self.moves.append((SEATS[turn], action))
        self.by_seat[turn] |= action.bit
        self.cards += 1
        self.passes = 0
        left = self.left
        left[turn] -= 1
        if partner_follows(self.alone, max(left[turn], 0), max(left[turn ^ 2], 0)):
            turn ^= 2
        self.turn = turn
