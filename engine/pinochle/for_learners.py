"""What the rules say of a moment in a deal of Pinochle, for somebody who learns it: only what the seat can see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.pinochle.play import State
from engine.text import Message, gettext_noop

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "In each suit the order is ace, ten, king, queen, jack, nine. There are two of each card. Of two equal "
            "cards the first one played is higher."
        )
    ),
    Message(
        gettext_noop(
            "An ace or a ten is worth 10, a king or a queen 5. The last trick is worth 10 more. Your melds count once "
            "your side has won a trick."
        )
    ),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """PP5, PP14 to PP16, PP21: what the seat on turn may do, and why."""
    if played.is_exchanging:
        return (Message(_EXCHANGE),)
    claim = (Message(_CLAIM),) if played.setting.claims else ()
    return (rule_of_card(played.now.trick, played.held(played.turn or ""), played.setting.trump), *claim)


def rule_of_card(trick: Sequence[tuple[str, str]], held: Sequence[str], trump: str) -> Message:
    """PP14 to PP16: what somebody who holds these cards may play to this trick, and why."""
    if not trick:
        return Message(_LEAD)
    led = trick[0][1][1]
    if any(card[1] == led for card in held):
        return Message(_FOLLOW_TRUMP if led == trump else _FOLLOW)
    if not any(card[1] == trump for card in held):
        return Message(_ANYTHING)
    return Message(_OVERTRUMP if any(card[1] == trump for _seat, card in trick) else _TRUMP)


_EXCHANGE: Final = gettext_noop(
    "You hold the nine of trumps: you may exchange it for the card that was turned up. It scores 10 for you either way."
)
_LEAD: Final = gettext_noop("You lead: play any card.")
_FOLLOW: Final = gettext_noop("Follow suit with any card of it: you needn’t beat the cards in the trick.")
_FOLLOW_TRUMP: Final = gettext_noop(
    "Trumps were led: play a higher one than in the trick if you can, otherwise any trump."
)
_TRUMP: Final = gettext_noop("You don’t have the suit that was led: play a trump.")
_OVERTRUMP: Final = gettext_noop(
    "You don’t have the suit that was led: play a trump, a higher one than in the trick if you can."
)
_ANYTHING: Final = gettext_noop("You have neither the suit that was led nor a trump: play any card.")
_CLAIM: Final = gettext_noop(
    "You may claim that your side has reached the target. If it has, you win the match; if not, you lose it."
)
