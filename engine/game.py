"""What every card game offers the rest of the service, and the register of games.

A game is one folder in ``engine/`` with one subclass of Game; nothing outside needs to know more of it than
stands here. Every game passes the one conformance suite, ``tests/engine/conformance.py``.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Generic, Protocol, Self, TypeVar

from engine.errors import OptionError, Param, Place, RecordError, RuleError, Word, gettext_noop, quoted

Json = Any


class Severity(StrEnum):
    """How grave a problem of a written record is."""

    IMPOSSIBLE = "impossible"
    """The rules do not allow it, or what the score needs is not there: refused."""
    INCONSISTENT = "inconsistent"
    """Two things that were given do not agree: refused until settled."""
    SUSPICIOUS = "suspicious"
    """Allowed but odd: accepted, with a mark for the director."""

    @property
    def refuses(self) -> bool:
        """Whether a record with such a problem is refused."""
        return self is not Severity.SUSPICIOUS


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a record: where (a path into its JSON), what, and where one is obvious what to do.

    ``template`` and ``proposal_template`` are English %-formats over ``params``, for translators; a
    parameter that is a Word is itself a name to translate. ``is_missing`` tells what is merely not given yet
    from what is wrong: a page that is still being filled in shows only the latter.
    """

    code: str
    severity: Severity
    place: Place
    template: str
    params: Mapping[str, Param] = field(default_factory=dict, hash=False)
    proposal_template: str = ""
    is_missing: bool = False

    @property
    def message(self) -> str:
        """What is wrong, in a sentence for people."""
        return self.template % self.params

    @property
    def proposal(self) -> str:
        """What would put it right, or an empty text."""
        return self.proposal_template % self.params if self.proposal_template else ""

    @property
    def refuses(self) -> bool:
        """Whether the record is refused because of this."""
        return self.severity.refuses

    def under(self, *place: str | int) -> Problem:
        """The same problem seen from further out: its place with these steps before it."""
        return Problem(
            self.code,
            self.severity,
            (*place, *self.place),
            self.template,
            self.params,
            self.proposal_template,
            self.is_missing,
        )

    def as_json(self) -> dict[str, Json]:
        """The problem for a program: message and proposal are filled in."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "place": list(self.place),
            "message": self.message,
            "proposal": self.proposal,
            "missing": self.is_missing,
        }


class Kind(StrEnum):
    """What kind of value an option takes."""

    NUMBER = "number"
    YES_NO = "yes-no"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game, with all that a form needs to ask for it."""

    name: str
    kind: Kind
    default: int | bool | str
    label: Word
    help: Word
    choices: tuple[tuple[str, Word], ...] = ()
    minimum: int = 0
    maximum: int = 0

    def fault(self, value: object) -> OptionError | None:
        """Why this option cannot have that value, or None."""
        if self.kind is Kind.YES_NO and not isinstance(value, bool):
            return self._error(gettext_noop("“%(label)s” is yes or no, not “%(given)s”."), value)
        if self.kind is Kind.CHOICE and value not in [key for key, _ in self.choices]:
            return self._error(gettext_noop("“%(given)s” is not one of the choices for “%(label)s”."), value)
        if self.kind is Kind.NUMBER and not (type(value) is int and self.minimum <= value <= self.maximum):
            return self._error(
                gettext_noop(
                    "“%(label)s” is a whole number from %(minimum)d to %(maximum)d, not “%(given)s”."
                ),
                value,
                minimum=self.minimum,
                maximum=self.maximum,
            )
        return None

    def _error(self, template: str, value: object, **params: Any) -> OptionError:
        return OptionError(
            "option-value", template, place=(self.name,), label=self.label, given=value, **params
        )


def option_values(fields: Iterable[OptionField], data: object) -> dict[str, Any]:
    """The options given in ``data`` (JSON), checked against their fields; those not given are left out.

    Raises OptionError with every fault in ``causes``.
    """
    if not isinstance(data, Mapping):
        raise OptionError("options-shape", gettext_noop("Options are names with values."), given=data)
    by_name = {option.name: option for option in fields}
    faults = [
        fault for name, option in by_name.items() if name in data and (fault := option.fault(data[name]))
    ]
    unknown = gettext_noop("There is no option “%(given)s”.")
    faults += [
        OptionError("option-unknown", unknown, given=name, place=(quoted(name),))
        for name in list(data)[:20]
        if name not in by_name
    ]
    raise_option_faults(faults)
    return dict(data)


def raise_option_faults(faults: Sequence[OptionError]) -> None:
    """Raise one OptionError for all of these, if there are any."""
    if faults:
        raise OptionError(
            faults[0].code,
            gettext_noop("%(faults)s"),
            causes=faults,
            faults=" ".join(fault.message for fault in faults),
        )


class Action(Protocol):
    """A small frozen value with a text: what a player does on their turn."""

    @property
    def token(self) -> str:
        """Its text; the game reads it back."""


class View(Protocol):
    """All that one seat, or a spectator, may know of a state; a plain frozen value."""

    def as_json(self) -> dict[str, Json]:
        """The view for a program. Equal views give equal JSON."""


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

    # Records

    @abstractmethod
    def read_record(self, data: object, dealer: SeatT | None = None) -> RecordT:
        """A deal as people wrote it down, from JSON, whatever the JSON is: check says what is wrong.

        ``dealer`` is who dealt where the match tells; the record then needs no dealer of its own.
        """

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

    # Matches

    @abstractmethod
    def match_result(self, scores: Sequence[Score], options: OptionsT) -> MatchResult[SideT]:
        """The match after deals with these scores, in order."""

    @abstractmethod
    def read_sheet(self, content: object, first_dealer: SeatT, options: OptionsT) -> Any:
        """A match's sheet ``{"deals": [record, ...]}``. Never raises; has ``records`` and ``as_json()``."""

    @abstractmethod
    def check_sheet(
        self, sheet: Any, options: OptionsT, deals: Sequence[DealT | None] = ()
    ) -> CheckedSheet[ScoreT, SideT]:
        """Everything wrong with the sheet, the scores and the result; places begin ``("deals", i)``."""

    def sheet_problems(
        self, content: object, first_dealer: SeatT, options: OptionsT, deals: Sequence[DealT | None] = ()
    ) -> tuple[Problem, ...]:
        """Everything that is wrong with a scoresheet's content."""
        return self.check_sheet(self.read_sheet(content, first_dealer, options), options, deals).problems


AnyGame = Game[Any, Any, Any, Any, Any, Any, Any]


def record_error(problems: Sequence[Problem]) -> RecordError:
    """The error of a record that is refused for these problems; ``causes`` has one for each that refuses."""
    causes = [
        RecordError(problem.code, problem.template, place=problem.place, **dict[str, Any](problem.params))
        for problem in problems
        if problem.refuses
    ]
    return RecordError(
        "record-refused",
        gettext_noop("This cannot be scored: %(faults)s"),
        causes=causes,
        faults=" ".join(cause.message for cause in causes),
    )


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
        raise RuleError(
            "game-unknown", gettext_noop("There is no game “%(given)s”."), given=quoted(key)
        ) from None


def all_games() -> tuple[AnyGame, ...]:
    """Every registered game, by key."""
    return tuple(_GAMES[key] for key in sorted(_GAMES))
