"""What each action of a played deal gave up, measured by the par of what was left before it and after it.

The par of a moment is what both sides get when each plays on for the best, all cards known. An action takes choices
from its own side and none from the other, so it never makes its side's lead at par greater, and what all actions gave
up adds up to the way from the par of the deal to its result.

Of the hand being played what lies on the table is heeded, and who must still play to it (R4 to R7); of the hands to
come, as in ``costs``, the cards alone: whichever of the partners leads them. Of a side's last hand nothing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, final

from engine.cards import CardSet
from engine.concerto.best_play.deal_par import ParScore, par_of
from engine.concerto.best_play.par import Frontier, FrontierPoint, Holding
from engine.concerto.options import CARDS_IN_HAND, HANDS, Options, leader_of
from engine.concerto.play import MOST_PASSES, State
from engine.concerto.play import start as begin
from engine.concerto.scoring import best_of_six
from engine.deals import Deal
from engine.seats import SEATS, BySide, Seat, Side

_NOTHING = Holding(CardSet(), CardSet())


@final
@dataclass(frozen=True, slots=True)
class ActionCost:
    """One action in the light of best play."""

    seat: Seat
    cost: int
    """By how many points it made its side's lead at par smaller; never negative."""
    par: BySide[int]
    """What the deal comes to from here at best play, the hands made so far included."""

    def as_json(self) -> dict[str, Any]:
        """The cost for a program."""
        return {"seat": self.seat.letter, "cost": self.cost, "par": self.par.as_json()}


class _Begun(NamedTuple):
    """A side's position as ``search.best_of_each_begun`` takes it."""

    one: int
    other: int
    hands: int
    table: int
    from_one: int
    from_other: int


def action_costs(deal: Deal, dealer: Seat, tokens: Sequence[str]) -> tuple[ActionCost, ...]:
    """What each of a deal's actions gave up, in order. Raises ActionError for one that is not allowed."""
    state = begin(deal, dealer, Options())
    known = {side: _frontier(state, side) for side in Side}
    before = _par(known, dealer)
    found = []
    for token in tokens:
        seat = SEATS[state.on_turn]
        state = state.apply(token)
        known[seat.side] = _frontier(state, seat.side)
        par = _par(known, dealer)
        found.append(ActionCost(seat, before.lead(seat.side) - par.lead(seat.side), par.total))
        before = par
    return tuple(found)


def _par(known: Mapping[Side, Frontier], dealer: Seat) -> ParScore:
    return par_of(BySide.of(lambda side: known[side]), dealer).par


def _frontier(state: State, side: Side) -> Frontier:
    """What the side can still make in all, the hands that it has made included; cards of the points are not named."""
    made = sum(
        hand.value.points
        for number, hand in enumerate(state.hands)
        if leader_of(state.setting.dealer, number).side is side
    )
    begun = _begun(state, side)
    if begun.hands == 0:
        left = best_of_six(begun.one, begun.other).points
        return (FrontierPoint(made, left, (), _NOTHING),)
    rows = _most(begun)
    return tuple(
        FrontierPoint(made + points, left, (), _NOTHING)
        for left, points in reversed(list(enumerate(rows)))
        if points >= 0 and (left == 0 or rows[left - 1] < points)
    )


@cache
def _search() -> Any:
    # As in ``par``: imported when first asked.
    return import_module("engine.concerto.best_play.search")


def _most(begun: _Begun) -> list[int]:
    """The most points that leave so much over at most."""
    if begun.table or begun.from_one or begun.from_other:
        rows: list[int] = _search().best_of_each_begun([begun])[0]
        return rows
    return [row[0] for row in _search().best_of_each([begun[:3]])[0]]


def _begun(state: State, side: Side) -> _Begun:
    """Where the side is: its cards, those on the table among them, and what the hand being played asks of each."""
    dealer, number = state.setting.dealer, len(state.hands)
    held = [state.held[seat.index] for seat in side.seats]
    hands = sum(leader_of(dealer, each).side is side for each in range(number, HANDS))
    if not hands:
        return _Begun(held[0], held[1], 0, 0, 0, 0)
    if leader_of(dealer, number).side is not side:
        # It waits for the others: its own next hand, which has a leader, comes after theirs.
        leader = leader_of(dealer, number + 1)
        return _Begun(held[0], held[1], hands, 0, *_from(leader, 1, held))
    put_in = [sum(move.action.bit for move in state.line if move.seat is seat) for seat in side.seats]
    missing = CARDS_IN_HAND - state.cards_played
    must = missing if state.alone else int(not state.line or state.passes >= MOST_PASSES)
    table = put_in[0] | put_in[1]
    return _Begun(
        held[0] | put_in[0], held[1] | put_in[1], hands, table, *_from(SEATS[state.on_turn], must, held)
    )


def _from(seat: Seat, must: int, held: Sequence[int]) -> tuple[int, int]:
    """How many cards either partner must put in where this one must put in so many, while it has them (R7)."""
    place = seat.side.seats.index(seat)
    own = min(must, held[place].bit_count())
    return (own, must - own) if place == 0 else (must - own, own)
