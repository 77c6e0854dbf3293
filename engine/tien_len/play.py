"""A deal of Tien Len being played (TL2 to TL17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.cards import Card
from engine.errors import ActionError, CardError
from engine.game.values import Json, Points
from engine.packs import Dealt, read_cards, read_deal
from engine.states import Played, kept
from engine.text import Word, gettext_noop
from engine.tien_len.combinations import (
    CARDS,
    DOUBLE_SEQUENCE,
    FOUR,
    NUMBER,
    PACK,
    PAIR,
    SEQUENCE,
    SINGLE,
    TRIPLET,
    all_in,
    bombs_on,
    kind_of,
    of_kind,
    text_of,
    top_of,
)

HAND: Final = 13
#: TL20.
PASS, LOSER, PLACES = "-", "loser", "places"


@dataclass(frozen=True, slots=True)
class Rules:
    """TL6, TL11, TL14, TL17: the options of a deal."""

    bombs: bool = False
    pass_is_final: bool = False
    twos: bool = True
    scoring: str = LOSER


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with. Seats are their places, hands sets of cards."""

    hands: tuple[int, ...]
    dealer: int
    rules: Rules
    leader: int
    lowest: int = -1
    """TL8: the card that the leader must play; -1 where anything may be led (TL9)."""


class Now(NamedTuple):
    """How a deal stands."""

    hands: tuple[int, ...]
    sizes: tuple[int, ...]
    turn: int
    standing: int = 0
    """The combination to beat; 0: none."""
    owner: int = -1
    passed: int = 0
    """A bit for each who has passed: since the last play, or where passing is final in this trick."""
    out: tuple[int, ...] = ()


def read(text: str, players: int) -> Dealt:
    """TL4: a hand for each seat, nothing more. Raises DealError."""
    # With fewer than four, the other cards stay unseen.
    return read_deal(text, [card for card in PACK if card in text], (HAND,) * players)


def start(text: str, players: int, dealer: int, rules: Rules, leader: int | None) -> State:
    """TL8, TL9. Raises DealError."""
    hands = tuple(sum(1 << NUMBER[card] for card in hand) for hand in read(text, players).hands)
    lowest = -1
    if leader is None:
        low = sum(hands) & -sum(hands)
        lowest = low.bit_length() - 1
        leader = next(place for place, hand in enumerate(hands) if hand & low)
    return begun(Setting(hands, dealer, rules, leader, lowest))


def begun(setting: Setting) -> State:
    """Before the first action."""
    return State(setting, (), Now(setting.hands, (HAND,) * len(setting.hands), setting.leader))


class State(Played[Setting, Now]):
    """A deal being played."""

    @property
    def is_over(self) -> bool:
        """TL15: only one player holds cards."""
        return len(self.now.out) == len(self.now.sizes) - 1

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else str(self.now.turn + 1)

    @kept
    def playable(self) -> tuple[int, ...]:
        """TL5 to TL10, TL14: the combinations that may be played now."""
        now, rules = self.now, self.setting.rules
        hand = now.hands[now.turn]
        if not now.standing:
            found = all_in(hand, twos=rules.twos)
            if self.history or self.setting.lowest < 0:
                return found
            return tuple(cards for cards in found if cards >> self.setting.lowest & 1)
        kind = kind_of(now.standing, twos=rules.twos)
        if kind is None:
            raise TypeError(now.standing)
        higher = tuple(of_kind(hand, kind, top_of(now.standing), twos=rules.twos))
        if not rules.bombs:
            return higher
        bombs = bombs_on(now.standing, kind)
        return (*higher, *(cards for bomb in bombs for cards in of_kind(hand, bomb, -1, twos=rules.twos)))

    @kept
    def _legal(self) -> tuple[str, ...]:
        if self.is_over:
            return ()
        found = [text_of(cards) for cards in self.playable]
        return (*found, PASS) if self.now.standing else tuple(found)

    def legal(self) -> tuple[str, ...]:
        """The plays, low ones of a kind first, and the pass."""
        return self._legal

    def verify(self, token: str) -> None:
        """TL5 to TL14, TL20."""
        self._read(token)

    def _read(self, token: str) -> str:
        """The action as it is written (TL20). Raises ActionError."""
        if token in self._legal:
            return token
        if self.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        if token == PASS:
            raise ActionError("must-lead", gettext_noop("You lead: you can’t pass."), given=token)
        try:
            cards = read_cards(token)
        except CardError as error:
            raise ActionError("token", error.message.template, given=token) from None
        if not cards or cards[0] == "Jk":
            template = gettext_noop("“%(given)s” isn’t an action in this game.")
            raise ActionError("token", template, given=token)
        numbers = {NUMBER.get(card, -1) for card in cards}
        hand = self.now.hands[self.now.turn]
        if len(numbers) < len(cards) or not all(number >= 0 and hand >> number & 1 for number in numbers):
            raise ActionError("not-held", gettext_noop("You don’t hold all of these cards."), given=token)
        played = sum(1 << number for number in numbers)
        if played in self.playable:
            return text_of(played)
        raise self._refusal(played, token)

    def _refusal(self, played: int, token: str) -> ActionError:
        """TL5, TL8: why these cards, which are held, may not be played."""
        now, rules = self.now, self.setting.rules
        kind = kind_of(played, twos=rules.twos)
        if kind is None:
            template = gettext_noop("These cards are no combination.")
            return ActionError("no-combination", template, given=token)
        if not now.standing:
            template = gettext_noop("The first play must have the %(card)s in it.")
            return ActionError(
                "must-hold-lowest", template, given=token, card=Card.parse(CARDS[self.setting.lowest]).symbol
            )
        asked = kind_of(now.standing, twos=rules.twos)
        if asked is not None and kind != asked:
            template = gettext_noop("You need the same kind to beat this: %(kind)s (%(size)d).")
            name = Word(KIND_NAMES[asked.form])
            return ActionError("other-kind", template, given=token, kind=name, size=asked.size)
        return ActionError("not-higher", gettext_noop("That isn’t higher."), given=token)

    def apply(self, token: str) -> State:
        """The state after this action."""
        return self.after(self._read(token))

    def after(self, token: str) -> State:
        """The state after an action that was allowed, as it is written."""
        if token == PASS:
            passed = self.now._replace(passed=self.now.passed | 1 << self.now.turn)
            return State(self.setting, (*self.history, token), self._passed_on(passed))
        cards = 0
        for at in range(0, len(token), 2):
            cards |= 1 << NUMBER[token[at : at + 2]]
        return State(self.setting, (*self.history, token), self._passed_on(self._played(cards)))

    def _played(self, cards: int) -> Now:
        now = self.now
        turn, hands, sizes = now.turn, now.hands, now.sizes
        left = sizes[turn] - cards.bit_count()
        return Now(
            (*hands[:turn], hands[turn] ^ cards, *hands[turn + 1 :]),
            (*sizes[:turn], left, *sizes[turn + 1 :]),
            turn,
            cards,
            turn,
            now.passed if self.setting.rules.pass_is_final else 0,
            now.out if left else (*now.out, turn),
        )

    def _passed_on(self, now: Now) -> Now:
        """TL11 to TL13: the next who holds cards and may still play; where nobody may, the trick is over."""
        count = len(now.sizes)
        for step in range(1, count):
            seat = (now.turn + step) % count
            if now.sizes[seat] and seat != now.owner and not now.passed >> seat & 1:
                return now._replace(turn=seat)
        # TL13: a player who is out is followed by the next who holds cards.
        owner = next(
            (now.owner + step) % count for step in range(count) if now.sizes[(now.owner + step) % count]
        )
        return now._replace(turn=owner, standing=0, owner=-1, passed=0)

    @property
    def order(self) -> tuple[int, ...]:
        """In which order players went out, the loser last."""
        loser = next(place for place in range(len(self.now.sizes)) if place not in self.now.out)
        return (*self.now.out, loser)

    def score(self) -> Points:
        """TL16, TL17. Raises ActionError while the deal is not over."""
        if not self.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        order = [str(place + 1) for place in self.order]
        detail: dict[str, Json] = {"order": order, "left": text_of(self.now.hands[self.order[-1]])}
        return Points(points_of(order, self.setting.rules.scoring), detail)

    def trick(self) -> tuple[int, ...]:
        """The combinations of the trick on the table, in the order in which they were played."""
        state, found = begun(self.setting), []
        for token in self.history:
            state = state.after(token)
            if token != PASS:
                found.append(state.now.standing)
            if not state.now.standing:
                found = []
        return tuple(found)


def points_of(order: list[str], scoring: str) -> dict[str, int]:
    """TL16, TL17: by the order in which players went out."""
    most = len(order) - 1
    if scoring == PLACES:
        return {seat: most - order.index(seat) for seat in sorted(order)}
    return {seat: -most if seat == order[-1] else 1 for seat in sorted(order)}


KIND_NAMES: Final = {
    SINGLE: gettext_noop("single card"),
    PAIR: gettext_noop("pair"),
    TRIPLET: gettext_noop("triplet"),
    FOUR: gettext_noop("four of a kind"),
    SEQUENCE: gettext_noop("sequence"),
    DOUBLE_SEQUENCE: gettext_noop("double sequence"),
}
