"""Deals of Stealing Bundles that a seat could be in: what was trailed shows what was not held."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Final, NamedTuple

from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import in_order
from engine.stealing_bundles.novice import chosen
from engine.stealing_bundles.play import HAND, PACK, Setting, State, begun

#: How often nobody knows why a card was played.
ANY_CARD: Final = 0.2
_ROUND: Final = 2 * HAND


class Seen(NamedTuple):
    """What a seat knows."""

    board: tuple[str, ...]
    barred: frozenset[str]
    unseen: tuple[str, ...]


class StealingSampling(Sampling):
    """Every deal that agrees with the view is equally likely."""

    def sample(self, view: View, rng: random.Random) -> State:
        """SB10."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen, me = _seen(view), int(view.seat or 1) - 1
        other = view.seats[1 - me]
        sizes = (other.held, len(seen.unseen) - other.held)
        theirs, rest = dealt_unseen(seen.unseen, sizes, (seen.barred, ()), rng)
        first = 1 - (int(view.dealer) - 1)
        played = [view.history[first != place :: 2] for place in (0, 1)]
        held = (
            [list(view.seats[me].cards), list(theirs)]
            if me == 0
            else [list(theirs), list(view.seats[me].cards)]
        )
        rounds = [
            [in_order([*played[place][HAND * at : HAND * (at + 1)], *(held[place] if at == self._now(view) else [])])
             for place in (0, 1)]
            for at in range(self._now(view) + 1)
        ]  # fmt: skip
        stock: list[str] = []
        for hands in rounds[1:]:
            for one, two in zip(hands[first], hands[1 - first], strict=True):
                stock += [one, two]
        setting = Setting((rounds[0][0], rounds[0][1]), seen.board, (*stock, *rest), 1 - first)
        state = begun(setting)
        for token in view.history:
            state = state.after(token)
        return state

    @staticmethod
    def _now(view: Zones) -> int:
        """Which round it is, from 0."""
        return min(len(view.history) // _ROUND, len(PACK) // _ROUND - 1)

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """What a novice plays, mostly."""
        if not isinstance(state, State):
            raise TypeError(state)
        legal, now = state.legal(), state.now
        if len(legal) == 1 or rng.random() < ANY_CARD:
            return legal[int(rng.random() * len(legal))]
        theirs = now.bundles[1 - now.turn]
        return chosen(legal, now.board, state.history, ((theirs or ("",))[-1], len(theirs)))


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    """The board at first, and which ranks the other did not hold in this round when it trailed a card."""
    options = dict(view.options)
    first_board = options["board"]
    if not isinstance(first_board, tuple):
        raise TypeError(first_board)
    board, tops, turn = list(first_board), ["", ""], 2 - int(view.dealer)
    ranks: set[str] = set()
    me = int(view.seat or 1) - 1
    for number, card in enumerate(view.history):
        if number % _ROUND == 0:
            ranks = set()
        matching = {each[0] for each in (*board, tops[1 - turn]) if each}
        if card[0] not in matching:
            ranks |= matching if turn != me else set()
            board.append(card)
        else:
            board = [each for each in board if each[0] != card[0]]
            tops[1 - turn] = "" if tops[1 - turn][:1] == card[0] else tops[1 - turn]
            tops[turn] = card
        turn = 1 - turn
    if len(view.history) % _ROUND == 0:
        ranks = set()
    own = {card for zone in view.seats for card in zone.cards}
    gone = {*own, *view.history, *first_board}
    unseen = tuple(card for card in PACK if card not in gone)
    return Seen(first_board, frozenset(card for card in unseen if card[0] in ranks), unseen)


SAMPLING: Final = StealingSampling()
