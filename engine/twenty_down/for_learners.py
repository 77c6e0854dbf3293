"""What the rules say of a moment in a deal of Twenty Down, for somebody who learns it: only what the seat can see."""

from __future__ import annotations

from typing import Final

from engine.text import Message, gettext_noop
from engine.twenty_down.play import DECLARE, DRAW, HEARTS, NO_TRICK, TRUMP, State

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "In each suit the ace is the highest card, the seven the lowest. A trump beats any other card, otherwise "
            "the higher card of the suit led wins."
        )
    ),
    Message(
        gettext_noop(
            "Points count down: each trick takes 1 off your total, and a player who is in without a trick gets 5 "
            "more. The first player with none left wins."
        )
    ),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """TD3 to TD8: what the seat on turn may do, and why."""
    now = played.now
    if now.phase == TRUMP:
        return (Message(_TRUMP),)
    if now.phase == DRAW:
        return (Message(_DRAW),)
    if now.phase == DECLARE:
        return (Message(_DECLARE, {"points": NO_TRICK * (1 + (now.trump == HEARTS))}),)
    if not now.trick:
        return (Message(_LEAD),)
    led, hand = now.trick[0][1][1], now.hands[now.turn]
    if any(card[1] == led for card in hand):
        return (Message(_FOLLOW),)
    return (Message(_MUST_TRUMP if any(card[1] == now.trump for card in hand) else _ANYTHING),)


def help_on_table(played: State) -> tuple[Message, ...]:
    """TD10, TD13: what is special about this deal."""
    if played.setting.late:
        return (Message(_LATE),)
    return (Message(_HEARTS),) if played.now.trump == HEARTS else ()


_TRUMP: Final = gettext_noop(
    "Name trumps on the two cards that you see, any suit. You’re in for this deal. With diamonds everybody is in, "
    "with hearts everything counts twice."
)
_DRAW: Final = gettext_noop(
    "Choose up to three cards that you give away and press “Exchange”: you get as many from the stock."
)
_DECLARE: Final = gettext_noop(
    "Are you in? Without a trick you’d get %(points)d points more. If you’re out you neither win nor lose."
)
_LEAD: Final = gettext_noop("You lead: play any card.")
_FOLLOW: Final = gettext_noop("Follow suit with any card of it: you needn’t beat the cards in the trick.")
_MUST_TRUMP: Final = gettext_noop(
    "You don’t have the suit that was led: play a trump. It needn’t be a high one."
)
_ANYTHING: Final = gettext_noop("You have neither the suit that was led nor a trump: play any card.")
_LATE: Final = gettext_noop(
    "From the ninth deal on hearts are trumps and everybody is in: everything counts twice."
)
_HEARTS: Final = gettext_noop("Hearts are trumps: everything counts twice.")
