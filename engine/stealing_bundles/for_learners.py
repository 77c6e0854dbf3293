"""What the rules say of a moment in a deal of Stealing Bundles, for somebody who learns it: only what the seat sees."""

from __future__ import annotations

from typing import Final

from engine.stealing_bundles.play import State
from engine.text import Message, gettext_noop

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "A card captures all cards of its rank on the table, and the other player’s whole bundle if its top card "
            "has that rank."
        )
    ),
    Message(
        gettext_noop(
            "The deal is over when all cards are played. What still lies on the table then goes to the player who "
            "captured last. More than 26 cards win."
        )
    ),
)
_MUST: Final = gettext_noop("You can capture, so you must. With which card is up to you.")
_TRAIL: Final = gettext_noop("None of your cards captures: leave any of them on the table.")


def help_on_turn(played: State) -> tuple[Message, ...]:
    """SB4, SB6: whether the seat on turn has to capture."""
    return (Message(_MUST if any(map(played.captures, played.legal())) else _TRAIL),)
