"""Écarté as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.ecarte import play
from engine.ecarte.for_learners import HELP, help_on_turn
from engine.ecarte.match import fault_of_total, match_result
from engine.ecarte.novice import NOVICE
from engine.ecarte.play import (
    ACCEPT,
    ANSWER,
    CARDS,
    DISCARD,
    EXCHANGE,
    KING,
    PLAY,
    PROPOSE,
    REFUSE,
    SEATS,
    TRICK,
    TRICKS,
)
from engine.ecarte.records import Written, read_written, with_sheet_checks, written
from engine.ecarte.sampling import SAMPLING
from engine.errors import ActionError, OptionError, RecordError
from engine.game import CheckedSheet, Game, Json, Kind, MatchResult, OptionField, Options, Points, Score
from engine.game import values as seam
from engine.game.boards import PackBoards
from engine.game.matches import deals_or_target
from engine.game.searching import Searcher
from engine.game.sheets import check_totals, with_repeats
from engine.game.zones import Call, Composition, SeatZone, Zones
from engine.packs import deal_out, in_order
from engine.text import Message, Word, gettext_noop

#: So many deals a match on common boards has where nobody says how many.
ON_BOARDS: Final = 12
_OPTIONS: Final = (
    OptionField(
        "target",
        Kind.NUMBER,
        5,
        Word(gettext_noop("Target")),
        Word(
            gettext_noop("The first player to reach it wins the match. 0: a fixed number of deals is played.")
        ),
        maximum=100,
    ),
    OptionField(
        "games",
        Kind.NUMBER,
        1,
        Word(gettext_noop("Games to win")),
        Word(
            gettext_noop(
                "How many games to the target win the match: 1 is a single game, 3 the best of five."
            )
        ),
        minimum=1,
        maximum=4,
    ),
    OptionField(
        "deals",
        Kind.NUMBER,
        0,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("How many deals a match has, all of them played. 0: it goes to a target.")),
        maximum=100,
    ),
)
_SPOKEN: Final = {
    PLAY: (gettext_noop("Play"), gettext_noop("plays without an exchange")),
    PROPOSE: (gettext_noop("Propose"), gettext_noop("proposes an exchange")),
    ACCEPT: (gettext_noop("Accept"), gettext_noop("accepts")),
    REFUSE: (gettext_noop("Refuse"), gettext_noop("refuses")),
    KING: (gettext_noop("Show the king"), gettext_noop("shows the king of trumps")),
}


class EcarteGame(Game):
    """Écarté, from the text of Denexa."""

    key = "ecarte"
    name = Word(gettext_noop("Écarté"))
    players = range(2, 3)
    ranks = "KQJAT987"
    carried = ("before",)
    preset: Mapping[str, Json] = {"games": 3}
    boards = PackBoards(
        CARDS.pack, SEATS, (TRICKS,) * 2, no_target={"deals": ON_BOARDS, "target": 0, "games": 1}
    )
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING))

    def options(self) -> tuple[OptionField, ...]:
        """EC15, EC16."""
        return _OPTIONS

    def read_options(self, data: object) -> dict[str, Json]:
        """EC15, EC16: with the points before the deal, where they are given."""
        before = data.get("before") if isinstance(data, Mapping) else None
        given = {name: data[name] for name in data if name != "before"} if isinstance(data, Mapping) else data
        chosen: dict[str, Any] = deals_or_target(_OPTIONS, given)
        if chosen["deals"] and chosen["games"] > 1:
            template = gettext_noop("Several games need a target: with a number of deals there is one game.")
            raise OptionError("option-value", template, place=("games",), given=chosen["games"])
        if before is None:
            return chosen
        is_good = isinstance(before, Mapping) and set(before) == set(SEATS)
        if not is_good or any(
            type(points) is not int or not 0 <= points < chosen["target"] for points in before.values()
        ):
            template = gettext_noop("“%(given)s” aren’t the totals of the two sides.")
            raise OptionError("option-value", template, place=("before",), given=before)
        return {**chosen, "before": dict(before)}

    def deals_in_match(self, options: Options) -> int | None:
        """EC16."""
        deals = self.read_options(options)["deals"]
        return deals if isinstance(deals, int) and deals else None

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """EC3."""
        return str(deal_out(rng.sample(CARDS.pack, len(CARDS.pack)), (TRICKS,) * 2))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """EC19."""
        return str(play.read(text))

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> play.State:
        """EC5; in a match to a target as far as the marks can still matter (EC15)."""
        chosen: dict[str, Any] = self.read_options(options)
        before = chosen.get("before")
        if before is None:
            return play.start(deal, dealer)
        one, two = (chosen["target"] - before[seat] for seat in SEATS)
        return play.start(deal, dealer, (one, two), (before[SEATS[0]], before[SEATS[1]]))

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """EC17."""
        played = _own(state)
        is_mine = seat is not None and seat == played.turn
        now, legal = played.now, played.legal() if is_mine else ()
        is_exchanging = now.phase == EXCHANGE
        hand = in_order(CARDS.cards_in(now.hands[now.turn]))
        most = min(TRICKS, played.left)
        return Zones(
            seat=seat,
            dealer=SEATS[played.setting.dealer],
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, each, is_own=each == seat) for each in SEATS),
            trick=_trick(played),
            stock=played.left,
            upcard=played.setting.up,
            trump=played.setting.up[1],
            cards=in_order(token for token in legal if token in CARDS.number),
            calls=tuple(Call(token, Message(_SPOKEN[token][0])) for token in legal if token in _SPOKEN),
            compositions=(Composition(DISCARD, Message(gettext_noop("Exchange")), hand, 0, most),)
            if legal and is_exchanging
            else (),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=_seen(played, seat),
            help=() if played.is_over else (*(help_on_turn(played) if is_mine else ()), *HELP),
            barred=_barred(played) if is_mine else (),
            options=(("wanted", played.setting.wanted), ("before", played.setting.before)),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """EC17: of a discard others see how many cards."""
        if token[:1] != DISCARD or (seat is not None and seat == state.turn):
            return token
        return f"{DISCARD}{len(token) // 2}"

    def calls(self) -> tuple[str, ...]:
        """EC5, EC10."""
        return tuple(_SPOKEN)

    def call_in_words(self, token: str) -> Message | None:
        """EC5, EC6, EC10."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        if token[:1] != DISCARD:
            return super().call_in_words(token)
        count = int(token[1:]) if token[1:].isdigit() else len(token) // 2
        if count == 0:
            return Message(gettext_noop("exchanges nothing"))
        if count == 1:
            return Message(gettext_noop("exchanges a card"))
        return Message(gettext_noop("exchanges %(count)d cards"), {"count": count})

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """EC21."""
        return written(_own(state))

    def score_of(self, data: Mapping[str, Json], players: int | None = None) -> Score:
        """EC14: the marks are enough."""
        marks = data.get("marks")
        if marks is None:
            return super().score_of(data, players)
        if not isinstance(marks, list) or not all(
            isinstance(mark, list) and len(mark) == 3 and mark[0] in SEATS and type(mark[2]) is int
            for mark in marks
        ):
            template = gettext_noop("Marks must be a list of [seat, why, points].")
            raise RecordError("marks", template, place=("marks",))
        total = {seat: sum(points for by, _why, points in marks if by == seat) for seat in SEATS}
        return Points(total, {name: value for name, value in data.items() if name not in SEATS})

    def read_result(self, data: object, players: int | None = None) -> Written:
        """EC21 to EC24."""
        return read_written(data)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """EC21 to EC24: the deal alternates."""
        chosen: dict[str, Any] = self.read_options(options)
        checked = check_totals(
            content,
            lambda data, number: read_written(data, self.dealer_after(first_dealer, number)),
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(
            with_sheet_checks(checked, lambda scores: self.match(scores, options, players), chosen["target"])
        )

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """EC13, EC22."""
        return fault_of_total(total)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """EC15, EC16."""
        chosen: dict[str, Any] = self.read_options(options)
        return match_result(scores, deals=chosen["deals"], target=chosen["target"], games=chosen["games"])


def _phase(played: play.State) -> Message:
    now = played.now
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    if now.phase == TRICK:
        return Message(gettext_noop("Trick %(number)d"), {"number": len(now.won) + 1})
    if now.phase == EXCHANGE:
        return Message(gettext_noop("Choose the cards to exchange"))
    if now.phase == ANSWER:
        return Message(gettext_noop("An exchange is proposed"))
    return Message(gettext_noop("Exchange cards, or play?"))


def _barred(played: play.State) -> tuple[Call, ...]:
    """EC10: the king of trumps that the seat on turn holds, but can no longer show."""
    try:
        played.verify(KING)
    except ActionError as error:
        holds_king = played.now.hands[played.now.turn] & played.king
        return (Call(KING, Message(_SPOKEN[KING][0])),) if error.code == "too-late" and holds_king else ()
    return ()


def _zone(played: play.State, seat: str, *, is_own: bool) -> SeatZone:
    """A seat's cards; a king that was shown lies open until it is played."""
    place = SEATS.index(seat)
    hand = played.now.hands[place]
    king = CARDS.cards_in(hand & played.king) if played.now.king == place else ()
    return SeatZone(
        seat,
        hand.bit_count(),
        in_order(CARDS.cards_in(hand)) if is_own else (),
        melds=(king,) if king else (),
        tricks=played.now.won.count(place),
        points=played.setting.before[place] + played.counting[place],
    )


def _trick(played: play.State) -> tuple[tuple[str, str], ...]:
    """The trick on the table."""
    now = played.now
    return ((SEATS[1 - now.turn], CARDS.cards[now.led]),) if now.led >= 0 else ()


def _seen(played: play.State, seat: str | None) -> tuple[str, ...]:
    """Every action as that seat has seen it: the discards go in turns, the non-dealer's first."""
    found, turn = [], 1 - played.setting.dealer
    for token in played.history:
        if token[:1] == DISCARD:
            found.append(token if seat == SEATS[turn] else f"{DISCARD}{len(token) // 2}")
            turn = 1 - turn
        else:
            found.append(token)
    return tuple(found)


def _own(state: seam.State) -> play.State:
    """What comes back over the seam is what was given out."""
    if not isinstance(state, play.State):
        raise TypeError(state)
    return state


ECARTE: Final = EcarteGame()
