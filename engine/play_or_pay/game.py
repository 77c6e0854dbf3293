"""Play or Pay as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

from engine.cards import Card
from engine.game import CheckedSheet, Json, Options
from engine.game import values as seam
from engine.game.individuals import TWICE_EACH, IndividualGame, cards_among, equal_deals_field
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal, with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.packs import Dealt, is_card, read_deal
from engine.play_or_pay import play
from engine.play_or_pay.for_learners import HELP, help_on_turn
from engine.play_or_pay.novice import NOVICE
from engine.play_or_pay.play import PACK, PAY, follows
from engine.play_or_pay.records import fault_of_total, read_written, written
from engine.play_or_pay.sampling import SAMPLING
from engine.text import Message, Word, gettext_noop


class PlayOrPayGame(IndividualGame[play.State]):
    """Play or Pay for three to eight, each alone."""

    key = "play-or-pay"
    name = Word(gettext_noop("Play or Pay"))
    players = range(3, 9)
    goes_below_zero = True
    fields = (equal_deals_field(TWICE_EACH),)
    preset: Mapping[str, Json] = {"deals": 6}
    is_friendly = True
    state_type = play.State
    deals_each = 2
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, playouts=120))

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """PY3, PY11."""
        return str(Dealt(((),) * len(self.seats(players)), tuple(rng.sample(PACK, len(PACK)))))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """PY11."""
        return str(read_deal(text, PACK, (0,) * len(self.seats(players))))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """PY3."""
        return play.start(text, players, dealer)

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """PY9."""
        played = self.own(state)
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        pay = (Call(PAY, Message(gettext_noop("Pay"))),)
        return Zones(
            seat=seat,
            dealer=str(played.setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(len(played.now.hands))),
            layout=_layout(played),
            pot=sum(played.now.paid),
            cards=cards_among(legal),
            calls=pay if PAY in legal else (),
            barred=pay if is_mine and played.now.last and PAY not in legal else (),
            help=() if played.is_over else (*((help_on_turn(played),) if is_mine else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
        )

    def calls(self) -> tuple[str, ...]:
        """PY11."""
        return (PAY,)

    def call_in_words(self, token: str) -> Message | None:
        """PY11."""
        return Message(gettext_noop("pays")) if token == PAY else super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """PY12."""
        return written(self.own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """PY12 to PY15."""
        return read_written(data, self.seats(players))

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """PY12 to PY15."""
        return with_repeats(super().check_sheet(content, first_dealer, options, players))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """PY13."""
        return fault_of_total(total)


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("Seat %(seat)s is out"), {"seat": str(played.now.winner + 1)})
    if not played.now.last:
        return Message(gettext_noop("Begin a suit"))
    return Message(gettext_noop("Next: %(card)s"), {"card": Card.parse(follows(played.now.last)).symbol})


def _layout(played: play.State) -> tuple[tuple[str, ...], ...]:
    """The cards of each suit in the order in which they were played."""
    cards = [token for token in played.history if is_card(token)]
    suits = dict.fromkeys(card[1] for card in cards)
    return tuple(tuple(card for card in cards if card[1] == suit) for suit in suits)


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    hand, own = played.now.hands[place], str(place + 1)
    return SeatZone(own, len(hand), hand if own == seat else (), stake=played.now.paid[place])


PLAY_OR_PAY: Final = PlayOrPayGame()
