"""What the rules say of a moment in a deal of Conquian, for somebody who learns it; nothing the seat can't see."""

from __future__ import annotations

from typing import Final

from engine.conquian.play import ASKED, DISCARD, FORCED, OFFERED, State
from engine.text import Message, gettext_noop

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "A meld is three or four cards of a rank, or three or more neighbours of a suit. Seven and jack are "
            "neighbours, and the ace is low."
        )
    ),
    Message(
        gettext_noop(
            "No card ever comes into your hand: you can only take the open card to lay it in a meld."
        )
    ),
    Message(gettext_noop("Eleven cards on the table win: your ten, and one more.")),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """CQ6, CQ8 to CQ12: what the seat on turn may do, and why."""
    phase = played.now.phase
    # Where no card of the hand goes with the open one, there is nothing to choose.
    lay = (Message(_LAY),) if any(played.layings) else ()
    if phase == DISCARD:
        return (Message(_DISCARD),)
    if phase == FORCED:
        return (Message(_FORCED), *lay)
    if phase == ASKED:
        return (Message(_FORCE),)
    if phase == OFFERED and played.may_force:
        return (*lay, Message(_FORCE))
    return (*lay, Message(_OFFERED if phase == OFFERED else _TURNED))


_LAY: Final = gettext_noop(
    "To take the open card, choose the cards of your hand that you lay with it and press “Lay”. You may rearrange your "
    "melds, but none may come from your hand alone."
)
_TURNED: Final = gettext_noop("If you pass, the other player may take the card.")
_OFFERED: Final = gettext_noop(
    "If you pass, the card is out of play, and you turn the next one of the stock."
)
_DISCARD: Final = gettext_noop("Discard a card. The other player may take it.")
_FORCED: Final = gettext_noop("The card fits your melds, and the other player forces you to take it.")
_FORCE: Final = gettext_noop("The open card fits the other player’s melds: you may force them to take it.")
