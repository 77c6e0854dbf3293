"""A view as robots look at it: bit sets of cards, by who played them, and what is still to come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from engine.cards import FULL_PACK_BITS
from engine.concerto.options import CARDS_IN_HAND, HANDS, leader_of
from engine.concerto.play import PASS_TOKEN, Line
from engine.concerto.view import View
from engine.errors import ActionError
from engine.seats import Seat
from engine.text import gettext_noop


@final
@dataclass(frozen=True, slots=True)
class Position:
    """What a seat on turn knows. Sets of cards are bits."""

    me: Seat
    mine: int
    """Still held."""
    by_me: int
    """Played by this seat to the hand now being played."""
    by_partner: int
    gone: int
    """All that was ever played, this hand's cards among it."""
    partner_count: int
    line: Line
    """The hand being played."""
    number: int
    """The hand being played, from 0."""
    my_leads: int
    """The leads still to come, that of the hand being played not counted."""
    partner_leads: int
    may_pass: bool

    @classmethod
    def of(cls, view: View) -> Position:
        """The position of the seat on turn. Raises ActionError when nothing is being played."""
        if view.seat is None or view.current is None:
            raise ActionError("not-on-turn", gettext_noop("There’s nothing to do for this seat."))
        me, line = view.seat, view.current.line
        by_me = by_partner = gone = 0
        for seat, action in line:
            if seat is me:
                by_me |= action.bit
            else:
                by_partner |= action.bit
        for hand in view.hands:
            for _, action in hand.line:
                gone |= action.bit
        later = [leader_of(view.dealer, number) for number in range(view.current.number + 1, HANDS)]
        return cls(
            me=me,
            mine=view.mine.bits,
            by_me=by_me,
            by_partner=by_partner,
            gone=gone | by_me | by_partner,
            partner_count=view.cards_left[me.partner.index],
            line=line,
            number=view.current.number,
            my_leads=later.count(me),
            partner_leads=later.count(me.partner),
            may_pass=PASS_TOKEN in view.legal,
        )

    def before_my_cards(self) -> Position:
        """What the leader knew before the first card of this hand, when the partner has only passed since."""
        return replace(
            self, mine=self.mine | self.by_me, by_me=0, gone=self.gone & ~self.by_me, line=(), may_pass=False
        )

    @property
    def on_table(self) -> int:
        """The cards of the hand being played."""
        return self.by_me | self.by_partner

    @property
    def to_play(self) -> int:
        """How many cards the hand still lacks."""
        return CARDS_IN_HAND - self.on_table.bit_count()

    @property
    def unseen(self) -> int:
        """The cards that this seat has not seen: its partner's and its opponents'."""
        return FULL_PACK_BITS & ~(self.gone | self.mine)

    @property
    def i_lead(self) -> bool:
        """Whether the first card of this hand is, or was, this seat's."""
        return not self.line or self.line[0].seat is self.me
