"""What the rules say of a moment in a deal of Burraco, for somebody who learns it: only what the seat can see."""

from __future__ import annotations

from typing import Final

from engine.burraco.play import State
from engine.text import Message, gettext_noop

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "A set is three or more of a rank, a run three or more neighbours of a suit. A meld has one wild card at "
            "most: a joker or a two. Seven cards are a burraco: clean 200, with a wild card 100."
        )
    ),
    Message(
        gettext_noop(
            "A joker is worth 30, a two 20, an ace 15, king to eight 10, seven to three 5. Cards left in the hand "
            "count against you."
        )
    ),
)
_DRAW: Final = gettext_noop("Draw the top card of the stock, or take the whole pile.")
_LAY: Final = gettext_noop(
    "Choose three cards and lay them as a new meld, or choose one and add it to a meld of your side. You may do so as "
    "often as you like. A discard ends your turn."
)
_POZZETTO: Final = gettext_noop(
    "The first of your side to run out of cards takes a pozzetto: at once after a meld, and at their next turn after "
    "a discard."
)
_CLOSE: Final = gettext_noop(
    "Your side has its pozzetto. To close, discard your last card, no two and no joker, with a burraco on the table."
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """BU11 to BU14: what the seat on turn may do."""
    if not played.now.has_drawn:
        return (Message(_DRAW),)
    return Message(_LAY), Message(_CLOSE if played.has_pozzetto else _POZZETTO)
