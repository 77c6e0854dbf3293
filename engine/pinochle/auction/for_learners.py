"""What the rules say of a moment in a deal of Auction Pinochle, for somebody who learns it: only what the seat sees."""

from __future__ import annotations

from typing import Final

from engine.pinochle.auction.play import (
    BIDDING,
    BURYING,
    NAMING,
    PLAY,
    SEEING,
    WIDOW,
    State,
    units_of,
)
from engine.pinochle.for_learners import rule_of_card
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
            "The bidder plays alone against the two others. An ace counts 11, a ten 10, a king 4, a queen 3, a jack 2, "
            "the last trick 10: 250 in all. Only the bidder melds."
        )
    ),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """AP5 to AP13: what the seat on turn may do, and why."""
    now = played.now
    if now.phase == BIDDING:
        return (Message(_OPEN if played.must_open else _BID, {"least": played.least}),)
    if now.phase == SEEING:
        return (Message(_SEE),)
    if now.phase == NAMING:
        return (Message(_NAME, {"units": units_of(now.bid)}),)
    if now.phase == BURYING:
        return (Message(_BURY, {"left": WIDOW - len(now.buried)}),)
    return (rule_of_card(played.trick, now.hands[now.turn], now.trump),)


def help_on_table(played: State) -> tuple[Message, ...]:
    """AP12: what the contract asks for, once there is one."""
    now = played.now
    if now.phase != PLAY:
        return ()
    values = {"contract": now.bid, "melds": played.now.meld, "points": max(0, now.bid - played.now.meld)}
    return (Message(_CONTRACT, values),)


_OPEN: Final = gettext_noop("You’re the first to bid, and must: %(least)d or more.")
_BID: Final = gettext_noop(
    "Bid how many points you’ll make alone against two with melds and cards, %(least)d or more, or pass. If you pass, "
    "you bid no more."
)
_SEE: Final = gettext_noop(
    "With a contract of 300 you may give up before the widow is seen: that costs 3 to the kitty."
)
_NAME: Final = gettext_noop(
    "The widow’s three cards are yours. Name trumps, or give up: that costs %(units)d to each player, half of what a "
    "lost contract costs. With spades as trumps everything counts twice."
)
_BURY: Final = gettext_noop(
    "Bury cards, still to go: %(left)d. They count for you in the end, but can’t be melded. Nobody sees them."
)
_CONTRACT: Final = gettext_noop(
    "The contract is %(contract)d and the melds are worth %(melds)d: the cards must bring %(points)d."
)
