"""What every card game offers the rest of the service.

A game is one folder in ``engine/`` with one subclass of Game; nothing outside needs to know more of it than stands here
and in ``capabilities``. Seats and sides are plain keys ("N", "NS", "1"), as rows and JSON have them; deals and actions
are text and options are JSON for the same reason. What else a game knows stays in its folder.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.errors import RecordError, RuleError
from engine.game.beginner import BEGINNER
from engine.game.capabilities import Analysis, Boards, Coach, Records, Robot, Sampling, Signals
from engine.game.sheets import Totals, check_totals, read_totals
from engine.game.values import CheckedSheet, Json, MatchResult, Options, Points, Score, State, View
from engine.options import OptionField
from engine.packs import RANKS, is_card
from engine.text import Message, Word, gettext_noop

#: The longest token that an action may have.
LONGEST_TOKEN: Final = 200
#: What people call the seats of a game for individuals.
SEAT_NAMES: Final = tuple(
    Word(name)
    for name in (
        gettext_noop("Seat 1"),
        gettext_noop("Seat 2"),
        gettext_noop("Seat 3"),
        gettext_noop("Seat 4"),
        gettext_noop("Seat 5"),
        gettext_noop("Seat 6"),
        gettext_noop("Seat 7"),
        gettext_noop("Seat 8"),
        gettext_noop("Seat 9"),
    )
)
_NUMBERED: Final = tuple(str(number + 1) for number in range(len(SEAT_NAMES)))


class Game(ABC):
    """One card game. Everything is a pure function of its arguments: no clock, no global randomness.

    ``players`` is how many sit at the table, wherever it is an argument; None: the fewest that the game takes.
    """

    key: str
    """Names the game in the database and in URLs."""
    name: Word
    players: range
    """How many can play."""
    at_table: range = range(0)
    """How many sit together in a competition, where that is fewer than can play; else empty."""
    ranks: str = RANKS
    """The ranks as its players sort a hand, strong ones first; ranks that it has not may be left out."""
    suits: str = "shdc"
    """The suits as its players sort a hand, the first one first."""
    sorts_by_rank: bool = False
    """Whether its players sort a hand by rank: suits only tell cards of one rank apart."""
    turns_right: bool = False
    """Whether play goes to the right: each player sits at the right of the one before."""
    preset: Mapping[str, Json] = {}
    """The options that a new competition begins with where they are not the defaults."""
    prefers_boards: bool = False
    """Whether in a new competition all tables of a round play the same boards, unless the director says otherwise."""
    victory_points: Sequence[tuple[int, int, int]] = ()
    """What a match is worth in a new league where that hangs on the margin: from which margin on, and the points of the
    winners and of the losers. A draw is worth what the first line says. Empty: the same for every win.
    """
    is_friendly: bool = False
    """Whether a match is worth no league points in a new competition, unless the director says otherwise."""
    lower_is_better: bool = False
    """Whether fewer points are better."""
    goes_below_zero: bool = False
    """Whether what a deal is worth to a side can be below zero."""
    carried: tuple[str, ...] = ()
    """The options that a match sets for its next deal (a pot): no competition chooses them."""

    # Capabilities: what a game may have besides

    robots: tuple[Robot, ...] = ()
    """The robots that the game brings, the weakest first: they may play for somebody absent in a match."""
    records: Records | None = None
    analysis: Analysis | None = None
    signals: Signals | None = None
    boards: Boards | None = None
    sampling: Sampling | None = None
    coach: Coach | None = None

    @property
    def practice_robots(self) -> tuple[Robot, ...]:
        """Those that people can practise with: a beginner where the game brings none."""
        return self.robots or (BEGINNER,)

    # Seats and sides

    def seats(self, players: int | None = None) -> tuple[str, ...]:
        """The keys of the seats, in the order of the turn; individuals are numbered from 1."""
        return _NUMBERED[: players or self.players.start]

    def sides(self, players: int | None = None) -> Mapping[str, tuple[str, ...]]:
        """The seats of each side, by the side's key: pairs or, where nothing else is said, single seats."""
        return {seat: (seat,) for seat in self.seats(players)}

    def side_of(self, seat: str, players: int | None = None) -> str:
        """The side that this seat plays for."""
        return next(side for side, seats in self.sides(players).items() if seat in seats)

    def title(self, key: str) -> Word:
        """What people call a seat or a side."""
        return SEAT_NAMES[int(key) - 1]

    def dealer_after(self, dealer: str, deals: int = 1, players: int | None = None) -> str:
        """Who deals that many deals after this dealer, where nothing in the deals decides it."""
        seats = self.seats(players)
        return seats[(seats.index(dealer) + deals) % len(seats)]

    def dealer_of_board(self, number: int, players: int | None = None) -> str:
        """Who deals the board of that number. Raises RuleError."""
        if number < 1:
            raise RuleError("board-number", gettext_noop("Boards are numbered from 1."), given=number)
        return self.dealer_after(self.seats(players)[0], number - 1, players)

    # Options

    @abstractmethod
    def options(self) -> tuple[OptionField, ...]:
        """The options of a competition in this game, for a form."""

    @abstractmethod
    def read_options(self, data: object) -> dict[str, Json]:
        """All the options, from JSON or their defaults; those that are ``carried`` only where they are given.

        Raises OptionError with every fault in ``causes``.
        """

    @abstractmethod
    def deals_in_match(self, options: Options) -> int | None:
        """How many deals a match has at most, however many play; None where only a target ends it."""

    def deals_of(self, players: int | None, options: Options) -> int | None:  # noqa: ARG002 (as many for all)
        """How many deals a match of so many players has at most; None where only a target ends it."""
        return self.deals_in_match(options)

    # Dealing and playing

    @abstractmethod
    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """A deal, as text, with every card equally likely to be anywhere: all that chance decides."""

    @abstractmethod
    def read_deal(self, text: str, players: int | None = None) -> str:
        """The deal's text as ``deal`` writes it. Raises DealError."""

    @abstractmethod
    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> State:
        """The state before the first action. Raises DealError and OptionError."""

    def replay(
        self, deal: str, dealer: str, options: Options, tokens: Iterable[str], players: int | None = None
    ) -> State:
        """The state after these actions. Raises ActionError, its place the number of the token."""
        state = self.start(deal, dealer, options, players)
        for number, token in enumerate(tokens):
            try:
                state = state.apply(token)
            except RuleError as error:
                error.place = (number, *error.place)
                raise
        return state

    def drawn(self, state: State, chance: float) -> str:
        """The legal action at this share of all of them, at least 0 and below 1: by a chance number each is as likely.

        A game with long lists may find it without listing them.
        """
        legal = state.legal()
        return legal[int(chance * len(legal))]

    @abstractmethod
    def view(self, state: State, seat: str | None) -> View:
        """All that this seat may know, or a spectator; built up from nothing."""

    @abstractmethod
    def token_seen_by(self, state: State, token: str, seat: str | None) -> str:
        """What this seat, or a spectator, sees of an action that was taken in this state.

        Where nothing of an action is secret that is its token.
        """

    def calls(self) -> tuple[str, ...]:
        """What a player can do on their turn besides playing a card; whether it is allowed, verify says."""
        return ()

    def call_in_words(self, token: str) -> Message | None:
        """What an action is called that is no single card, by its token as somebody sees it; None: it is a card.

        It stands after the player's name: "Anna: folds".
        """
        return None if is_card(token) else Message("%(token)s", {"token": token})

    def still_possible(self, view: View) -> Mapping[str, Json] | None:  # noqa: ARG002 (none here)
        """The best that the hand on the table can still become, by what this view shows; None where nothing is.

        It is asked whenever a table is shown: a few milliseconds are all that it may take.
        """
        return None

    # Results

    @abstractmethod
    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """The match after deals with these scores, in order."""

    def score_of(self, data: Mapping[str, Json], players: int | None = None) -> Score:
        """What a deal was worth, from ``{side: points}`` and whatever else of its score the match needs.

        Raises RecordError where a side has no points.
        """
        total = {name: points for name, points in data.items() if type(points) is int}
        if not total.keys() >= set(self.sides(players)):
            raise RecordError("match-deals", gettext_noop("Each deal needs the points for every side."))
        return Points(total, {name: value for name, value in data.items() if name not in total})

    def record_of(self, state: State) -> Mapping[str, Json]:
        """A deal that was played out, as a scoresheet has it: its totals, or all that the game's records can tell."""
        return {"total": {str(side): points for side, points in state.score().total.items()}}

    def read_result(self, data: object, players: int | None = None) -> Totals:
        """What a deal was worth, ``{"total": {side: points}}``, from JSON, whatever the JSON is."""
        return read_totals(data, tuple(self.sides(players)), self)

    def fault_of_total(self, total: Mapping[str, int]) -> str:  # noqa: ARG002 (none here)
        """Why no deal gives these totals, in a sentence for people; empty where nothing speaks against them."""
        return ""

    def fits_deal(self, record: Mapping[str, Json], deal: str, dealer: str) -> bool:  # noqa: ARG002 (none here)
        """Whether a written deal, as JSON, can have been played with these cards: totals never speak against them."""
        return True

    def check_sheet(
        self,
        content: object,
        first_dealer: str,  # noqa: ARG002 (totals do not tell who dealt)
        options: Options,
        players: int | None = None,
    ) -> CheckedSheet:
        """Everything wrong with a scoresheet ``{"deals": [{"total": {side: points}}]}``, its scores and its result.

        Whatever the JSON is; places begin ``("deals", i)``. A game with records reads more than totals.
        """
        return check_totals(
            content,
            lambda data, _number: self.read_result(data, players),
            lambda scores: self.match(scores, options, players),
        )
