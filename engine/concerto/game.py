"""Concerto as the rest of the service knows it: one object that offers what engine/game.py asks of every game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, final

from engine.cards import PACK, Card
from engine.concerto import choices as choosing
from engine.concerto import describing, play, reading, rules, sheet
from engine.concerto.checking import check
from engine.concerto.match import match_result
from engine.concerto.play import Action, State
from engine.concerto.record import Record
from engine.concerto.rules import Options
from engine.concerto.scoring import DealScore
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

    def read_record(self, data: object, dealer: Seat | None = None) -> Record:
        """At any depth: see docs/engine.md."""
        return reading.read_record(data, dealer)

    def check(self, record: Record, deal: Deal | None = None) -> Checked[DealScore]:
        """Everything wrong, and the score."""
        return check(record, deal)

    def describe(self, record: Record, deal: Deal | None = None) -> describing.DealShown:
        """The sheet for people."""
        return describing.describe(record, deal)

    def choices(self, record: Record, hand: int | None, deal: Deal | None = None) -> choosing.Choices:
        """What can still be entered."""
        return choosing.choices(record, hand, deal)

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
