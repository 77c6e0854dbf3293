"""What every card game offers the rest of the service, and the register of games.

A game is one folder in ``engine/`` with one subclass of Game; nothing outside needs to know more of it than stands
here. Every game passes the one conformance suite, ``tests/engine/conformance.py``.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, Self, TypeVar

from engine.errors import RuleError, Word, gettext_noop
from engine.options import Kind, OptionField
from engine.problems import Problem, Severity, record_error

__all__ = [
    "Action",
    "Analysis",
    "AnyGame",
    "Checked",
    "CheckedSheet",
    "Game",
    "Kind",
    "MatchResult",
    "OptionField",
    "Problem",
    "Record",
    "Robot",
    "Score",
    "Severity",
    "State",
    "View",
    "all_games",
    "get",
    "register",
]

Json = Any


class Action(Protocol):
    """A small frozen value with a text: what a player does on their turn."""

    @property
    def token(self) -> str:
        """Its text; the game reads it back."""


class View(Protocol):
    """All that one seat, or a spectator, may know of a state; a plain frozen value."""

    def as_json(self) -> dict[str, Json]:
        """The view for a program. Equal views give equal JSON."""


class Robot(Protocol):
    """A player that is a program: a pure function of the view, without memory."""

    @property
    def key(self) -> str:
        """Names the robot in the database and in URLs."""

    @property
    def name(self) -> Word:
        """What people call it."""

    @property
    def summary(self) -> Word:
        """What it knows and does, in a sentence for people who choose one."""

    def action(self, view: Any) -> Action:
        """What it does in the seat of this view: one of the legal actions. Raises ActionError when not on turn."""


class Score(Protocol):
    """What a deal was worth."""

    @property
    def total(self) -> Mapping[Any, int]:
        """Points of each side for the deal, all in all."""

    def as_json(self) -> dict[str, Json]:
        """The score for a program."""


class State(Protocol):
    """A deal being played: a frozen value. A state is always the replay of its tokens."""

    @property
    def turn(self) -> Any:
        """The seat that has to act; None when the deal is over."""

    @property
    def is_over(self) -> bool:
        """Whether the deal is played out."""

    @property
    def history(self) -> tuple[str, ...]:
        """The tokens of all actions so far, in order."""

    def legal_actions(self) -> tuple[Any, ...]:
        """Every action that verify would accept now, always in the same order."""

    def verify(self, action: Any) -> None:
        """Raise the ActionError that says why this action is not allowed now; do nothing if it is."""

    def apply(self, action: Any) -> Self:
        """The state after this action. Raises as verify does."""

    def score(self) -> Score:
        """What the deal was worth. Raises ActionError while it is not over."""


class Analysis(Protocol):
    """A played deal in the light of best play; a plain frozen value."""

    def as_json(self) -> dict[str, Json]:
        """The analysis for a program, in the form that ``Game.analyse`` describes."""


class Record(Protocol):
    """A deal as written down by people, complete or not."""

    def as_json(self) -> dict[str, Json]:
        """The record in the form that read_record reads: reading it again gives an equal record."""


ScoreT = TypeVar("ScoreT", bound=Score)
SideT = TypeVar("SideT", bound=Enum)


@dataclass(frozen=True, slots=True)
class Checked(Generic[ScoreT]):
    """A record with everything wrong with it, and its score unless something wrong refuses it."""

    problems: tuple[Problem, ...]
    score: ScoreT | None

    @property
    def is_accepted(self) -> bool:
        """Whether nothing refuses the record."""
        return not any(problem.refuses for problem in self.problems)


@dataclass(frozen=True, slots=True)
class MatchResult(Generic[SideT]):
    """A match, as far as it has been played. ``counted`` deals count; later ones do not."""

    counted: int
    points: Mapping[SideT, int]
    bonus: Mapping[SideT, int]
    total: Mapping[SideT, int]
    winner: SideT | None
    is_over: bool

    def as_json(self) -> dict[str, Json]:
        """The result for a program, sides by their keys."""
        return {
            "counted": self.counted,
            "points": {side.value: points for side, points in self.points.items()},
            "bonus": {side.value: points for side, points in self.bonus.items()},
            "total": {side.value: points for side, points in self.total.items()},
            "winner": self.winner.value if self.winner else None,
            "is_over": self.is_over,
        }


@dataclass(frozen=True, slots=True)
class CheckedSheet(Generic[ScoreT, SideT]):
    """A whole scoresheet, checked: each deal's score (None where refused), and the match so far."""

    problems: tuple[Problem, ...]
    scores: tuple[ScoreT | None, ...]
    result: MatchResult[SideT]

    @property
    def is_accepted(self) -> bool:
        """Whether nothing refuses the sheet."""
        return not any(problem.refuses for problem in self.problems)


SeatT = TypeVar("SeatT", bound=Enum)
DealT = TypeVar("DealT")
OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT", bound=State)
RecordT = TypeVar("RecordT", bound=Record)


class Game(ABC, Generic[SeatT, SideT, DealT, OptionsT, StateT, RecordT, ScoreT]):
    """One card game. Everything is a pure function of its arguments: no clock, no global randomness."""

    key: str
    """Names the game in the database and in URLs."""
    name: Word
    seats: tuple[SeatT, ...]
    """In the order of the deal's rotation."""
    sides: tuple[SideT, ...]

    @abstractmethod
    def side_of(self, seat: SeatT) -> SideT:
        """The side that this seat plays for."""

    @property
    @abstractmethod
    def pack(self) -> tuple[Any, ...]:
        """Every card of the game."""

    # Options

    @abstractmethod
    def options(self) -> tuple[OptionField, ...]:
        """The options of a competition in this game, for a form."""

    @abstractmethod
    def read_options(self, data: object) -> OptionsT:
        """The options from JSON, or their defaults. Raises OptionError with every fault in ``causes``."""

    @abstractmethod
    def deals_in_match(self, options: OptionsT) -> int:
        """How many deals a match has at most."""

    # Dealing and playing

    @abstractmethod
    def random_deal(self, rng: random.Random) -> DealT:
        """A deal with every card equally likely to be anywhere."""

    @abstractmethod
    def read_deal(self, text: str) -> DealT:
        """The deal from its text (``str(deal)``). Raises DealError."""

    @abstractmethod
    def dealer_after(self, dealer: SeatT, deals: int = 1) -> SeatT:
        """Who deals that many deals after this dealer."""

    @abstractmethod
    def dealer_of_board(self, number: int) -> SeatT:
        """Who deals the board of that number. Raises RuleError."""

    @abstractmethod
    def read_action(self, token: str) -> Any:
        """The action from its token. Raises ActionError."""

    @abstractmethod
    def start(self, deal: DealT, dealer: SeatT, options: OptionsT) -> StateT:
        """The state before the first action."""

    def replay(self, deal: DealT, dealer: SeatT, options: OptionsT, tokens: Iterable[str]) -> StateT:
        """The state after these actions. Raises ActionError, its place the number of the token."""
        state = self.start(deal, dealer, options)
        for number, token in enumerate(tokens):
            try:
                state = state.apply(self.read_action(token))
            except RuleError as error:
                error.place = (number, *error.place)
                raise
        return state

    @abstractmethod
    def view(self, state: StateT, seat: SeatT | None) -> View:
        """All that this seat may know, or a spectator; built up from nothing."""

    def robots(self) -> tuple[Robot, ...]:
        """The robots that can sit at a table of this game, the weakest first."""
        return ()

    def calls(self) -> tuple[Action, ...]:
        """What a player can do on their turn besides playing a card; whether it is allowed, verify says."""
        return ()

    def still_possible(self, view: Any) -> Json:  # noqa: ARG002 (none here)
        """The best that the hand on the table can still become, by what this view shows; None where nothing is."""
        return None

    def meanings(self, view: Any, hand: int) -> tuple[Json, ...]:  # noqa: ARG002 (none here)
        """What a hand's open cards told by the usual signals: each with ``template``, ``params`` and ``holding``."""
        return ()

    def convention_card(self) -> Json:
        """The usual signals as people read them, of the form of ``engine.concerto.signals.sheet.sheet``; else None."""
        return None

    # Records

    @abstractmethod
    def read_record(self, data: object, dealer: SeatT | None = None) -> RecordT:
        """A deal as people wrote it down, from JSON, whatever the JSON is: check says what is wrong.

        ``dealer`` is who dealt where the match tells; the record then needs no dealer of its own.
        """

    @abstractmethod
    def record_of(self, state: StateT) -> Json:
        """A deal that was played out, as read_record reads it: all its cards and all that was done."""

    def tokens_of(self, record: RecordT) -> tuple[str, ...] | None:  # noqa: ARG002 (none here)
        """Everything that was done in the deal, in order, as ``replay`` takes it; None where that was not written."""
        return None

    @abstractmethod
    def check(self, record: RecordT, deal: DealT | None = None) -> Checked[ScoreT]:
        """Everything that is wrong with the record, and its score unless refused.

        ``deal`` is the deal where it is known from the board; cards must then agree with it.
        """

    def problems(self, record: RecordT, deal: DealT | None = None) -> tuple[Problem, ...]:
        """Everything that is wrong with the record, at once, in the order of the sheet."""
        return self.check(record, deal).problems

    def score(self, record: RecordT, deal: DealT | None = None) -> ScoreT:
        """The record's score. Raises RecordError when a problem refuses it."""
        checked = self.check(record, deal)
        if checked.score is None:
            raise record_error(checked.problems)
        return checked.score

    @abstractmethod
    def describe(self, record: RecordT, deal: DealT | None = None) -> Any:
        """The record as a sheet for people, however wrong it is: a frozen value with ``as_json()``."""

    @abstractmethod
    def choices(self, record: RecordT, hand: int | None, deal: DealT | None = None) -> Any:
        """What can still be entered for hand ``hand`` (from 0; None: what is left after the last).

        A frozen value with ``as_json()``.
        """

    # Analysis

    analysis_version: int = 0
    """Raised when analyses tell something else than before; 0 where the game has none."""

    def known_deal(self, record: RecordT, deal: DealT | None = None) -> DealT | None:  # noqa: ARG002 (none here)
        """The deal, where every card of it is known from the board or from the record; quick to tell."""
        return None

    def analyse(self, record: RecordT, deal: DealT | None = None) -> Analysis | None:  # noqa: ARG002 (none here)
        """What the cards of a known deal could have made; None where not all of them are known.

        Its JSON has ``best``: for each side the ways that are best, the most points first, with ``points``, ``bonus``
        (what the left-overs would give the other side), ``is_par``, ``hands`` (``hand``, ``leader``, ``cards`` as
        ``[text, seat]``, ``combination``, ``split``, ``points``) and ``left``; ``par`` with each side's ``total``;
        ``committing``: the totals when that side chooses first; and ``costs``: for each hand that was played
        ``points``, ``best_before``, ``best_after`` and ``cost``, or None. It may take seconds when first asked.
        """
        return None

    # Matches

    @abstractmethod
    def match_result(self, scores: Sequence[Score], options: OptionsT) -> MatchResult[SideT]:
        """The match after deals with these scores, in order."""

    @abstractmethod
    def read_sheet(self, content: object, first_dealer: SeatT, options: OptionsT) -> Any:
        """A match's sheet ``{"deals": [record, ...]}``. Never raises; has ``records`` and ``as_json()``."""

    @abstractmethod
    def check_sheet(
        self, sheet_read: Any, options: OptionsT, deals: Sequence[DealT | None] = ()
    ) -> CheckedSheet[ScoreT, SideT]:
        """Everything wrong with the sheet, the scores and the result; places begin ``("deals", i)``."""

    def sheet_problems(
        self, content: object, first_dealer: SeatT, options: OptionsT, deals: Sequence[DealT | None] = ()
    ) -> tuple[Problem, ...]:
        """Everything that is wrong with a scoresheet's content."""
        return self.check_sheet(self.read_sheet(content, first_dealer, options), options, deals).problems


AnyGame = Game[Any, Any, Any, Any, Any, Any, Any]


_GAMES: dict[str, AnyGame] = {}


def register(game: AnyGame) -> None:
    """Make a game known. Raises RuleError when its key is taken."""
    if game.key in _GAMES:
        raise RuleError("game-twice", gettext_noop("There is a game “%(key)s” already."), key=game.key)
    _GAMES[game.key] = game


def get(key: str) -> AnyGame:
    """The game with that key. Raises RuleError."""
    try:
        return _GAMES[key]
    except (KeyError, TypeError):
        template = gettext_noop("There is no game “%(given)s”.")
        raise RuleError("game-unknown", template, given=key) from None


def all_games() -> tuple[AnyGame, ...]:
    """Every registered game, by key."""
    return tuple(_GAMES[key] for key in sorted(_GAMES))
