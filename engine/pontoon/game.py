"""Pontoon as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.errors import DealError, OptionError
from engine.game import CheckedSheet, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.individuals import TWICE_EACH, IndividualGame, equal_deals_field
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal, check_totals, with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.packs import Dealt
from engine.pontoon import play
from engine.pontoon.for_learners import help_of
from engine.pontoon.novice import NOVICE
from engine.pontoon.play import BET, BUY, PACK, SPLIT, STICK, TWIST, Hand
from engine.pontoon.records import fault_of_total, next_banker, odd, read_written, written
from engine.pontoon.sampling import SAMPLING, shape_of
from engine.text import Message, Word, gettext_noop

#: PN15.
BY_BOARD, BY_PONTOON = "board", "pontoon"
_MOST: Final = 100
_OPTIONS: Final = (
    equal_deals_field(TWICE_EACH),
    OptionField(
        "min",
        Kind.NUMBER,
        1,
        Word(gettext_noop("Lowest stake")),
        Word(gettext_noop("What a player stakes at least.")),
        minimum=1,
        maximum=_MOST,
    ),
    OptionField(
        "max",
        Kind.NUMBER,
        5,
        Word(gettext_noop("Highest stake")),
        Word(gettext_noop("What a player stakes at most.")),
        minimum=1,
        maximum=_MOST,
    ),
    OptionField(
        "bank",
        Kind.CHOICE,
        BY_BOARD,
        Word(gettext_noop("The bank")),
        Word(gettext_noop("Who is banker: each in turn, or who had a pontoon.")),
        choices=(
            (BY_BOARD, Word(gettext_noop("Each in turn"))),
            (BY_PONTOON, Word(gettext_noop("Who had a pontoon"))),
        ),
    ),
)
_SPOKEN: Final = {
    STICK: (gettext_noop("Stick"), gettext_noop("sticks")),
    TWIST: (gettext_noop("Twist"), gettext_noop("twists")),
    SPLIT: (gettext_noop("Split"), gettext_noop("splits")),
}
_AMOUNTS: Final = {
    BET: (gettext_noop("Stake %(points)s"), gettext_noop("stakes %(points)s")),
    BUY: (gettext_noop("Buy for %(points)s"), gettext_noop("buys for %(points)s")),
}


class PontoonGame(IndividualGame[play.State]):
    """Pontoon for two to eight: one is the banker."""

    key = "pontoon"
    name = Word(gettext_noop("Pontoon"))
    players = range(2, 9)
    goes_below_zero = True
    fields = _OPTIONS
    state_type = play.State
    deals_each = 2
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, playouts=300))

    def read_options(self, data: object) -> dict[str, Json]:
        """PN4, PN15."""
        chosen: dict[str, Any] = super().read_options(data)
        if chosen["min"] > chosen["max"]:
            template = gettext_noop("The lowest stake can’t be above the highest.")
            raise OptionError("option-value", template, place=("min",))
        return chosen

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """PN3."""
        return str(Dealt(((),) * len(self.seats(players)), tuple(rng.sample(PACK, len(PACK)))))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """PN18: all 52 cards. ``start`` plays any pack that has enough of them."""
        dealt = play.read(text, len(self.seats(players)))
        if len(dealt.stock) < len(PACK):
            raise DealError("deal", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
        return str(dealt)

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """PN4."""
        return play.start(text, players, dealer, options["min"], options["max"])

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """PN15: the bank may pass to who had a pontoon; where a written deal doesn't tell, it goes round."""
        result = super().match(scores, options, players)
        if result.is_over or not result.counted or self.read_options(options)["bank"] == BY_BOARD:
            return result
        last: Mapping[str, Any] = scores[result.counted - 1].as_json()
        told = last.get("next_bank") or next_banker(last, self.seats(players))
        return replace(result, next_dealer=told)

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """PN16."""
        played = self.own(state)
        now, setting = played.now, played.setting
        legal = played.legal() if seat is not None and seat == played.turn else ()
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(setting.players)),
            stock=len(now.pack),
            layout=_layout(played) if legal else (),
            calls=tuple(Call(token, _label(token)) for token in legal),
            barred=_barred(played) if legal else (),
            help=help_of(played, is_mine=bool(legal)),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
            options=(
                ("min", setting.least),
                ("max", setting.most),
                ("drawn", _drawn(played, seat)),
                ("shape", shape_of(played)),
            ),
        )

    def calls(self) -> tuple[str, ...]:
        """PN18."""
        amounts = (f"{word}{k}" for word in _AMOUNTS for k in range(1, _MOST + 1))
        return (*_SPOKEN, *amounts)

    def call_in_words(self, token: str) -> Message | None:
        """PN18."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        if token[:3] in _AMOUNTS and token[3:].isdecimal():
            return Message(_AMOUNTS[token[:3]][1], {"points": token[3:]})
        return super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """PN19."""
        return written(self.own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """PN19 to PN22."""
        return read_written(data, self.seats(players), None)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """PN19 to PN22."""
        seats, chosen = self.seats(players), self.read_options(options)
        is_by_board = chosen["bank"] == BY_BOARD

        def read(data: object, number: int) -> WrittenDeal:
            banker = self.dealer_after(first_dealer, number, players) if is_by_board else None
            return read_written(data, seats, chosen, banker)

        checked = check_totals(
            content,
            read,
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(replace(checked, problems=(*checked.problems, *odd(checked))))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """PN20."""
        return fault_of_total(total)


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    return Message(
        {
            play.BETTING: gettext_noop("Stake on your first card"),
            play.PUNTERS: gettext_noop("Stick, twist or buy"),
            play.BANKER: gettext_noop("The banker plays"),
        }[played.now.phase]
    )


def _layout(played: play.State) -> tuple[tuple[str, ...], ...]:
    """The hand that is being played, for who plays it and has more than one."""
    place = played.place or 0
    has_more = len(played.now.hands[place]) + len(played.now.busted[place]) > 1
    return (played.hand.cards,) if has_more else ()


def _sees_all(played: play.State, place: int, seat: str | None) -> bool:
    """PN16: one's own cards; the banker's once the punters are done; all at the end."""
    if place == played.setting.dealer:
        return played.now.phase in {play.BANKER, play.OVER}
    return played.is_over or str(place + 1) == seat


def _seen(hand: Hand, *, is_all: bool) -> tuple[str, ...]:
    return tuple(card for at, card in enumerate(hand.cards) if is_all or hand.open >> at & 1)


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    own, busted = played.now.hands[place], played.now.busted[place]
    is_all = _sees_all(played, place, seat)
    rows = [_seen(hand, is_all=is_all) for hand in own] + [hand.cards for hand in busted]
    is_plain = len(rows) == 1
    if played.now.phase == play.BETTING:
        at = played.setting.punters.index(place) if place != played.setting.dealer else len(played.now.stakes)
        stake = played.now.stakes[at] if at < len(played.now.stakes) else 0
    else:
        stake = sum(hand.stake for hand in (*own, *busted))
    hidden = sum(len(hand.cards) for hand in (*own, *busted)) - sum(map(len, rows))
    return SeatZone(
        str(place + 1),
        hidden + (len(rows[0]) if is_plain else 0),
        rows[0] if is_plain else (),
        melds=() if is_plain else tuple(filter(None, rows)),
        stake=stake,
        is_in=bool(own),
        notes=tuple(note_of(hand) for hand in (*own, *busted) if is_all or hand in busted),
    )


def note_of(hand: Hand) -> Message:
    """What a hand is called, or counts."""
    return Message(_KINDS[hand.kind], {"total": hand.total})


_KINDS: Final = {
    play.PONTOON: gettext_noop("pontoon"),
    play.FIVE: gettext_noop("five-card trick"),
    play.PLAIN: gettext_noop("total %(total)d"),
    play.BUST: gettext_noop("bust"),
}


def _drawn(played: play.State, seat: str | None) -> tuple[str, ...]:
    """The cards that were drawn, in their order; those that the viewer has not seen as empty texts."""
    now, seen = played.now, set[str]()
    for place in range(played.setting.players):
        is_all = _sees_all(played, place, seat)
        seen |= {card for hand in now.hands[place] for card in _seen(hand, is_all=is_all)}
        seen |= {card for hand in now.busted[place] for card in hand.cards}
    return tuple(card if card in seen else "" for card in played.setting.pack[: now.drawn])


def _barred(played: play.State) -> tuple[Call, ...]:
    """PN9, PN11, PN17: what the hand that is being played can no longer do, or not yet."""
    if played.now.phase != play.PUNTERS:
        return ()
    legal = played.legal()
    words = {token[:3] if token.startswith(BUY) else token for token in legal}
    buy = f"{BUY}{played.first_stake(played.place or 0)}"
    return tuple(
        Call(token, _label(token))
        for word, token in ((TWIST, TWIST), (BUY, buy), (SPLIT, SPLIT))
        if word not in words
    )


def _label(token: str) -> Message:
    if token in _SPOKEN:
        return Message(_SPOKEN[token][0])
    return Message(_AMOUNTS[token[:3]][0], {"points": token[3:]})


PONTOON: Final = PontoonGame()
