"""What the rules of Primiera and Primero say of a moment, to somebody who learns them."""

from __future__ import annotations

from typing import Final

from engine.primiera import play, vying
from engine.text import Message, gettext_noop

_COUNT: Final = gettext_noop(
    "A 7 counts 21, a 6 18, an ace 16, a 5 15, a 4 14, a 3 13, a 2 12; king, queen and jack count 10 each."
)
_WINS: Final = gettext_noop(
    "Winning hands, the best first: flush (four cards of a suit), fifty-five (7, 6 and ace of a suit), primiera (a "
    "card of each suit). Of two equal ones the higher count wins."
)
_CLAIM: Final = gettext_noop(
    "If somebody claims, the best of the hands that are shown takes the pot. You needn’t claim what you have."
)
_DRAW: Final = gettext_noop("Exchange one to four cards. If nobody claims afterwards, the best point wins.")
_ORDER: Final = gettext_noop(
    "From the best: chorus (four of a rank), fluxus (four of a suit), supremus (7, 6 and ace of a suit), primiera (a "
    "card of each suit), numerus (the highest sum of a suit)."
)
_VYING: Final = gettext_noop(
    "Who stays must put in as much as the highest stake. Who is left alone takes the pot without showing."
)
_FREE: Final = gettext_noop("Exchange as many cards as you like, or none. There’s only one exchange.")


def primiera_help(played: play.State) -> tuple[Message, ...]:
    """PM2, PM4, PM10, PM12."""
    now_is = _CLAIM if played.now.phase == play.CLAIMS else _DRAW
    return Message(now_is), Message(_WINS), Message(_COUNT)


def primero_help(played: vying.State) -> tuple[Message, ...]:
    """PR3, PR5 to PR7."""
    return Message(_FREE if played.is_drawing else _VYING), Message(_ORDER), Message(_COUNT)
