"""The par of a deal: what both sides get when each plays for the best, knowing what the other can make (R11, R12).

It makes no difference who chooses first. The side that can make more (at equal points, the non-dealing side) is
ahead whatever the other does, so it makes all the points it can; the other then loses least by the point that has most
after ten times its left-overs. Neither would move: falling behind on purpose only turns the bonus round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from engine.concerto.best_play.par import Frontier, FrontierPoint, deal_frontiers
from engine.concerto.options import BONUS_FACTOR
from engine.concerto.scoring import bonus_side
from engine.deals import Deal
from engine.seats import BySide, Seat, Side


@final
@dataclass(frozen=True, slots=True)
class ParScore:
    """What the deal comes to when each side makes the point of its frontier that is named here."""

    chosen: BySide[FrontierPoint]
    left_over_to: Side
    bonus: int
    total: BySide[int]

    def lead(self, side: Side) -> int:
        """By how much this side has more than the other."""
        return self.total[side] - self.total[side.other]

    def as_json(self) -> dict[str, Any]:
        """The score for a program, under the names that a record uses."""
        return {
            "made": {side.value: point.points for side, point in self.chosen.items()},
            "left_over": {side.value: point.left_over for side, point in self.chosen.items()},
            "left_over_to": self.left_over_to.value,
            "left_over_bonus": self.bonus,
            "total": self.total.as_json(),
        }


@final
@dataclass(frozen=True, slots=True)
class DealPar:
    """What a deal is worth to both sides at best play. Best is what leads the other side by most."""

    frontiers: BySide[Frontier]
    committing: BySide[ParScore]
    """What comes of it when that side chooses first, as well as it can, and the other answers."""
    par: ParScore
    """The score from which neither side would move."""

    def as_json(self) -> dict[str, Any]:
        """The analysis for a program."""
        return {
            "frontier": {
                side.value: [[point.points, point.left_over] for point in points]
                for side, points in self.frontiers.items()
            },
            "committing": {side.value: score.as_json() for side, score in self.committing.items()},
            "par": self.par.as_json(),
        }


def deal_par(deal: Deal, dealer: Seat) -> DealPar:
    """The par of one deal."""
    return deal_pars([(deal, dealer)])[0]


def deal_pars(boards: Sequence[tuple[Deal, Seat]]) -> list[DealPar]:
    """The par of each deal with its dealer; together they take less time than one by one."""
    found = deal_frontiers([deal for deal, _ in boards])
    return [par_of(frontiers, dealer) for frontiers, (_, dealer) in zip(found, boards, strict=True)]


def par_of(frontiers: BySide[Frontier], dealer: Seat) -> DealPar:
    """The par where the sides can make these points."""
    committing = BySide.of(lambda side: _committing(side, frontiers, dealer))
    chosen = BySide.of(lambda side: committing[side].chosen[side])
    return DealPar(frontiers, committing, score(chosen, dealer))


def _committing(side: Side, frontiers: BySide[Frontier], dealer: Seat) -> ParScore:
    """The most that a side can be sure to lead by, whatever the other then chooses."""
    answers = [_answer(side, point, frontiers[side.other], dealer) for point in frontiers[side]]
    return max(answers, key=lambda answer: answer.lead(side))


def _answer(side: Side, point: FrontierPoint, others: Frontier, dealer: Seat) -> ParScore:
    """The best that the other side can do about this point."""
    replies = [BySide(point, reply) if side is Side.NS else BySide(reply, point) for reply in others]
    return min((score(chosen, dealer) for chosen in replies), key=lambda answer: answer.lead(side))


def score(chosen: BySide[FrontierPoint], dealer: Seat) -> ParScore:
    """R11, R12: what the deal comes to when the sides make these points."""
    made = BySide(chosen.ns.points, chosen.ew.points)
    to = bonus_side(made, dealer)
    bonus = BONUS_FACTOR * chosen[to.other].left_over
    total = BySide.of(lambda side: made[side] + (bonus if side is to else 0))
    return ParScore(chosen, to, bonus, total)
