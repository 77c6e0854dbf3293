"""Concerto being played: the state of a deal (R3 to R8), and why a card or a call is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Self, final

from engine.cards import PACK, Card, CardSet, cards_of
from engine.concerto.options import CARDS_IN_HAND, HANDS, HandValue, Options, leader_of
from engine.concerto.scoring import DealScore, deal_score, value_of_bits
from engine.deals import Deal
from engine.errors import ActionError
from engine.seats import SEATS, Seat
from engine.text import gettext_noop

PASS_TOKEN: Final = "-"  # noqa: S105
PLAY_TOKEN: Final = ">"  # noqa: S105
#: R5: after this many passes in a row the player on turn must play.
MOST_PASSES: Final = 2

Refusal = tuple[str, str]

_LEADER: Final = ("leader-must-play", gettext_noop("%(seat)s leads the hand and must play a card."))
_ALONE: Final = (
    "must-complete",
    gettext_noop("%(seat)s’s partner said “Play”, so %(seat)s must complete the hand."),
)
_PASSES: Final = ("two-passes", gettext_noop("There have been two passes, so %(seat)s must play a card."))
_NO_PARTNER: Final = (
    "partner-out",
    gettext_noop("%(seat)s’s partner has no cards left, so %(seat)s must play."),
)


@final
class Action:
    """What a player does: plays a card, passes, or says "Play". One object for each of the 54."""

    __slots__ = ("bit", "card", "token")

    card: Card | None
    token: str
    bit: int

    def __new__(cls, token: str) -> Action:
        """The action with that token. Raises ActionError."""
        try:
            return _ACTIONS[token]
        except (KeyError, TypeError):
            template = gettext_noop("“%(given)s” isn’t an action. Write a card, - to pass, or > for “Play”.")
            raise ActionError("action-unknown", template, given=token) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an action does not change: {name}")

    def __repr__(self) -> str:
        return f"Action({self.token!r})"

    def __str__(self) -> str:
        return self.token

    def __reduce__(self) -> tuple[type[Action], tuple[str]]:
        return (Action, (self.token,))


def _new_action(card: Card | None, token: str) -> Action:
    action = object.__new__(Action)
    object.__setattr__(action, "card", card)
    object.__setattr__(action, "token", token)
    object.__setattr__(action, "bit", card.bit if card else 0)
    return action


PASS: Final = _new_action(None, PASS_TOKEN)
PLAY: Final = _new_action(None, PLAY_TOKEN)
_CARD_ACTIONS: Final = tuple(_new_action(card, card.text) for card in PACK)
_ACTIONS: Final = {action.token: action for action in (*_CARD_ACTIONS, PASS, PLAY)}
_ACTION_OF_BIT: Final = {action.bit: action for action in _CARD_ACTIONS}


class Move(NamedTuple):
    """An action and who took it: R3 to R7 determine that; it is kept so as not to be worked out again."""

    seat: Seat
    action: Action


MOVES: Final = tuple({action: Move(seat, action) for action in _ACTIONS.values()} for seat in SEATS)

Line = tuple[Move, ...]


class HandPlayed(NamedTuple):
    """A completed hand: what was done, and the bits of what each partner put in (leader's seat first)."""

    line: Line
    by_leader: int
    by_partner: int

    @property
    def cards(self) -> CardSet:
        """The five cards."""
        return CardSet(self.by_leader | self.by_partner)

    @property
    def value(self) -> HandValue:
        """R9: what it is worth."""
        return value_of_bits(self.by_leader, self.by_partner)


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change while a deal is played."""

    deal: Deal
    dealer: Seat
    options: Options


@final
class State(NamedTuple):
    """A deal being played. Made by ``start`` and ``apply`` only.

    A named tuple because a deal passes through some fifty states, and no other frozen value is made as fast.
    """

    setting: Setting
    held: tuple[int, int, int, int]
    """Each seat's cards as bits, N E S W."""
    hands: tuple[HandPlayed, ...]
    """The completed hands (R8)."""
    line: Line
    """What has been done in the hand being played."""
    on_turn: int
    """The index of the seat that has to act."""
    cards_played: int
    """In the hand being played."""
    passes: int
    """In a row, just now (R5)."""
    alone: bool
    """Whether somebody said "Play" in this hand (R6)."""

    @property
    def turn(self) -> Seat | None:
        """The seat that has to act; None when the deal is over."""
        return None if self.is_over else SEATS[self.on_turn]

    @property
    def is_over(self) -> bool:
        """R3: whether all eight hands are played."""
        return len(self.hands) == HANDS

    @property
    def history(self) -> tuple[str, ...]:
        """The tokens of all actions so far."""
        lines = [hand.line for hand in self.hands]
        return tuple(move.action.token for line in (*lines, self.line) for move in line)

    @property
    def hand_lines(self) -> tuple[str, ...]:
        """The completed hands as lines of play, as a record has them: ``"7h Ah - > 6h 5h Th"``."""
        return tuple(line_text(hand.line) for hand in self.hands)

    def cards_held(self, seat: Seat) -> CardSet:
        """What that seat holds now. For the rules' own use: players are shown views."""
        return CardSet(self.held[seat.index])

    def refusal_to_pass(self) -> Refusal | None:
        """R4 to R7: why the player on turn may neither pass nor say "Play"; None if they may."""
        partner_left = self.held[self.on_turn ^ 2]
        return refusal_to_pass(self.cards_played, self.passes, self.alone, partner_left)

    def legal_actions(self) -> tuple[Action, ...]:
        """Every action that is allowed now: cards in the order of the pack, then pass and "Play"."""
        if len(self.hands) == HANDS:
            return ()
        actions = []
        rest = self.held[self.on_turn]
        while rest:
            low = rest & -rest
            actions.append(_ACTION_OF_BIT[low])
            rest ^= low
        if self.refusal_to_pass() is None:
            actions += (PASS, PLAY)
        return tuple(actions)

    def legal(self) -> tuple[str, ...]:
        """The tokens of all that is allowed now."""
        return tuple(action.token for action in self.legal_actions())

    def verify(self, action: Action | str) -> None:
        """Raise the ActionError that says why this action, or that of this token, is not allowed now."""
        if not isinstance(action, Action):
            action = Action(action)
        if len(self.hands) == HANDS:
            raise ActionError(
                "deal-over", gettext_noop("All eight hands have been played."), given=action.token
            )
        seat = SEATS[self.on_turn]
        if action.bit:
            if not self.held[self.on_turn] & action.bit:
                template = gettext_noop("%(seat)s doesn’t have the %(card)s.")
                card = _symbol(action)
                raise ActionError("card-not-held", template, given=action.token, seat=seat.title, card=card)
        elif refusal := self.refusal_to_pass():
            raise ActionError(*refusal, given=action.token, seat=seat.title)

    def apply(self, action: Action | str) -> Self:
        """The state after this action, or that of this token. Raises as verify does."""
        if not isinstance(action, Action):
            action = Action(action)
        self.verify(action)
        seat = self.on_turn
        line = (*self.line, MOVES[seat][action])
        if action.bit:
            return self._after_card(action.bit, line)
        # R5 and R6: both give the turn to the partner.
        alone = action is PLAY
        passes = 0 if alone else self.passes + 1
        return self.__class__(
            self.setting, self.held, self.hands, line, seat ^ 2, self.cards_played, passes, alone
        )

    def _after_card(self, bit: int, line: Line) -> Self:
        seat = self.on_turn
        changed = list(self.held)
        changed[seat] ^= bit
        held: tuple[int, int, int, int] = tuple(changed)  # type: ignore[assignment]
        played = self.cards_played + 1
        if played == CARDS_IN_HAND:
            return self._after_hand(held, line)
        turn = seat ^ 2 if partner_follows(self.alone, held[seat], held[seat ^ 2]) else seat
        return self.__class__(self.setting, held, self.hands, line, turn, played, 0, self.alone)

    def _after_hand(self, held: tuple[int, int, int, int], line: Line) -> Self:
        leader = leader_of(self.setting.dealer, len(self.hands))
        put_in = [0, 0, 0, 0]
        for seat, action in line:
            put_in[seat.index] |= action.bit
        hands = (*self.hands, HandPlayed(line, put_in[leader.index], put_in[leader.index ^ 2]))
        turn = first_to_play(self.setting.dealer, len(hands), held)
        return self.__class__(self.setting, held, hands, (), turn, 0, 0, False)  # noqa: FBT003

    def score(self) -> DealScore:
        """R9 to R14: what the deal was worth. Raises ActionError while it is not over."""
        if not self.is_over:
            raise ActionError("deal-not-over", gettext_noop("The deal isn’t over yet."))
        return deal_score(tuple(hand.value.points for hand in self.hands), self.setting.dealer, self.held)


def first_to_play(dealer: Seat, hand: int, held: tuple[int, int, int, int]) -> int:
    """R3, R7: the index of the seat that begins hand number ``hand`` (from 0).

    That is the leader, or the partner of a leader who has no cards left.
    """
    leader = leader_of(dealer, hand).index
    return leader if held[leader] else leader ^ 2


def start(deal: Deal, dealer: Seat, options: Options) -> State:
    """R3: the state before the first card; dealer's left is to lead."""
    held: tuple[int, int, int, int] = tuple(cards.bits for cards in deal.hands)  # type: ignore[assignment]
    setting = Setting(deal, dealer, options)
    return State(setting, held, (), (), first_to_play(dealer, 0, held), 0, 0, alone=False)


def line_text(line: Line) -> str:
    """A hand's actions as a record has them."""
    return " ".join(move.action.token for move in line)


def _symbol(action: Action) -> str:
    return cards_of(action.bit)[0].symbol


# Whose turn it is (R4 to R7). A written line of play, where nobody's cards need be known, is read with these too.


def refusal_to_pass(cards_played: int, passes: int, alone: bool, partner_left: int) -> Refusal | None:
    """Why the player on turn may not pass, as code and template; None if they may.

    A player who may pass may say "Play" instead (R6), so this refuses both. ``cards_played`` counts this
    hand's cards, ``passes`` those in a row just before, ``alone`` tells that somebody said "Play",
    ``partner_left`` counts the partner's cards.
    """
    if cards_played == 0:
        return _LEADER  # R4
    if alone:
        return _ALONE  # R6
    if passes >= MOST_PASSES:
        return _PASSES  # R5
    if partner_left <= 0:
        return _NO_PARTNER  # R7
    return None


def partner_follows(alone: bool, own_left: int, partner_left: int) -> bool:
    """Whether, after a card, the turn goes to the partner of the player.

    R4: it does; R6: but one who completes the hand alone keeps it while holding cards; R7: and nobody without
    cards has it.
    """
    return own_left <= 0 if alone else partner_left > 0
