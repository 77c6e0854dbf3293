"""Deals of Tien Len that a seat could be in: every card that is not seen may be in any hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.game import values as seam
from engine.game.capabilities import Sampling
from engine.game.unseen import dealt_unseen
from engine.game.values import View
from engine.game.zones import Zones
from engine.tien_len.combinations import CARDS, NUMBER, kind_of, text_of, top_of
from engine.tien_len.novice import thrifty
from engine.tien_len.play import PASS, PLACES, Now, Rules, Setting, State, begun

#: How often somebody does something else than what costs least.
ANY_ACTION: Final = 0.25


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat knows: how the deal stands but for the others' hands, and which cards they have played."""

    setting: Setting
    now: Now
    played: tuple[int, ...]
    unseen: tuple[str, ...]
    barred: tuple[frozenset[str], ...]
    """TL8: cards below the lowest that anybody was dealt."""


class TienLenSampling(Sampling):
    """Every deal that agrees with the view is equally likely."""

    def sample(self, view: View, rng: random.Random) -> State:
        """TL19."""
        if not isinstance(view, Zones):
            raise TypeError(view)
        seen = _seen(view)
        me = int(view.seat or 1) - 1
        sizes = [0 if place == me else size for place, size in enumerate(seen.now.sizes)]
        sizes.append(len(seen.unseen) - sum(sizes))
        while True:
            dealt = dealt_unseen(seen.unseen, sizes, seen.barred, rng)
            hands = [sum(1 << NUMBER[card] for card in cards) for cards in dealt[:-1]]
            hands[me] = seen.now.hands[me]
            lowest = seen.setting.lowest
            if view.history or not dict(view.options)["lowest_leads"]:
                break
            # TL8: the leader is on turn because nobody holds a lower card.
            low = sum(hands) & -sum(hands)
            lowest = low.bit_length() - 1
            if hands[seen.setting.leader] & low:
                break
        first = tuple(hand | gone for hand, gone in zip(hands, seen.played, strict=True))
        setting = Setting(first, seen.setting.dealer, seen.setting.rules, seen.setting.leader, lowest)
        return State(setting, view.history, seen.now._replace(hands=tuple(hands)))

    def worth_trying(self, state: seam.State) -> Sequence[str]:
        """Of plays that differ only in cards below their highest, one."""
        if not isinstance(state, State):
            raise TypeError(state)
        twos = state.setting.rules.twos
        found = {
            (kind_of(cards, twos=twos), top_of(cards)): text_of(cards) for cards in reversed(state.playable)
        }
        return (*reversed(found.values()), *((PASS,) if state.now.standing else ()))

    def likely(self, state: seam.State, rng: random.Random) -> str:
        """What costs least, mostly."""
        if not isinstance(state, State):
            raise TypeError(state)
        now, possible = state.now, state.playable
        if rng.random() < ANY_ACTION:
            at = int(rng.random() * (len(possible) + bool(now.standing)))
            return text_of(possible[at]) if at < len(possible) else PASS
        chosen = thrifty(possible, now.standing, now.hands[now.turn]) if possible else 0
        return text_of(chosen) if chosen else PASS


@lru_cache(maxsize=64)
def _seen(view: Zones) -> Seen:
    """The deal played through with what all have seen: each play changes bits that begin empty."""
    options = dict(view.options)
    rules = Rules(
        bombs=bool(options["bombs"]),
        pass_is_final=bool(options["pass_is_final"]),
        twos=bool(options["twos_in_sequences"]),
        scoring=str(options["scoring"] or PLACES),
    )
    told = options["lowest"]
    lowest = NUMBER[told] if isinstance(told, str) and told else -1
    nothing = (0,) * len(view.seats)
    setting = Setting(nothing, int(view.dealer) - 1, rules, int(str(options["leader"])) - 1, lowest)
    state = begun(setting)
    for token in view.history:
        state = state.after(token)
    played, me = state.now.hands, int(view.seat or 1) - 1
    mine = sum(1 << NUMBER[card] for card in view.seats[me].cards)
    out = sum(played) | mine
    hands = tuple(mine if place == me else 0 for place in range(len(played)))
    below = frozenset(CARDS[: max(lowest, 0)])
    return Seen(
        setting,
        state.now._replace(hands=hands),
        played,
        tuple(card for number, card in enumerate(CARDS) if not out >> number & 1),
        (*(below for _seat in view.seats), frozenset()),
    )


SAMPLING: Final = TienLenSampling()
