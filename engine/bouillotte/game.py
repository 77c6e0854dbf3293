"""Bouillotte as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.bouillotte import play
from engine.bouillotte.for_learners import HELP, help_on_turn
from engine.bouillotte.hands import HAND, NAMES, PACK, PLAYERS
from engine.bouillotte.novice import NOVICE
from engine.bouillotte.records import fault_of_total, odd, read_written, written
from engine.bouillotte.sampling import SAMPLING
from engine.game import CheckedSheet, Json, MatchResult, Options, Score
from engine.game import values as seam
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal
from engine.game.zones import Call, SeatZone, Zones
from engine.packs import Dealt, in_order
from engine.text import Message, Word, gettext_noop
from engine.vying.pots import PotGame, ante_field, deals_field

_SPOKEN: Final = {
    play.FOLD: (gettext_noop("Fold"), gettext_noop("folds")),
    play.STRADDLE: (gettext_noop("Straddle"), gettext_noop("straddles")),
    play.CALL: (gettext_noop("Call"), gettext_noop("calls")),
}
_STAKED: Final = {
    play.OPEN: (gettext_noop("Open for %(points)s more"), gettext_noop("opens for %(points)s more")),
    play.RAISE: (gettext_noop("Raise by %(points)s"), gettext_noop("raises by %(points)s")),
}


class BouillotteGame(PotGame[play.State]):
    """Bouillotte for four, each alone; everything goes to the right."""

    key = "bouillotte"
    name = Word(gettext_noop("Bouillotte"))
    players = range(PLAYERS, PLAYERS + 1)
    ranks = "AKQ98"
    turns_right = True
    fields = (deals_field(16), ante_field(5))
    state_type = play.State
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, playouts=400))

    def dealer_after(self, dealer: str, deals: int = 1, players: int | None = None) -> str:
        """BO2: the deal goes to the right."""
        seats = self.seats(players)
        return seats[(seats.index(dealer) - deals) % len(seats)]

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """BO3."""
        cards = rng.sample(PACK, HAND * PLAYERS + 1)
        hands = (in_order(cards[HAND * at : HAND * (at + 1)]) for at in range(PLAYERS))
        return str(Dealt(tuple(hands), (cards[-1],)))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """BO3."""
        dealt, up = play.read(text)
        return str(Dealt(dealt.hands, (up,)))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """BO5."""
        return play.start(text, dealer, options["ante"], options.get("pot", 0))

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """BO7: who dealt a deal that all folded is the only one who lost, and deals again."""
        result = super().match(scores, options, players)
        last = scores[result.counted - 1].total if result.counted else {}
        again = next((seat for seat, points in last.items() if points < 0), None)
        is_passed_out = bool(last) and sum(last.values()) < 0
        return replace(result, next_dealer=again if is_passed_out and not result.is_over else None)

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """BO20."""
        played = self.own(state)
        setting = played.setting
        legal = played.legal() if seat is not None and seat == played.turn else ()
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(PLAYERS)),
            upcard=setting.up,
            pot=played.pot,
            calls=tuple(Call(token, _label(token, played)) for token in legal),
            barred=_barred(played) if legal else (),
            help=() if played.is_over else (*(help_on_turn(played) if legal else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
            options=(("ante", setting.ante), ("pot", setting.pot)),
        )

    def calls(self) -> tuple[str, ...]:
        """BO21."""
        stakes = (f"{sort}{k}" for sort in (play.OPEN, play.RAISE) for k in range(1, play.CAVE))
        return (*_SPOKEN, *stakes)

    def call_in_words(self, token: str) -> Message | None:
        """BO21."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        if token[:1] in _STAKED and token[1:].isdecimal():
            return Message(_STAKED[token[0]][1], {"points": token[1:]})
        return super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """BO22."""
        return written(self.own(state))

    def read_written(
        self, data: object, seats: Sequence[str], options: Mapping[str, Any] | None, pot: int | None
    ) -> WrittenDeal:
        """BO22."""
        return read_written(data, options["ante"] if options else None, pot)

    def with_sheet_checks(self, checked: CheckedSheet, seats: Sequence[str]) -> CheckedSheet:
        """BO22."""
        return replace(checked, problems=(*checked.problems, *odd(checked)))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """BO18, BO22."""
        return fault_of_total(total)


def _phase(played: play.State) -> Message:
    if not played.is_over:
        return Message(_PHASES[played.now.phase])
    winner, shown = played.best
    if winner is None:
        return Message(gettext_noop("All have folded: the pot stays"))
    if shown is None:
        return Message(gettext_noop("Seat %(seat)s wins unseen"), {"seat": str(winner + 1)})
    template = gettext_noop("Seat %(seat)s wins with: %(hand)s")
    return Message(template, {"seat": str(winner + 1), "hand": Word(NAMES[shown])})


_PHASES: Final = {
    play.FIRST: gettext_noop("Fold, straddle or open"),
    play.SECOND: gettext_noop("Open or fold"),
    play.BETTING: gettext_noop("Fold, call or raise"),
    play.CIRCLE: gettext_noop("Stakes are equal: stand, or raise"),
}


def _label(token: str, played: play.State) -> Message:
    if token == play.CALL and played.now.phase == play.CIRCLE:
        return Message(gettext_noop("Stand"))
    if token == play.CALL and played.place is not None and played.now.phase == play.BETTING:
        return Message(gettext_noop("Call: %(more)d"), {"more": played.due - played.now.put[played.place]})
    if token in _SPOKEN:
        return Message(_SPOKEN[token][0])
    return Message(_STAKED[token[0]][0], {"points": token[1:]})


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    own = str(place + 1)
    is_seen = own == seat or place in played.shown
    return SeatZone(
        own,
        HAND,
        played.setting.hands[place] if is_seen else (),
        stake=played.now.put[place],
        calls=tuple(_by(place, played)),
        is_in=place not in played.now.folded,
    )


def _by(place: int, played: play.State) -> list[str]:
    """What that place has said."""
    state, found = play.begun(played.setting), []
    for token in played.history:
        found += [token] if state.place == place else []
        state = state.after(token)
    return found


def _barred(played: play.State) -> tuple[Call, ...]:
    """What somebody might expect to say, and why not: BO4, BO9, BO12."""
    phase = played.now.phase
    expected = {
        play.FIRST: (play.CALL,),
        play.SECOND: (play.STRADDLE, play.CALL),
        play.BETTING: (f"{play.RAISE}1",),
        play.CIRCLE: (play.FOLD,),
    }[phase]
    return tuple(Call(token, _label(token, played)) for token in expected if token not in played.legal())


BOUILLOTTE: Final = BouillotteGame()
