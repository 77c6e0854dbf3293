"""Twenty Down as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.game import CheckedSheet, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.individuals import IndividualGame, cards_among
from engine.game.matches import sum_of_deals
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal, check_totals, with_repeats
from engine.game.zones import Call, Composition, SeatZone, Zones
from engine.packs import in_order
from engine.text import Message, Word, gettext_noop
from engine.twenty_down import play
from engine.twenty_down.for_learners import HELP, help_on_table, help_on_turn
from engine.twenty_down.novice import NOVICE
from engine.twenty_down.play import CARDS, DISCARD, FIRST, IN, KEEP, OUT, PLAYERS, TRICKS
from engine.twenty_down.records import LATE_FROM, fault_of_total, read_written, with_sheet_checks, written
from engine.twenty_down.sampling import SAMPLING

_OPTIONS: Final = (
    OptionField(
        "start",
        Kind.NUMBER,
        20,
        Word(gettext_noop("Points at first")),
        Word(gettext_noop("With how many points everybody begins. Who first has none left wins.")),
        minimum=10,
        maximum=40,
    ),
    OptionField(
        "deals",
        Kind.NUMBER,
        24,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("How many deals a match has at most; then the lowest total wins.")),
        minimum=1,
        maximum=60,
    ),
)
_LATE: Final = OptionField(
    "late",
    Kind.YES_NO,
    default=False,
    label=Word(gettext_noop("Late deal")),
    help=Word(gettext_noop("From the ninth deal on hearts are trumps and everybody is in.")),
)
#: The searcher's budget for one decision at a table.
PLAYOUTS: Final = 300
_SPOKEN: Final = {
    "s": (gettext_noop("Spades"), gettext_noop("names spades as trumps")),
    "h": (gettext_noop("Hearts"), gettext_noop("names hearts as trumps")),
    "d": (gettext_noop("Diamonds"), gettext_noop("names diamonds as trumps")),
    "c": (gettext_noop("Clubs"), gettext_noop("names clubs as trumps")),
    KEEP: (gettext_noop("Exchange nothing"), gettext_noop("exchanges nothing")),
    IN: (gettext_noop("In"), gettext_noop("is in")),
    OUT: (gettext_noop("Out"), gettext_noop("is out")),
}


class TwentyDownGame(IndividualGame[play.State]):
    """Twenty Down for four, each alone; points are counted down."""

    key = "twenty-down"
    name = Word(gettext_noop("Twenty Down"))
    players = range(PLAYERS, PLAYERS + 1)
    goes_below_zero = True
    ranks = "AKQJT987"
    fields = _OPTIONS
    deal_fields = (_LATE,)
    carried = ("late",)
    lower_is_better = True
    state_type = play.State
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, lower_is_better=True, playouts=PLAYOUTS))

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """TD2."""
        cards = rng.sample(CARDS.cards, len(CARDS.cards))
        hands = [cards[TRICKS * at : TRICKS * (at + 1)] for at in range(PLAYERS)]
        first = tuple(in_order(hand[:FIRST]) for hand in hands)
        second = tuple(in_order(hand[FIRST:]) for hand in hands)
        return str(play.Setting(first, second, tuple(cards[TRICKS * PLAYERS :]), 0, late=False))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """TD2."""
        return str(play.read(text, 0, late=False))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """TD3, TD13."""
        return play.begun(play.read(text, dealer, late=options.get("late", False)))

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """TD12 to TD15: totals count down from what everybody begins with."""
        chosen: dict[str, Any] = self.read_options(options)
        result = sum_of_deals(
            scores, self.seats(), deals=chosen["deals"], target=-chosen["start"], lower_is_better=True
        )
        total = {seat: chosen["start"] + points for seat, points in result.points.items()}
        is_late = result.counted >= LATE_FROM
        return replace(
            result,
            points=total,
            total=total,
            next_options={"late": True} if is_late and not result.is_over else {},
            detail={"late_next": is_late},
        )

    def drawn(self, state: seam.State, chance: float) -> str:
        """TD4: an exchange is found without listing all."""
        return self.own(state).at(chance)

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """TD16."""
        played = self.own(state)
        now, setting = played.now, played.setting
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        history = _seen(played, seat)
        hand = now.hands[now.turn]
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(PLAYERS)),
            trick=tuple((str(place + 1), card) for place, card in now.trick),
            stock=len(now.stock),
            trump=now.trump,
            cards=cards_among(legal),
            calls=tuple(Call(token, Message(_SPOKEN[token][0])) for token in legal if token in _SPOKEN),
            compositions=(
                Composition(DISCARD, Message(gettext_noop("Exchange")), hand, 1, play.MOST_DISCARDED),
            )
            if legal and now.phase == play.DRAW
            else (),
            help=()
            if played.is_over
            else (*(help_on_turn(played) if is_mine else ()), *help_on_table(played), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=history,
            options=(("late", setting.late), ("tricks", _tricks(played))),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """TD16: of a discard others see how many cards."""
        if token[:1] != DISCARD or (seat is not None and seat == state.turn):
            return token
        return f"{DISCARD}{len(token) // 2}"

    def calls(self) -> tuple[str, ...]:
        """TD17."""
        return tuple(_SPOKEN)

    def call_in_words(self, token: str) -> Message | None:
        """TD17."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        if token[:1] != DISCARD:
            return super().call_in_words(token)
        count = int(token[1:]) if token[1:].isdigit() else len(token) // 2
        if count == 1:
            return Message(gettext_noop("exchanges a card"))
        return Message(gettext_noop("exchanges %(count)d cards"), {"count": count})

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """TD18."""
        return written(self.own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """TD18."""
        return read_written(data, is_late=None)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """TD18."""
        start: Any = self.read_options(options)["start"]
        checked = check_totals(
            content,
            lambda data, number: read_written(
                data, is_late=number >= LATE_FROM, dealer=self.dealer_after(first_dealer, number)
            ),
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(with_sheet_checks(checked, start))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """TD10, TD11, TD18."""
        return fault_of_total(total)


def _seen(played: play.State, seat: str | None) -> tuple[str, ...]:
    """Every action as that seat has seen it; cards are exchanged from eldest on."""
    first, order = 0 if played.setting.late else 1, played.setting.order
    return tuple(
        f"{DISCARD}{len(token) // 2}"
        if token[:1] == DISCARD and str(order[number - first] + 1) != seat
        else token
        for number, token in enumerate(played.history)
    )


def _tricks(played: play.State) -> tuple[tuple[tuple[int, str], ...], ...]:
    """Every trick, who played what; the last may be unfinished."""
    state, found = play.begun(played.setting), []
    for token in played.history:
        if state.now.phase == play.PLAY:
            if not state.now.trick:
                found.append([(state.now.turn, token)])
            else:
                found[-1].append((state.now.turn, token))
        state = state.after(token)
    return tuple(map(tuple, found))


def _phase(played: play.State) -> Message:
    now = played.now
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    if now.phase == play.PLAY:
        return Message(gettext_noop("Trick %(number)d"), {"number": len(now.won) + 1})
    return Message(
        {
            play.TRUMP: gettext_noop("Name trumps on two cards"),
            play.DRAW: gettext_noop("Choose the cards to exchange"),
            play.DECLARE: gettext_noop("In or out?"),
        }[now.phase]
    )


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    now, own = played.now, str(place + 1)
    has_declared = now.phase in {play.PLAY, play.OVER} or (
        now.phase == play.DECLARE and place in played.setting.order[: now.acted + 1]
    )
    return SeatZone(
        own,
        len(now.hands[place]),
        now.hands[place] if own == seat else (),
        tricks=now.won.count(place),
        is_in=not has_declared or place in now.playing,
    )


TWENTY_DOWN: Final = TwentyDownGame()
