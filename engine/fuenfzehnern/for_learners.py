"""What the rules say of a moment in a deal of Fünfzehnern, for somebody who learns it; nothing the seat cannot see."""

from __future__ import annotations

from typing import Final

from engine.fuenfzehnern.play import CARDS, SUIT_NAMES, ZWANGS, State
from engine.text import Message, Word, gettext_noop

#: At any moment.
HELP: Final = (
    Message(gettext_noop("There are no trumps: the highest card of the suit that was led wins the trick.")),
    Message(
        gettext_noop(
            "An ace is worth 5, a king 4, a queen 3, a jack 2, a ten 1. You score what you take, less 15."
        )
    ),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """FZ4 to FZ7: what the seat on turn may do, and why."""
    now = played.now
    hand = now.hands[now.turn]
    if now.trick:
        if now.ace >= 0 and hand >> now.ace & 1:
            return (Message(_ACE),)
        return (Message(_FOLLOW if hand & CARDS.suit_of[now.trick[0]] else _ANYTHING),)
    is_bound = now.bond >= 0 and hand & CARDS.in_suit[now.bond]
    lead = Message(_BOUND, {"suit": Word(SUIT_NAMES[now.bond])}) if is_bound else Message(_LEAD)
    has_zwang = any(token in ZWANGS for token in played.legal())
    return (lead, Message(_ZWANG)) if has_zwang else (lead,)


_LEAD: Final = gettext_noop("You lead: play any card.")
_BOUND: Final = gettext_noop(
    "You won the lead in %(suit)s, so you must go on leading that suit. You may also lead a card that nobody can beat."
)
_ZWANG: Final = gettext_noop(
    "You hold king and queen of a suit: lead the queen with Zwang, and the player with the ace must play it."
)
_ACE: Final = gettext_noop("The queen was led with Zwang: you must play the ace.")
_FOLLOW: Final = gettext_noop("Follow suit: any card of the suit that was led.")
_ANYTHING: Final = gettext_noop("You don’t have the suit that was led: play any card.")
