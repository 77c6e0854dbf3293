"""A deal of Conquian being played: the open card, laying, discarding and the force (CQ3 to CQ14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.card_bits import numbers_in
from engine.conquian.melds import CARDS, fits, grouping, layings
from engine.errors import ActionError, CardError, DealError
from engine.game.values import Json, Points
from engine.packs import Dealt, cards_text, read_cards, read_deal
from engine.states import Played, kept
from engine.text import gettext_noop

SEATS: Final = ("1", "2")
HAND: Final = 10
#: CQ8: so many cards down win.
ENOUGH: Final = 11
STOCK: Final = 20
LAY, PASS, FORCE = "+", "pass", "force"
#: CQ9 to CQ12: who is on turn has turned the card, is offered it, is asked for the force, is forced, or discards.
TURNED, OFFERED, ASKED, FORCED, DISCARD = range(5)
_TAKE: Final = gettext_noop("First take the open card, alone or with cards of yours, or pass.")
_TO_DO: Final = {
    TURNED: _TAKE,
    OFFERED: _TAKE,
    ASKED: gettext_noop("First force the open card, or pass."),
    FORCED: gettext_noop("You must take this card: you’ve been forced."),
    DISCARD: gettext_noop("First discard a card."),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """CQ3: the hands as sets, the stock as numbers, the top card first; the dealer's place."""

    hands: tuple[int, int]
    stock: tuple[int, ...]
    dealer: int


class Now(NamedTuple):
    """How a deal stands. Seats are their places in ``SEATS``, cards numbers, hands and cards on the table sets."""

    hands: tuple[int, int]
    down: tuple[int, int]
    turn: int
    open: int
    """The card in the middle; -1 while somebody discards, and at the end."""
    phase: int = TURNED
    turned: int = 1
    """How many cards of the stock have been turned."""
    is_discard: bool = False
    """Whether the open card was discarded and not turned."""
    dead: tuple[int, ...] = ()
    forced: int = 0
    winner: int = -1
    is_over: bool = False


def read(text: str) -> Dealt:
    """CQ18. Raises DealError."""
    return read_deal(text, CARDS.pack, (HAND,) * 2)


def start(text: str, dealer: str) -> State:
    """CQ9: the non-dealer has turned the first card. Raises DealError."""
    dealt = read(text)
    if dealer not in SEATS:
        raise DealError("seat-unknown", gettext_noop("“%(given)s” isn’t a seat in this game."), given=dealer)
    one, two = map(CARDS.bits_of, dealt.hands)
    stock = tuple(CARDS.number[card] for card in dealt.stock)
    return begun(Setting((one, two), stock, SEATS.index(dealer)))


def begun(setting: Setting) -> State:
    """CQ9: before the first action."""
    return State(setting, (), Now(setting.hands, (0, 0), 1 - setting.dealer, setting.stock[0]))


class State(Played[Setting, Now]):
    """A deal being played."""

    @property
    def is_over(self) -> bool:
        """CQ8, CQ13."""
        return self.now.is_over

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.now.is_over else SEATS[self.now.turn]

    @property
    def left(self) -> int:
        """How many cards the stock still has."""
        return len(self.setting.stock) - self.now.turned

    @kept
    def may_force(self) -> bool:
        """CQ11: whether the other passed a card that fits their own melds, and did not discard it."""
        now = self.now
        is_asked = now.phase == ASKED or (now.phase == OFFERED and not now.is_discard)
        return is_asked and fits(now.open, now.down[1 - now.turn])

    @kept
    def layings(self) -> tuple[int, ...]:
        """CQ6: the cards of the hand that may be laid with the open card."""
        now = self.now
        if now.is_over or now.phase in {ASKED, DISCARD}:
            return ()
        return layings(now.down[now.turn] | 1 << now.open, now.hands[now.turn])

    @kept
    def _legal(self) -> tuple[str, ...]:
        now = self.now
        if now.is_over:
            return ()
        if now.phase == DISCARD:
            return tuple(CARDS.cards[card] for card in numbers_in(now.hands[now.turn]))
        found = [lay_token(cards) for cards in self.layings]
        if now.phase != FORCED:
            found.append(PASS)
        if self.may_force:
            found.append(FORCE)
        return tuple(found)

    def legal(self) -> tuple[str, ...]:
        """What may be laid, pass and force; or the cards to discard."""
        return self._legal

    def verify(self, token: str) -> None:
        """CQ5 to CQ12, CQ17."""
        self._read(token)

    def _read(self, token: str) -> str:
        """The action as it is written (CQ19). Raises ActionError."""
        if token in self._legal:
            return token
        now = self.now
        if now.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        if token[:1] == LAY:
            return self._read_laying(token)
        if token == PASS and now.phase == FORCED:
            template = gettext_noop("You must take this card: you’ve been forced.")
            raise ActionError("forced", template, given=token)
        if token == FORCE and now.phase in {OFFERED, ASKED}:
            template = gettext_noop("You can’t force this card: it doesn’t fit, or it was discarded.")
            raise ActionError("no-force", template, given=token)
        if token not in {PASS, FORCE} and token not in CARDS.number:
            template = gettext_noop("“%(given)s” isn’t an action in this game.")
            raise ActionError("token", template, given=token)
        if token in CARDS.number and now.phase == DISCARD:
            raise ActionError("not-held", gettext_noop("You don’t hold that card."), given=token)
        raise ActionError("phase", _TO_DO[now.phase], given=token)

    def _read_laying(self, token: str) -> str:
        """CQ6, CQ17, CQ19: the cards in any order."""
        now = self.now
        try:
            cards = read_cards(token[1:])
        except CardError as error:
            raise ActionError("token", error.message.template, given=token) from None
        if now.phase in {ASKED, DISCARD}:
            raise ActionError("phase", _TO_DO[now.phase], given=token)
        held = now.hands[now.turn]
        if len(set(cards)) < len(cards) or any(
            card not in CARDS.number or not held >> CARDS.number[card] & 1 for card in cards
        ):
            raise ActionError("not-held", gettext_noop("You don’t hold all of these cards."), given=token)
        laid = CARDS.bits_of(cards)
        if laid in self.layings:
            return lay_token(laid)
        if layings(now.down[now.turn] | 1 << now.open | laid, 0):
            template = gettext_noop(
                "Each meld needs a card that was on the table: none may come from your hand alone."
            )
            raise ActionError("from-hand", template, given=token)
        template = gettext_noop("These cards and the open card don’t all go into melds.")
        raise ActionError("no-grouping", template, given=token)

    def apply(self, token: str) -> State:
        """The state after this action."""
        return self.after(self._read(token))

    def after(self, token: str) -> State:
        """The state after an action that was allowed, as it is written."""
        return State(self.setting, (*self.history, token), self._next(token))

    def _next(self, token: str) -> Now:
        now = self.now
        if token[0] == LAY:
            return self._laid(CARDS.bits_of(token[at : at + 2] for at in range(1, len(token), 2)))
        if token == FORCE:
            return now._replace(turn=1 - now.turn, phase=FORCED, forced=now.forced + 1)
        if token != PASS:
            card = CARDS.number[token]
            hands = _changed(now.hands, now.turn, now.hands[now.turn] ^ 1 << card)
            return now._replace(hands=hands, turn=1 - now.turn, open=card, phase=OFFERED, is_discard=True)
        if now.phase == TURNED:
            return now._replace(turn=1 - now.turn, phase=OFFERED, is_discard=False)
        if now.phase == OFFERED and fits(now.open, now.down[now.turn]):
            return now._replace(turn=1 - now.turn, phase=ASKED)
        return self._turned_next(now.turn if now.phase == OFFERED else 1 - now.turn)

    def _laid(self, cards: int) -> Now:
        """CQ6, CQ8."""
        now = self.now
        table = now.down[now.turn] | 1 << now.open | cards
        has_won = table.bit_count() == ENOUGH
        return now._replace(
            hands=_changed(now.hands, now.turn, now.hands[now.turn] & ~cards),
            down=_changed(now.down, now.turn, table),
            open=-1,
            phase=DISCARD,
            winner=now.turn if has_won else -1,
            is_over=has_won,
        )

    def _turned_next(self, turn: int) -> Now:
        """CQ10, CQ13: the open card is dead; the next one is turned, where there is one."""
        now = self.now
        dead = (*now.dead, now.open)
        if now.turned == len(self.setting.stock):
            return now._replace(dead=dead, open=-1, is_over=True)
        return now._replace(
            turn=turn,
            open=self.setting.stock[now.turned],
            phase=TURNED,
            turned=now.turned + 1,
            is_discard=False,
            dead=dead,
        )

    def score(self) -> Points:
        """CQ14. Raises ActionError while the deal is not over."""
        now = self.now
        if not now.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        detail: dict[str, Json] = {
            "winner": SEATS[now.winner] if now.winner >= 0 else None,
            "forced": now.forced,
            "down": {seat: grouping(down) for seat, down in zip(SEATS, now.down, strict=True)},
            "left": {seat: hand.bit_count() for seat, hand in zip(SEATS, now.hands, strict=True)},
        }
        return Points({seat: int(place == now.winner) for place, seat in enumerate(SEATS)}, detail)


def lay_token(cards: int) -> str:
    """CQ19: the open card, laid with these of the hand."""
    return LAY + cards_text(CARDS.cards_in(cards))


def _changed(pair: tuple[int, int], place: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if place == 0 else (pair[0], value)
