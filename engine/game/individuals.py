"""Games in which everybody plays alone: what such a game does in the same way whatever its rules are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, Generic, Self, TypeVar

from engine.errors import ActionError, DealError
from engine.game import values as seam
from engine.game.core import Game
from engine.game.matches import sum_of_deals
from engine.game.values import Json, MatchResult, Options, Points, Score
from engine.options import Kind, OptionField, option_values
from engine.packs import in_order, is_card
from engine.states import NowT_co, Played, SettingT_co, kept, made
from engine.text import Word, gettext_noop


class PlayedDeal(Played[SettingT_co, NowT_co], ABC):
    """A deal being played by individuals.

    Seats are their places, from 0. A game says who is on turn, what is legal, what an action leads to, and why another
    is refused.
    """

    @property
    @abstractmethod
    def place(self) -> int | None:
        """The place that has to act; None when the deal is over."""

    @abstractmethod
    def allowed(self) -> Sequence[str]:
        """The tokens that may be played while the deal is not over."""

    @abstractmethod
    def refusal(self, token: str) -> ActionError:
        """Why this is not one of them, while the deal is not over."""

    @abstractmethod
    def step(self, token: str) -> NowT_co:
        """How the deal stands after an action that is allowed."""

    @abstractmethod
    def result(self) -> Points:
        """What the deal was worth, once it is over."""

    def spelled(self, token: str) -> str:
        """An action as it is written, from another spelling of it."""
        return token

    @property
    def is_over(self) -> bool:
        """Whether nobody has to act."""
        return self.place is None

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.place is None else str(self.place + 1)

    @kept
    def _legal(self) -> tuple[str, ...]:
        return () if self.is_over else tuple(self.allowed())

    def legal(self) -> tuple[str, ...]:
        """The actions that are allowed."""
        return self._legal

    def verify(self, token: str) -> None:
        """Do nothing if it may be done now; else raise the ActionError that says why not."""
        self._read(token)

    def allows(self, token: str) -> bool:
        """Whether this is one of the legal actions; a game that has many may tell without listing them."""
        return token in self.legal()

    def _read(self, token: str) -> str:
        if self.allows(token):
            return token
        if self.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        written = self.spelled(token)
        if self.allows(written):
            return written
        raise self.refusal(token)

    def apply(self, token: str) -> Self:
        """The state after this action."""
        return self.after(token if self.allows(token) else self._read(token))

    def after(self, token: str) -> Self:
        """The state after an action that is allowed, as it is written."""
        setting, history, _now = self
        return made(type(self), (setting, history + (token,), self.step(token)))  # noqa: RUF005 (quicker)

    def score(self) -> Points:
        """What the deal was worth. Raises ActionError while it is not over."""
        if not self.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        return self.result()


PlayedT = TypeVar("PlayedT", bound=PlayedDeal[object, object])


class IndividualGame(Game, Generic[PlayedT]):
    """A game for individuals with plain options, whose match is the sum of its deals.

    ``fields`` are its options, ``deal_fields`` those that a match carries into a deal.
    """

    fields: tuple[OptionField, ...]
    deal_fields: tuple[OptionField, ...] = ()
    state_type: type[PlayedT]
    deals_each: int = 0
    """How often everybody deals in a match where ``deals`` is 0."""

    @abstractmethod
    def begin(self, text: str, players: int, dealer: int, options: Options) -> PlayedT:
        """The state before the first action; all arguments but the text are right. Raises DealError."""

    def options(self) -> tuple[OptionField, ...]:
        """The options of a competition."""
        return self.fields

    def read_options(self, data: object) -> dict[str, Json]:
        """All of them, and those of the deal that are given."""
        usual: dict[str, Json] = {field.name: field.default for field in self.fields}
        return {**usual, **option_values((*self.fields, *self.deal_fields), data)}

    def deals_in_match(self, options: Options) -> int | None:
        """As the options say; where the number depends on the players, with the most of them."""
        return self.deals_of(self.players.stop - 1, options)

    def deals_of(self, players: int | None, options: Options) -> int | None:
        """As the options say; 0: everybody deals ``deals_each`` times."""
        deals, count = self.read_options(options)["deals"], players or self.players.start
        if not isinstance(deals, int) or not self.deals_each:
            return deals if isinstance(deals, int) else None
        return deals or self.deals_each * count

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> PlayedT:
        """The state before the first action."""
        chosen, seats = self.read_options(options), self.seats(players)
        if dealer not in seats:
            template = gettext_noop("“%(given)s” isn’t a seat in this game.")
            raise DealError("seat-unknown", template, given=dealer)
        return self.begin(deal, len(seats), seats.index(dealer), chosen)

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:  # noqa: ARG002 (some games hide)
        """Nothing of an action is secret, unless the game says so."""
        return token

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """The sum of the deals."""
        seats = self.seats(players)
        return sum_of_deals(
            scores,
            seats,
            deals=self.deals_of(len(seats), options),
            lower_is_better=self.lower_is_better,
        )

    def own(self, state: seam.State) -> PlayedT:
        """What comes back over the seam is what was given out."""
        if not isinstance(state, self.state_type):
            raise TypeError(state)
        return state


def equal_deals_field(help_text: str) -> OptionField:
    """How many deals a match has where all deal equally often; ``help_text`` says what 0 means."""
    return OptionField("deals", Kind.NUMBER, 0, Word(gettext_noop("Deals")), Word(help_text), maximum=60)


#: C4: the usual help for ``equal_deals_field``.
TWICE_EACH: Final = gettext_noop(
    "How many deals a match has, so that all deal equally often. 0: everybody deals twice."
)


_NO_CARD_NOW: Final = gettext_noop("You can’t play a single card now. Press one of the buttons.")


def unknown_action(token: str) -> ActionError:
    """C8: a text that is no action of the game. Where a single card is none, people are told what to do instead."""
    if is_card(token):
        return ActionError("token", _NO_CARD_NOW, given=token)
    return ActionError("token", gettext_noop("“%(given)s” isn’t an action in this game."), given=token)


def wrong_phase(token: str, to_do: str) -> ActionError:
    """C8: an action of another moment; ``to_do`` says in a sentence what to do instead."""
    return ActionError("phase", to_do, given=token)


def not_held(token: str) -> ActionError:
    """C8: cards that the player does not have."""
    return ActionError("not-held", gettext_noop("You don’t hold these cards."), given=token)


def cards_among(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens that are single cards, as a hand is written."""
    return in_order(token for token in tokens if is_card(token))
