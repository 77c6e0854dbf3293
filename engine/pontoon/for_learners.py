"""What the rules of Pontoon say of a moment in a deal, for somebody who learns it."""

from __future__ import annotations

from typing import Final

from engine.pontoon.play import BANKER, BEST, BETTING, State
from engine.text import Message, gettext_noop


def help_of(played: State, *, is_mine: bool) -> tuple[Message, ...]:
    """PN4 to PN13: what happens now, and why; of a hand only to who plays it, as it has cards face down."""
    if played.is_over:
        return ()
    setting = played.setting
    if played.now.phase == BETTING:
        stake = Message(_BET, {"least": setting.least, "most": setting.most})
        return stake, Message(_RANKS), Message(_PAYMENT)
    if played.now.phase == BANKER:
        return Message(_BANKER), Message(_RANKS), Message(_PAYMENT)
    return (*(_punter(played) if is_mine else ()), Message(_RANKS), Message(_PAYMENT))


def _punter(played: State) -> tuple[Message, ...]:
    hand = played.hand
    if hand.lowest >= BEST:
        return (Message(_FULL),)
    stake = played.first_stake(played.place or 0)
    if hand.is_split:
        return Message(_STICK), Message(_SPLIT_HAND)
    if hand.has_twisted:
        return Message(_STICK), Message(_TWISTED)
    buy = Message(_BUY, {"least": stake, "most": 2 * stake})
    is_pair = len(hand.cards) == 2 and hand.cards[0][0] == hand.cards[1][0] and not hand.has_acted
    return (Message(_STICK), buy, *((Message(_SPLIT),) if is_pair else ()))


_BET: Final = gettext_noop(
    "Each player but the banker has seen one card, and stakes %(least)d to %(most)d points on it. The banker stakes "
    "nothing. Then everybody gets a second card face up."
)
_STICK: Final = gettext_noop("Stick: your hand is done. Twist: you get a card face up for nothing.")
_BUY: Final = gettext_noop(
    "Buy: add %(least)d to %(most)d points to your stake for a card face down. After a twist you can’t buy any more."
)
_SPLIT: Final = gettext_noop(
    "Split: your two cards become two hands, each with your first stake and a second card. They can’t buy."
)
_SPLIT_HAND: Final = gettext_noop("This hand comes from a split: you can’t buy.")
_TWISTED: Final = gettext_noop("You have twisted: you can’t buy any more.")
_FULL: Final = gettext_noop("You have 21: nothing is left but to stick.")
_BANKER: Final = gettext_noop("The banker may twist or stick at any total. Equal totals are the banker’s.")
_RANKS: Final = gettext_noop(
    "Pontoon (an ace and a ten-card) is best, then five cards not above 21, then the highest total up to 21. An ace "
    "counts 1 or 11, court cards 10."
)
_PAYMENT: Final = gettext_noop(
    "Pontoon and five cards win twice the stake, other hands the stake. Above 21 the stake is lost at once. A pontoon "
    "of the banker costs everybody double."
)
