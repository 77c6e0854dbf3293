"""A deal of Play or Pay being played: sequences round the corner, and a chip from who cannot (PY1 to PY7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.cards import Card
from engine.errors import ActionError
from engine.game.individuals import PlayedDeal, not_held, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import RANKS, in_order, pack, read_deal
from engine.text import gettext_noop

PACK: Final = pack()
PAY: Final = "pay"
_BEGIN: Final = gettext_noop("You begin a sequence: play any card.")
SUIT: Final = len(RANKS)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with."""

    hands: tuple[tuple[str, ...], ...]
    dealer: int


class Now(NamedTuple):
    """How a deal stands; ``last`` is the card to which the next one belongs, empty where a sequence begins."""

    hands: tuple[tuple[str, ...], ...]
    turn: int
    paid: tuple[int, ...]
    last: str = ""
    laid: int = 0
    """How many cards of this sequence lie there."""
    winner: int = -1


def follows(card: str) -> str:
    """PY1: the next higher card of the suit; after the ace comes the two."""
    return RANKS[RANKS.index(card[0]) - 1] + card[1]


def dealt_from(cards: Sequence[str], players: int, dealer: int) -> tuple[tuple[str, ...], ...]:
    """PY3: one card at a time from the dealer's left."""
    return tuple(in_order(cards[(place - dealer - 1) % players :: players]) for place in range(players))


def start(text: str, players: int, dealer: int) -> State:
    """PY3. Raises DealError."""
    cards = read_deal(text, PACK, (0,) * players).stock
    return begun(Setting(dealt_from(cards, players, dealer), dealer))


def begun(setting: Setting) -> State:
    """PY4: the dealer's left begins."""
    players = len(setting.hands)
    return State(setting, (), Now(setting.hands, (setting.dealer + 1) % players, (0,) * players))


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """PY4, PY6."""
        return None if self.now.winner >= 0 else self.now.turn

    def allowed(self) -> Sequence[str]:
        """PY4, PY5."""
        hand = self.now.hands[self.now.turn]
        if not self.now.last:
            return hand
        card = follows(self.now.last)
        return (card,) if card in hand else (PAY,)

    def refusal(self, token: str) -> ActionError:
        """PY10."""
        now = self.now
        if token not in PACK and token != PAY:
            return unknown_action(token)
        if not now.last:
            return not_held(token) if token in PACK else wrong_phase(token, _BEGIN)
        card = follows(now.last)
        if card in now.hands[now.turn]:
            template = gettext_noop("You must play the %(card)s.")
            return ActionError("must-play", template, given=token, card=Card.parse(card).symbol)
        template = gettext_noop("You don’t have the %(card)s: pay a point.")
        return ActionError("must-pay", template, given=token, card=Card.parse(card).symbol)

    def step(self, token: str) -> Now:
        """PY4 to PY6."""
        now, turn, players = self.now, self.now.turn, len(self.now.hands)
        left = (turn + 1) % players
        if token == PAY:
            paid = (*now.paid[:turn], now.paid[turn] + 1, *now.paid[turn + 1 :])
            return now._replace(paid=paid, turn=left)
        hand = tuple(card for card in now.hands[turn] if card != token)
        hands = (*now.hands[:turn], hand, *now.hands[turn + 1 :])
        if not hand:
            return now._replace(hands=hands, last=token, laid=now.laid + 1, winner=turn)
        if now.laid + 1 == SUIT:
            return now._replace(hands=hands, last="", laid=0)
        return now._replace(hands=hands, last=token, laid=now.laid + 1, turn=left)

    def result(self) -> Points:
        """PY7."""
        now = self.now
        lost = [paid + len(hand) for paid, hand in zip(now.paid, now.hands, strict=True)]
        others = sum(points for place, points in enumerate(lost) if place != now.winner)
        detail: dict[str, Json] = {
            "winner": str(now.winner + 1),
            "paid": {str(place + 1): paid for place, paid in enumerate(now.paid)},
            "left": {str(place + 1): len(hand) for place, hand in enumerate(now.hands)},
            "pot": sum(lost),
        }
        total = {
            str(place + 1): others if place == now.winner else -points for place, points in enumerate(lost)
        }
        return Points(total, detail)
