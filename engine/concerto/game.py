"""Concerto as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, final

from engine.boards import numbering
from engine.concerto import chances, play, sheet, view
from engine.concerto.best_play import analysis
from engine.concerto.checking import check
from engine.concerto.coach import COACH
from engine.concerto.match import match_result
from engine.concerto.options import OPTION_FIELDS, read_options
from engine.concerto.pair_signals import ConcertoSignals
from engine.concerto.records import choices as choosing
from engine.concerto.records import description, parsing
from engine.concerto.records.record import Record
from engine.concerto.robots.registry import Robot, all_robots
from engine.concerto.scoring import DealScore
from engine.deals import Deal
from engine.game import (
    Checked,
    CheckedSheet,
    Game,
    Json,
    MatchResult,
    OptionField,
    Options,
    Score,
    capabilities,
)
from engine.game import values as seam
from engine.packs import in_order
from engine.seats import SEATS, SIDES, Seat, Side
from engine.text import Word, gettext_noop


@final
class ConcertoRecords(capabilities.Records):
    """Deals as people write them down: see docs/engine.md."""

    def read_record(self, data: object, dealer: str | None = None) -> Record:
        """At any depth."""
        return parsing.read_record(data, None if dealer is None else Seat.parse(dealer))

    def check(self, record: seam.Record, deal: str | None = None) -> Checked[DealScore]:
        """Everything wrong, and the score."""
        return check(_own_record(record), _deal(deal))

    def known_deal(self, record: seam.Record, deal: str | None = None) -> str | None:
        """All 52 cards."""
        known = analysis.known_deal(_own_record(record), _deal(deal))
        return None if known is None else str(known)

    def tokens_of(self, record: seam.Record) -> tuple[str, ...] | None:
        """All eight lines of play, one after the other."""
        return _own_record(record).tokens

    def describe(self, record: seam.Record, deal: str | None = None) -> description.DealShown:
        """The sheet for people."""
        return description.describe(_own_record(record), _deal(deal))

    def choices(self, record: seam.Record, hand: int | None, deal: str | None = None) -> choosing.Choices:
        """What can still be entered."""
        return choosing.choices(_own_record(record), hand, _deal(deal))


@final
class ConcertoAnalysis(capabilities.Analysis):
    """Best play: see docs/par.md."""

    version = analysis.VERSION

    def analyse(self, record: seam.Record, deal: str | None = None) -> analysis.Analysis | None:
        """Of all 52 cards."""
        return analysis.analyse(_own_record(record), _deal(deal))


@final
class ConcertoBoards(capabilities.Boards):
    """The deals of 52 cards, numbered as the dealing programs do."""

    deals = numbering.DEALS
    has_files = True
    own_options = frozenset({"duplicate"})

    def deal_of_number(self, number: int, dealer: str | None = None) -> str:
        """From 0."""
        return str(numbering.numbered_deal(number))

    def number_of_deal(self, deal: str, dealer: str | None = None) -> int:
        """Counted in the order of the pack."""
        return numbering.deal_number(Deal.parse(deal))

    def hands(self, deal: str) -> Mapping[str, tuple[str, ...]]:
        """Thirteen each."""
        dealt = Deal.parse(deal)
        return {seat: in_order(card.text for card in dealt[seat]) for seat in SEATS}

    def options_for(self, options: Options, *, together: bool, is_new: bool) -> dict[str, Json]:
        """R18: such a match plays all its deals; the other options of a match begin with their defaults."""
        wanted: dict[str, Json] = {**options, "duplicate": together}
        if is_new:
            return {name: value for name, value in wanted.items() if name not in {"early_end", "game_bonus"}}
        return {**wanted, "early_end": False} if together else wanted


@final
class ConcertoGame(Game):
    """Concerto, by David Parlett."""

    key = "concerto"
    name = Word(gettext_noop("Concerto"))
    players = range(4, 5)
    records = ConcertoRecords()
    analysis = ConcertoAnalysis()
    signals = ConcertoSignals()
    boards = ConcertoBoards()
    coach = COACH

    @property
    def robots(self) -> tuple[Robot, ...]:  # type: ignore[override]
        """See docs/robots.md."""
        return all_robots()

    def seats(self, players: int | None = None) -> tuple[Seat, ...]:
        """R2."""
        return SEATS

    def sides(self, players: int | None = None) -> Mapping[str, tuple[Seat, ...]]:
        """R2."""
        return {side: side.seats for side in SIDES}

    def title(self, key: str) -> Word:
        """North, or North-South."""
        return Side(key).title if key in set(SIDES) else Seat.parse(key).title

    def options(self) -> tuple[OptionField, ...]:
        """R15 to R18."""
        return OPTION_FIELDS

    def read_options(self, data: object) -> dict[str, Json]:
        """R15 to R18."""
        return asdict(read_options(data))

    def deals_in_match(self, options: Options) -> int:
        """R15, R18."""
        return read_options(options).deals

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """R2: the same for every dealer and all options."""
        return str(Deal.random(rng))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """From PBN."""
        return str(Deal.parse(text))

    def start(
        self,
        deal: str | Deal,
        dealer: str,
        options: Options,
        players: int | None = None,
    ) -> play.State:
        """R3."""
        cards = deal if isinstance(deal, Deal) else Deal.parse(deal)
        return play.start(cards, Seat.parse(dealer), read_options(options))

    def view(self, state: seam.State, seat: str | None) -> view.View:
        """R8."""
        return view.view(_own_state(state), None if seat is None else Seat.parse(seat))

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """R5, R6, R8: every card is played face up, and every call is heard."""
        return token

    def calls(self) -> tuple[str, ...]:
        """R5, R6: passing, and saying "Play"."""
        return (play.PASS_TOKEN, play.PLAY_TOKEN)

    def still_possible(self, view: seam.View) -> dict[str, Any] | None:
        """R9: for the seat on turn, with ``in_ten``, in how many of ten cases."""
        return chances.outlook(_own_view(view))

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """R15 to R18."""
        return match_result(scores, read_options(options))

    def record_of(self, state: seam.State) -> dict[str, Json]:
        """The cards and the eight lines of play; all else follows from them."""
        played = _own_state(state)
        setting = played.setting
        return {
            "dealer": setting.dealer.letter,
            "deal": str(setting.deal),
            "hands": list(played.hand_lines),
        }

    def check_sheet(
        self,
        content: object,
        first_dealer: str,
        options: Options,
        players: int | None = None,
        deals: Sequence[Deal | None] = (),
    ) -> CheckedSheet:
        """At any depth; ``deals`` are those in order whose boards are known."""
        chosen = read_options(options)
        return sheet.check_sheet(sheet.read_sheet(content, Seat.parse(first_dealer), chosen), chosen, deals)


def _deal(text: str | None) -> Deal | None:
    return None if text is None else Deal.parse(text)


def _own_state(state: seam.State) -> play.State:
    """What comes back over the seam is what was given out."""
    if not isinstance(state, play.State):
        raise TypeError(state)
    return state


def _own_view(seen: seam.View) -> view.View:
    if not isinstance(seen, view.View):
        raise TypeError(seen)
    return seen


def _own_record(record: seam.Record) -> Record:
    if not isinstance(record, Record):
        raise TypeError(record)
    return record


CONCERTO: Final = ConcertoGame()
