"""A novice at Burraco, by rules of thumb: take a pile that helps, lay what one has, discard what nobody needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.burraco.cards import ONE, VALUE, WILD, hand_of, is_wild
from engine.burraco.melds import BURRACO, Meld, extended, meld_of
from engine.burraco.new_melds import new_melds
from engine.burraco.play import DRAW, TAKE, side_of
from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.packs import read_cards, without
from engine.text import Word, gettext_noop

#: So many cards of the pile are worth taking for their own sake.
MANY: Final = 5


class Novice(Robot):
    """Looks at the table, the pile and its own cards, and remembers nothing."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Takes the pile when it helps, melds what it can, and keeps its wild cards."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or view.seat is None or view.turn != view.seat:
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        own, others = melds_in(view, view.seat)
        legal = dict(view.options)["legal"]
        tokens = tuple(map(str, legal)) if isinstance(legal, tuple) else ()
        hand = next(zone.cards for zone in view.seats if zone.seat == view.seat)
        return best_token(tokens, hand, own, others, view.layout[0] if view.layout else ())


def melds_in(view: Zones, seat: str) -> tuple[tuple[Meld, ...], tuple[Meld, ...]]:
    """The melds of this seat's side and of the other, in the order laid."""
    found: dict[bool, tuple[Meld, ...]] = {True: (), False: ()}
    for zone in view.seats:
        melds = tuple(meld for cards in zone.melds if (meld := meld_of(cards)))
        if melds:
            found[side_of(zone.seat) == side_of(seat)] = melds
    return found[True], found[False]


def best_token(
    legal: Sequence[str],
    hand: Sequence[str],
    own: Sequence[Meld],
    others: Sequence[Meld],
    pile: Sequence[str],
) -> str:
    """What the novice does with these cards."""
    if DRAW in legal:
        return TAKE if is_worth_taking(pile, hand, own) else DRAW
    laying = [token for token in legal if len(token) != 2]
    if laying:
        best = max(laying, key=lambda token: worth(token, own))
        if worth(best, own) > 0 or len(hand) <= 2:
            return best
    discards = [token for token in legal if len(token) == 2] or list(legal)
    return min(discards, key=lambda card: (use_of(card, hand, own, others), VALUE.get(card, 0) * -1))


def is_worth_taking(pile: Sequence[str], hand: Sequence[str], own: Sequence[Meld]) -> bool:
    """A long pile, or one with a card that goes on a meld, is wild or makes a new meld."""
    if len(pile) >= MANY or any(is_wild(card) for card in pile):
        return True
    if any(goes_on(card, own) for card in pile):
        return True
    natural = hand_of(hand) & ~WILD
    return len(new_melds(natural + hand_of(pile))) > len(new_melds(natural))


def worth(token: str, own: Sequence[Meld]) -> int:
    """How good a meld or an extension is; wild cards are kept until they make a burraco or a run that is nearly one."""
    if ">" not in token:
        cards = read_cards(token)
        wild = sum(map(is_wild, cards))
        meld = meld_of(cards)
        return (
            20 + len(cards) + (3 if meld and not meld.rank else 0) if not (meld and meld.wild) else 2 - wild
        )
    card, _mark, number = token.partition(">")
    meld = own[int(number) - 1]
    grown = extended(meld, card)
    if grown is None:
        return 0
    if is_wild(card) and grown.wild:
        return (
            60
            if len(grown.cards) == BURRACO
            else 1
            if not meld.wild and len(grown.cards) >= BURRACO - 1
            else -1
        )
    return 30 + len(grown.cards)


def use_of(card: str, hand: Sequence[str], own: Sequence[Meld], others: Sequence[Meld]) -> int:
    """How much a card is needed, or would help the others."""
    if is_wild(card):
        return 100
    left = without(hand, (card,)) or ()
    near = sum(_are_near(card, other) for other in left if not is_wild(other))
    return 3 * near + 6 * goes_on(card, others) + 8 * goes_on(card, own)


def goes_on(card: str, melds: Sequence[Meld]) -> bool:
    """BU5 to BU8: whether one of these melds takes the card."""
    return any(ONE[card] & meld.takes for meld in melds)


def _are_near(one: str, other: str) -> bool:
    if one[0] == other[0]:
        return True
    order = "A3456789TJQK"
    return one[1] == other[1] and abs(order.index(one[0]) - order.index(other[0])) <= 2


NOVICE: Final = Novice()
