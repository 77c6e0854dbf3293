"""Whose turn it is within a hand, and who may pass (R4 to R7).

These few functions are the one text of those rules: the state of play asks them, and so does the reader of a
written line of play, which may not know anybody's cards.
"""

from __future__ import annotations

from typing import Final

from engine.text import gettext_noop

#: R5: after this many passes in a row the player on turn must play.
MOST_PASSES: Final = 2

Refusal = tuple[str, str]

_LEADER: Final = ("leader-must-play", gettext_noop("%(seat)s leads the hand and must play a card."))
_ALONE: Final = (
    "must-complete",
    gettext_noop("%(seat)s’s partner said “Play”, so %(seat)s must complete the hand."),
)
_PASSES: Final = ("two-passes", gettext_noop("There have been two passes, so %(seat)s must play a card."))
_NO_PARTNER: Final = (
    "partner-out",
    gettext_noop("%(seat)s’s partner has no cards left, so %(seat)s must play."),
)


def refusal_to_pass(cards_played: int, passes: int, alone: bool, partner_left: int) -> Refusal | None:
    """Why the player on turn may not pass, as code and template; None if they may.

    A player who may pass may say "Play" instead (R6), so this refuses both. ``cards_played`` counts this
    hand's cards, ``passes`` those in a row just before, ``alone`` tells that somebody said "Play",
    ``partner_left`` counts the partner's cards.
    """
    if cards_played == 0:
        return _LEADER  # R4
    if alone:
        return _ALONE  # R6
    if passes >= MOST_PASSES:
        return _PASSES  # R5
    if partner_left <= 0:
        return _NO_PARTNER  # R7
    return None


def partner_follows(alone: bool, own_left: int, partner_left: int) -> bool:
    """Whether, after a card, the turn goes to the partner of the player.

    R4: it does; R6: but one who completes the hand alone keeps it while holding cards; R7: and nobody without
    cards has it.
    """
    return own_left <= 0 if alone else partner_left > 0
