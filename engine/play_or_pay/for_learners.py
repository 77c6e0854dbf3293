"""What the rules say of a moment in a deal of Play or Pay, for somebody who learns it; nothing the seat cannot see."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.play_or_pay.play import State, follows
from engine.text import Message, gettext_noop

#: At any moment.
HELP: Final = (
    Message(gettext_noop("After the king comes the ace, then the two: each suit goes round in a ring.")),
    Message(
        gettext_noop(
            "As soon as somebody has no cards left, the deal is over. They get what all the others have paid, and a "
            "point for each card that the others still hold."
        )
    ),
)


def help_on_turn(played: State) -> Message:
    """PY4, PY5: what the seat on turn may do, and why."""
    now = played.now
    if not now.last:
        return Message(_BEGIN)
    card = follows(now.last)
    return Message(_PLAY if card in now.hands[now.turn] else _PAY, {"card": Card.parse(card).symbol})


_BEGIN: Final = gettext_noop(
    "Begin a suit with any card. If you hold the card before it as well, that one comes last, and you begin again."
)
_PLAY: Final = gettext_noop(
    "The next card is the %(card)s. You hold it, so you must play it: nobody may pay instead."
)
_PAY: Final = gettext_noop(
    "The next card is the %(card)s. You don’t hold it, so you pay a point into the pot."
)
