"""Primiera and Primero as the rest of the service knows them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from engine.game import CheckedSheet, Json, Kind, OptionField, Options
from engine.game import values as seam
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal
from engine.game.zones import Call, Composition, SeatZone, Zones
from engine.packs import deal_out
from engine.primiera import drawing, play, vying
from engine.primiera.drawing import DISCARD, seen_discard
from engine.primiera.for_learners import primero_help, primiera_help
from engine.primiera.hands import HAND, NAMES, PACK
from engine.primiera.novice import PrimeroNovice, PrimieraNovice
from engine.primiera.records import PRIMERO_SHEET, PRIMIERA_SHEET, Sheet
from engine.primiera.sampling import PRIMERO_SAMPLING, PRIMIERA_SAMPLING
from engine.text import Message, Word, gettext_noop
from engine.vying.pots import PotGame, ante_field, deals_field

StateT = TypeVar("StateT", play.State, vying.State)

_PRIMIERA_OPTIONS: Final = (
    deals_field(12),
    ante_field(10),
    OptionField(
        "second_stake",
        Kind.NUMBER,
        0,
        Word(gettext_noop("Second stake")),
        Word(gettext_noop("How many points everybody pays at each draw.")),
        maximum=10,
    ),
    OptionField(
        "draws",
        Kind.NUMBER,
        1,
        Word(gettext_noop("Draws")),
        Word(gettext_noop("How often cards are exchanged in a deal.")),
        minimum=1,
        maximum=3,
    ),
    OptionField(
        "best_suit",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Best suit")),
        help=Word(gettext_noop("Flushes and fifty-fives go by suit first: hearts, diamonds, clubs, spades.")),
    ),
    OptionField(
        "sets",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Sets")),
        help=Word(gettext_noop("Three or four of a kind rank as a primiera.")),
    ),
)
_PRIMERO_OPTIONS: Final = (
    deals_field(12),
    ante_field(10),
    OptionField(
        "limit",
        Kind.NUMBER,
        3,
        Word(gettext_noop("Limit")),
        Word(gettext_noop("How many points may be staked at a time.")),
        minimum=1,
        maximum=10,
    ),
    OptionField(
        "raises",
        Kind.NUMBER,
        3,
        Word(gettext_noop("Raises")),
        Word(gettext_noop("How many stakes and raises a deal has at most.")),
        minimum=1,
        maximum=6,
    ),
)


class _FourCards(PotGame[StateT]):
    """What the two games do alike."""

    ranks = "76A5432KQJ"
    sheet: Sheet

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """PM3, PR2."""
        return str(deal_out(rng.sample(PACK, len(PACK)), (HAND,) * len(self.seats(players))))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """PM3, PR2."""
        return str(drawing.read(text, len(self.seats(players))))

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """PM20, PR11: of a discard others see how many cards."""
        is_own = seat is not None and seat == state.turn
        return token if is_own or token[:1] != DISCARD else seen_discard(token)

    def read_written(
        self, data: object, seats: Sequence[str], options: Mapping[str, Any] | None, pot: int | None
    ) -> WrittenDeal:
        """PM22, PR13."""
        return self.sheet.read(data, seats, options, pot)

    def with_sheet_checks(self, checked: CheckedSheet, seats: Sequence[str]) -> CheckedSheet:
        """PM22, PR13."""
        return replace(checked, problems=(*checked.problems, *self.sheet.odd(checked)))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """PM18, PR9."""
        return self.sheet.fault_of_total(total)


class PrimieraGame(_FourCards[play.State]):
    """Primiera, each alone."""

    key = "primiera"
    name = Word(gettext_noop("Primiera"))
    players = range(3, 9)
    fields = _PRIMIERA_OPTIONS
    preset: Mapping[str, Json] = {"second_stake": 1}
    state_type = play.State
    sampling = PRIMIERA_SAMPLING
    robots = (PrimieraNovice(), Searcher(PRIMIERA_SAMPLING, playouts=400))
    sheet = PRIMIERA_SHEET

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """PM3."""
        names = ("ante", "second_stake", "draws", "best_suit", "sets")
        rules = play.Rules(*(options[name] for name in names))
        return play.start(text, players, dealer, rules, options.get("pot", 0))

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """PM20."""
        played = self.own(state)
        now, setting = played.now, played.setting
        legal = played.legal() if seat is not None and seat == played.turn else ()
        seats = len(setting.hands)
        history = _seen(played.history, setting.dealer, seats, seat)
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_primiera_phase(played),
            seats=tuple(_primiera_zone(played, place, seat, history) for place in range(seats)),
            stock=len(now.drawn.stock),
            pot=played.pot,
            calls=tuple(Call(token, Message(_CLAIMS[token][0])) for token in legal if token in _CLAIMS),
            compositions=_exchange(legal, now.drawn, played.place, least=1),
            barred=_unclaimed(legal, played),
            help=() if played.is_over else primiera_help(played, is_mine=bool(legal)),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=history,
            options=(
                ("ante", setting.rules.ante),
                ("second_stake", setting.rules.second_stake),
                ("draws", setting.rules.draws),
                ("best_suit", setting.rules.best_suit),
                ("sets", setting.rules.sets),
                ("pot", setting.pot),
            ),
        )

    def calls(self) -> tuple[str, ...]:
        """PM21."""
        return tuple(_CLAIMS)

    def call_in_words(self, token: str) -> Message | None:
        """PM21."""
        if token in _CLAIMS:
            return Message(_CLAIMS[token][1])
        return _exchanged(token) or super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """PM22."""
        return self.sheet.written(self.own(state))


class PrimeroGame(_FourCards[vying.State]):
    """Primero, each alone."""

    key = "primero"
    name = Word(gettext_noop("Primero"))
    players = range(2, 7)
    fields = _PRIMERO_OPTIONS
    state_type = vying.State
    sampling = PRIMERO_SAMPLING
    robots = (PrimeroNovice(), Searcher(PRIMERO_SAMPLING))
    sheet = PRIMERO_SHEET

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> vying.State:
        """PR2."""
        rules = vying.Rules(options["ante"], options["limit"], options["raises"])
        return vying.start(text, players, dealer, rules, options.get("pot", 0))

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """PR11."""
        played = self.own(state)
        now, setting = played.now, played.setting
        legal = played.legal() if seat is not None and seat == played.turn else ()
        seats = len(setting.hands)
        history = _seen(played.history, setting.dealer, seats, seat)
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_primero_phase(played),
            seats=tuple(_primero_zone(played, place, seat, history) for place in range(seats)),
            stock=len(now.drawn.stock),
            pot=played.pot,
            calls=tuple(_stake_call(token, played) for token in legal if token[:1] != DISCARD),
            compositions=_exchange(legal, now.drawn, played.place, least=1),
            barred=_unsaid(legal, played),
            help=() if played.is_over else primero_help(played, is_mine=bool(legal)),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=history,
            options=(
                ("ante", setting.rules.ante),
                ("limit", setting.rules.limit),
                ("raises", setting.rules.raises),
                ("pot", setting.pot),
            ),
        )

    def calls(self) -> tuple[str, ...]:
        """PR12."""
        return (vying.WAIT, vying.MATCH, vying.FOLD, *(f"{vying.STAKE}{k}" for k in range(1, 11)))

    def call_in_words(self, token: str) -> Message | None:
        """PR12."""
        if token in _SAID:
            return Message(_SAID[token][1])
        if token[:1] == vying.STAKE and token[1:].isdecimal():
            return Message(gettext_noop("stakes %(points)s more"), {"points": token[1:]})
        return _exchanged(token) or super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """PR13."""
        return self.sheet.written(self.own(state))


_CLAIMS: Final = {
    play.CLAIM: (gettext_noop("Claim"), gettext_noop("claims the pot")),
    play.NOTHING: (gettext_noop("Pass"), gettext_noop("passes")),
}
_SAID: Final = {
    vying.WAIT: (gettext_noop("Wait"), gettext_noop("waits")),
    vying.MATCH: (gettext_noop("Match"), gettext_noop("matches the stake")),
    vying.FOLD: (gettext_noop("Fold"), gettext_noop("folds")),
}


def _unclaimed(legal: Sequence[str], played: play.State) -> tuple[Call, ...]:
    """PM10: a claim without a winning hand."""
    if not legal or play.CLAIM in legal or played.now.phase != play.CLAIMS:
        return ()
    return (Call(play.CLAIM, Message(_CLAIMS[play.CLAIM][0])),)


def _unsaid(legal: Sequence[str], played: vying.State) -> tuple[Call, ...]:
    """PR6: waiting while something is due, folding while nothing is, and a raise too many."""
    if not legal or played.is_drawing:
        return ()
    expected = (vying.WAIT if played.due else vying.FOLD, f"{vying.STAKE}1")
    return tuple(_stake_call(token, played) for token in expected if token not in legal)


def _seen(history: Sequence[str], dealer: int, players: int, seat: str | None) -> tuple[str, ...]:
    """Every action as that seat sees it: everybody draws once in each round, in turn."""
    return tuple(
        token
        if token[:1] != DISCARD or seat == str((dealer + 1 + number) % players + 1)
        else seen_discard(token)
        for number, token in enumerate(history)
    )


def _exchange(
    legal: Sequence[str], drawn: drawing.Drawn, place: int | None, *, least: int
) -> tuple[Composition, ...]:
    if place is None or not any(token[:1] == DISCARD for token in legal):
        return ()
    hand, most = drawn.hands[place], min(HAND, len(drawn.stock))
    return (Composition(DISCARD, Message(gettext_noop("Exchange")), hand, least, most),)


def _exchanged(token: str) -> Message | None:
    if token[:1] != DISCARD or len(token) < 2:
        return None
    count = drawing.count_of(token)
    if count == 1:
        return Message(gettext_noop("exchanges a card"))
    return Message(gettext_noop("exchanges %(count)d cards"), {"count": count})


def _primiera_phase(played: play.State) -> Message:
    if played.is_over:
        _outcome, winner = played.best
        shown = played.score().detail["with"]
        if winner is None:
            return Message(gettext_noop("Level: the pot stays"))
        template = gettext_noop("Seat %(seat)s wins with: %(hand)s")
        return Message(template, {"seat": str(winner + 1), "hand": Word(NAMES[str(shown)])})
    if played.now.phase == play.DRAW:
        return Message(gettext_noop("Choose the cards to exchange"))
    return Message(gettext_noop("Who claims the pot?"))


def _primiera_zone(played: play.State, place: int, seat: str | None, history: Sequence[str]) -> SeatZone:
    own, now = str(place + 1), played.now
    is_shown = own == seat or place in now.claims or (played.is_over and not now.claims)
    players = len(played.setting.hands)
    done = tuple(
        token
        for number, token in enumerate(history)
        if (played.setting.dealer + 1 + number) % players == place
    )
    hand = now.drawn.hands[place]
    return SeatZone(own, HAND, hand if is_shown else (), stake=played.paid, calls=done)


def _primero_phase(played: vying.State) -> Message:
    if played.is_over:
        outcome, winner = played.best
        if winner is None:
            return Message(gettext_noop("Level: the pot stays"))
        if outcome == vying.UNSEEN:
            return Message(gettext_noop("Seat %(seat)s wins unseen"), {"seat": str(winner + 1)})
        shown = Word(NAMES[str(played.score().detail["with"])])
        template = gettext_noop("Seat %(seat)s wins with: %(hand)s")
        return Message(template, {"seat": str(winner + 1), "hand": shown})
    if played.is_drawing:
        return Message(gettext_noop("Choose the cards to exchange"))
    return Message(gettext_noop("Stakes"))


def _primero_zone(played: vying.State, place: int, seat: str | None, history: Sequence[str]) -> SeatZone:
    own, now, _players = str(place + 1), played.now, len(played.setting.hands)
    is_open = played.is_over and place in played.staying and len(played.staying) > 1
    return SeatZone(
        own,
        HAND,
        now.drawn.hands[place] if own == seat or is_open else (),
        stake=played.setting.rules.ante + now.put[place],
        calls=tuple(_by(place, history, played)),
        is_in=place not in now.folded,
    )


def _by(place: int, history: Sequence[str], played: vying.State) -> list[str]:
    """What that place has done."""
    players, turn = len(played.setting.hands), (played.setting.dealer + 1) % len(played.setting.hands)
    folded: set[int] = set()
    found = []
    for number, token in enumerate(history):
        found += [token] if turn == place else []
        folded |= {turn} if token == vying.FOLD and number >= players else set()
        follow = ((turn + step) % players for step in range(1, players + 1))
        turn = next((each for each in follow if each not in folded), turn)
    return found


def _stake_call(token: str, played: vying.State) -> Call:
    if played.is_drawing:
        return Call(token, Message(gettext_noop("Exchange nothing")))
    if token == vying.MATCH:
        return Call(token, Message(gettext_noop("Match %(due)d"), {"due": played.due}))
    if token in _SAID:
        return Call(token, Message(_SAID[token][0]))
    template = gettext_noop("Raise by %(points)s") if played.due else gettext_noop("Stake %(points)s")
    return Call(token, Message(template, {"points": token[1:]}))


PRIMIERA: Final = PrimieraGame()
PRIMERO: Final = PrimeroGame()
