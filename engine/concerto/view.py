"""What a seat, or a spectator, may see of a deal being played (R8).

A view is built up from nothing: what is not put in here cannot leak. It holds no state and no deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from engine.cards import CardSet
from engine.concerto.options import HANDS, HandValue, Options, leader_of, side_of_hand
from engine.concerto.play import Line, State, line_text
from engine.concerto.scoring import DealScore, left_over_value
from engine.seats import SEATS, BySide, Seat, Side


@final
@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand face up on the table: completed, or being played (``value`` is None then)."""

    number: int
    leader: Seat
    side: Side
    line: Line
    value: HandValue | None

    def as_json(self) -> dict[str, Any]:
        """The hand for a program; ``moves`` says who did what."""
        return {
            "number": self.number,
            "leader": self.leader.letter,
            "side": self.side.value,
            "line": line_text(self.line),
            "moves": [[move.seat.letter, move.action.token] for move in self.line],
            "combination": self.value.combination.key if self.value else None,
            "split": str(self.value.split) if self.value and self.value.split else None,
            "points": self.value.points if self.value else None,
        }


@final
@dataclass(frozen=True, slots=True)
class LeftOversSeen:
    """What is shown when the deal is over: the six cards that the bonus is for, and no others."""

    cards: tuple[tuple[Seat, CardSet], ...]
    value: HandValue

    def as_json(self) -> dict[str, Any]:
        """The six cards by seat, and what they are worth."""
        return {
            "cards": {seat.letter: str(cards).split() for seat, cards in self.cards},
            "combination": self.value.combination.key,
            "split": str(self.value.split) if self.value.split else None,
            "points": self.value.points,
        }


@final
@dataclass(frozen=True, slots=True)
class View:
    """All that ``seat`` may know, or a spectator where it is None."""

    seat: Seat | None
    dealer: Seat
    options: Options
    turn: Seat | None
    hands: tuple[HandSeen, ...]
    current: HandSeen | None
    mine: CardSet
    """The seat's own cards still held; empty for a spectator."""
    cards_left: tuple[int, int, int, int]
    """How many cards each seat still holds, N E S W: everybody can count that."""
    made: BySide[int]
    legal: tuple[str, ...]
    """The tokens that the seat may choose from, when it is its turn."""
    score: DealScore | None
    left_overs: LeftOversSeen | None

    @property
    def is_over(self) -> bool:
        """Whether the deal is played out."""
        return self.score is not None

    def as_json(self) -> dict[str, Any]:
        """The view for a program."""
        return {
            "seat": self.seat.letter if self.seat else None,
            "dealer": self.dealer.letter,
            "turn": self.turn.letter if self.turn else None,
            "hands": [hand.as_json() for hand in self.hands],
            "current": self.current.as_json() if self.current else None,
            "mine": str(self.mine).split(),
            "cards_left": dict(zip("NESW", self.cards_left, strict=True)),
            "made": self.made.as_json(),
            "legal": list(self.legal),
            "is_over": self.is_over,
            "score": self.score.as_json() if self.score else None,
            "left_overs": self.left_overs.as_json() if self.left_overs else None,
        }


def view(state: State, seat: Seat | None) -> View:
    """All that this seat may know of the state; with None, what anybody at the table may."""
    north, east, south, west = (cards.bit_count() for cards in state.held)
    is_mine = seat is not None and state.turn is seat
    return View(
        seat=seat,
        dealer=state.setting.dealer,
        options=state.setting.options,
        turn=state.turn,
        hands=_completed(state),
        current=_current(state),
        mine=state.cards_held(seat) if seat is not None else CardSet(),
        cards_left=(north, east, south, west),
        made=_made(state),
        legal=tuple(action.token for action in state.legal_actions()) if is_mine else (),
        score=state.score() if state.is_over else None,
        left_overs=_left_overs(state) if state.is_over else None,
    )


def _completed(state: State) -> tuple[HandSeen, ...]:
    dealer = state.setting.dealer
    return tuple(
        HandSeen(number, leader_of(dealer, number), side_of_hand(dealer, number), hand.line, hand.value)
        for number, hand in enumerate(state.hands)
    )


def _current(state: State) -> HandSeen | None:
    number = len(state.hands)
    if number == HANDS:
        return None
    dealer = state.setting.dealer
    return HandSeen(number, leader_of(dealer, number), side_of_hand(dealer, number), state.line, None)


def _made(state: State) -> BySide[int]:
    """What each side has made so far; everybody sees the hands, so everybody can count it."""
    made = {Side.NS: 0, Side.EW: 0}
    for number, hand in enumerate(state.hands):
        made[side_of_hand(state.setting.dealer, number)] += hand.value.points
    return BySide(made[Side.NS], made[Side.EW])


def _left_overs(state: State) -> LeftOversSeen:
    """R11: only the side that pays the bonus has to show what it holds; R8: the other's cards stay hidden."""
    to = state.score().left_over_to
    losers = tuple(seat for seat in SEATS if seat.side is not to)
    one, other = (state.cards_held(seat) for seat in losers)
    return LeftOversSeen(tuple(zip(losers, (one, other), strict=True)), left_over_value(one, other))
