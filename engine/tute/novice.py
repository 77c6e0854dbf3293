"""A novice at Tute, by rules of thumb: declare at once, take points, give them to the partner."""

from __future__ import annotations

from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.text import Word, gettext_noop
from engine.tute.cards import NUMBER, POINTS
from engine.tute.play import CUARENTA, TUTE, side_of


class Novice(Robot):
    """Looks at the trick on the table and at its own cards, and remembers nothing."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Declares at once, leads aces, and gives its partner points."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not view.cards:
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        if view.calls:
            said = {call.token for call in view.calls}
            return next((token for token in (TUTE, CUARENTA) if token in said), min(said))
        return _followed(view, view.trick) if view.trick else _led(view)


def _led(view: Zones) -> str:
    """An ace of a plain suit; else the least of the longest plain suit, trumps last."""
    aces = [card for card in view.cards if card[0] == "A" and card[1] != view.trump]
    if aces:
        return aces[0]
    length = {card: sum(other[1] == card[1] for other in view.cards) for card in view.cards}
    return min(view.cards, key=lambda card: (card[1] == view.trump, *_cost(card), -length[card]))


def _followed(view: Zones, trick: tuple[tuple[str, str], ...]) -> str:
    """Points to a partner who is winning; the strongest card to take a trick; else as little as may be."""
    taker, best = _winning(trick, view.trump)
    is_partners = view.seat is not None and side_of(taker) == side_of(view.seat)
    beating = [card for card in view.cards if _beats(card, best, view.trump)]
    if is_partners and len(trick) > 1:
        given = [card for card in view.cards if card not in beating] or view.cards
        return max(given, key=lambda card: (card[1] != view.trump, *_cost(card)))
    if beating:
        # Last to play, any card that takes it will do: the one worth most, unless it is a trump.
        return max(beating, key=lambda card: (card[1] != view.trump, *_gain(card, view.trump)))
    return min(view.cards, key=lambda card: (*_cost(card), card[1] == view.trump))


def _cost(card: str) -> tuple[int, int]:
    return POINTS[NUMBER[card]], NUMBER[card] % 10


def _gain(card: str, trump: str) -> tuple[int, int]:
    sign = -1 if card[1] == trump else 1
    return sign * POINTS[NUMBER[card]], sign * (NUMBER[card] % 10)


def _winning(trick: tuple[tuple[str, str], ...], trump: str) -> tuple[str, str]:
    """Whose card is taking the trick, and which."""
    found = trick[0]
    for seat, card in trick[1:]:
        if _beats(card, found[1], trump):
            found = (seat, card)
    return found


def _beats(card: str, best: str, trump: str) -> bool:
    if card[1] == best[1]:
        return NUMBER[card] > NUMBER[best]
    return card[1] == trump


NOVICE: Final = Novice()
