"""Deals that a seat of Burraco could be in: what others took from the pile is theirs, the rest is dealt by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.burraco.cards import PACK, cards_in, hand_of, is_wild
from engine.burraco.melds import Melds, meld_of
from engine.burraco.novice import best_token, goes_on, worth
from engine.burraco.play import DRAW, SEATS, SIZE, TAKE, Now, Setting, State
from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import read_cards

#: How many actions a searching robot tries.
TRIED: Final = 4


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat knows of a deal: all but the cards that nobody has shown."""

    now: Now
    """With those cards of the hands that are known, and without stock and pozzetti."""
    sizes: tuple[int, ...]
    """How many cards are missing: of each hand, each pozzetto face down, each that nobody took, and the stock."""
    unseen: tuple[str, ...]


class BurracoSampling(Sampling):
    """What a player took from the pile and has not laid or discarded since, they are taken to hold still."""

    def sample(self, view: View, rng: random.Random) -> State:
        """BU19."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        cards = rng.sample(seen.unseen, len(seen.unseen))
        parts = []
        for size in seen.sizes:
            parts.append(tuple(cards[:size]))
            del cards[:size]
        now = seen.now
        hands = tuple(known + hand_of(drawn) for known, drawn in zip(now.hands, parts[:4], strict=True))
        down = tuple(map(hand_of, parts[4:8]))
        pozzetti = tuple(hand_of(part) for part in parts[8:-1] if part)
        options = dict(view.options)
        setting = Setting(view.dealer, options["semi_clean"] is True, str(options["up"]))
        return State(
            setting, view.history, now._replace(hands=hands, down=down, pozzetti=pozzetti, stock=parts[-1])
        )

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """Drawing either way; of melds and discards the few that a novice likes best."""
        if not isinstance(state, State):
            raise TypeError(state)
        legal = state.legal()
        if DRAW in legal:
            return legal
        own, others = state.now.melds[state.side], state.now.melds[1 - state.side]
        first = best_token(legal, state.hand, own, others, state.now.pile)
        laid = sorted((token for token in legal if len(token) > 2), key=lambda token: -worth(token, own))
        discards = [token for token in legal if len(token) == 2]
        useful = sorted(discards, key=lambda card: (is_wild(card), goes_on(card, others)))
        return list(dict.fromkeys((first, *laid[:2], *useful)))[:TRIED]

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """What a novice would do."""
        if not isinstance(state, State):
            raise TypeError(state)
        own, others = state.now.melds[state.side], state.now.melds[1 - state.side]
        return best_token(state.legal(), state.hand, own, others, state.now.pile)


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    melds = [Melds(), Melds()]
    for place, zone in enumerate(view.seats):
        found = Melds(meld for cards in zone.melds if (meld := meld_of(cards)))
        if found:
            melds[place % 2] = found
    pile = view.layout[0] if view.layout else ()
    known, now = _told(view, (melds[0], melds[1]), pile)
    is_down = [zone.calls[-1:] == ("down",) for zone in view.seats]
    hands = tuple(
        hand_of(zone.cards if zone.seat == view.seat else known[place].elements())
        for place, zone in enumerate(view.seats)
    )
    held = [0 if down else zone.held for zone, down in zip(view.seats, is_down, strict=True)]
    missing = [size - len(cards_in(hand)) for size, hand in zip(held, hands, strict=True)]
    left = Counter(PACK)
    for cards in (*map(cards_in, hands), pile, *(meld.cards for of_side in melds for meld in of_side)):
        left.subtract(cards)
    untaken = sum(took < 0 for took in now.took)
    sizes = (*missing, *(SIZE * down for down in is_down), *[SIZE] * untaken, view.stock or 0)
    return Seen(now._replace(hands=hands), sizes, tuple((+left).elements()))


def _told(view: Zones, melds: tuple[Melds, Melds], pile: tuple[str, ...]) -> tuple[list[Counter[str]], Now]:
    """By all actions so far: what each is known to hold, and how the deal stands besides the cards."""
    known: list[Counter[str]] = [Counter() for _seat in SEATS]
    lying = [str(dict(view.options)["up"])]
    turn, has_drawn, is_idle, idle, barred = (SEATS.index(view.dealer) + 1) % 4, False, False, 0, ""
    for token in view.history:
        if token == DRAW:
            has_drawn = True
        elif token == TAKE:
            has_drawn, is_idle = True, len(lying) == 1
            barred = lying[0] if is_idle and not known[turn][lying[0]] else ""
            known[turn].update(lying)
            lying = []
        elif len(token) == 2:
            known[turn] -= Counter((token,))
            lying.append(token)
            idle, is_idle, has_drawn, barred = idle + 1 if is_idle else 0, False, False, ""
            turn = (turn + 1) % 4
        else:
            cards = read_cards(token.partition(">")[0])
            known[turn] -= Counter(cards)
            is_idle, barred = False, "" if barred in cards else barred
    took = [-1, -1]
    for place, zone in enumerate(view.seats):
        if "took" in zone.calls:
            took[place % 2] = place
    if view.turn == view.seat:
        barred = str(dict(view.options)["barred"])
    ended = "" if view.turn else "closed"
    return known, Now(
        hands=(),
        stock=(),
        pile=pile,
        pozzetti=(),
        turn=turn,
        has_drawn=has_drawn,
        melds=melds,
        took=(took[0], took[1]),
        barred=barred,
        is_idle=is_idle,
        idle=idle,
        ended=ended,
    )


SAMPLING: Final = BurracoSampling()
