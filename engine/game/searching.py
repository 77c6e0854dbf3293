"""The searcher: one robot for every game that can sample the deals that a view leaves open."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot, Sampling
from engine.game.values import State, View
from engine.game.zones import Zones
from engine.text import Word, gettext_noop

#: How many deals are played on for one decision at a table.
PLAYOUTS: Final = 240


class Searcher(Robot):
    """Deals what it cannot see by chance, plays each action on to the end, and takes the best.

    The budget is counted in playouts, and chance comes from the view: the same view gives the same action. Half of the
    actions that are left drop out each time (sequential halving), so that the good ones are tried most; all of them are
    tried on the same deals. ``sides`` are those of a game for pairs; None: everybody plays alone.
    """

    key = "searcher"
    name = Word(gettext_noop("Searcher"))
    summary = Word(
        gettext_noop(
            "Imagines the cards that it can’t see, many times over, and plays each of those deals to the end."
        )
    )

    def __init__(
        self,
        sampling: Sampling,
        sides: Mapping[str, tuple[str, ...]] | None = None,
        *,
        lower_is_better: bool = False,
        playouts: int = PLAYOUTS,
    ) -> None:
        self.sampling, self.sides, self.playouts = sampling, sides, playouts
        self.sign = -1 if lower_is_better else 1

    def with_playouts(self, playouts: int) -> Searcher:
        """The same with another budget."""
        return Searcher(self.sampling, self.sides, lower_is_better=self.sign < 0, playouts=playouts)

    def token(self, view: View) -> str:
        """The action that does best on the deals tried. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or view.seat is None or view.turn != view.seat:
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        rng = random.Random(repr(view))  # noqa: S311 (nobody’s secret)
        left = list(self.sampling.worth_trying(self.sampling.sample(view, rng)))
        sums = dict.fromkeys(left, 0)
        rounds = max(1, (len(left) - 1).bit_length())
        while len(left) > 1:
            for _deal in range(max(1, self.playouts // (rounds * len(left)))):
                state = self.sampling.sample(view, rng)
                for token in left:
                    sums[token] += self._worth(self._played_on(state.apply(token), rng), view.seat)
            left = sorted(left, key=lambda token: -sums[token])[: (len(left) + 1) // 2]
        return left[0]

    def _worth(self, state: State, seat: str) -> int:
        """What the deal is worth to this seat's side, against what it is worth to the others."""
        total = state.score().total
        own = next((side for side, seats in (self.sides or {}).items() if seat in seats), seat)
        others = [points for side, points in total.items() if side != own]
        return self.sign * (total[own] * len(others) - sum(others))

    def _played_on(self, state: State, rng: random.Random) -> State:
        while not state.is_over:
            state = state.apply(self.sampling.likely(state, rng))
        return state
