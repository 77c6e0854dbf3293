"""What the rules say of a moment in a deal of Tien Len, for somebody who learns it; nothing the seat cannot see."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.text import Message, Word, gettext_noop
from engine.tien_len.combinations import CARDS, kind_of
from engine.tien_len.play import KIND_NAMES, State

#: At any moment.
HELP: Final = (
    Message(
        gettext_noop(
            "The order is 2, ace, king, queen, jack, 10 down to 3. Of one rank hearts are the highest, then diamonds, "
            "clubs, spades."
        )
    ),
    Message(
        gettext_noop(
            "You can play a single card, two, three or four of a rank, a sequence of three or more, or three or more "
            "neighbouring pairs."
        )
    ),
    Message(gettext_noop("Get rid of your cards: the last player who holds any loses.")),
)


def help_on_turn(played: State) -> tuple[Message, ...]:
    """TL8 to TL12, TL14: what the seat on turn may do, and why."""
    now, rules = played.now, played.setting.rules
    if not now.standing:
        if played.history or played.setting.lowest < 0:
            return (Message(_LEAD),)
        return (Message(_FIRST, {"card": Card.parse(CARDS[played.setting.lowest]).symbol}),)
    kind = kind_of(now.standing, twos=rules.twos)
    name = Word(KIND_NAMES[kind.form]) if kind else Word("")
    found = [Message(_BEAT, {"kind": name, "size": kind.size if kind else 0})]
    if rules.bombs:
        found.append(Message(_BOMBS))
    found.append(Message(_FINAL if rules.pass_is_final else _MAY_RETURN))
    return tuple(found)


_LEAD: Final = gettext_noop("You lead: play any combination. You can’t pass.")
_FIRST: Final = gettext_noop("You begin with a combination that has the %(card)s in it.")
_BEAT: Final = gettext_noop(
    "Choose cards of the same kind that are higher (%(kind)s, cards: %(size)d) and press “Play”, or pass."
)
_BOMBS: Final = gettext_noop(
    "Twos can be bombed: one by four of a kind or three neighbouring pairs, two by four pairs, three by five."
)
_FINAL: Final = gettext_noop("If you pass, you’re out until the trick is over.")
_MAY_RETURN: Final = gettext_noop("If you pass, you may play again when your turn comes back.")
