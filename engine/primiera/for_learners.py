"""What the rules of Primiera and Primero say of a moment, to somebody who learns them; nothing the seat cannot see."""

from __future__ import annotations

from typing import Final

from engine.primiera import play, vying
from engine.primiera.hands import NAMES, NUMERUS, POINT, count, old_kind_of, point
from engine.text import Message, Word, gettext_noop


def primiera_help(played: play.State, *, is_mine: bool) -> tuple[Message, ...]:
    """PM2, PM4, PM7, PM8, PM10, PM12."""
    rules = played.setting.rules
    found = [*(_primiera_on_turn(played) if is_mine else ()), Message(_WINS)]
    if rules.best_suit:
        found.append(Message(_BEST_SUIT))
    if rules.sets:
        found.append(Message(_SETS))
    return (*found, Message(_POINT), Message(_COUNT))


def _primiera_on_turn(played: play.State) -> tuple[Message, ...]:
    place, stock = played.place or 0, len(played.now.drawn.stock)
    hand, kind = played.now.drawn.hands[place], played.kind(place)
    if played.now.phase == play.DRAW:
        return (
            Message(_DRAW if stock else _EMPTY, {"stock": stock}),
            Message(_OWN_POINT, {"point": point(hand)}),
        )
    if kind == POINT:
        return (Message(_NOTHING), Message(_OWN_POINT, {"point": point(hand)}))
    return (Message(_CLAIM, {"hand": Word(NAMES[kind]), "count": count(hand)}),)


def primero_help(played: vying.State, *, is_mine: bool) -> tuple[Message, ...]:
    """PR3, PR5 to PR7."""
    return (*(_primero_on_turn(played) if is_mine else ()), Message(_ORDER), Message(_EQUAL), Message(_COUNT))


def _primero_on_turn(played: vying.State) -> tuple[Message, ...]:
    place = played.place or 0
    hand = played.now.drawn.hands[place]
    kind = old_kind_of(hand)
    worth = point(hand) if kind == NUMERUS else count(hand)
    own = Message(_OWN, {"hand": Word(NAMES[kind]), "count": worth})
    if played.is_drawing:
        return Message(_FREE, {"stock": len(played.now.drawn.stock)}), own
    rules = played.setting.rules
    said = {"due": played.due, "limit": rules.limit, "left": rules.raises - played.now.raises}
    vie = _NO_RAISES if not said["left"] else _DUE if played.due else _OPEN
    return Message(vie, said), own


_COUNT: Final = gettext_noop(
    "A 7 counts 21, a 6 18, an ace 16, a 5 15, a 4 14, a 3 13, a 2 12; king, queen and jack count 10 each."
)
_WINS: Final = gettext_noop(
    "Winning hands, the best first: flush (four cards of a suit), fifty-five (7, 6 and ace of a suit), primiera (a "
    "card of each suit). Of two equal ones the higher count wins."
)
_BEST_SUIT: Final = gettext_noop(
    "Here flushes and fifty-fives go by suit first: hearts, diamonds, clubs, spades."
)
_SETS: Final = gettext_noop("Here three or four of a kind rank as a primiera.")
_POINT: Final = gettext_noop(
    "If nobody claims after the last exchange, the best point wins: the highest sum of cards of one suit."
)
_CLAIM: Final = gettext_noop(
    "You can claim with: %(hand)s, count %(count)d. The best of all hands claimed in this round takes the pot."
)
_NOTHING: Final = gettext_noop("You have no winning hand, so you pass.")
_OWN_POINT: Final = gettext_noop("Your best point is %(point)d.")
_DRAW: Final = gettext_noop(
    "Choose one to four cards to give away and press “Exchange”: you get as many from the stock. It has %(stock)d "
    "cards."
)
_EMPTY: Final = gettext_noop("The stock is empty, so you pass.")
_ORDER: Final = gettext_noop(
    "From the best: chorus (four of a rank), fluxus (four of a suit), supremus (7, 6 and ace of a suit), primiera (a "
    "card of each suit), numerus (the highest sum of a suit)."
)
_EQUAL: Final = gettext_noop(
    "Of two equal hands the higher count wins. If the counts are equal too, the pot stays."
)
_FREE: Final = gettext_noop(
    "Choose the cards to give away and press “Exchange”, or exchange nothing. There’s only one exchange. The stock has "
    "%(stock)d cards."
)
_DUE: Final = gettext_noop(
    "%(due)d is due. Match it, match it and stake 1 to %(limit)d more, or fold. Raises left in this deal: %(left)d."
)
_OPEN: Final = gettext_noop(
    "Nothing is due. Wait, or stake 1 to %(limit)d points, which the others must match to stay in. Raises left in this "
    "deal: %(left)d."
)
_NO_RAISES: Final = gettext_noop("There are no more raises in this deal. %(due)d is due: match it or fold.")
_OWN: Final = gettext_noop("Your hand: %(hand)s, count %(count)d.")
