"""What a game may have besides its rules. It has each of these, or None; pages offer what is there.

Each capability has its own suite in ``tests/engine/conformance/``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.game.values import Checked, Json, Options, Record, Score, Shown, State, View
from engine.text import Message, Word


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

    @property
    def percent(self) -> int | None:
        """How much of the best possible it makes, as measured over many deals; None where nobody has."""
        return None

    @property
    def gives_signals(self) -> bool:
        """Whether it tells its partner something by its cards, and so plays a pair's convention card."""
        return False

    def token(self, view: View) -> str:
        """What it does in the seat of this view: one of the legal tokens. Raises ActionError when not on turn."""


class Records(Protocol):
    """Sheets down to the card: a deal as people wrote it down, at any depth."""

    def read_record(self, data: object, dealer: str | None = None) -> Record:
        """A deal from JSON, whatever the JSON is: check says what is wrong.

        ``dealer`` is who dealt where the match tells; the record then needs no dealer of its own.
        """

    def check(self, record: Record, deal: str | None = None) -> Checked[Score]:
        """Everything that is wrong with the record, and its score unless refused.

        ``deal`` is the deal where it is known from the board; cards must then agree with it.
        """

    def known_deal(self, record: Record, deal: str | None = None) -> str | None:
        """The deal, where every card of it is known from the board or from the record; quick to tell."""

    def tokens_of(self, record: Record) -> tuple[str, ...] | None:
        """Everything that was done in the deal, in order, as ``replay`` takes it; None where that was not written."""

    def describe(self, record: Record, deal: str | None = None) -> Shown:
        """The record as a sheet for people, however wrong it is."""

    def choices(self, record: Record, hand: int | None, deal: str | None = None) -> Shown:
        """What can still be entered for hand ``hand`` (from 0; None: what is left after the last)."""


class Analysis(Protocol):
    """What the cards of a known deal could have made."""

    @property
    def version(self) -> int:
        """Raised when analyses tell something else than before; from 1."""

    def analyse(self, record: Record, deal: str | None = None) -> Shown | None:
        """The deal in the light of best play; None where not all cards are known.

        Pages of any game read of its JSON ``par`` with each side's ``total``; ``costs``: for each hand that was
        played ``points``, ``best_before``, ``best_after`` and ``cost``, or None; and ``actions``: for each action of
        a deal that was written down in full its ``seat``, ``par`` (each side's total at best play from then on) and
        ``cost``: by how much it made its side's lead at par smaller. All else in it is for the game's own pages. It
        may take seconds when first asked.
        """


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that a signal can show: what would be held, and the sentence that says so."""

    holding: str
    message: Message


class Signals(Protocol):
    """What partners tell each other by the cards that they play: the usual signals, or a pair's own."""

    has_cards: bool = False
    """Whether a pair may write a convention card of its own, which ``of_card`` reads."""

    def meanings(self, view: View, hand: int) -> Sequence[Meaning]:
        """Everything that a hand's open cards can tell by these signals."""

    def reasons(self, view: View, seat: str, robot: str) -> Sequence[Message]:  # noqa: ARG002 (none here)
        """Why the robot of that key did what it did last at that seat; ``view`` is a spectator's, of open cards."""
        return ()

    def convention_card(self) -> Mapping[str, Json]:
        """These signals as people read them: system, checklists, sections and notes."""

    def of_card(self, content: object) -> Signals:
        """The signals of a pair's own convention card, whatever the JSON is. Raises RuleError, all faults in causes."""
        raise TypeError(content)

    def as_card(self) -> Mapping[str, Json]:
        """These signals as JSON that ``of_card`` reads, the same for the same signals."""
        raise TypeError(self)

    def token(self, view: View, robot: str) -> str:
        """What the robot of that key does whose partner plays these signals, always the same for the same view.

        One of the legal tokens. Raises ActionError when not on turn.
        """
        raise TypeError(view, robot)


class Coach(Protocol):
    """What helps somebody who learns the game: by what their own seat sees, and nothing else.

    ``signals`` are those of the seat's side; left out, the usual ones.
    """

    @property
    def version(self) -> int:
        """Raised when ``judge`` says something else than before, or in another form; from 1."""

    def chances(self, view: View, signals: Signals | None = None) -> Sequence[Message]:
        """What the seat on turn can still make, and how likely it is; nothing where nothing is to be said.

        Raises ActionError when the seat is not on turn.
        """

    def prospects(self, view: View, token: str, signals: Signals | None = None) -> Sequence[Message]:
        """What can be made after this action, and how likely it is: why it may be a good one. Raises as ``chances``."""

    def judge(self, view: View, token: str, signals: Signals | None = None) -> Mapping[str, Json]:
        """What the best player would have done in place of this action, to be kept: see ``advice``. Raises likewise."""

    def advice(
        self,
        view: View,
        token: str,
        judged: Mapping[str, Json] | None = None,
        signals: Signals | None = None,
    ) -> Sequence[Message]:
        """What the best player would have done instead of this action, and why. Raises as ``chances`` does.

        ``judged`` is what ``judge`` said of it, where that is known already: then nobody thinks again.
        """


class Boards(Protocol):
    """Deals by number: a board can be dealt again at any number of tables."""

    has_files: bool = False
    """Whether PBN files, dealing machines and SquareDeal know these deals: 52 cards, 13 to each of N, E, S, W."""
    own_options: frozenset[str] = frozenset()
    """The options that say whether a match plays boards: ``options_for`` sets them, and no form asks for them."""

    @property
    def deals(self) -> int:
        """How many numbers there are."""

    def deal_of_number(self, number: int, dealer: str | None = None) -> str:
        """The deal of that number, from 0. Raises DealError.

        ``dealer`` matters only where a card is shown that must be the dealer's.
        """

    def number_of_deal(self, deal: str, dealer: str | None = None) -> int:
        """The number of that deal, the first of them where equal cards give it several.

        ``dealer`` matters only where a card is shown that others may hold as well.
        """

    def hands(self, deal: str) -> Mapping[str, tuple[str, ...]]:
        """Each seat's cards, high ones first, in the order of the seats."""

    def stock(self, deal: str) -> tuple[str, ...]:  # noqa: ARG002 (none here)
        """The other cards in their order, the top one first."""
        return ()

    def turned_up(self, deal: str) -> str:  # noqa: ARG002 (none here)
        """The card of a hand that is shown to all before play; empty where there is none."""
        return ""

    def options_for(self, options: Options, *, together: bool, is_new: bool) -> dict[str, Json]:  # noqa: ARG002
        """A competition's options, whose tables play the same boards or do not; ``is_new``: since this change."""
        return dict(options)


class Sampling(Protocol):
    """Deals that a seat could be in: what a searching robot needs of a game."""

    def sample(self, view: View, rng: random.Random) -> State:
        """A state with this very view, all that the view does not tell drawn by chance."""

    def worth_trying(self, state: State) -> Sequence[str]:
        """What a searching robot tries in this state: every legal action, unless the game knows which are hopeless.

        It goes by what the seat on turn sees, and by nothing else.
        """
        return state.legal()

    def likely(self, state: State, rng: random.Random) -> str:
        """What somebody might do in this state, quick to tell: any action, unless the game knows better."""
        legal = state.legal()
        return legal[int(rng.random() * len(legal))]
