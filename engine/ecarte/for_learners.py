"""What the rules say of a moment in a deal of Écarté, for somebody who learns it; nothing that the seat cannot see."""

from __future__ import annotations

from typing import Final

from engine.ecarte.play import ANSWER, CARDS, EXCHANGE, KING, SPEAK, State
from engine.text import Message, gettext_noop

#: At any moment.
HELP: Final = (
    Message(gettext_noop("In each suit the order is king, queen, jack, ace, 10, 9, 8, 7.")),
    Message(gettext_noop("A trump beats any other card, otherwise the higher card of the suit led wins.")),
    Message(
        gettext_noop(
            "Three or four tricks are worth 1 point, all five 2. It’s 1 point more if the loser had ended the "
            "exchanging before the first exchange."
        )
    ),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """EC5 to EC11: what the seat on turn may do, and why."""
    now = played.now
    if now.phase == SPEAK:
        return (Message(_SPEAK if now.exchanges else _SPEAK_FIRST),)
    if now.phase == ANSWER:
        return (Message(_ANSWER if now.exchanges else _ANSWER_FIRST),)
    if now.phase == EXCHANGE:
        return (Message(_EXCHANGE, {"left": played.left}),)
    king = (Message(_KING),) if KING in played.legal() else ()
    if now.led < 0:
        return (*king, Message(_LEAD))
    hand = now.hands[now.turn]
    if hand & CARDS.suit_of[now.led]:
        return (*king, Message(_FOLLOW))
    return (*king, Message(_TRUMP if hand & played.setting.trumps else _ANYTHING))


_SPEAK_FIRST: Final = gettext_noop(
    "Propose an exchange if your cards aren’t good enough for three tricks. If you play at once and lose, the dealer "
    "gets 1 point more."
)
_SPEAK: Final = gettext_noop("Propose another exchange, or play.")
_ANSWER_FIRST: Final = gettext_noop(
    "If you accept, both players exchange cards, the other player first. If you refuse and lose, the other player gets "
    "1 point more."
)
_ANSWER: Final = gettext_noop("If you accept, both players exchange cards again. If you refuse, play begins.")
_EXCHANGE: Final = gettext_noop(
    "Choose the cards that you give away, or none, and press “Exchange”: you get as many from the stock. "
    "It has %(left)d cards."
)
_KING: Final = gettext_noop("You hold the king of trumps: show it now, before your first card, for 1 point.")
_LEAD: Final = gettext_noop("You lead: play any card.")
_FOLLOW: Final = gettext_noop("Follow suit, and beat the card that was led if you can.")
_TRUMP: Final = gettext_noop("You don’t have the suit that was led: play a trump.")
_ANYTHING: Final = gettext_noop("You have neither the suit that was led nor a trump: play any card.")
