"""A novice at Tien Len, by rules of thumb: play low, keep the twos, and get rid of many cards at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.text import Word, gettext_noop
from engine.tien_len.combinations import NUMBER, TWO, all_in, bombs_on, kind_of, of_kind, text_of, top_of
from engine.tien_len.play import PASS

#: With so few cards left, twos are played too.
FEW: Final = 5


def thrifty(possible: Sequence[int], standing: int, hand: int) -> int:
    """The play that costs least, of those that may be made; 0: better to pass.

    In the lead it is the longest with the lowest card; on another's play the lowest, without a two or a broken bomb.
    """
    if not standing:
        low = hand & -hand
        return max((cards for cards in possible if cards & low), key=int.bit_count, default=possible[0])
    lowest = min(possible, key=top_of, default=0)
    keeps = lowest >> 4 * TWO and hand.bit_count() > FEW and standing.bit_count() < hand.bit_count()
    return 0 if keeps and not standing >> 4 * TWO else lowest


class Novice(Robot):
    """Looks at its own cards and at what is to be beaten, and remembers nothing."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Plays low cards first, many at once, and keeps its twos."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.cards or view.calls or view.compositions):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        own = next(zone.cards for zone in view.seats if zone.seat == view.seat)
        hand = sum(1 << NUMBER[card] for card in own)
        standing = sum(1 << NUMBER[card] for card in (view.layout[-1] if view.layout else ()))
        options = dict(view.options)
        possible = _possible(hand, standing, options)
        chosen = thrifty(possible, standing, hand) if possible else 0
        return text_of(chosen) if chosen else PASS


def _possible(hand: int, standing: int, options: Mapping[str, object]) -> list[int]:
    twos = bool(options["twos_in_sequences"])
    kind = kind_of(standing, twos=twos) if standing else None
    if kind is None:
        found = all_in(hand, twos=twos)
        lowest = options["lowest"]
        must = 1 << NUMBER[lowest] if isinstance(lowest, str) and lowest and options["is_first"] else 0
        return [cards for cards in found if cards & must == must]
    asked = [*of_kind(hand, kind, top_of(standing), twos=twos)]
    bombs = bombs_on(standing, kind) if options["bombs"] else ()
    return [*asked, *(cards for bomb in bombs for cards in of_kind(hand, bomb, -1, twos=twos))]


NOVICE: Final = Novice()
