"""Tien Len as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.cards import Card
from engine.errors import DealError, OptionError
from engine.game import CheckedSheet, Game, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal, check_totals, with_repeats
from engine.game.zones import Call, Composition, SeatZone, Zones
from engine.options import option_values
from engine.packs import Dealt, in_order, is_card
from engine.text import Message, Word, gettext_noop
from engine.tien_len import play
from engine.tien_len.combinations import CARDS, PACK, kind_of, numbers_of
from engine.tien_len.for_learners import HELP, help_on_turn
from engine.tien_len.match import fault_of_total, match_result
from engine.tien_len.novice import NOVICE
from engine.tien_len.play import HAND, LOSER, PASS, PLACES, Rules
from engine.tien_len.records import read_written, with_sheet_checks, written
from engine.tien_len.sampling import SAMPLING

_OPTIONS: Final = (
    OptionField(
        "deals",
        Kind.NUMBER,
        12,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("How many deals a match has. All of them are played.")),
        minimum=4,
        maximum=40,
    ),
    OptionField(
        "scoring",
        Kind.CHOICE,
        LOSER,
        Word(gettext_noop("Scoring")),
        Word(gettext_noop("Whether only the last player loses points, or each place counts.")),
        choices=(
            (LOSER, Word(gettext_noop("The last player pays"))),
            (PLACES, Word(gettext_noop("By places"))),
        ),
    ),
    OptionField(
        "bombs",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Bombs")),
        help=Word(
            gettext_noop("Four of a kind beats a two; double sequences beat one, two or three of them.")
        ),
    ),
    OptionField(
        "pass_is_final",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Passing is final")),
        help=Word(gettext_noop("If you pass, you’re out of the trick.")),
    ),
    OptionField(
        "twos_in_sequences",
        Kind.YES_NO,
        default=True,
        label=Word(gettext_noop("Twos in sequences")),
        help=Word(gettext_noop("A two may be the top of a sequence. Off: sequences end at the ace.")),
    ),
)


class TienLenGame(Game):
    """Tien Len for two to four, each alone."""

    key = "tien-len"
    name = Word(gettext_noop("Tien Len"))
    players = range(2, 5)
    goes_below_zero = True
    ranks = "2AKQJT9876543"
    suits = "hdcs"
    sorts_by_rank = True
    preset: Mapping[str, Json] = {
        "bombs": True,
        "pass_is_final": True,
        "twos_in_sequences": False,
        "scoring": PLACES,
    }
    carried = ("leader",)
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, playouts=120))

    def options(self) -> tuple[OptionField, ...]:
        """TL6, TL11, TL14, TL17, TL18."""
        return _OPTIONS

    def read_options(self, data: object) -> dict[str, Json]:
        """TL9: with who leads, where that is given."""
        leader = data.get("leader") if isinstance(data, Mapping) else None
        given = {name: data[name] for name in data if name != "leader"} if isinstance(data, Mapping) else data
        chosen = {**{option.name: option.default for option in _OPTIONS}, **option_values(_OPTIONS, given)}
        if leader is None:
            return chosen
        if leader not in self.seats(self.players.stop - 1):
            template = gettext_noop("“%(given)s” isn’t a seat in this game.")
            raise OptionError("option-value", template, place=("leader",), given=leader)
        return {**chosen, "leader": leader}

    def deals_in_match(self, options: Options) -> int:
        """TL18."""
        deals = self.read_options(options)["deals"]
        return deals if isinstance(deals, int) else 0

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """TL3."""
        cards, count = rng.sample(PACK, len(PACK)), len(self.seats(players))
        return str(Dealt(tuple(in_order(cards[HAND * seat : HAND * (seat + 1)]) for seat in range(count))))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """TL4."""
        return str(play.read(text, len(self.seats(players))))

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> play.State:
        """TL8, TL9."""
        chosen: dict[str, Any] = self.read_options(options)
        seats, leader = self.seats(players), chosen.get("leader")
        for seat in (dealer, leader or dealer):
            if seat not in seats:
                template = gettext_noop("“%(given)s” isn’t a seat in this game.")
                raise DealError("seat-unknown", template, given=seat)
        rules = Rules(
            chosen["bombs"], chosen["pass_is_final"], chosen["twos_in_sequences"], chosen["scoring"]
        )
        first = None if leader is None else seats.index(leader)
        return play.start(deal, len(seats), seats.index(dealer), rules, first)

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """TL19."""
        played = _own(state)
        now, setting = played.now, played.setting
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        hand = _cards(now.hands[now.turn])
        may_pass = (Call(PASS, Message(gettext_noop("Pass"))),)
        # Before the first play only the leader knows which card is the lowest that anybody holds.
        knows_lowest = setting.lowest >= 0 and (played.history or seat == played.turn)
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(len(now.sizes))),
            layout=tuple(_cards(cards) for cards in played.trick()),
            cards=in_order(token for token in legal if is_card(token)),
            calls=may_pass if PASS in legal else (),
            barred=may_pass if is_mine and PASS not in legal else (),
            compositions=(Composition("", Message(gettext_noop("Play")), hand, 1, len(hand)),)
            if legal
            else (),
            help=() if played.is_over else (*(help_on_turn(played) if is_mine else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
            options=(
                ("bombs", setting.rules.bombs),
                ("pass_is_final", setting.rules.pass_is_final),
                ("twos_in_sequences", setting.rules.twos),
                ("scoring", setting.rules.scoring),
                ("leader", str(setting.leader + 1)),
                ("lowest_leads", setting.lowest >= 0),
                ("lowest", CARDS[setting.lowest] if knows_lowest else ""),
                ("is_first", not played.history),
            ),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """TL19: nothing of an action is secret."""
        return token

    def calls(self) -> tuple[str, ...]:
        """TL10."""
        return (PASS,)

    def call_in_words(self, token: str) -> Message | None:
        """TL10, TL20."""
        if token == PASS:
            return Message(gettext_noop("passes"))
        if is_card(token):
            return None
        cards = [token[at : at + 2] for at in range(0, len(token), 2)]
        if not all(map(is_card, cards)):
            return super().call_in_words(token)
        return Message(
            gettext_noop("plays %(cards)s"), {"cards": " ".join(Card.parse(card).symbol for card in cards)}
        )

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """TL21."""
        return written(_own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """TL21."""
        return read_written(data, self.seats(players))

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """TL21."""
        seats, scoring = self.seats(players), str(self.read_options(options)["scoring"])
        checked = check_totals(
            content,
            lambda data, _number: read_written(data, seats, scoring),
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(with_sheet_checks(checked, seats))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """TL16, TL17, TL21."""
        return fault_of_total(total)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """TL18."""
        return match_result(scores, self.seats(players), deals=self.deals_in_match(options))


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    if not played.now.standing:
        return Message(gettext_noop("Lead anything"))
    kind = kind_of(played.now.standing, twos=played.setting.rules.twos)
    name = Word(play.KIND_NAMES[kind.form]) if kind else Word("")
    return Message(gettext_noop("To beat: %(kind)s"), {"kind": name})


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    """A seat's cards; who has passed is out of the trick for now."""
    now, own = played.now, str(place + 1)
    cards = _cards(now.hands[place]) if own == seat else ()
    is_in = bool(now.sizes[place]) and not now.passed >> place & 1
    return SeatZone(own, now.sizes[place], cards, is_in=is_in)


def _cards(bits: int) -> tuple[str, ...]:
    return in_order(CARDS[number] for number in numbers_of(bits))


def _own(state: seam.State) -> play.State:
    """What comes back over the seam is what was given out."""
    if not isinstance(state, play.State):
        raise TypeError(state)
    return state


TIEN_LEN: Final = TienLenGame()
