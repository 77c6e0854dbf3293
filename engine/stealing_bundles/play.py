"""A deal of Stealing Bundles being played: capturing, stealing, trailing (SB2 to SB8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.cards import Card
from engine.errors import ActionError
from engine.game.individuals import PlayedDeal, not_held, unknown_action
from engine.game.values import Json, Points
from engine.packs import in_order, pack, read_deal
from engine.text import gettext_noop

PACK: Final = pack()
SEATS: Final = ("1", "2")
HAND: Final = 4
BOARD: Final = 4


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with; the stock has its top first."""

    hands: tuple[tuple[str, ...], tuple[str, ...]]
    board: tuple[str, ...]
    stock: tuple[str, ...]
    dealer: int


class Now(NamedTuple):
    """How a deal stands; ``last`` is who captured last, -1 before anybody has."""

    hands: tuple[tuple[str, ...], tuple[str, ...]]
    board: tuple[str, ...]
    stock: tuple[str, ...]
    bundles: tuple[tuple[str, ...], tuple[str, ...]]
    turn: int
    last: int = -1
    steals: int = 0
    left_over: int = 0


def start(text: str, dealer: int) -> State:
    """SB2. Raises DealError."""
    dealt = read_deal(text, PACK, (HAND, HAND))
    one, two = dealt.hands
    return begun(Setting((one, two), dealt.stock[:BOARD], dealt.stock[BOARD:], dealer))


def begun(setting: Setting) -> State:
    """SB3: the other one begins."""
    return State(setting, (), Now(setting.hands, setting.board, setting.stock, ((), ()), 1 - setting.dealer))


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """SB3, SB7."""
        return None if not any(self.now.hands) else self.now.turn

    def captures(self, card: str) -> bool:
        """SB4."""
        now = self.now
        theirs = now.bundles[1 - now.turn]
        return any(each[0] == card[0] for each in (*now.board, *theirs[-1:]))

    def allowed(self) -> Sequence[str]:
        """SB6: who can capture must."""
        hand = self.now.hands[self.now.turn]
        return tuple(card for card in hand if self.captures(card)) or hand

    def refusal(self, token: str) -> ActionError:
        """SB11."""
        if token not in PACK:
            return unknown_action(token)
        if token not in self.now.hands[self.now.turn]:
            return not_held(token)
        template = gettext_noop("You must capture: %(cards)s.")
        return ActionError(
            "must-capture",
            template,
            given=token,
            cards=" ".join(Card.parse(card).symbol for card in self.legal()),
        )

    def step(self, token: str) -> Now:
        """SB4 to SB7."""
        now, turn = self.now, self.now.turn
        hand = tuple(card for card in now.hands[turn] if card != token)
        hands, bundles = _put(now.hands, turn, hand), now.bundles
        taken = tuple(card for card in now.board if card[0] == token[0])
        board = tuple(card for card in now.board if card[0] != token[0])
        stolen = bundles[1 - turn] if bundles[1 - turn] and bundles[1 - turn][-1][0] == token[0] else ()
        last = now.last
        if taken or stolen:
            bundles = _put(bundles, turn, (*bundles[turn], *stolen, *taken, token))
            bundles = _put(bundles, 1 - turn, ()) if stolen else bundles
            last = turn
        else:
            board = (*board, token)
        now = Now(hands, board, now.stock, bundles, 1 - turn, last, now.steals + bool(stolen))
        return now if any(hands) else self._dealt_again(now)

    def _dealt_again(self, now: Now) -> Now:
        """SB2: four more each, one at a time; SB7: or the deal is over."""
        if not now.stock:
            bundles = _put(now.bundles, now.last, (*now.bundles[now.last], *now.board))
            return now._replace(board=(), bundles=bundles, left_over=len(now.board))
        first, cards = 1 - self.setting.dealer, now.stock[: 2 * HAND]
        hands = _put(_put(now.hands, first, in_order(cards[::2])), 1 - first, in_order(cards[1::2]))
        return now._replace(hands=hands, stock=now.stock[2 * HAND :])

    def result(self) -> Points:
        """SB8."""
        now = self.now
        detail: dict[str, Json] = {
            "steals": now.steals,
            "last": SEATS[now.last],
            "left_over": now.left_over,
        }
        return Points({seat: len(bundle) for seat, bundle in zip(SEATS, now.bundles, strict=True)}, detail)


def _put(
    both: tuple[tuple[str, ...], tuple[str, ...]], place: int, cards: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (cards, both[1]) if place == 0 else (both[0], cards)
