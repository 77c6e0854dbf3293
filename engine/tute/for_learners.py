"""What the rules say of a moment in a deal of Tute, for somebody who learns it; nothing that the seat cannot see."""

from __future__ import annotations

from typing import Final

from engine.packs import SUITS
from engine.text import Message, gettext_noop
from engine.tute.cards import IN_SUIT
from engine.tute.play import State

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "In each suit the order is ace, three, king, queen, jack, 7, 6, 5, 4, 2. An ace is worth 11, a three 10, "
            "a king 4, a queen 3, a jack 2."
        )
    ),
    Message(gettext_noop("The highest trump takes a trick, otherwise the highest card of the suit led.")),
    Message(gettext_noop("The last trick is worth 10 points more.")),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """TU6 to TU9, TU11: what the seat on turn may do, and why."""
    now = played.now
    if not now.trick:
        return (Message(_DECLARE), Message(_LEAD)) if now.may_declare else (Message(_LEAD),)
    trumps = IN_SUIT[SUITS.index(played.setting.trump)]
    hand, led = now.hands[now.turn], IN_SUIT[now.trick[0] // 10]
    is_trumped = bool(trumps >> now.best & 1)
    if hand & led:
        return (Message(_TRUMPED if is_trumped and led != trumps else _FOLLOW),)
    if not hand & trumps:
        return (Message(_ANYTHING),)
    if not is_trumped:
        return (Message(_TRUMP),)
    return (Message(_OVERTRUMP if played.setting.under_trump else _OVERTRUMP_OR_ANY),)


_DECLARE: Final = gettext_noop(
    "You won the trick. Before you lead you may declare once: king and queen of trumps for 40, king and queen of "
    "another suit for 20, or all four kings, which wins the deal."
)
_LEAD: Final = gettext_noop("You lead: play any card.")
_FOLLOW: Final = gettext_noop(
    "Follow suit, and beat the best card so far if you can, even if it’s your partner’s."
)
_TRUMPED: Final = gettext_noop("Someone has trumped: follow suit with any card.")
_TRUMP: Final = gettext_noop("You don’t have the suit that was led: play a trump.")
_OVERTRUMP: Final = gettext_noop(
    "You don’t have the suit that was led: play a trump, a higher one than in the trick if you can."
)
_OVERTRUMP_OR_ANY: Final = gettext_noop(
    "You don’t have the suit that was led: play a higher trump than in the trick. If you can’t, play any card."
)
_ANYTHING: Final = gettext_noop("You have neither the suit that was led nor a trump: play any card.")
