"""Trio: three to five individuals, a stock, a pot, and actions that are secret in part; it lives in the tests only.

36 cards (sixes and up), four each, the rest is the stock. Everybody puts a point into the pot. From dealer's left each
once either folds or exchanges none to two cards (`x`, and the cards), which nobody else sees. Who has the most pips
(ace 11, pictures and ten 10) takes the pot; equal ones leave it for the next deal. A match is so many deals, or up to a
target.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from engine.errors import ActionError, CardError, DealError
from engine.game import Game, Json, Kind, MatchResult, OptionField, Options, Points, Score, State
from engine.game.capabilities import Sampling
from engine.game.matches import sum_of_deals
from engine.game.values import View
from engine.game.zones import Call, Composition, SeatZone, Zones
from engine.options import option_values
from engine.packs import Dealt, cards_text, deal_out, in_order, pack, read_cards, read_deal, without
from engine.text import Message, Word

PACK = pack("AKQJT9876")
HAND = 4
MOST_EXCHANGED = 2
FOLD = "fold"


@dataclass(frozen=True)
class TrioState:
    deal: Dealt
    dealer: str
    carried: int
    history: tuple[str, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(str(number + 1) for number in range(len(self.deal.hands)))

    @property
    def order(self) -> tuple[str, ...]:
        """The seats as they act: dealer's left first."""
        at = self.seats.index(self.dealer) + 1
        return (*self.seats[at:], *self.seats[:at])

    @property
    def is_over(self) -> bool:
        return len(self.history) == len(self.seats)

    @property
    def turn(self) -> str | None:
        return None if self.is_over else self.order[len(self.history)]

    @property
    def pot(self) -> int:
        return self.carried + len(self.seats)

    @cached_property
    def hands(self) -> dict[str, tuple[str, ...]]:
        """What every seat holds now."""
        hands, stock = dict(zip(self.seats, self.deal.hands, strict=True)), self.deal.stock
        for seat, token in zip(self.order, self.history, strict=False):
            if token != FOLD:
                given = read_cards(token[1:])
                hands[seat] = in_order((*(without(hands[seat], given) or ()), *stock[: len(given)]))
                stock = stock[len(given) :]
        return hands

    @property
    def drawn(self) -> int:
        return sum(len(token) // 2 for token in self.history if token != FOLD)

    @property
    def playing(self) -> tuple[str, ...]:
        """Who has not folded, in the order of the turn."""
        return tuple(
            seat
            for number, seat in enumerate(self.order)
            if number >= len(self.history) or self.history[number] != FOLD
        )

    def legal(self) -> tuple[str, ...]:
        if self.turn is None:
            return ()
        hand = self.hands[self.turn]
        exchanges = [
            "x" + cards_text(cards)
            for size in range(MOST_EXCHANGED + 1)
            for cards in combinations(hand, size)
        ]
        return (FOLD, *exchanges)

    def verify(self, token: str) -> None:
        if self.turn is None:
            raise ActionError("over", "The deal is over.", given=token)
        if token == FOLD:
            return
        if token[:1] != "x":
            raise ActionError("token", "“%(given)s” is not an action of Trio.", given=token)
        try:
            cards = read_cards(token[1:])
        except CardError as error:
            raise ActionError("token", error.message.template, given=token) from None
        if without(self.hands[self.turn], cards) is None or token[1:] != cards_text(cards):
            raise ActionError("not-held", "These cards are not held.", given=token)
        if len(cards) > MOST_EXCHANGED:
            raise ActionError("too-many", "Two cards are exchanged at most.", given=token)

    def apply(self, token: str) -> TrioState:
        self.verify(token)
        return type(self)(self.deal, self.dealer, self.carried, (*self.history, token))

    def score(self) -> Points:
        if not self.is_over:
            raise ActionError("not-over", "The deal is not over.")
        pips = {seat: sum(map(_pips, self.hands[seat])) for seat in self.playing}
        best = [seat for seat, points in pips.items() if points == max(pips.values())]
        total = dict.fromkeys(self.seats, -1)
        if len(best) == 1:
            total[best[0]] += self.pot
        return Points(total, {"pot": 0 if len(best) == 1 else self.pot})


def _pips(card: str) -> int:
    return {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10}.get(card[0]) or int(card[0])


class TrioSampling(Sampling):
    """Hands and a stock that a seat could be up against."""

    def sample(self, view: View, rng: random.Random) -> TrioState:
        """Who acted exchanged as many cards as the view says; which, nobody else can know."""
        assert isinstance(view, Zones)
        mine = next((zone for zone in view.seats if zone.seat == view.seat), None)
        own = mine.calls[0] if mine and mine.calls else ""
        given = read_cards(own[1:]) if own[:1] == "x" else ()
        held = mine.cards if mine else ()
        unseen = [card for card in PACK if card not in {*held, *given}]
        rng.shuffle(unseen)
        at = [zone.seat for zone in view.seats].index(view.dealer) + 1
        hands: dict[str, tuple[str, ...]] = {}
        stock: list[str] = []
        history: list[str] = []
        for zone in (*view.seats[at:], *view.seats[:at]):
            done = zone.calls[0] if zone.calls else ""
            count = int(done[1:]) if done[1:].isdigit() else 0
            if zone is mine:
                drawn = held[: len(given)]
                hands[zone.seat] = in_order((*(without(held, drawn) or ()), *given))
                stock += drawn
            else:
                hands[zone.seat] = in_order(_taken(unseen, HAND))
                done = f"x{cards_text(hands[zone.seat][:count])}" if count else done
                stock += _taken(unseen, count)
            history += [done] if done else []
        deal = Dealt(tuple(hands[zone.seat] for zone in view.seats), (*stock, *unseen))
        return TrioState(deal, view.dealer, (view.pot or 0) - len(view.seats), tuple(history))


def _taken(cards: list[str], count: int) -> list[str]:
    found = cards[:count]
    del cards[:count]
    return found


class TrioGame(Game):
    """The game, through the seam."""

    key = "trio"
    name = Word("Trio")
    players = range(3, 6)
    goes_below_zero = True
    carried = ("pot",)
    sampling = TrioSampling()

    def options(self) -> tuple[OptionField, ...]:
        return (
            OptionField("deals", Kind.NUMBER, 3, Word("Deals"), Word("In a match."), minimum=1, maximum=50),
            OptionField("target", Kind.NUMBER, 0, Word("Target"), Word("Ends a match; 0: none."), maximum=50),
        )

    def read_options(self, data: object) -> dict[str, Json]:
        pot = OptionField("pot", Kind.NUMBER, 0, Word("Pot"), Word("On the table."), maximum=1000)
        return {"deals": 3, "target": 0, **option_values((*self.options(), pot), data)}

    def deals_in_match(self, options: Options) -> int:
        return _number(self.read_options(options)["deals"])

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        return str(deal_out(rng.sample(PACK, len(PACK)), self._sizes(players)))

    def read_deal(self, text: str, players: int | None = None) -> str:
        return str(read_deal(text, PACK, self._sizes(players)))

    def _sizes(self, players: int | None) -> tuple[int, ...]:
        return (HAND,) * len(self.seats(players))

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> TrioState:
        if dealer not in self.seats(players):
            raise DealError("seat-unknown", "“%(given)s” is not a seat.", given=dealer)
        pot = self.read_options(options).get("pot", 0)
        return TrioState(read_deal(deal, PACK, self._sizes(players)), dealer, _number(pot))

    def view(self, state: State, seat: str | None) -> Zones:
        assert isinstance(state, TrioState)
        is_mine = seat is not None and seat == state.turn
        return Zones(
            seat=seat,
            dealer=state.dealer,
            turn=state.turn,
            phase=Message("The deal is over") if state.is_over else Message("Exchanging cards"),
            seats=tuple(self._zone(state, each, seat) for each in state.seats),
            stock=len(state.deal.stock) - state.drawn,
            pot=state.pot,
            calls=(Call(FOLD, Message("Fold")),) if is_mine else (),
            compositions=(Composition("x", Message("Exchange"), state.hands[seat], 0, MOST_EXCHANGED),)
            if is_mine and seat
            else (),
            score=tuple(state.score().total.items()) if state.is_over else None,
        )

    def _zone(self, state: TrioState, seat: str, viewer: str | None) -> SeatZone:
        """A hand is seen by its owner, and by all once it was compared with the others."""
        is_shown = seat == viewer or (state.is_over and seat in state.playing)
        done = [
            self.token_seen_by(replay_to(state, number), token, viewer)
            for number, token in enumerate(state.history)
            if state.order[number] == seat
        ]
        cards = state.hands[seat] if is_shown else ()
        return SeatZone(seat, HAND, cards, stake=1, calls=tuple(done), is_in=seat in state.playing)

    def token_seen_by(self, state: State, token: str, seat: str | None) -> str:
        """Who exchanged sees which cards; everybody else sees how many."""
        if token in {FOLD, "x"} or seat == state.turn:
            return token
        return f"x{len(token) // 2}"

    def call_in_words(self, token: str) -> Message:
        if token == FOLD:
            return Message("folds")
        count = token[1:] if token[1:].isdigit() else str(len(token) // 2)
        return Message("exchanges %(count)s cards", {"count": count})

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        return "" if sum(points != -1 for points in total.values()) <= 1 else "One at most wins the pot."

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        chosen = self.read_options(options)
        left = scores[-1].as_json().get("pot", 0) if scores else 0
        return sum_of_deals(
            scores,
            self.seats(players),
            deals=_number(chosen["deals"]),
            target=_number(chosen["target"]) or None,
            next_options={"pot": left},
        )


def replay_to(state: TrioState, number: int) -> TrioState:
    """The state before that action."""
    return TrioState(state.deal, state.dealer, state.carried, state.history[:number])


def _number(value: Json) -> int:
    assert isinstance(value, int)
    return value


TRIO = TrioGame()
