"""What cards are worth for hands still to come, and so what it costs to play them now.

Rules of thumb in points, found by trying. A card of a pair or of threes helps a later full house; one that lies close
to others of its suit, a straight flush; a single card may be the third of partner's pair while others of its rank are
out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.concerto.player_completions import ONE_RANK, RUNS, Completion
from engine.concerto.robot_hands import singles
from engine.concerto.robot_position import Position

#: By how many of its rank are held.
_OF_RANK: Final = (0.0, 0.3, 0.6, 1.0, 2.0)
#: By how many of the best run that it is part of are held, if the run can still be completed.
_OF_RUN: Final = (0.0, 0.0, 0.0, 0.5, 1.5, 1.5)
#: Each card of partner's, of whom less is known.
_THEIRS: Final = 0.5
#: Cards are dearer while more hands are to come.
_SCALE: Final = (0.4, 0.2)


class Costs(NamedTuple):
    """What it costs to play each card held (by its bit), and any card of the partner's."""

    own: dict[int, float]
    theirs: float

    def of(self, cards: int) -> float:
        """What these cards of one's own cost."""
        return sum(map(self.own.__getitem__, singles(cards)))

    def net(self, completion: Completion) -> float:
        """The points of a completion, less what its cards cost."""
        points, mine, theirs = completion
        return points - self.theirs * theirs.bit_count() - self.of(mine)


def costs(position: Position) -> Costs:
    """The costs for the player of this position."""
    mine, unseen = position.mine, position.unseen
    to_come = position.my_leads + position.partner_leads
    if not to_come:
        return Costs(dict.fromkeys(singles(mine), 0.0), 0.0)
    scale = _SCALE[0] + _SCALE[1] * to_come
    runs = [
        (run, _OF_RUN[held])
        for run in RUNS
        if not run & ~(mine | unseen) and (held := (run & mine).bit_count()) >= 3
    ]
    own = {}
    for card in singles(mine):
        rank = _rank_of(card)
        value = _OF_RANK[(mine & rank).bit_count()]
        if not mine & rank & ~card:
            value *= (unseen & rank).bit_count() / 3
        own[card] = scale * (value + max((worth for run, worth in runs if run & card), default=0.0))
    return Costs(own, _THEIRS)


def _rank_of(card: int) -> int:
    """The four cards of this card's rank."""
    place = card.bit_length() - 1
    return ONE_RANK << place % 13
