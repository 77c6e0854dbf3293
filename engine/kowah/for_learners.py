"""What the rules say of a moment in a deal of Kowah, for somebody who learns it: only what the seat can see."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.kowah.play import DECLARES, State
from engine.text import Message, gettext_noop

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "Checki is a pair of one kind (same rank and suit) and two threes of a rank, suits don’t matter. When your "
            "discard leaves it you may declare and show the pair: a third card of that kind wins."
        )
    ),
    Message(
        gettext_noop(
            "Ranks have no order, and each kind is there four times. Once somebody has declared, all cards that others "
            "draw are shown, and a card of the shown pair wins at once for the player who showed it."
        )
    ),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """KO4 to KO8: what the seat on turn may do, and why."""
    now = played.now
    pair = now.shown[now.turn]
    if pair:
        return (Message(_CLOSED, {"pair": Card.parse(pair).symbol}),)
    if not now.has_drawn:
        return (Message(_DRAW if now.pile else _FIRST),)
    found = [Message(_DISCARD)]
    if now.taken:
        found.append(Message(_TAKEN, {"card": Card.parse(now.taken).symbol}))
    if any(DECLARES in token for token in played.legal()):
        found.append(Message(_DECLARE))
    return tuple(found)


_FIRST: Final = gettext_noop("Draw from the stock: there’s no card on the pile yet.")
_DRAW: Final = gettext_noop("Draw from the stock, or take the top card of the pile.")
_DISCARD: Final = gettext_noop("Discard a card.")
_TAKEN: Final = gettext_noop(
    "You’ve just taken %(card)s from the pile and held no other of its kind: it can’t be discarded now."
)
_DECLARE: Final = gettext_noop(
    "You can have checki: choose which card you discard and which pair you show. From then on your hand is closed."
)
_CLOSED: Final = gettext_noop(
    "Your hand is closed: turn the top card of the stock. A third card of your pair wins: %(pair)s."
)
