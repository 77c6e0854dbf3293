"""A deal of Tute being played: which cards may be played, who takes the trick, what may be declared (TU3 to TU17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.errors import ActionError, DealError
from engine.game.values import Json, Points
from engine.packs import SUITS, Dealt, read_deal
from engine.states import Played, made
from engine.text import gettext_noop
from engine.tute.cards import (
    ABOVE,
    ALL_POINTS,
    BEATING,
    BIT,
    IN_SUIT,
    KINGS,
    MARRIAGE,
    NUMBER,
    PACK,
    POINTS,
    SUIT_OF,
    bits_of,
    texts,
)

#: TU3: in the order of the turn, which goes to the right.
SEATS: Final = ("N", "W", "S", "E")
#: TU22: in the order in which a deal is written.
WRITTEN: Final = ("N", "E", "S", "W")
SIDES: Final = {"NS": ("N", "S"), "EW": ("E", "W")}
TRICKS: Final = 10
LAST_TRICK: Final = 10
CUARENTA: Final = "40"
VEINTE: Final = "20"
TUTE: Final = "tute"
DECLARATIONS: Final = (CUARENTA, *(VEINTE + suit for suit in SUITS), TUTE)
#: TU11, by the suit of trumps: the cards of each declaration that there is.
WANTED: Final = {
    trump: {
        CUARENTA: MARRIAGE[place],
        **{VEINTE + suit: MARRIAGE[at] for at, suit in enumerate(SUITS) if suit != trump},
        TUTE: KINGS,
    }
    for place, trump in enumerate(SUITS)
}
#: TU15: cards, last trick and four marriages.
MOST: Final = ALL_POINTS + LAST_TRICK + 40 + 3 * 20


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with: the hands as they are written, the shown card, the dealer, and the option of TU8."""

    deal: Dealt
    up: str
    dealer: str
    under_trump: bool = True

    @property
    def trump(self) -> str:
        """TU4: the suit of the shown card."""
        return self.up[1]

    def hand(self, seat: str) -> tuple[str, ...]:
        """What that seat was dealt."""
        return self.deal.hands[WRITTEN.index(seat)]


class Now(NamedTuple):
    """How a deal stands. Seats are their places in ``SEATS``; sides 0 and 1 are NS and EW."""

    dealt: tuple[int, ...]
    turn: int
    playable: int
    """TU6 to TU9: the cards that may be played, as a set; none once the deal is over."""
    played: int = 0
    """The cards that have been played, whoever held them."""
    trick: tuple[int, ...] = ()
    best: int = -1
    """The card that is winning the trick, and whose it is."""
    taker: int = -1
    won: tuple[int, ...] = ()
    """Who won each trick."""
    points: tuple[int, int] = (0, 0)
    declared: tuple[tuple[int, str], ...] = ()
    may_declare: bool = False
    """Whether the trick before was won just now (TU11)."""

    @property
    def hands(self) -> tuple[int, ...]:
        """What each holds still."""
        return tuple(hand & ~self.played for hand in self.dealt)

    @property
    def hand(self) -> int:
        """What who is on turn holds."""
        return self.dealt[self.turn] & ~self.played


def read(text: str) -> tuple[Dealt, str]:
    """TU22: the four hands, and the shown card. Raises DealError."""
    written, _bar, up = text.partition(" | ")
    dealt = read_deal(written, PACK, (TRICKS,) * 4)
    if up not in NUMBER:
        raise DealError("shown-card", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    return dealt, up


def start(text: str, dealer: str, *, under_trump: bool) -> State:
    """TU5, TU6: the deal before the first lead, which is that of dealer's right. Raises DealError."""
    dealt, up = read(text)
    if dealer not in SEATS:
        raise DealError(
            "seat-unknown", gettext_noop("“%(given)s” isn’t a seat. Write N, E, S or W."), given=dealer
        )
    setting = Setting(dealt, up, dealer, under_trump)
    if up not in setting.hand(dealer):
        raise DealError("shown-card", gettext_noop("The card that’s shown must be the dealer’s."), given=up)
    hands, first = tuple(bits_of(setting.hand(seat)) for seat in SEATS), (SEATS.index(dealer) + 1) % 4
    return State(setting, (), Now(hands, first, hands[first]))


def with_hands(now: Now, hands: tuple[int, ...], setting: Setting) -> Now:
    """The same with these cards in the hands."""
    hand = hands[now.turn]
    if now.trick:
        hand = playable(hand, now.trick, now.best, SUIT_OF[setting.up], setting.under_trump)
    return now._replace(dealt=hands, playable=hand)


class State(Played[Setting, Now]):
    """A deal being played."""

    @property
    def is_over(self) -> bool:
        """TU14: after the last trick, or at once by a tute."""
        return not self.now.playable

    @property
    def _is_tute(self) -> bool:
        return TUTE in self.history[-1:]

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else SEATS[self.now.turn]

    def legal(self) -> tuple[str, ...]:
        """The cards that may be played, weak ones first, and what may be declared."""
        now = self.now
        cards = texts(now.playable)
        return (*cards, *self._declarable()) if now.may_declare else cards

    def _declarable(self) -> list[str]:
        """TU11 to TU13: what may be declared by who has just won a trick."""
        hand, trump = self.now.hand, self.setting.trump
        if not hand & KINGS:
            return []
        return [
            token
            for token, wanted in WANTED[trump].items()
            if hand & wanted == wanted and self._not_declarable(token) is None
        ]

    def verify(self, token: str) -> None:
        """TU6 to TU13, TU21."""
        if self.now.playable & BIT.get(token, 0):
            return
        if self.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        if token in DECLARATIONS:
            if error := self._not_declarable(token):
                raise error
            return
        if token not in BIT:
            raise ActionError("token", _NO_ACTION, given=token)
        if not self.now.hand & BIT[token]:
            raise ActionError("not-held", gettext_noop("You don’t hold that card."), given=token)
        raise self._not_playable(token)

    def _not_playable(self, token: str) -> ActionError:
        """TU7, TU8: why this card, which is held, may not be played."""
        now = self.now
        hand, led = now.hand, now.trick[0] // 10
        if hand & IN_SUIT[led]:
            if NUMBER[token] // 10 != led:
                template = gettext_noop("You must follow suit: you have the suit that was led.")
                return ActionError("must-follow", template, given=token)
            template = gettext_noop("You must play a card that beats the trick: you have one.")
            return ActionError("must-head", template, given=token)
        if token[1] != self.setting.trump:
            template = gettext_noop("You must play a trump: you don’t have the suit that was led.")
            return ActionError("must-trump", template, given=token)
        template = gettext_noop("You must play a higher trump: you have one.")
        return ActionError("must-overtrump", template, given=token)

    def _not_declarable(self, token: str) -> ActionError | None:
        """TU11 to TU13: why this may not be declared now; None where it may."""
        now, trump = self.now, self.setting.trump
        if not now.may_declare:
            template = gettext_noop("You may declare once, right after winning a trick and before you lead.")
            return ActionError("not-now", template, given=token)
        if token == VEINTE + trump:
            template = gettext_noop("King and queen of trumps are las cuarenta, 40.")
            return ActionError("token", template, given=token)
        if token != TUTE and (now.turn, token) in now.declared:
            template = gettext_noop("You have already declared these cards.")
            return ActionError("declared", template, given=token)
        if token == CUARENTA and any(
            seat == now.turn and said.startswith(VEINTE) for seat, said in now.declared
        ):
            template = gettext_noop("You can’t declare las cuarenta any more: you declared a veinte before.")
            return ActionError("barred", template, given=token)
        wanted = WANTED[trump][token]
        if now.hand & wanted != wanted:
            template = gettext_noop("You don’t hold all the cards for that.")
            return ActionError("not-both", template, given=token)
        return None

    def apply(self, token: str) -> State:
        """The state after a card or a declaration."""
        if not self.now.playable & BIT.get(token, 0):
            self.verify(token)
        return self.after(token)

    def after(self, token: str) -> State:
        """The state after an action that was allowed."""
        number = NUMBER.get(token, -1)
        now = self._declared(token) if number < 0 else self._played(number)
        return made(State, (self.setting, self.history + (token,), now))  # noqa: RUF005 (quicker)

    def _declared(self, token: str) -> Now:
        now = self.now
        left = 0 if token == TUTE else now.playable
        return now._replace(declared=(*now.declared, (now.turn, token)), may_declare=False, playable=left)

    def _played(self, card: int) -> Now:
        """TU10: the trick goes to the highest trump, else to the highest card of the suit led."""
        dealt, turn, _playable, played, trick, best, taker, won, points, declared, _may = self.now
        played |= 1 << card
        setting = self.setting
        if not trick or BEATING[setting.up[1]][best] >> card & 1:
            best, taker = card, turn
        trick = (*trick, card)
        if len(trick) < 4:
            turn = (turn + 1) % 4
            left = playable(dealt[turn] & ~played, trick, best, SUIT_OF[setting.up], setting.under_trump)
            return made(Now, (dealt, turn, left, played, trick, best, taker, won, points, declared, False))
        taken = POINTS[trick[0]] + POINTS[trick[1]] + POINTS[trick[2]] + POINTS[trick[3]]
        points = (points[0] + taken, points[1]) if taker % 2 == 0 else (points[0], points[1] + taken)
        won, left = (*won, taker), dealt[taker] & ~played
        may_declare = len(won) < TRICKS
        return made(Now, (dealt, taker, left, played, (), -1, -1, won, points, declared, may_declare))

    @property
    def declared(self) -> tuple[tuple[str, str], ...]:
        """TU11: who declared what."""
        return tuple((SEATS[seat], token) for seat, token in self.now.declared if token != TUTE)

    def score(self) -> Points:
        """TU15 to TU17. Raises ActionError while the deal is not over."""
        if not self.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        now = self.now
        last = None if self._is_tute else side_of(SEATS[now.won[-1]])
        detail: dict[str, Json] = {
            "trump": self.setting.trump,
            "up": self.setting.up,
            "cards": {"NS": now.points[0], "EW": now.points[1]},
            "last": last,
            "declared": [[SEATS[seat], token] for seat, token in now.declared],
            "tute": SEATS[now.turn] if self._is_tute else None,
            "tricks": "".join(SEATS[seat] for seat in now.won),
        }
        if last is None:
            winner = side_of(SEATS[now.turn])
            return Points({side: MOST * (side == winner) for side in SIDES}, {**detail, "winner": winner})
        total = {side: self.made(place) for place, side in enumerate(SIDES)}
        return Points(total, {**detail, "winner": winner_of(total, last)})

    def made(self, side: int) -> int:
        """TU15: what a side, 0 or 1, has made so far."""
        now = self.now
        declared = sum(int(token[:2]) for seat, token in now.declared if seat % 2 == side and token != TUTE)
        has_last = len(now.won) == TRICKS and now.won[-1] % 2 == side
        return now.points[side] + declared + LAST_TRICK * has_last


def playable(hand: int, trick: tuple[int, ...], best: int, trump: int, under_trump: bool) -> int:
    """TU6 to TU9: which cards of a hand may be played to a trick whose best card this is; sets of cards."""
    if not trick:
        return hand
    higher = ABOVE[best] & hand
    follow = hand & IN_SUIT[trick[0] // 10]
    if follow:
        # TU7: no card of a plain suit beats a trump.
        return higher & follow or follow
    trumps = hand & trump
    if not trumps or not trump >> best & 1:
        return trumps or hand
    return higher or (trumps if under_trump else hand)


def beats(card: int, best: int, trump: str) -> bool:
    """TU10: whether this card is above the best one of the trick so far."""
    return bool(BEATING[trump][best] >> card & 1)


def side_of(seat: str) -> str:
    """TU3: the side of a seat."""
    return "NS" if seat in SIDES["NS"] else "EW"


def shown_by(token: str, trump: str) -> tuple[str, ...]:
    """TU11: the cards of a declaration."""
    if token == TUTE:
        return tuple("K" + suit for suit in SUITS)
    suit = trump if token == CUARENTA else token[-1]
    return ("K" + suit, "Q" + suit)


def winner_of(total: dict[str, int], last: str) -> str:
    """TU17: the side with more points; at equal points the one that took the last trick."""
    if total["NS"] == total["EW"]:
        return last
    return max(total, key=total.__getitem__)


_NO_ACTION: Final = gettext_noop("“%(given)s” isn’t an action in this game.")
