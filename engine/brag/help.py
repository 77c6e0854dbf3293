"""What the rules of Brag say to somebody who lays their hands."""

from __future__ import annotations

from typing import Final

from engine.brag.play import HANDS_OF_NINE, State
from engine.text import Message, Word, gettext_noop

_RANKING: Final = gettext_noop(
    "From the best: prial (three of a rank), running flush, run, flush, pair, high card. "
    "A-2-3 is the best run, then A-K-Q."
)
_BEST: Final = gettext_noop(
    "The %(rank)s is the best card, then ace, king, queen and so on; in runs it stands at its natural place."
)
_THREE: Final = gettext_noop(
    "Divide your nine cards into three hands. The best hands of all players are compared, then the second, then the "
    "third: who has the best of two takes the pot."
)
_TWO: Final = gettext_noop(
    "Lay two hands of three cards. Who is best, or level with the best, in both of them takes the pot, unless another "
    "player is so too."
)


def help_of(played: State) -> tuple[Message, ...]:
    """BN2, BN9, BN11, BV5, BX5."""
    variant = played.setting.variant
    what = _THREE if variant.hands == HANDS_OF_NINE else _TWO
    return Message(what), Message(_RANKING), Message(_BEST, {"rank": Word(variant.best)})
