"""What the rules of Poch say of a moment in a deal, for somebody who learns it."""

from __future__ import annotations

from typing import Final

from engine.poch.board import PLACES, POCH
from engine.poch.play import ANSWERS, OPENER, OPENING, PLAY, State
from engine.text import Message, gettext_noop


def help_of(played: State, *, is_mine: bool) -> tuple[Message, ...]:
    """PO4 to PO15: what happens now, and why; what to do only for who is on turn."""
    if played.is_over:
        return ()
    now, rules = played.now, played.setting.rules
    if now.phase == PLAY:
        chip = (Message(_CHIP),) if rules.sequence_chip else ()
        if played.must_play:
            return Message(_FOLLOW), *chip, Message(_OUT)
        begins = (Message(_BEGIN if now.sequences else _FIRST),) if is_mine else ()
        return *begins, *chip, Message(_OUT)
    if not is_mine:
        return Message(_RANKS), Message(_BEST)
    poch = now.board[PLACES.index(POCH)]
    what = {
        OPENING: Message(_OPENING, {"poch": poch, "limit": rules.limit}),
        ANSWERS: Message(_ANSWER),
        OPENER: Message(_OPENER if now.raises < rules.raises else _SHOW),
    }[now.phase]
    return what, Message(_RANKS), Message(_BEST)


_BEST: Final = gettext_noop(
    "The players who were dealt the ace, king, queen, jack or ten of trumps, or 7, 8 and 9 of them, have been paid "
    "from the board already. The rest stays for the next deal."
)
_OPENING: Final = gettext_noop(
    "%(poch)d points lie on the poch. Stake 1 to %(limit)d on your cards, or pass. If everybody passes, nobody gets "
    "them."
)
_ANSWER: Final = gettext_noop(
    "Match the stake, or drop out of this part and lose what you’ve staked. Only the player who opened may raise. You "
    "play on in any case."
)
_OPENER: Final = gettext_noop("You opened: show the hands, or raise.")
_SHOW: Final = gettext_noop("You opened: show the hands. There are no more raises in this deal.")
_RANKS: Final = gettext_noop(
    "Four of a rank beat three, three beat two, two beat none. Of equal sets the higher rank wins, then the highest "
    "other card."
)
_FIRST: Final = gettext_noop("You begin: play the lowest card of your longest suit.")
_BEGIN: Final = gettext_noop("You played the last card of a sequence: begin the next one with any card.")
_FOLLOW: Final = gettext_noop("The player with the next higher card of the suit must play it.")
_CHIP: Final = gettext_noop("The player who ends a sequence gets a point from each of the others.")
_OUT: Final = gettext_noop("The first player without cards gets a point for each card that the others hold.")
