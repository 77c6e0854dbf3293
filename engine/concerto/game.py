"""Concerto as the rest of the service knows it: one object that offers what engine/game.py asks of every game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final, final

from engine.cards import PACK, Card
from engine.concerto import play, rules, sheet, table_help
from engine.concerto.best_play import analysis
from engine.concerto.checking import check
from engine.concerto.match import match_result
from engine.concerto.play import Action, State
from engine.concerto.records import choices as choosing
from engine.concerto.records import description, parsing
from engine.concerto.records.record import Record
from engine.concerto.robots.registry import Robot, all_robots
from engine.concerto.rules import Options
from engine.concerto.scoring import DealScore
from engine.concerto.signals import sheet as signal_sheet
from engine.concerto.signals.systems import PARLETT
from engine.concerto.view import View, view
from engine.deals import Deal
from engine.errors import Word, gettext_noop
from engine.game import Checked, CheckedSheet, Game, MatchResult, OptionField, Score
from engine.seats import SEATS, SIDES, Seat, Side, dealer_of_board


@final
class ConcertoGame(Game[Seat, Side, Deal, Options, State, Record, DealScore]):
    """Concerto, by David Parlett."""

    key = "concerto"
    name = Word(gettext_noop("Concerto"))
    seats = SEATS
    sides = SIDES

    @property
    def pack(self) -> tuple[Card, ...]:
        """R1."""
        return tuple(PACK)

    def side_of(self, seat: Seat) -> Side:
        """R2."""
        return seat.side

    def options(self) -> tuple[OptionField, ...]:
        """R15 to R18."""
        return rules.OPTION_FIELDS

    def read_options(self, data: object) -> Options:
        """R15 to R18."""
        return rules.read_options(data)

    def deals_in_match(self, options: Options) -> int:
        """R15, R18."""
        return options.deals

    def random_deal(self, rng: random.Random) -> Deal:
        """R2."""
        return Deal.random(rng)

    def read_deal(self, text: str) -> Deal:
        """From PBN."""
        return Deal.parse(text)

    def dealer_after(self, dealer: Seat, deals: int = 1) -> Seat:
        """R2: the deal passes to the left."""
        return dealer.after(deals)

    def dealer_of_board(self, number: int) -> Seat:
        """R19."""
        return dealer_of_board(number)

    def read_action(self, token: str) -> Action:
        """A card, ``-`` or ``>``."""
        return Action(token)

    def start(self, deal: Deal, dealer: Seat, options: Options) -> State:
        """R3."""
        return play.start(deal, dealer, options)

    def view(self, state: State, seat: Seat | None) -> View:
        """R8."""
        return view(state, seat)

    def robots(self) -> tuple[Robot, ...]:
        """See docs/robots.md."""
        return all_robots()

    def calls(self) -> tuple[Action, ...]:
        """R5, R6: passing, and saying "Play"."""
        return (play.PASS, play.PLAY)

    def still_possible(self, view: View) -> dict[str, Any] | None:
        """R9: by what this seat sees."""
        return table_help.still_possible(view)

    def meanings(self, view: View, hand: int) -> tuple[dict[str, Any], ...]:
        """By Parlett's system."""
        return table_help.meanings(view, hand)

    def convention_card(self) -> dict[str, Any]:
        """Parlett's system, row by row."""
        return signal_sheet.sheet(PARLETT)

    def read_record(self, data: object, dealer: Seat | None = None) -> Record:
        """At any depth: see docs/engine.md."""
        return parsing.read_record(data, dealer)

    def tokens_of(self, record: Record) -> tuple[str, ...] | None:
        """All eight lines of play, one after the other."""
        lines = [entry.line for entry in record.hands if entry is not None and entry.line is not None]
        if len(lines) < rules.HANDS:
            return None
        return tuple(action.token for line in lines for action in line)

    def record_of(self, state: State) -> dict[str, Any]:
        """The cards and the eight lines of play; all else follows from them."""
        setting = state.setting
        return {
            "dealer": setting.dealer.letter,
            "deal": str(setting.deal),
            "hands": list(state.hand_lines),
        }

    def check(self, record: Record, deal: Deal | None = None) -> Checked[DealScore]:
        """Everything wrong, and the score."""
        return check(record, deal)

    def describe(self, record: Record, deal: Deal | None = None) -> description.DealShown:
        """The sheet for people."""
        return description.describe(record, deal)

    def choices(self, record: Record, hand: int | None, deal: Deal | None = None) -> choosing.Choices:
        """What can still be entered."""
        return choosing.choices(record, hand, deal)

    analysis_version = analysis.VERSION

    def known_deal(self, record: Record, deal: Deal | None = None) -> Deal | None:
        """All 52 cards."""
        return analysis.known_deal(record, deal)

    def analyse(self, record: Record, deal: Deal | None = None) -> analysis.Analysis | None:
        """See docs/par.md."""
        return analysis.analyse(record, deal)

    def match_result(self, scores: Sequence[Score], options: Options) -> MatchResult[Side]:
        """R15 to R18."""
        return match_result(scores, options)

    def read_sheet(self, content: object, first_dealer: Seat, options: Options) -> sheet.Sheet:
        """A scoresheet as written."""
        return sheet.read_sheet(content, first_dealer, options)

    def check_sheet(
        self, sheet_read: sheet.Sheet, options: Options, deals: Sequence[Deal | None] = ()
    ) -> CheckedSheet[DealScore, Side]:
        """Everything wrong with a scoresheet, the scores and the result."""
        return sheet.check_sheet(sheet_read, options, deals)


CONCERTO: Final = ConcertoGame()
