"""What the rules of Brag say to somebody who lays their hands."""

from __future__ import annotations

from typing import Final

from engine.brag.hands import SIZE
from engine.brag.play import HANDS_OF_NINE, State
from engine.text import Message, Word, gettext_noop

_RANKING: Final = gettext_noop(
    "From the best: prial (three of a rank), running flush, run, flush, pair, high card. "
    "A-2-3 is the best run, then A-K-Q."
)
_BEST: Final = gettext_noop(
    "The %(rank)s is the best card, then ace, king, queen and so on; in runs it stands at its natural place."
)
_POT: Final = gettext_noop(
    "There are %(pot)d points in the pot. If nobody takes it, it stays for the next deal, and everyone puts in the "
    "ante again."
)
_NO_ASIDE: Final = gettext_noop("Every card you lay must be your own, and belong to one hand only.")
_ASIDE: Final = gettext_noop("One card is left over. Nobody sees it, and it doesn’t count.")
_THREE: Final = gettext_noop(
    "Divide your nine cards into three hands. The best hands of all players are compared, then the second, then the "
    "third. If you have the best of two, you take the pot."
)
_TWO: Final = gettext_noop(
    "Lay two hands of three cards. If you’re best or level with the best in both of them, you take the pot, unless "
    "somebody else is too."
)


def help_of(played: State) -> tuple[Message, ...]:
    """BN2, BN7 to BN9, BN11, BV2, BV4, BV5, BX2, BX5."""
    setting = played.setting
    variant = setting.variant
    what = _THREE if variant.hands == HANDS_OF_NINE else _TWO
    aside = _ASIDE if variant.cards > variant.hands * SIZE else _NO_ASIDE
    return (
        Message(what),
        Message(_CHOOSE),
        Message(aside),
        Message(_RANKING),
        Message(_BEST, {"rank": Word(variant.best)}),
        Message(_POT, {"pot": setting.staked}),
    )


_CHOOSE: Final = gettext_noop(
    "Choose the cards in threes: first those of one hand, then those of the next. Which hand is better doesn’t "
    "matter: we put the best one first."
)
