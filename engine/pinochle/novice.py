"""A novice at Pinochle, by rules of thumb: exchange, lead aces, give points to the partner."""

from __future__ import annotations

from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.pinochle.play import EXCHANGE, side_of
from engine.pinochle.tricks import RANKS
from engine.text import Word, gettext_noop

#: PP18.
WORTH: Final = {"A": 10, "T": 10, "K": 5, "Q": 5}


class Novice(Robot):
    """Looks at the trick on the table and at its own cards, and remembers nothing."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Exchanges the nine, leads aces, and gives its partner points."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.cards or view.calls):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        if not view.cards:
            return next((call.token for call in view.calls if call.token == EXCHANGE), view.calls[0].token)
        return _followed(view) if view.trick else _led(view)


def _led(view: Zones) -> str:
    """An ace of a plain suit; else the least card, trumps last."""
    aces = [card for card in view.cards if card[0] == "A" and card[1] != view.trump]
    return aces[0] if aces else min(view.cards, key=lambda card: (card[1] == view.trump, *_cost(card)))


def _followed(view: Zones) -> str:
    """Points to a partner who is winning; as few as will do to take the trick; else as little as may be."""
    taker, best = _winning(view)
    beating = [card for card in view.cards if _beats(card, best, view.trump)]
    if view.seat is not None and side_of(taker) == side_of(view.seat) and len(view.trick) > 1:
        given = [card for card in view.cards if card not in beating] or view.cards
        return max(given, key=lambda card: (card[1] != view.trump, *_cost(card)))
    if beating and len(view.trick) == 3:
        return min(beating, key=lambda card: (card[1] == view.trump, -_cost(card)[0], _cost(card)[1]))
    if beating:
        return max(
            beating,
            key=lambda card: (card[1] != view.trump, _cost(card)[1] * (-1) ** (card[1] == view.trump)),
        )
    return min(view.cards, key=lambda card: (*_cost(card), card[1] == view.trump))


def _cost(card: str) -> tuple[int, int]:
    return WORTH.get(card[0], 0), -RANKS.index(card[0])


def _winning(view: Zones) -> tuple[str, str]:
    """Whose card is taking the trick, and which: of equal ones the first (PP17)."""
    found = view.trick[0]
    for seat, card in view.trick[1:]:
        if _beats(card, found[1], view.trump):
            found = (seat, card)
    return found


def _beats(card: str, best: str, trump: str) -> bool:
    if card[1] == best[1]:
        return RANKS.index(card[0]) < RANKS.index(best[0])
    return card[1] == trump


NOVICE: Final = Novice()
