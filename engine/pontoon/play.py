"""A deal of Pontoon being played: stakes, the punters' hands, the banker (PN3 to PN15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.errors import ActionError, DealError
from engine.game.individuals import PlayedDeal, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import Dealt, is_card, pack, read_deal
from engine.text import gettext_noop

PACK: Final = pack()
BEST: Final = 21
#: So many cards may be missing of a pack that is played (PN18: a deal that people give has all).
MISSING: Final = 2
#: PN10: with so many cards a hand is finished.
FIVE_CARDS: Final = 5
#: PN18.
BET, BUY = "bet", "buy"
STICK, TWIST, SPLIT = "stick", "twist", "split"
#: PN5.
PONTOON, FIVE, PLAIN, BUST = "pontoon", "five", "plain", "bust"
BETTING, PUNTERS, BANKER, OVER = "betting", "punters", "banker", "over"
_TO_DO: Final = {
    BETTING: gettext_noop("First stake on your card."),
    PUNTERS: gettext_noop("The stakes are made: stick, twist, buy or split."),
    BANKER: gettext_noop("The banker can only stick or twist."),
}


class Hand(NamedTuple):
    """One hand, its cards as they came; ``open`` has a bit for each card that lies face up."""

    cards: tuple[str, ...]
    stake: int = 0
    open: int = 0
    is_split: bool = False
    has_acted: bool = False
    has_twisted: bool = False
    is_done: bool = False

    @property
    def lowest(self) -> int:
        """PN1: every ace as 1."""
        return sum(_worth(card) for card in self.cards)

    @property
    def total(self) -> int:
        """PN1: the best that does not exceed 21, else the lowest."""
        has_ace = any(card[0] == "A" for card in self.cards)
        return self.lowest + 10 if has_ace and self.lowest + 10 <= BEST else self.lowest

    @property
    def kind(self) -> str:
        """PN5, PN10."""
        if self.lowest > BEST:
            return BUST
        if len(self.cards) == 2 and self.total == BEST:
            return PONTOON
        return FIVE if len(self.cards) == FIVE_CARDS else PLAIN

    @property
    def is_finished(self) -> bool:
        """PN7, PN8, PN10: whether it is not played any more."""
        return self.is_done or self.kind != PLAIN


def _worth(card: str) -> int:
    if card[0] == "A":
        return 1
    return 10 if card[0] in "TJQK" else int(card[0])


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with: the pack in its order. The dealer is the banker."""

    pack: tuple[str, ...]
    players: int
    dealer: int
    least: int
    most: int

    @property
    def punters(self) -> tuple[int, ...]:
        """PN2: from the banker's left."""
        return tuple((self.dealer + step) % self.players for step in range(1, self.players))


class Now(NamedTuple):
    """How a deal stands; ``hands`` by place, ``busted`` likewise; ``pack`` is what is left of it."""

    pack: tuple[str, ...]
    hands: tuple[tuple[Hand, ...], ...]
    busted: tuple[tuple[Hand, ...], ...]
    stakes: tuple[int, ...] = ()
    phase: str = BETTING
    drawn: int = 0


def read(text: str, players: int) -> Dealt:
    """PN18: no hands, and the pack from the top; it may lack a card or two, as packs do. Raises DealError."""
    stock = text.partition(" | ")[2]
    held = [card for card in PACK if card in stock]
    if len(held) < len(PACK) - MISSING:
        raise DealError("deal", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    return read_deal(text, held, (0,) * players)


def start(text: str, players: int, dealer: int, least: int, most: int) -> State:
    """PN3, PN4. Raises DealError."""
    return begun(Setting(read(text, players).stock, players, dealer, least, most))


def begun(setting: Setting) -> State:
    """PN4: each has one card, the banker the last."""
    players = setting.players
    hands = {
        place: (Hand((setting.pack[at],)),) for at, place in enumerate((*setting.punters, setting.dealer))
    }
    each = tuple(hands[place] for place in range(players))
    return State(setting, (), Now(setting.pack[players:], each, ((),) * players, drawn=players))


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """PN4, PN7, PN12."""
        now = self.now
        if now.phase == BETTING:
            return self.setting.punters[len(now.stakes)]
        if now.phase == PUNTERS:
            return self._playing()[0]
        return self.setting.dealer if now.phase == BANKER else None

    def _playing(self) -> tuple[int, int]:
        """PN7: the place on turn, and which of its hands."""
        return next(
            (place, at)
            for place in self.setting.punters
            for at, hand in enumerate(self.now.hands[place])
            if not hand.is_finished
        )

    @property
    def hand(self) -> Hand:
        """The hand that is being played."""
        if self.now.phase == BANKER:
            return self.now.hands[self.setting.dealer][0]
        place, at = self._playing()
        return self.now.hands[place][at]

    def first_stake(self, place: int) -> int:
        """PN9: what was staked on the first card."""
        return self.now.stakes[self.setting.punters.index(place)]

    def allowed(self) -> Sequence[str]:
        """PN4, PN8, PN9, PN11, PN12."""
        if self.now.phase == BETTING:
            return tuple(f"{BET}{k}" for k in range(self.setting.least, self.setting.most + 1))
        hand = self.hand
        found = [STICK]
        if len(self.now.pack) < 2:
            return found
        if hand.lowest < BEST:
            found.append(TWIST)
        if self.now.phase == BANKER:
            return found
        if hand.lowest < BEST and not hand.has_twisted and not hand.is_split:
            stake = self.first_stake(self.place or 0)
            found += [f"{BUY}{k}" for k in range(stake, 2 * stake + 1)]
        if not hand.has_acted and len(hand.cards) == 2 and hand.cards[0][0] == hand.cards[1][0]:
            found.append(SPLIT)
        return found

    def refusal(self, token: str) -> ActionError:
        """PN17."""
        word, number = token[:3], token[3:]
        is_amount = word in {BET, BUY} and number.isdecimal() and len(number) < 5
        if is_card(token):
            return ActionError("token", gettext_noop("No cards are played in this game."), given=token)
        if token not in {STICK, TWIST, SPLIT} and not is_amount:
            return unknown_action(token)
        is_betting = self.now.phase == BETTING
        if is_betting != (word == BET) or (self.now.phase == BANKER and (token == SPLIT or is_amount)):
            return wrong_phase(token, _TO_DO[self.now.phase])
        if is_betting:
            template = gettext_noop("Stake from %(least)d to %(most)d points.")
            return ActionError(
                "limits", template, given=token, least=self.setting.least, most=self.setting.most
            )
        return self._hand_refusal(token)

    def _hand_refusal(self, token: str) -> ActionError:
        hand = self.hand
        if token == SPLIT:
            if hand.has_acted:
                template = gettext_noop("You can only split before you do anything else.")
                return ActionError("not-first", template, given=token)
            return ActionError("no-pair", gettext_noop("You need two cards of the same rank."), given=token)
        if len(self.now.pack) < 2:
            return ActionError("no-cards", gettext_noop("No cards are left in the pack."), given=token)
        if hand.lowest >= BEST:
            return ActionError("twenty-one", gettext_noop("You have 21 already."), given=token)
        if hand.has_twisted:
            return ActionError("twisted", gettext_noop("After a twist you can’t buy."), given=token)
        if hand.is_split:
            return ActionError("split-hand", gettext_noop("You can’t buy after a split."), given=token)
        stake = self.first_stake(self.place or 0)
        template = gettext_noop("Buy for %(least)d to %(most)d points.")
        return ActionError("limits", template, given=token, least=stake, most=2 * stake)

    def step(self, token: str) -> Now:
        """PN4 to PN12."""
        now = self.now
        if now.phase == BETTING:
            stakes = (*now.stakes, int(token[3:]))
            now = now._replace(stakes=stakes)
            return now if len(stakes) < len(self.setting.punters) else self._second_cards(now)
        if now.phase == BANKER:
            return self._banker(token)
        place, at = self._playing()
        hand = now.hands[place][at]._replace(has_acted=True)
        if token == SPLIT:
            return self._went_on(self._halves(now, place, at))
        if token == STICK:
            return self._went_on(self._with(now, place, at, hand._replace(is_done=True)))
        if token == TWIST:
            hand = hand._replace(has_twisted=True, open=hand.open | 1 << len(hand.cards))
        else:
            hand = hand._replace(stake=hand.stake + int(token[3:]))
        hand = hand._replace(cards=(*hand.cards, now.pack[0]))
        now = now._replace(pack=now.pack[1:], drawn=now.drawn + 1)
        if hand.kind != BUST:
            return self._went_on(self._with(now, place, at, hand))
        # PN10: its cards go under the pack.
        hands, busted = now.hands[place], (*now.busted[place], hand)
        return self._went_on(
            now._replace(
                pack=(*now.pack, *hand.cards),
                hands=_put(now.hands, place, (*hands[:at], *hands[at + 1 :])),
                busted=_put(now.busted, place, busted),
            )
        )

    @staticmethod
    def _with(now: Now, place: int, at: int, hand: Hand) -> Now:
        own = now.hands[place]
        return now._replace(hands=_put(now.hands, place, (*own[:at], hand, *own[at + 1 :])))

    def _second_cards(self, now: Now) -> Now:
        """PN4, PN6: face up, in the same order; a banker's pontoon ends the deal."""
        hands = now.hands
        for at, place in enumerate((*self.setting.punters, self.setting.dealer)):
            stake = now.stakes[at] if place != self.setting.dealer else 0
            (first,) = hands[place]
            hand = Hand((*first.cards, now.pack[at]), stake, open=2)
            hands = _put(hands, place, (hand,))
        count = self.setting.players
        now = now._replace(pack=now.pack[count:], hands=hands, phase=PUNTERS, drawn=now.drawn + count)
        if hands[self.setting.dealer][0].kind == PONTOON:
            return now._replace(phase=OVER)
        return self._went_on(now)

    def _halves(self, now: Now, place: int, at: int) -> Now:
        """PN11."""
        hand, stake = now.hands[place][at], self.first_stake(place)
        both = tuple(
            Hand((card, now.pack[number]), stake, open=1, is_split=True)
            for number, card in enumerate(hand.cards)
        )
        own = now.hands[place]
        return now._replace(
            pack=now.pack[2:],
            hands=_put(now.hands, place, (*own[:at], *both, *own[at + 1 :])),
            drawn=now.drawn + 2,
        )

    def _went_on(self, now: Now) -> Now:
        """PN12: the banker plays once all punters are done, unless only pontoons and busts are left."""
        left = [hand for place in self.setting.punters for hand in now.hands[place]]
        if any(not hand.is_finished for hand in left):
            return now
        return now._replace(phase=BANKER if any(hand.kind != PONTOON for hand in left) else OVER)

    def _banker(self, token: str) -> Now:
        now, place = self.now, self.setting.dealer
        if token == STICK:
            return now._replace(phase=OVER)
        hand = self.hand
        hand = hand._replace(cards=(*hand.cards, now.pack[0]), open=hand.open | 1 << len(hand.cards))
        now = now._replace(pack=now.pack[1:], drawn=now.drawn + 1, hands=_put(now.hands, place, (hand,)))
        return now._replace(phase=OVER) if hand.is_finished else now

    @property
    def next_bank(self) -> int:
        """PN15: the first punter who had a pontoon without splitting; else the same, as with a pontoon of one's own."""
        if self.now.hands[self.setting.dealer][0].kind == PONTOON:
            return self.setting.dealer
        dealt = (
            place
            for place in self.setting.punters
            for hand in self.now.hands[place]
            if hand.kind == PONTOON and not hand.is_split
        )
        return next(dealt, self.setting.dealer)

    def result(self) -> Points:
        """PN6, PN13, PN14."""
        (banker,) = self.now.hands[self.setting.dealer]
        total = {
            place: sum(payment(hand, banker) for hand in (*self.now.hands[place], *self.now.busted[place]))
            for place in self.setting.punters
        }
        total[self.setting.dealer] = -sum(total.values())
        hands: dict[str, Json] = {
            str(place + 1): [
                ["".join(hand.cards), hand.kind, hand.stake]
                for hand in (*self.now.hands[place], *self.now.busted[place])
            ]
            for place in range(self.setting.players)
        }
        detail: dict[str, Json] = {"hands": hands, "next_bank": str(self.next_bank + 1)}
        return Points({str(place + 1): total[place] for place in sorted(total)}, detail)


def payment(hand: Hand, banker: Hand) -> int:
    """PN6, PN13: what the banker pays for a punter's hand."""
    return paid(hand.kind, hand.total, hand.stake, banker.kind, banker.total)


def paid(kind: str, total: int, stake: int, bank: str, bank_total: int) -> int:
    """PN6, PN13, by the kinds and totals of the two hands."""
    if bank == PONTOON:
        return -2 * stake
    if kind == BUST:
        return -stake
    if kind == PONTOON:
        return 2 * stake
    if bank == FIVE:
        return -stake
    if kind == FIVE:
        return 2 * stake
    return stake if bank == BUST or bank_total < total else -stake


def _put(
    hands: tuple[tuple[Hand, ...], ...], place: int, own: tuple[Hand, ...]
) -> tuple[tuple[Hand, ...], ...]:
    return (*hands[:place], own, *hands[place + 1 :])
