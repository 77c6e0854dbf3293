"""A novice at Conquian, by rules of thumb: lay as much as possible, and discard what goes with nothing."""

from __future__ import annotations

from typing import Final

from engine.card_bits import numbers_in
from engine.conquian.melds import CARDS, fits, layings
from engine.conquian.play import LAY, PASS, SEATS, lay_token
from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Zones
from engine.text import Word, gettext_noop

#: By a card's number: the other cards of its rank, and its neighbours in its suit.
_OF_RANK: Final = tuple(
    sum(
        1 << other for other in range(len(CARDS.cards)) if (other - card) % CARDS.ranks == 0 and other != card
    )
    for card in range(len(CARDS.cards))
)
_NEIGHBOURS: Final = tuple(
    sum(1 << other for other in range(len(CARDS.cards)) if 0 < abs(other - card) <= 2) & CARDS.suit_of[card]
    for card in range(len(CARDS.cards))
)


def loosest(hand: int, down: int, gone: int, others: int) -> int:
    """The card of the hand that goes with the fewest others that can still come, and not with the opponent's melds.

    ``down`` are the player's own melds, ``gone`` the cards that are out of play, ``others`` the opponent's melds.
    """

    def worth(card: int) -> tuple[bool, int, int]:
        of_rank, near = _OF_RANK[card] & ~gone & ~others, _NEIGHBOURS[card] & ~gone & ~others
        mine = hand | down
        held = max((of_rank & mine).bit_count(), (near & mine).bit_count())
        return fits(card, others), held, of_rank.bit_count() + near.bit_count()

    return min(numbers_in(hand), key=worth)


class Novice(Robot):
    """Takes whatever it can lay, and remembers nothing."""

    key = "novice"
    name = Word(gettext_noop("Novice"))
    summary = Word(gettext_noop("Lays as many cards as it can, and discards what goes with nothing."))

    def token(self, view: View) -> str:
        """By the first rule of thumb that fits. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.cards or view.calls or view.compositions):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        down = {zone.seat: CARDS.bits_of(card for meld in zone.melds for card in meld) for zone in view.seats}
        hand = CARDS.bits_of(next(zone.cards for zone in view.seats if zone.seat == view.seat))
        own, other = (down[seat] for seat in sorted(SEATS, key=lambda seat: seat != view.seat))
        if view.cards:
            return CARDS.cards[loosest(hand, own, CARDS.bits_of(view.discards), other)]
        may_lay = view.compositions or any(call.token == LAY for call in view.calls)
        possible = layings(own | CARDS.bits_of((view.upcard,)), hand) if may_lay else ()
        return lay_token(max(possible, key=int.bit_count)) if possible else PASS


NOVICE: Final = Novice()
