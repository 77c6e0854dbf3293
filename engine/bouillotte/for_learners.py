"""What the rules say of a moment in a deal of Bouillotte, for somebody who learns it; nothing the seat cannot see."""

from __future__ import annotations

from typing import Final

from engine.bouillotte.play import BETTING, CAVE, CIRCLE, FIRST, SECOND, State
from engine.text import Message, gettext_noop

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "Best is a brelan, three of a rank; the one of the turned card’s rank beats all others. At the showdown "
            "each of the others pays 1 for a brelan, 2 if it has the turned card’s rank."
        )
    ),
    Message(
        gettext_noop(
            "Without a brelan the cards of all four players and the turned card are added by suit: ace 11, king and "
            "queen 10, nine 9, eight 8. The player with the highest card of the best suit takes the pot. If that "
            "player has folded, the best sum in any other suit wins."
        )
    ),
    Message(
        gettext_noop("Nobody puts in more than 30 in a deal. If you fold, you’re out until the next deal.")
    ),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """BO6, BO9 to BO12: what the seat on turn may do, and why."""
    phase, put = played.now.phase, played.now.put[played.place or 0]
    found = [Message(_EXPLAINED[phase], {"due": played.due, "more": played.due - put, "put": put})]
    if phase == BETTING and played.due == CAVE:
        found.append(Message(_FULL))
    return tuple(found)


_EXPLAINED: Final = {
    FIRST: gettext_noop(
        "The highest stake is %(due)d. Straddle for one more, or open with more than that: then the others must call, "
        "raise or fold. If all fold, the pot stays for the next deal."
    ),
    SECOND: gettext_noop(
        "Nobody has opened, so those who straddled speak once more: open or fold. The last one left takes the pot."
    ),
    BETTING: gettext_noop(
        "The highest stake is %(due)d; you have put in %(put)d. Call for %(more)d more, raise beyond that, or fold. "
        "With two players left a call ends the deal."
    ),
    CIRCLE: gettext_noop(
        "All have put in %(due)d. With three or four players everybody may raise once more, or stand; if all stand, "
        "you show your cards."
    ),
}
_FULL: Final = gettext_noop("The highest stake is 30: nobody can raise.")
