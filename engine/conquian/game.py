"""Conquian as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.conquian import play
from engine.conquian.for_learners import HELP, help_on_turn
from engine.conquian.melds import CARDS, grouping
from engine.conquian.novice import NOVICE
from engine.conquian.play import ASKED, DISCARD, FORCE, FORCED, HAND, LAY, PASS, SEATS, TURNED
from engine.conquian.records import fault_of_total, fits_deal, read_written, with_sheet_checks, written
from engine.conquian.sampling import SAMPLING, TURN
from engine.game import CheckedSheet, Game, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.boards import PackBoards
from engine.game.matches import deals_or_target, sum_of_deals
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal, with_repeats
from engine.game.zones import Call, Composition, SeatZone, Zones
from engine.packs import deal_out, in_order
from engine.text import Message, Word, gettext_noop

#: So many deals a match has where nobody says how many.
ON_BOARDS: Final = 7
_OPTIONS: Final = (
    OptionField(
        "deals",
        Kind.NUMBER,
        ON_BOARDS,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("How many deals a match has, all of them played. 0: it goes to a target.")),
        maximum=100,
    ),
    OptionField(
        "target",
        Kind.NUMBER,
        0,
        Word(gettext_noop("Target")),
        Word(
            gettext_noop("The first player to reach it wins the match. 0: a fixed number of deals is played.")
        ),
        maximum=100,
    ),
)
_SPOKEN: Final = {
    LAY: (gettext_noop("Take the card alone"), gettext_noop("takes the card")),
    PASS: (gettext_noop("Pass"), gettext_noop("passes")),
    FORCE: (gettext_noop("Force"), gettext_noop("forces the card")),
}


class ConquianGame(Game):
    """Conquian for two, from the text of Denexa."""

    key = "conquian"
    name = Word(gettext_noop("Conquian"))
    players = range(2, 3)
    ranks = "KQJ765432A"
    prefers_boards = True
    boards = PackBoards(CARDS.pack, SEATS, (HAND,) * 2, no_target={"deals": ON_BOARDS, "target": 0})
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING))

    def options(self) -> tuple[OptionField, ...]:
        """CQ15."""
        return _OPTIONS

    def read_options(self, data: object) -> dict[str, Json]:
        """CQ15."""
        return deals_or_target(_OPTIONS, data)

    def deals_in_match(self, options: Options) -> int | None:
        """CQ15."""
        deals = self.read_options(options)["deals"]
        return deals if isinstance(deals, int) and deals else None

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """CQ3."""
        return str(deal_out(rng.sample(CARDS.pack, len(CARDS.pack)), (HAND,) * 2))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """CQ18."""
        return str(play.read(text))

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> play.State:
        """CQ9."""
        self.read_options(options)
        return play.start(deal, dealer)

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """CQ16."""
        played = _own(state)
        is_mine = seat is not None and seat == played.turn
        now, legal = played.now, played.legal() if is_mine else ()
        hand = in_order(CARDS.cards_in(now.hands[now.turn]))
        # CQ6: cards of the hand are offered to be laid where some go with the open card.
        may_lay = is_mine and any(played.layings)
        return Zones(
            seat=seat,
            dealer=SEATS[played.setting.dealer],
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, each, is_own=each == seat) for each in SEATS),
            stock=played.left,
            discards=tuple(CARDS.cards[card] for card in now.dead),
            upcard=CARDS.cards[now.open] if now.open >= 0 else "",
            cards=in_order(token for token in legal if token in CARDS.number),
            card_use="discard",
            calls=tuple(Call(token, Message(_SPOKEN[token][0])) for token in legal if token in _SPOKEN),
            compositions=(Composition(LAY, Message(gettext_noop("Lay")), hand, 1, len(hand)),)
            if may_lay
            else (),
            barred=_barred(now.phase) if is_mine else (),
            help=() if played.is_over else (*(help_on_turn(played) if is_mine else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=_told(played),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """CQ16: nothing of an action is secret."""
        return token

    def calls(self) -> tuple[str, ...]:
        """CQ10, CQ11."""
        return tuple(_SPOKEN)

    def call_in_words(self, token: str) -> Message | None:
        """CQ6, CQ10, CQ11."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        if token[:1] == LAY:
            count = len(token) // 2
            template = (
                gettext_noop("takes the card and lays one")
                if count == 1
                else gettext_noop("takes the card and lays %(count)d")
            )
            return Message(template, {} if count == 1 else {"count": count})
        return super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """CQ20."""
        return written(_own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """CQ20 to CQ23."""
        return read_written(data)

    def fits_deal(self, record: Mapping[str, Json], deal: str, dealer: str) -> bool:
        """CQ22: whether the melds can have been laid on this board."""
        return fits_deal(record, deal)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """CQ20 to CQ23."""
        return with_repeats(with_sheet_checks(super().check_sheet(content, first_dealer, options, players)))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """CQ14, CQ21."""
        return fault_of_total(total)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """CQ15."""
        chosen: dict[str, Any] = self.read_options(options)
        return sum_of_deals(scores, SEATS, deals=chosen["deals"] or None, target=chosen["target"] or None)


def _phase(played: play.State) -> Message:
    now = played.now
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    if now.phase == DISCARD:
        return Message(gettext_noop("Choose a card to discard"))
    if now.phase == FORCED:
        return Message(gettext_noop("Forced: take the open card"))
    if now.phase == ASKED:
        return Message(gettext_noop("Force the open card?"))
    if now.phase == TURNED:
        return Message(gettext_noop("Take the card you turned, or pass"))
    return Message(gettext_noop("Take the card on offer, or pass"))


def _barred(phase: int) -> tuple[Call, ...]:
    """CQ12: who is forced cannot pass."""
    return (Call(PASS, Message(_SPOKEN[PASS][0])),) if phase == FORCED else ()


def _zone(played: play.State, seat: str, *, is_own: bool) -> SeatZone:
    place = SEATS.index(seat)
    hand = CARDS.cards_in(played.now.hands[place])
    melds = tuple(
        CARDS.cards_in(CARDS.bits_of(text[at : at + 2] for at in range(0, len(text), 2)))
        for text in grouping(played.now.down[place])
    )
    return SeatZone(seat, len(hand), in_order(hand) if is_own else (), melds=melds)


def _told(played: play.State) -> tuple[str, ...]:
    """Every action, and before it each card that was turned."""
    setting, told, turned = played.setting, [], 0
    state = play.begun(setting)
    for token in (*played.history, ""):
        if state.now.turned > turned:
            told += [TURN + CARDS.cards[card] for card in setting.stock[turned : state.now.turned]]
            turned = state.now.turned
        if token:
            told.append(token)
            state = state.after(token)
    return tuple(told)


def _own(state: seam.State) -> play.State:
    """What comes back over the seam is what was given out."""
    if not isinstance(state, play.State):
        raise TypeError(state)
    return state


CONQUIAN: Final = ConquianGame()
