"""Kowah as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.cards import Card
from engine.game import CheckedSheet, Json, Kind, OptionField, Options
from engine.game import values as seam
from engine.game.individuals import IndividualGame, cards_among
from engine.game.sheets import WrittenDeal, with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.kowah import play
from engine.kowah.for_learners import HELP, help_on_turn
from engine.kowah.novice import NOVICE
from engine.kowah.play import DECLARES, HAND, PACK, PILE, STOCK
from engine.kowah.records import fault_of_total, odd, read_written, written
from engine.packs import deal_out, is_card, read_deal
from engine.text import Message, Word, gettext_noop

_SPOKEN: Final = {
    STOCK: (gettext_noop("Draw from the stock"), gettext_noop("draws from the stock")),
    PILE: (gettext_noop("Take from the pile"), gettext_noop("takes from the pile")),
}


class KowahGame(IndividualGame[play.State]):
    """Kowah for two to four, each alone."""

    key = "kowah"
    name = Word(gettext_noop("Kowah"))
    players = range(2, 5)
    fields = (
        OptionField(
            "deals",
            Kind.NUMBER,
            12,
            Word(gettext_noop("Deals")),
            Word(gettext_noop("How many deals a match has, so that all deal equally often.")),
            minimum=1,
            maximum=60,
        ),
    )
    state_type = play.State
    deals_each = 1
    robots = (NOVICE,)

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """KO3."""
        return str(deal_out(rng.sample(PACK, len(PACK)), (HAND,) * len(self.seats(players))))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """KO14."""
        return str(read_deal(text, PACK, (HAND,) * len(self.seats(players))))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """KO4."""
        return play.start(text, players, dealer)

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """KO12."""
        played = self.own(state)
        now = played.now
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        return Zones(
            seat=seat,
            dealer=str(played.setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(len(now.hands))),
            stock=played.stock_left,
            discards=now.pile[-1:],
            cards=cards_among(legal),
            card_use="discard",
            calls=tuple(Call(token, _label(token)) for token in legal if not is_card(token)),
            barred=(Call(PILE, _label(PILE)),) if is_mine and played.has_no_pile else (),
            help=() if played.is_over else (*(help_on_turn(played) if is_mine else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
        )

    def calls(self) -> tuple[str, ...]:
        """KO15."""
        return tuple(_SPOKEN)

    def call_in_words(self, token: str) -> Message | None:
        """KO15."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        card, mark, pair = token.partition(DECLARES)
        if not mark or not is_card(card) or not is_card(pair):
            return super().call_in_words(token)
        names = {"card": Card.parse(card).symbol, "pair": Card.parse(pair).symbol}
        return Message(gettext_noop("discards %(card)s and shows a pair of %(pair)s"), names)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """KO16."""
        return written(self.own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """KO16 to KO19."""
        return read_written(data, self.seats(players))

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """KO16 to KO19."""
        checked = super().check_sheet(content, first_dealer, options, players)
        return with_repeats(replace(checked, problems=(*checked.problems, *odd(checked))))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """KO11, KO17."""
        return fault_of_total(total)


def _phase(played: play.State) -> Message:
    now = played.now
    if now.winner >= 0:
        return Message(gettext_noop("Seat %(seat)s wins"), {"seat": str(now.winner + 1)})
    if played.is_over:
        return Message(gettext_noop("Nobody wins"))
    if now.shown[now.turn]:
        return Message(gettext_noop("Turn a card"))
    return Message(gettext_noop("Discard a card") if now.has_drawn else gettext_noop("Draw a card"))


def _label(token: str) -> Message:
    if token in _SPOKEN:
        return Message(_SPOKEN[token][0])
    card, _mark, pair = token.partition(DECLARES)
    names = {"card": Card.parse(card).symbol, "pair": Card.parse(pair).symbol}
    return Message(gettext_noop("Discard %(card)s, show a pair of %(pair)s"), names)


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    """A seat's cards; the pair that was shown, and for others the cards of which all know that they are there."""
    now, own = played.now, str(place + 1)
    hand, pair = now.hands[place], now.shown[place]
    known = now.known[place]
    return SeatZone(
        own,
        len(hand),
        hand if own == seat else (),
        melds=(*(((pair, pair),) if pair else ()), *((known,) if known and own != seat else ())),
        notes=(Message(gettext_noop("checki")),) if pair else (),
    )


KOWAH: Final = KowahGame()
