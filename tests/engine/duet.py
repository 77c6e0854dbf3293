"""Duet: a tiny game that lives in the tests only, and proves that the seam takes more than Concerto.

Two players, 24 cards (nines and up); eight cards each, eight are left face down. Non-dealer leads; a suit led must be
followed; the highest card of the suit led wins the trick and leads on. A trick is a point. A match is two deals.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.cards import Card, CardSet, Rank, Suit
from engine.errors import ActionError, CardError, DealError, RuleError, Word
from engine.game import Checked, CheckedSheet, Game, Kind, MatchResult, OptionField, Problem, Severity
from engine.options import option_values

PACK = tuple(Card(rank, suit) for suit in Suit for rank in list(Rank)[7:])
TRICKS = 8


class Player(Enum):
    A = "A"
    B = "B"

    @property
    def other(self) -> Player:
        return Player.B if self is Player.A else Player.A


@dataclass(frozen=True)
class DuetDeal:
    a: CardSet
    b: CardSet

    def __getitem__(self, seat: Player) -> CardSet:
        return self.a if seat is Player.A else self.b

    def __str__(self) -> str:
        return f"{self.a}|{self.b}"


@dataclass(frozen=True)
class DuetOptions:
    deals: int = 2


@dataclass(frozen=True)
class DuetAction:
    card: Card

    @property
    def token(self) -> str:
        return self.card.text


@dataclass(frozen=True)
class DuetScore:
    total: Mapping[Player, int]

    def as_json(self) -> dict[str, Any]:
        return {"total": {player.value: points for player, points in self.total.items()}}


@dataclass(frozen=True)
class DuetState:
    deal: DuetDeal
    dealer: Player
    history: tuple[str, ...] = ()

    @property
    def played(self) -> tuple[Card, ...]:
        return tuple(Card.parse(token) for token in self.history)

    @property
    def is_over(self) -> bool:
        return len(self.history) == 2 * TRICKS

    def leaders(self) -> list[Player]:
        """Who led each trick so far, and who leads the next."""
        leaders, played = [self.dealer.other], self.played
        for lead, reply in zip(played[::2], played[1::2], strict=False):
            wins = reply.suit is lead.suit and reply.index > lead.index
            leaders.append(leaders[-1].other if wins else leaders[-1])
        return leaders

    @property
    def turn(self) -> Player | None:
        if self.is_over:
            return None
        leader = self.leaders()[-1]
        return leader if len(self.history) % 2 == 0 else leader.other

    def held(self, player: Player) -> CardSet:
        return self.deal[player] - CardSet.of(self.played)

    def refusal(self, card: Card) -> str | None:
        if self.turn is None:
            return "The deal is over."
        held = self.held(self.turn)
        if card not in held:
            return "That card is not held."
        led = self.played[-1].suit if len(self.history) % 2 else card.suit
        return "The suit must be followed." if card.suit is not led and held.of_suit(led) else None

    def legal_actions(self) -> tuple[DuetAction, ...]:
        return tuple(DuetAction(card) for card in PACK if self.refusal(card) is None)

    def verify(self, action: DuetAction) -> None:
        refusal = self.refusal(action.card)
        if refusal:
            raise ActionError("duet", refusal, given=action.token)

    def apply(self, action: DuetAction) -> DuetState:
        self.verify(action)
        return DuetState(self.deal, self.dealer, (*self.history, action.token))

    def score(self) -> DuetScore:
        if not self.is_over:
            raise ActionError("duet", "The deal is not over.")
        winners = self.leaders()[1:]
        return DuetScore({player: winners.count(player) for player in Player})


@dataclass(frozen=True)
class DuetView:
    seat: Player | None
    mine: CardSet
    played: tuple[str, ...]
    turn: Player | None

    def as_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat.value if self.seat else None,
            "mine": str(self.mine),
            "played": list(self.played),
            "turn": self.turn.value if self.turn else None,
        }


@dataclass(frozen=True)
class DuetRecord:
    """Tricks of both players, as written."""

    data: tuple[tuple[str, int], ...]
    faults: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return dict(self.data)


@dataclass(frozen=True)
class DuetPlain:
    """Whatever there is to say, as JSON."""

    value: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        return self.value


@dataclass(frozen=True)
class DuetSheet:
    records: tuple[DuetRecord, ...]

    def as_json(self) -> dict[str, Any]:
        return {"deals": [record.as_json() for record in self.records]}


def _problem(code: str, template: str, *place: str | int, is_missing: bool = False) -> Problem:
    return Problem(code, Severity.IMPOSSIBLE, place, template, is_missing=is_missing)


class DuetGame(Game[Player, Player, DuetDeal, DuetOptions, DuetState, DuetRecord, DuetScore]):
    """The game, through the seam."""

    key = "duet"
    name = Word("Duet")
    seats = tuple(Player)
    sides = tuple(Player)
    pack = PACK

    def side_of(self, seat: Player) -> Player:
        return seat

    def options(self) -> tuple[OptionField, ...]:
        return (
            OptionField("deals", Kind.NUMBER, 2, Word("Deals"), Word("In a match."), minimum=1, maximum=9),
        )

    def read_options(self, data: object) -> DuetOptions:
        return DuetOptions(**option_values(self.options(), data))

    def deals_in_match(self, options: DuetOptions) -> int:
        return options.deals

    def random_deal(self, rng: random.Random) -> DuetDeal:
        cards = rng.sample(PACK, 2 * TRICKS)
        return DuetDeal(CardSet.of(cards[:TRICKS]), CardSet.of(cards[TRICKS:]))

    def read_deal(self, text: str) -> DuetDeal:
        try:
            hands = [CardSet.parse(part) for part in text.split("|")]
            if [len(hand) for hand in hands] != [TRICKS, TRICKS] or hands[0] & hands[1]:
                raise DealError("duet", "That is not a deal.")
            return DuetDeal(*hands)
        except CardError as error:
            raise DealError("duet", error.message) from None

    def dealer_after(self, dealer: Player, deals: int = 1) -> Player:
        return dealer if deals % 2 == 0 else dealer.other

    def dealer_of_board(self, number: int) -> Player:
        if number < 1:
            raise RuleError("duet", "Boards are numbered from 1.")
        return Player.A if number % 2 else Player.B

    def read_action(self, token: str) -> DuetAction:
        try:
            return DuetAction(Card.parse(token))
        except CardError as error:
            raise ActionError(error.code, error.template, given=token) from None

    def start(self, deal: DuetDeal, dealer: Player, options: DuetOptions) -> DuetState:
        return DuetState(deal, dealer)

    def view(self, state: DuetState, seat: Player | None) -> DuetView:
        return DuetView(seat, state.held(seat) if seat else CardSet(), state.history, state.turn)

    def read_record(self, data: object, dealer: Player | None = None) -> DuetRecord:
        if not isinstance(data, dict):
            return DuetRecord((), (_problem("shape", "That is not a record."),))
        found, faults = [], []
        for player in Player:
            tricks = data.get(player.value)
            if type(tricks) is int and 0 <= tricks <= TRICKS:
                found.append((player.value, tricks))
            else:
                faults.append(_problem("tricks", "Tricks are 0 to 8.", player.value))
        return DuetRecord(tuple(found), tuple(faults))

    def record_of(self, state: DuetState) -> dict[str, Any]:
        """The tricks alone: people write no more of this game."""
        return {player.value: tricks for player, tricks in state.score().total.items()}

    def check(self, record: DuetRecord, deal: DuetDeal | None = None) -> Checked[DuetScore]:
        problems = record.faults
        if not problems and sum(tricks for _, tricks in record.data) != TRICKS:
            problems = (_problem("sum", "The tricks are not eight."),)
        if problems:
            return Checked(problems, None)
        return Checked((), DuetScore({Player(name): tricks for name, tricks in record.data}))

    def describe(self, record: DuetRecord, deal: DuetDeal | None = None) -> DuetPlain:
        return DuetPlain(record.as_json())

    def choices(self, record: DuetRecord, hand: int | None, deal: DuetDeal | None = None) -> DuetPlain:
        return DuetPlain({"tricks": list(range(TRICKS + 1))})

    def match_result(self, scores: Sequence[Any], options: DuetOptions) -> MatchResult[Player]:
        counted = scores[: options.deals]
        points = {player: sum(score.total[player] for score in counted) for player in Player}
        is_over = len(counted) == options.deals
        best = max(points.values())
        leading = [player for player in Player if points[player] == best]
        winner = leading[0] if is_over and len(leading) == 1 else None
        none = dict.fromkeys(Player, 0)
        return MatchResult(len(counted), points, none, points, winner, is_over)

    def read_sheet(self, content: object, first_dealer: Player, options: DuetOptions) -> DuetSheet:
        deals = content.get("deals") if isinstance(content, dict) else None
        given = deals if isinstance(deals, list) else []
        return DuetSheet(tuple(self.read_record(data) for data in given[: options.deals]))

    def check_sheet(
        self, sheet_read: DuetSheet, options: DuetOptions, deals: Sequence[DuetDeal | None] = ()
    ) -> CheckedSheet[DuetScore, Player]:
        checked = [self.check(record) for record in sheet_read.records]
        problems = [
            problem.under("deals", number) for number, one in enumerate(checked) for problem in one.problems
        ]
        if len(checked) < options.deals:
            problems.append(_problem("missing", "A deal is missing.", "deals", len(checked), is_missing=True))
        scores = tuple(one.score for one in checked)
        result = self.match_result([score for score in scores if score], options)
        return CheckedSheet(tuple(problems), scores, result)


DUET = DuetGame()
