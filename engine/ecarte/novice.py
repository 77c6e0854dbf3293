"""A novice at Écarté, by rules of thumb: stand on three sure tricks, keep trumps and kings, lead the longest suit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.ecarte.play import ACCEPT, CARDS, DISCARD, KING, MOST_TRICKS, PLAY, PROPOSE, REFUSE
from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import cards_text
from engine.text import Word, gettext_noop

#: What a plain card promises in tricks, in hundredths; a trump promises nearly a whole one.
PLAIN: Final = {"K": 80, "Q": 40, "J": 15}
TRUMP: Final = {"K": 100, "Q": 95, "J": 90, "A": 85}
LOW_TRUMP: Final = 75


def promise(cards: Iterable[str], trump: str) -> int:
    """How many tricks these cards promise, in hundredths."""
    return sum(worth(card, trump) for card in cards)


def worth(card: str, trump: str) -> int:
    """What one card promises."""
    return TRUMP.get(card[0], LOW_TRUMP) if card[1] == trump else PLAIN.get(card[0], 0)


def kept(cards: Iterable[str], trump: str) -> list[str]:
    """What is not worth exchanging: trumps, kings and queens."""
    return [card for card in cards if worth(card, trump) >= PLAIN["Q"]]


class Novice(Robot):
    """Counts its likely tricks, and remembers nothing."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Plays on three likely tricks, and keeps trumps, kings and queens."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.cards or view.calls or view.compositions):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        said = {call.token for call in view.calls}
        if KING in said:
            return KING
        if view.compositions:
            (exchange,) = view.compositions
            keeping = kept(exchange.cards, view.trump)
            given = sorted(
                set(exchange.cards) - {*keeping}, key=lambda card: CARDS.number[card] % CARDS.ranks
            )
            return DISCARD + cards_text(given[: exchange.most])
        if said:
            own = next(zone.cards for zone in view.seats if zone.seat == view.seat)
            is_strong = promise(own, view.trump) >= 100 * MOST_TRICKS
            return (PLAY if is_strong else PROPOSE) if PLAY in said else (REFUSE if is_strong else ACCEPT)
        return _led(view) if len(view.trick) != 1 else _followed(view)


def _led(view: Zones) -> str:
    """The best card of the longest suit, with three trumps the best of these."""
    trumps = [card for card in view.cards if card[1] == view.trump]
    if len(trumps) >= MOST_TRICKS:
        return max(trumps, key=_strength)
    length = {card: sum(other[1] == card[1] for other in view.cards) for card in view.cards}
    return max(view.cards, key=lambda card: (card[1] != view.trump, length[card], _strength(card)))


def _followed(view: Zones) -> str:
    """As cheap a card as takes the trick; else the least."""
    led = view.trick[0][1]
    winning = [card for card in view.cards if card[1] == led[1] and _strength(card) > _strength(led)]
    winning = winning or [card for card in view.cards if card[1] == view.trump != led[1]]
    return min(winning or view.cards, key=lambda card: (card[1] == view.trump, _strength(card)))


def _strength(card: str) -> int:
    return CARDS.number[card] % CARDS.ranks


NOVICE: Final = Novice()
