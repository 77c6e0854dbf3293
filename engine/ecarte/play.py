"""A deal of Écarté being played: the exchanges, the king, the tricks and the marks (EC1 to EC14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from engine.card_bits import CardBits, numbers_in
from engine.errors import ActionError, CardError, DealError
from engine.game.values import Json, Points
from engine.packs import SUITS, Dealt, cards_text, in_order, read_cards, read_deal
from engine.states import Played, kept
from engine.text import gettext_noop

#: EC1: the ace stands between jack and ten.
CARDS: Final = CardBits("789TAJQK")
SEATS: Final = ("1", "2")
TRICKS: Final = 5
PLAY, PROPOSE, ACCEPT, REFUSE, KING = "play", "propose", "accept", "refuse", "king"
DISCARD: Final = "x"
WORDS: Final = (PLAY, PROPOSE, ACCEPT, REFUSE, KING)
#: EC13: tricks that make the point.
MOST_TRICKS: Final = 3
#: The player on turn says play or propose, answers, exchanges, or plays.
SPEAK, ANSWER, EXCHANGE, TRICK = range(4)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with; ``wanted`` are the points that each still needs in the game, where that ends it."""

    deal: Dealt
    dealer: int
    wanted: tuple[int, int] | None = None
    before: tuple[int, int] = (0, 0)
    """The points of each before the deal, where the match goes to a target."""

    @property
    def up(self) -> str:
        """EC3: the turned card."""
        return self.deal.stock[0]

    @property
    def stock(self) -> tuple[str, ...]:
        """EC3: the cards to draw, the top one first."""
        return self.deal.stock[1:]

    @property
    def trumps(self) -> int:
        """EC3: the suit of the turned card."""
        return CARDS.in_suit[SUITS.index(self.up[1])]


class Now(NamedTuple):
    """How a deal stands. Seats are their places in ``SEATS``."""

    hands: tuple[int, int]
    turn: int
    phase: int = SPEAK
    drawn: int = 0
    exchanges: int = 0
    given: int = 0
    """How many cards the non-dealer gave in this exchange."""
    vulnerable: int | None = None
    king: int | None = None
    """Who has shown the king of trumps."""
    led: int = -1
    won: tuple[int, ...] = ()


def start(
    text: str, dealer: str, wanted: tuple[int, int] | None = None, before: tuple[int, int] = (0, 0)
) -> State:
    """EC3, EC5: the non-dealer speaks. Raises DealError."""
    dealt = read(text)
    if dealer not in SEATS:
        raise DealError("seat-unknown", gettext_noop("“%(given)s” isn’t a seat in this game."), given=dealer)
    place = SEATS.index(dealer)
    one, two = map(CARDS.bits_of, dealt.hands)
    return State(Setting(dealt, place, wanted, before), (), Now((one, two), 1 - place))


def allowed(hand: int, led: int, trumps: int) -> int:
    """EC11: of a hand, the cards that may be played to the one that was led; sets of cards."""
    follow = hand & CARDS.suit_of[led]
    if follow:
        return follow & CARDS.above[led] or follow
    return hand & trumps or hand


def read(text: str) -> Dealt:
    """EC19: the two hands; the turned card and the stock. Raises DealError."""
    return read_deal(text, CARDS.pack, (TRICKS,) * 2)


class State(Played[Setting, Now]):
    """A deal being played."""

    @kept
    def is_over(self) -> bool:
        """After the last trick; in a match to a target, as soon as the play no longer matters (EC15)."""
        if len(self.now.won) == TRICKS:
            return True
        wanted = self.setting.wanted
        return wanted is not None and any(
            made >= need for made, need in zip(self.made, wanted, strict=True) if made
        )

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else SEATS[self.now.turn]

    @property
    def left(self) -> int:
        """EC7: how many cards the stock still has."""
        return len(self.setting.stock) - self.now.drawn

    @property
    def king(self) -> int:
        """EC10: the king of trumps, as a set."""
        trumps = self.setting.trumps
        return trumps & ~(trumps >> 1)

    @kept
    def playable(self) -> int:
        """EC11: the cards that may be played, as a set."""
        now = self.now
        hand = now.hands[now.turn]
        if now.led < 0:
            return hand
        return allowed(hand, now.led, self.setting.trumps)

    @property
    def _may_show(self) -> bool:
        """EC10: a player may, on their turn and before their first card."""
        now = self.now
        is_first = now.phase == TRICK and not now.won and (now.led < 0 or now.turn == self.setting.dealer)
        return is_first and now.king is None and bool(now.hands[now.turn] & self.king)

    @kept
    def _legal(self) -> tuple[str, ...]:
        now = self.now
        if self.is_over:
            return ()
        if now.phase == SPEAK:
            return (PLAY, PROPOSE)
        if now.phase == ANSWER:
            return (ACCEPT, REFUSE)
        if now.phase == EXCHANGE:
            return tuple(self._discards())
        cards = [CARDS.cards[number] for number in numbers_in(self.playable)]
        return (*cards, KING) if self._may_show else tuple(cards)

    def _discards(self) -> Iterator[str]:
        """EC6, EC7."""
        hand = in_order(CARDS.cards_in(self.now.hands[self.now.turn]))
        for size in range(min(TRICKS, self.left) + 1):
            yield from (DISCARD + "".join(cards) for cards in combinations(hand, size))

    def legal(self) -> tuple[str, ...]:
        """Words, discards, or cards, weak ones first."""
        return self._legal

    def verify(self, token: str) -> None:
        """EC5 to EC11, EC18."""
        self._read(token)

    def _read(self, token: str) -> str:
        """The action as it is written (EC20). Raises ActionError."""
        if token in self._legal:
            return token
        if self.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        if token[:1] == DISCARD:
            return self._read_discard(token)
        if token not in WORDS and token not in CARDS.number:
            raise ActionError("token", _NO_ACTION, given=token)
        if self.now.phase != TRICK or token in {PLAY, PROPOSE, ACCEPT, REFUSE}:
            raise ActionError("phase", _TO_DO[self.now.phase], given=token)
        raise self._not_showable() if token == KING else self._not_playable(token)

    def _read_discard(self, token: str) -> str:
        """EC6, EC7, EC20: in any order."""
        try:
            cards = read_cards(token[1:])
        except CardError:
            raise ActionError("token", _NO_ACTION, given=token) from None
        if self.now.phase != EXCHANGE:
            raise ActionError("phase", _TO_DO[self.now.phase], given=token)
        held = CARDS.cards_in(self.now.hands[self.now.turn])
        if not set(held) >= set(cards) or len(set(cards)) < len(cards):
            raise ActionError("not-held", gettext_noop("You don’t hold all of these cards."), given=token)
        if len(cards) > self.left:
            template = gettext_noop("You can’t exchange more cards than the stock has: %(left)d.")
            raise ActionError("stock", template, given=token, left=self.left)
        return DISCARD + cards_text(cards)

    def _not_showable(self) -> ActionError:
        now = self.now
        if now.king is not None:
            return ActionError("shown", gettext_noop("The king has been shown already."), given=KING)
        has_played = bool(now.won) or (now.led >= 0 and now.turn != self.setting.dealer)
        if has_played:
            template = gettext_noop("You can only show the king before you play your first card.")
            return ActionError("too-late", template, given=KING)
        return ActionError("not-held", gettext_noop("You don’t hold the king of trumps."), given=KING)

    def _not_playable(self, token: str) -> ActionError:
        now, number = self.now, CARDS.number[token]
        hand = now.hands[now.turn]
        if not hand >> number & 1:
            return ActionError("not-held", gettext_noop("You don’t hold that card."), given=token)
        if not hand & CARDS.suit_of[now.led]:
            template = gettext_noop("You must play a trump: you don’t have the suit that was led.")
            return ActionError("must-trump", template, given=token)
        if not CARDS.suit_of[now.led] >> number & 1:
            template = gettext_noop("You must follow suit: you have the suit that was led.")
            return ActionError("must-follow", template, given=token)
        template = gettext_noop("You must play a card that beats the trick: you have one.")
        return ActionError("must-head", template, given=token)

    def apply(self, token: str) -> State:
        """The state after this action."""
        return self.after(self._read(token))

    def after(self, token: str) -> State:
        """The state after an action that was allowed, as it is written."""
        return State(self.setting, (*self.history, token), self._next(token))

    def _next(self, token: str) -> Now:
        now, elder = self.now, 1 - self.setting.dealer
        if token in CARDS.number:
            return self._played(CARDS.number[token])
        if token == KING:
            return now._replace(king=now.turn)
        if token == PROPOSE:
            return now._replace(phase=ANSWER, turn=self.setting.dealer)
        if token == ACCEPT:
            return now._replace(phase=EXCHANGE, turn=elder)
        if token[0] == DISCARD:
            return self._exchanged(token)
        # EC9: to end the exchanging before any exchange is a risk.
        vulnerable = now.turn if not now.exchanges else None
        return now._replace(phase=TRICK, turn=elder, vulnerable=vulnerable)

    def _exchanged(self, token: str) -> Now:
        """EC6 to EC8."""
        now, elder = self.now, 1 - self.setting.dealer
        gone = CARDS.bits_of(token[at : at + 2] for at in range(1, len(token), 2))
        size = len(token) // 2
        come = CARDS.bits_of(self.setting.stock[now.drawn : now.drawn + size])
        hand = now.hands[now.turn] ^ gone | come
        hands = (hand, now.hands[1]) if now.turn == 0 else (now.hands[0], hand)
        drawn = now.drawn + size
        is_used_up = drawn == len(self.setting.stock)
        if now.turn == elder:
            exchanges = now.exchanges + 1
            if is_used_up:
                return now._replace(hands=hands, drawn=drawn, exchanges=exchanges, phase=TRICK)
            return now._replace(
                hands=hands, drawn=drawn, exchanges=exchanges, given=size, turn=self.setting.dealer
            )
        ends = is_used_up or size == now.given == 0
        return now._replace(hands=hands, drawn=drawn, phase=TRICK if ends else SPEAK, turn=elder)

    def _played(self, card: int) -> Now:
        """EC12: a trump wins over a plain card, else the higher card of the suit led."""
        now = self.now
        one, two = now.hands
        hands = (one ^ 1 << card, two) if now.turn == 0 else (one, two ^ 1 << card)
        if now.led < 0:
            return now._replace(hands=hands, led=card, turn=1 - now.turn)
        is_followed = CARDS.suit_of[now.led] >> card & 1
        beats = CARDS.above[now.led] >> card & 1 if is_followed else self.setting.trumps >> card & 1
        winner = now.turn if beats else 1 - now.turn
        return now._replace(hands=hands, led=-1, turn=winner, won=(*now.won, winner))

    @kept
    def marks(self) -> tuple[tuple[int, str, int], ...]:
        """EC4, EC10, EC13, EC14: who has marked what so far, in order."""
        now, found = self.now, []
        if self.setting.up[0] == "K":
            found.append((self.setting.dealer, "turned", 1))
        if now.king is not None:
            found.append((now.king, "king", 1))
        for seat in (0, 1):
            tricks = now.won.count(seat)
            if tricks >= MOST_TRICKS:
                found.append((seat, "point", 1))
                if tricks == TRICKS:
                    found.append((seat, "vole", 1))
                if now.vulnerable == 1 - seat:
                    found.append((seat, "vulnerable", 1))
        return tuple(found)

    @property
    def made(self) -> tuple[int, int]:
        """What each has marked so far in this deal."""
        one = sum(points for seat, _why, points in self.marks if seat == 0)
        return one, sum(points for _seat, _why, points in self.marks) - one

    @property
    def counting(self) -> tuple[int, int]:
        """EC15: the same, no more than the game still needed."""
        wanted = self.setting.wanted or self.made
        return min(self.made[0], wanted[0]), min(self.made[1], wanted[1])

    def score(self) -> Points:
        """EC13, EC14. Raises ActionError while the deal is not over."""
        if not self.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        now = self.now
        detail: dict[str, Json] = {
            "trump": self.setting.up[1],
            "exchanges": now.exchanges,
            "vulnerable": None if now.vulnerable is None else SEATS[now.vulnerable],
            "marks": [[SEATS[seat], why, points] for seat, why, points in self.marks],
            "tricks": "".join(SEATS[seat] for seat in now.won),
        }
        return Points(dict(zip(SEATS, self.made, strict=True)), detail)


_TO_DO: Final = {
    SPEAK: gettext_noop("First say whether you propose an exchange or play."),
    ANSWER: gettext_noop("First accept the exchange or refuse it."),
    EXCHANGE: gettext_noop("First exchange cards."),
    TRICK: gettext_noop("The exchanges are over: play a card."),
}
_NO_ACTION: Final = gettext_noop("“%(given)s” isn’t an action in this game.")
