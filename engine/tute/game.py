"""Tute as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

from engine.errors import ActionError, RecordError
from engine.game import CheckedSheet, Game, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.boards import PackBoards, ShownCardBoards
from engine.game.searching import Searcher
from engine.game.sheets import check_totals, with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.options import option_values
from engine.packs import deal_out, in_order
from engine.seats import Seat, Side
from engine.text import Message, Word, gettext_noop
from engine.tute import play
from engine.tute.cards import CARDS, NUMBER, PACK, STRENGTH, bits_of, cards_in
from engine.tute.for_learners import HELP, help_on_turn
from engine.tute.match import fault_of_total, match_result
from engine.tute.novice import NOVICE
from engine.tute.play import CUARENTA, DECLARATIONS, SEATS, SIDES, TRICKS, TUTE, WRITTEN
from engine.tute.records import Written, read_written
from engine.tute.sampling import SAMPLING

_OPTIONS: Final = (
    OptionField(
        "deals",
        Kind.NUMBER,
        8,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("How many deals a match has. All of them are played.")),
        minimum=1,
        maximum=100,
    ),
    OptionField(
        "by",
        Kind.CHOICE,
        "hands",
        Word(gettext_noop("What decides a match")),
        Word(gettext_noop("If the sides are level on it, the other one decides.")),
        choices=(
            ("hands", Word(gettext_noop("Deals won"))),
            ("points", Word(gettext_noop("Points"))),
        ),
    ),
    OptionField(
        "under_trump",
        Kind.YES_NO,
        default=True,
        label=Word(gettext_noop("Play a lower trump too")),
        help=Word(
            gettext_noop(
                "If you can’t follow suit and can’t beat a trump in the trick, you must still play a trump. "
                "Off: you may then play any card."
            )
        ),
    ),
)
_USUAL: Final = {option.name: option.default for option in _OPTIONS}
_SUIT_NAMES: Final = {
    "s": Word(gettext_noop("spades")),
    "h": Word(gettext_noop("hearts")),
    "d": Word(gettext_noop("diamonds")),
    "c": Word(gettext_noop("clubs")),
}


class TuteGame(Game):
    """Tute, from the text of Denexa."""

    key = "tute"
    name = Word("Tute")
    players = range(4, 5)
    ranks = STRENGTH[::-1]
    turns_right = True
    preset: Mapping[str, Json] = {"by": "points"}
    prefers_boards = True
    #: TU5: any of the dealer's cards may be shown.
    boards = ShownCardBoards(
        PackBoards(PACK, WRITTEN, (TRICKS,) * 4), SEATS, lambda hand: cards_in(bits_of(hand))
    )
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, SIDES))

    def seats(self, players: int | None = None) -> tuple[str, ...]:
        """TU3: play and deal go to the right."""
        return SEATS

    def sides(self, players: int | None = None) -> Mapping[str, tuple[str, ...]]:
        """TU3."""
        return SIDES

    def title(self, key: str) -> Word:
        """North, or North-South."""
        return Side(key).title if key in SIDES else Seat.parse(key).title

    def options(self) -> tuple[OptionField, ...]:
        """TU8, TU18."""
        return _OPTIONS

    def read_options(self, data: object) -> dict[str, Json]:
        """TU8, TU18."""
        return {**_USUAL, **option_values(_OPTIONS, data)}

    def deals_in_match(self, options: Options) -> int:
        """TU19."""
        deals = self.read_options(options)["deals"]
        return deals if isinstance(deals, int) else 0

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """TU4."""
        dealt = deal_out(rng.sample(PACK, len(PACK)), (TRICKS,) * 4)
        return f"{dealt} | {rng.choice(dealt.hands[WRITTEN.index(dealer)])}"

    def read_deal(self, text: str, players: int | None = None) -> str:
        """TU22."""
        dealt, up = play.read(text)
        return f"{dealt} | {up}"

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> play.State:
        """TU6."""
        under_trump = self.read_options(options)["under_trump"]
        return play.start(deal, dealer, under_trump=bool(under_trump))

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """TU20."""
        played = _own(state)
        setting = played.setting
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        return Zones(
            seat=seat,
            dealer=setting.dealer,
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, each, is_own=each == seat) for each in SEATS),
            trick=_trick(played),
            upcard=setting.up if setting.up not in played.history else "",
            trump=setting.trump,
            cards=in_order(token for token in legal if token not in DECLARATIONS),
            calls=tuple(
                Call(token, _named(token, setting.trump)) for token in legal if token in DECLARATIONS
            ),
            barred=_barred(played) if is_mine else (),
            help=() if played.is_over else (*(help_on_turn(played) if is_mine else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
            options=(("under_trump", setting.under_trump),),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """TU20: nothing of an action is secret."""
        return token

    def calls(self) -> tuple[str, ...]:
        """TU11."""
        return DECLARATIONS

    def call_in_words(self, token: str) -> Message | None:
        """TU11."""
        if token == TUTE:
            return Message(gettext_noop("declares tute: all four kings"))
        if token == CUARENTA:
            return Message(gettext_noop("declares las cuarenta, 40"))
        if token in DECLARATIONS:
            return Message(gettext_noop("declares 20 in %(suit)s"), {"suit": _SUIT_NAMES[token[2]]})
        return super().call_in_words(token)

    def score_of(self, data: Mapping[str, Json], players: int | None = None) -> Score:
        """TU17: at equal points the match must know who won the deal."""
        score = super().score_of(data, players)
        if score.as_json().get("winner") not in SIDES and len(set(score.total.values())) == 1:
            template = gettext_noop("The points are equal: say who took the last trick.")
            raise RecordError("last-missing", template, place=("winner",))
        return score

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """TU24: the parts of the score, and every trick."""
        score = _own(state).score()
        cards = [token for token in _own(state).history if token in NUMBER]
        tricks = ["".join(cards[at : at + 4]) for at in range(0, len(cards), 4)]
        told = {name: score.detail[name] for name in ("trump", "up", "cards", "last")}
        declared: dict[str, list[Json]] = {}
        for seat, token in _own(state).declared:
            declared.setdefault(self.side_of(seat), []).append(token)
        if score.detail["tute"]:
            told = {"trump": told["trump"], "up": told["up"], "tute": score.detail["winner"]}
        said: dict[str, Json] = {"declared": declared} if declared else {}
        return {**told, **said, **({"tricks": tricks} if tricks else {}), "total": dict(score.total)}

    def read_result(self, data: object, players: int | None = None) -> Written:
        """TU24 to TU27."""
        return read_written(data)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """TU24 to TU27: the tricks are read by who dealt."""
        under_trump = bool(self.read_options(options)["under_trump"])
        checked = check_totals(
            content,
            lambda data, number: read_written(
                data, self.dealer_after(first_dealer, number), under_trump=under_trump
            ),
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(checked)

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """TU15, TU16."""
        return fault_of_total(total)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """TU18, TU19."""
        chosen = self.read_options(options)
        return match_result(scores, deals=self.deals_in_match(options), by_points=chosen["by"] == "points")


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    number = min(len(played.now.won) + 1, TRICKS)
    if played.now.may_declare:
        return Message(gettext_noop("Trick %(number)d: declare or lead"), {"number": number})
    return Message(gettext_noop("Trick %(number)d"), {"number": number})


def _zone(played: play.State, seat: str, *, is_own: bool) -> SeatZone:
    """A seat's cards; the cards of its declarations, which all have seen, as far as it holds them still."""
    place = SEATS.index(seat)
    hand = cards_in(played.now.hands[place])
    said = [token for at, token in played.now.declared if at == place]
    shown = [[card for card in play.shown_by(token, played.setting.trump) if card in hand] for token in said]
    return SeatZone(
        seat,
        len(hand),
        in_order(hand) if is_own else (),
        melds=tuple(tuple(cards) for cards in shown if cards),
        tricks=played.now.won.count(place),
        points=played.made(place % 2),
    )


def _trick(played: play.State) -> tuple[tuple[str, str], ...]:
    """The trick on the table."""
    trick, leader = played.now.trick, played.now.turn - len(played.now.trick)
    return tuple((SEATS[(leader + step) % 4], CARDS[card]) for step, card in enumerate(trick))


def _barred(played: play.State) -> tuple[Call, ...]:
    """TU13: las cuarenta that the seat on turn holds, but has given up."""
    try:
        played.verify(CUARENTA)
    except ActionError as error:
        trump = played.setting.trump
        return (Call(CUARENTA, _named(CUARENTA, trump)),) if error.code == "barred" else ()
    return ()


def _named(token: str, trump: str) -> Message:
    """A declaration on its button."""
    if token == TUTE:
        return Message(gettext_noop("Tute"))
    if token == CUARENTA:
        return Message(gettext_noop("Las cuarenta: %(suit)s, 40"), {"suit": _SUIT_NAMES[trump]})
    return Message(gettext_noop("Las veinte: %(suit)s, 20"), {"suit": _SUIT_NAMES[token[2]]})


def _own(state: seam.State) -> play.State:
    """What comes back over the seam is what was given out."""
    if not isinstance(state, play.State):
        raise TypeError(state)
    return state


TUTE_FOR_FOUR: Final = TuteGame()
