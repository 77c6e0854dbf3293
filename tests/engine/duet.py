"""Duet: two individuals, tricks; a tiny game that lives in the tests only.

24 cards (nines and up), eight each, eight left face down. Non-dealer leads; a suit led must be followed; the highest
card of the suit led wins the trick and leads on. A trick is a point. A match is two deals. It has what every game
must have, and boards.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import Card, CardSet, Rank, Suit
from engine.errors import ActionError, CardError, DealError
from engine.game import Game, Json, Kind, MatchResult, OptionField, Options, Points, Score, State
from engine.game.boards import PackBoards
from engine.game.capabilities import Boards
from engine.game.matches import sum_of_deals
from engine.game.zones import SeatZone, Zones
from engine.options import option_values
from engine.packs import Dealt, in_order
from engine.text import Message, Word

PACK = tuple(Card(rank, suit) for suit in Suit for rank in list(Rank)[7:])
TRICKS = 8
SEATS = ("1", "2")


def cards_of_hand(cards: CardSet) -> tuple[str, ...]:
    return in_order(card.text for card in cards)


def other_seat(seat: str) -> str:
    return "2" if seat == "1" else "1"


@dataclass(frozen=True)
class DuetDeal:
    hands: tuple[CardSet, CardSet]

    def __getitem__(self, seat: str) -> CardSet:
        return self.hands[SEATS.index(seat)]

    def __str__(self) -> str:
        return "|".join(map(str, self.hands))


@dataclass(frozen=True)
class DuetState:
    deal: DuetDeal
    dealer: str
    history: tuple[str, ...] = ()

    @property
    def played(self) -> tuple[Card, ...]:
        return tuple(Card.parse(token) for token in self.history)

    @property
    def is_over(self) -> bool:
        return len(self.history) == 2 * TRICKS

    def leaders(self) -> list[str]:
        """Who led each trick so far, and who leads the next."""
        leaders, played = [other_seat(self.dealer)], self.played
        for lead, reply in zip(played[::2], played[1::2], strict=False):
            wins = reply.suit is lead.suit and reply.index > lead.index
            leaders.append(other_seat(leaders[-1]) if wins else leaders[-1])
        return leaders

    @property
    def turn(self) -> str | None:
        if self.is_over:
            return None
        leader = self.leaders()[-1]
        return leader if len(self.history) % 2 == 0 else other_seat(leader)

    def held(self, seat: str) -> CardSet:
        return self.deal[seat] - CardSet.of(self.played)

    def refusal(self, token: str) -> tuple[str, str] | None:
        if self.turn is None:
            return "over", "The deal is over."
        try:
            card = Card.parse(token)
        except CardError:
            return "token", "That is no card."
        held = self.held(self.turn)
        if card not in held or card.text != token:
            return "not-held", "That card is not held."
        led = self.played[-1].suit if len(self.history) % 2 else card.suit
        is_free = card.suit is led or not held.of_suit(led)
        return None if is_free else ("follow", "The suit must be followed.")

    def legal(self) -> tuple[str, ...]:
        return tuple(card.text for card in PACK if self.refusal(card.text) is None)

    def verify(self, token: str) -> None:
        refusal = self.refusal(token)
        if refusal:
            raise ActionError(*refusal, given=token)

    def apply(self, token: str) -> DuetState:
        self.verify(token)
        return type(self)(self.deal, self.dealer, (*self.history, token))

    def score(self) -> Points:
        if not self.is_over:
            raise ActionError("not-over", "The deal is not over.")
        winners = self.leaders()[1:]
        return Points({seat: winners.count(seat) for seat in SEATS})


class DuetBoards(Boards):
    """The eight cards face down count as a third hand, which the deal's text leaves out."""

    packed = PackBoards([card.text for card in PACK], (*SEATS, "down"), (TRICKS,) * 3)

    @property
    def deals(self) -> int:
        return self.packed.deals

    def deal_of_number(self, number: int, dealer: str | None = None) -> str:
        hands = self.packed.hands(self.packed.deal_of_number(number))
        return str(DuetDeal((CardSet.parse(" ".join(hands["1"])), CardSet.parse(" ".join(hands["2"])))))

    def number_of_deal(self, deal: str, dealer: str | None = None) -> int:
        hands = list(self.hands(deal).values())
        down = in_order({card.text for card in PACK}.difference(*hands))
        return self.packed.number_of_deal(str(Dealt((*hands, down))))

    def hands(self, deal: str) -> Mapping[str, tuple[str, ...]]:
        return {
            seat: cards_of_hand(CardSet.parse(part))
            for seat, part in zip(SEATS, deal.split("|"), strict=True)
        }


class DuetGame(Game):
    """The game, through the seam."""

    key = "duet"
    name = Word("Duet")
    players = range(2, 3)
    boards = DuetBoards()

    def options(self) -> tuple[OptionField, ...]:
        return (
            OptionField("deals", Kind.NUMBER, 2, Word("Deals"), Word("In a match."), minimum=1, maximum=9),
        )

    def read_options(self, data: object) -> dict[str, Json]:
        return {"deals": 2, **option_values(self.options(), data)}

    def deals_in_match(self, options: Options) -> int:
        return int(self.read_options(options)["deals"])  # type: ignore[arg-type]

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        cards = rng.sample(PACK, 2 * TRICKS)
        return str(DuetDeal((CardSet.of(cards[:TRICKS]), CardSet.of(cards[TRICKS:]))))

    def read_deal(self, text: str, players: int | None = None) -> str:
        return str(self._deal(text))

    def _deal(self, text: str) -> DuetDeal:
        try:
            hands = [CardSet.parse(part) for part in text.split("|")]
            if [len(hand) for hand in hands] != [TRICKS, TRICKS] or hands[0] & hands[1]:
                raise DealError("duet", "That is not a deal.")
            return DuetDeal((hands[0], hands[1]))
        except CardError as error:
            raise DealError("duet", str(error.message)) from None

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> DuetState:
        return DuetState(self._deal(deal), dealer)

    def view(self, state: State, seat: str | None) -> Zones:
        assert isinstance(state, DuetState)
        leaders = state.leaders()
        at = len(state.history) // 2 * 2
        seats = (leaders[-1], other_seat(leaders[-1]))
        return Zones(
            seat=seat,
            dealer=state.dealer,
            turn=state.turn,
            phase=Message("The deal is over") if state.is_over else Message("Playing"),
            seats=tuple(
                SeatZone(
                    each,
                    len(state.held(each)),
                    cards_of_hand(state.held(each)) if each == seat else (),
                    tricks=leaders[1:].count(each),
                )
                for each in SEATS
            ),
            trick=tuple(zip(seats, state.history[at:], strict=False)),
            cards=state.legal() if seat and seat == state.turn else (),
            score=tuple(state.score().total.items()) if state.is_over else None,
        )

    def token_seen_by(self, state: State, token: str, seat: str | None) -> str:
        return token

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        fits = sum(total.values()) == TRICKS and min(total.values()) >= 0
        return "" if fits else "The tricks are not eight."

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        return sum_of_deals(scores, SEATS, deals=self.deals_in_match(options))


DUET = DuetGame()
