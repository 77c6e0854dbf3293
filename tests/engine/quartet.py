"""Quartet: two pairs, tricks, a pack with equal cards; a game that lives in the tests only.

48 cards (two of each from nine up), twelve each. Dealer's left leads; a suit led must be followed; the highest card of
the suit led wins the trick, of equal ones the first. A trick is a point for the pair. A match is two deals.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.errors import ActionError, DealError
from engine.game import Game, Json, Kind, MatchResult, OptionField, Options, Points, Score, State
from engine.game.boards import PackBoards
from engine.game.capabilities import Robot
from engine.game.matches import sum_of_deals
from engine.game.values import View
from engine.game.zones import SeatZone, Zones
from engine.options import option_values
from engine.packs import RANKS, Dealt, deal_out, pack, read_deal, without
from engine.text import Message, Word

PACK = pack("AKQJT9", copies=2)
SEATS = ("N", "E", "S", "W")
SIDES = {"NS": ("N", "S"), "EW": ("E", "W")}
TRICKS = 12
SIZES = (TRICKS,) * 4


@dataclass(frozen=True)
class QuartetState:
    deal: Dealt
    dealer: str
    history: tuple[str, ...] = ()

    @cached_property
    def tricks(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """Who played which card, trick by trick; the last one may not be full."""
        leader, found = _left(self.dealer), []
        for at in range(0, len(self.history), 4):
            cards = self.history[at : at + 4]
            seats = [_left(leader, step) for step in range(4)]
            trick = tuple(zip(seats, cards, strict=False))
            found.append(trick)
            leader = winner(trick)
        return tuple(found)

    @property
    def is_over(self) -> bool:
        return len(self.history) == 4 * TRICKS

    @property
    def trick(self) -> tuple[tuple[str, str], ...]:
        """The cards of the trick on the table."""
        return self.tricks[-1] if len(self.history) % 4 else ()

    @property
    def turn(self) -> str | None:
        if self.is_over:
            return None
        if self.trick:
            return _left(self.trick[-1][0])
        return winner(self.tricks[-1]) if self.tricks else _left(self.dealer)

    def held(self, seat: str) -> tuple[str, ...]:
        played = [card for trick in self.tricks for who, card in trick if who == seat]
        return without(self.deal.hands[SEATS.index(seat)], played) or ()

    def legal(self) -> tuple[str, ...]:
        if self.turn is None:
            return ()
        held = dict.fromkeys(self.held(self.turn))
        follows = [card for card in held if self.trick and card[1] == self.trick[0][1][1]]
        return tuple(follows or held)

    def verify(self, token: str) -> None:
        if self.turn is None:
            raise ActionError("over", "The deal is over.", given=token)
        if token not in PACK:
            raise ActionError("token", "“%(given)s” is no card.", given=token)
        if token not in self.held(self.turn):
            raise ActionError("not-held", "%(given)s is not held.", given=token)
        if token not in self.legal():
            raise ActionError("follow", "The suit must be followed.", given=token)

    def apply(self, token: str) -> QuartetState:
        self.verify(token)
        return type(self)(self.deal, self.dealer, (*self.history, token))

    def taken(self, side: str) -> int:
        full = [trick for trick in self.tricks if len(trick) == 4]
        return sum(winner(trick) in SIDES[side] for trick in full)

    def score(self) -> Points:
        if not self.is_over:
            raise ActionError("not-over", "The deal is not over.")
        return Points({side: self.taken(side) for side in SIDES})


def _left(seat: str, steps: int = 1) -> str:
    return SEATS[(SEATS.index(seat) + steps) % 4]


def winner(trick: Sequence[tuple[str, str]]) -> str:
    """The seat with the highest card of the suit led; of equal ones the first."""
    led = trick[0][1][1]
    following = [played for played in trick if played[1][1] == led]
    return min(following, key=lambda played: RANKS.index(played[1][0]))[0]


class FirstCard(Robot):
    """Plays the first card that is allowed."""

    key = "first"
    name = Word("First")
    summary = Word("Plays the first card that is allowed.")

    def token(self, view: View) -> str:
        assert isinstance(view, Zones)
        if not view.cards:
            raise ActionError("turn", "It isn’t this robot’s turn.")
        return view.cards[0]


class QuartetGame(Game):
    """The game, through the seam."""

    key = "quartet"
    name = Word("Quartet")
    players = range(4, 5)
    robots = (FirstCard(),)
    boards = PackBoards(PACK, SEATS, SIZES)

    def seats(self, players: int | None = None) -> tuple[str, ...]:
        return SEATS

    def sides(self, players: int | None = None) -> Mapping[str, tuple[str, ...]]:
        return SIDES

    def title(self, key: str) -> Word:
        return Word(
            {"N": "North", "E": "East", "S": "South", "W": "West", "NS": "North-South"}.get(key, "East-West")
        )

    def options(self) -> tuple[OptionField, ...]:
        return (
            OptionField("deals", Kind.NUMBER, 2, Word("Deals"), Word("In a match."), minimum=1, maximum=9),
        )

    def read_options(self, data: object) -> dict[str, Json]:
        return {"deals": 2, **option_values(self.options(), data)}

    def deals_in_match(self, options: Options) -> int:
        return int(self.read_options(options)["deals"])  # type: ignore[arg-type]

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        return str(deal_out(rng.sample(PACK, len(PACK)), SIZES))

    def read_deal(self, text: str, players: int | None = None) -> str:
        return str(read_deal(text, PACK, SIZES))

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> QuartetState:
        if dealer not in SEATS:
            raise DealError("seat-unknown", "“%(given)s” is not a seat.", given=dealer)
        return QuartetState(read_deal(deal, PACK, SIZES), dealer)

    def view(self, state: State, seat: str | None) -> Zones:
        assert isinstance(state, QuartetState)
        return Zones(
            seat=seat,
            dealer=state.dealer,
            turn=state.turn,
            phase=Message("Trick %(number)d", {"number": min(len(state.history) // 4 + 1, TRICKS)}),
            seats=tuple(
                SeatZone(
                    each,
                    len(state.held(each)),
                    state.held(each) if each == seat else (),
                    points=state.taken(self.side_of(each)),
                )
                for each in SEATS
            ),
            trick=state.trick or (state.tricks[-1] if state.tricks else ()),
            cards=state.legal() if seat and seat == state.turn else (),
            score=tuple(state.score().total.items()) if state.is_over else None,
        )

    def token_seen_by(self, state: State, token: str, seat: str | None) -> str:
        return token

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        fits = sum(total.values()) == TRICKS and min(total.values()) >= 0
        return "" if fits else "The tricks are not twelve."

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        return sum_of_deals(scores, SIDES, deals=self.deals_in_match(options))


QUARTET = QuartetGame()
