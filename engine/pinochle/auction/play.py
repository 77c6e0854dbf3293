"""A deal of Auction Pinochle being played: bids, the widow, burying, melds and tricks (AP3 to AP18)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from engine.errors import ActionError, DealError
from engine.game.individuals import PlayedDeal, not_held, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import NOTHING, SUITS, Dealt, is_card, read_deal
from engine.pinochle.auction.melds import auction_melds, melds_in
from engine.pinochle.melds import points_of as worth_of
from engine.pinochle.play import PACK
from engine.pinochle.tricks import (
    BIT,
    CARDS,
    NUMBER,
    cards_of,
    different,
    hand_of,
    playable,
    played,
    winner,
)
from engine.states import kept, made
from engine.text import gettext_noop

HAND: Final = 15
WIDOW: Final = 3
ACTIVE: Final = 3
#: AP5.
LOWEST, HIGHEST, STEP = 300, 700, 10
BIDS: Final = tuple(str(bid) for bid in range(LOWEST, HIGHEST + STEP, STEP))
#: AP22.
PASS, SEE, THROW = "-", "w", "x"
#: AP5: by the highest bid so far, what those may say who have not passed.
_CALLS: Final = {bid: (PASS, *(each for each in BIDS if int(each) > bid)) for bid in (0, *map(int, BIDS))}
#: AP9: what others see of a card that is buried.
BURIED: Final = "bury"
#: AP15.
WORTH: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
_POINTS: Final = tuple(WORTH[card[0]] for card in CARDS.cards)
_BEATING: Final = CARDS.beating
_TRUMPS: Final = CARDS.suits
LAST_TRICK: Final = 10
#: AP17.
KITTY: Final = "kitty"
KITTY_FROM: Final = 350
THROWN: Final = 3
MADE, BETE, DOUBLE_BETE = "made", "bete", "double-bete"
THROWN_IN, PASSED_OUT = "thrown-in", "passed-out"
BIDDING, SEEING, NAMING, BURYING, PLAY, OVER = "bidding", "seeing", "naming", "burying", "play", "over"
#: AP16: from which contract on it is worth how many units.
STEPS: Final = ((600, 30), (550, 25), (500, 20), (450, 15), (400, 10), (350, 5), (300, 3))
_SPADES: Final = "s"
_TO_DO: Final = {
    BIDDING: gettext_noop("First bid or pass."),
    SEEING: gettext_noop("First turn up the widow, or give up."),
    NAMING: gettext_noop("First name trumps, or give up."),
    BURYING: gettext_noop("First bury three cards."),
    PLAY: gettext_noop("Play a card."),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with."""

    hands: tuple[tuple[str, ...], ...]
    widow: tuple[str, ...]
    dealer: int
    forced: bool
    kitty: bool

    @property
    def active(self) -> tuple[int, ...]:
        """AP2, AP5: who plays, from the dealer's left on."""
        return active_seats(len(self.hands), self.dealer)


class Now(NamedTuple):
    """How a deal stands; ``asked`` are still bidding, the next one first."""

    held: tuple[int, ...]
    """What each holds: ``tricks``."""
    asked: tuple[int, ...]
    turn: int
    playable: int = 0
    """AP9, AP13: the cards that may be buried or played; none in other phases."""
    phase: str = BIDDING
    bid: int = 0
    bidder: int = -1
    trump: str = ""
    buried: tuple[str, ...] = ()
    laid: tuple[int, ...] = ()
    """The numbers of the cards of the trick, as they were played."""
    best: int = -1
    """The card that is winning the trick, and whose it is."""
    taker: int = -1
    meld: int = 0
    """AP10: what the bidder's melds are worth, once the cards are buried."""
    cards: int = 0
    """AP15: the bidder's, the buried ones too."""
    won: tuple[int, ...] = ()
    outcome: str = ""

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """What each holds, as hands are written."""
        return tuple(map(cards_of, self.held))

    @property
    def tricks(self) -> int:
        """AP12: how many are finished."""
        return len(self.won)


@cache
def active_seats(players: int, dealer: int) -> tuple[int, ...]:
    """AP2: with four the dealer is inactive, with five the second player to the dealer's left too."""
    order = [(dealer + step) % players for step in range(1, players + 1)]
    if players > ACTIVE:
        order.remove(dealer)
    if players > ACTIVE + 1:
        order.remove((dealer + 2) % players)
    return tuple(order)


def read(text: str, players: int) -> Dealt:
    """AP4: three hands, the others are empty, and the widow. Raises DealError."""
    parts = text.partition(" | ")[0].split(" ")
    sizes = [0 if part == NOTHING else HAND for part in parts]
    if len(sizes) != players or sum(map(bool, sizes)) != ACTIVE:
        raise DealError("deal", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    return read_deal(text, PACK, sizes)


def begun(setting: Setting) -> State:
    """AP5. Raises DealError where somebody inactive holds cards."""
    if any(not setting.hands[place] for place in setting.active):
        template = gettext_noop("Only the players who are active in this deal hold cards.")
        raise DealError("inactive", template)
    return State(setting, (), Now(tuple(map(hand_of, setting.hands)), setting.active, setting.active[0]))


def with_hands(now: Now, hands: Iterable[Iterable[str]]) -> Now:
    """The same with these cards in the hands."""
    held, may = tuple(map(hand_of, hands)), 0
    if now.laid:
        may = playable(held[now.turn], now.laid[0], now.best, _TRUMPS[now.trump])
    elif now.playable:
        may = different(held[now.turn])
    return now._replace(held=held, playable=may)


def units_of(contract: int) -> int:
    """AP16."""
    return next(units for least, units in STEPS if contract >= least)


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """AP5 to AP12."""
        return None if self.now.outcome else self.now.turn

    @property
    def is_over(self) -> bool:
        """AP6, AP7, AP11, AP16."""
        return bool(self.now.outcome)

    @property
    def trick(self) -> tuple[tuple[str, str], ...]:
        """The trick on the table: who played which card."""
        now, active = self.now, self.setting.active
        if not now.laid:
            return ()
        led = active.index(now.turn) - len(now.laid)
        return tuple(
            (str(active[(led + step) % ACTIVE] + 1), CARDS.cards[number])
            for step, number in enumerate(now.laid)
        )

    @property
    def least(self) -> int:
        """AP5: the lowest bid that is possible."""
        return self.now.bid + STEP if self.now.bid else LOWEST

    @property
    def must_open(self) -> bool:
        """AP6."""
        return self.setting.forced and not self.history

    def legal(self) -> tuple[str, ...]:
        """AP5, AP6, AP9, AP13: cards and bids are listed at once."""
        now = self.now
        if now.playable:
            return CARDS.texts(now.playable)
        if now.phase == BIDDING and not now.outcome:
            return BIDS if self.must_open else _CALLS[now.bid]
        return super().legal()

    def allowed(self) -> Sequence[str]:
        """AP7, AP8."""
        return (SEE, THROW) if self.now.phase == SEEING else (*SUITS, THROW)

    def apply(self, token: str) -> State:
        """The state after this action."""
        is_allowed = self.now.playable & BIT.get(token, 0)
        return self.after(token) if is_allowed else super().apply(token)

    def refusal(self, token: str) -> ActionError:
        """AP22."""
        now = self.now
        is_bid = token.isdecimal() and len(token) < 5
        if token not in {PASS, SEE, THROW, *SUITS, *PACK} and not is_bid:
            return not_held(token) if is_card(token) else unknown_action(token)
        if now.phase == BIDDING and (is_bid or token == PASS):
            return self._bid_refusal(token)
        if token not in PACK or now.phase not in {BURYING, PLAY}:
            return wrong_phase(token, _TO_DO[now.phase])
        own = cards_of(now.held[now.turn])
        if token not in own:
            return not_held(token)
        led, trump = CARDS.cards[now.laid[0]][1], now.trump
        if led in {card[1] for card in own} and token[1] != led:
            template = gettext_noop("You must follow suit: you have the suit that was led.")
            return ActionError("follow-suit", template, given=token)
        if token[1] != trump:
            template = gettext_noop("You must play a trump: you don’t have the suit that was led.")
            return ActionError("must-trump", template, given=token)
        template = gettext_noop("You must play a higher trump: you have one.")
        return ActionError("must-beat", template, given=token)

    def _bid_refusal(self, token: str) -> ActionError:
        if token == PASS:
            return ActionError("must-open", gettext_noop("The first player must bid."), given=token)
        bid = int(token)
        if bid > HIGHEST:
            template = gettext_noop("Nobody bids more than %(most)d.")
            return ActionError("bid-ceiling", template, given=token, most=HIGHEST)
        if bid % STEP:
            return ActionError("bid-step", gettext_noop("Bids are multiples of 10."), given=token)
        template = gettext_noop("Bid at least %(least)d.")
        return ActionError("bid-too-low", template, given=token, least=self.least)

    def step(self, token: str) -> Now:
        """AP5 to AP14."""
        now = self.now
        if now.phase == PLAY:
            return self._played(token)
        if now.phase == BIDDING:
            return self._bid(token)
        if now.phase == SEEING:
            return self._sees(now) if token == SEE else now._replace(outcome=THROWN_IN)
        if now.phase == BURYING:
            return self._buried(token)
        if token == THROW:
            return now._replace(outcome=BETE)
        return now._replace(trump=token, phase=BURYING, playable=different(now.held[now.turn]))

    def _buried(self, card: str) -> Now:
        """AP9 to AP11: melds that reach the contract alone make it."""
        now, number = self.now, NUMBER[card]
        held, buried = played(now.held, now.turn, number), (*now.buried, card)
        cards, may = now.cards + _POINTS[number], different(held[now.turn])
        if len(buried) < WIDOW:
            return now._replace(held=held, buried=buried, cards=cards, playable=may)
        meld, phase, outcome = worth_of(melds_in(held[now.bidder], now.trump)), PLAY, ""
        if meld >= now.bid:
            phase, outcome, may = OVER, MADE, 0
        return now._replace(
            held=held, buried=buried, cards=cards, playable=may, meld=meld, phase=phase, outcome=outcome
        )

    def _bid(self, token: str) -> Now:
        now = self.now
        asked, bid, bidder = now.asked[1:], now.bid, now.bidder
        if token != PASS:
            asked, bid, bidder = (*asked, now.turn), int(token), now.turn
        if not asked:
            return now._replace(asked=(), outcome=PASSED_OUT)
        if asked != (bidder,):
            return Now(now.held, asked, asked[0], bid=bid, bidder=bidder)
        now = Now(now.held, (), bidder, phase=SEEING, bid=bid, bidder=bidder)
        may_throw = bid == LOWEST and self.setting.kitty
        return now if may_throw else self._sees(now)

    def _sees(self, now: Now) -> Now:
        """AP8."""
        hand = hand_of(self.setting.widow, now.held[now.bidder])
        held = (*now.held[: now.bidder], hand, *now.held[now.bidder + 1 :])
        return now._replace(held=held, phase=NAMING)

    def _played(self, card: str) -> Now:
        """AP13 to AP16."""
        (
            held, asked, turn, _may, phase, bid, bidder, trump,
            buried, laid, best, taker, meld, cards, won, outcome,
        ) = self.now  # fmt: skip
        number = NUMBER[card]
        held = played(held, turn, number)
        if not laid or _BEATING[trump][best] >> number & 1:
            best, taker = number, turn
        laid = (*laid, number)
        if len(laid) < ACTIVE:
            turn = (turn + 1) % len(held)
            # AP2: who is not active holds no cards.
            while not held[turn]:
                turn = (turn + 1) % len(held)
            may = playable(held[turn], laid[0], best, _TRUMPS[trump])
        else:
            turn, won, may = taker, (*won, taker), different(held[taker])
            if taker == bidder:
                cards += _POINTS[laid[0]] + _POINTS[laid[1]] + _POINTS[laid[2]]
            if len(won) == HAND:
                cards += LAST_TRICK * (taker == bidder)
                phase, outcome = OVER, MADE if meld + cards >= bid else DOUBLE_BETE
            laid, best, taker = (), -1, -1
        return made(
            Now,
            (
                held, asked, turn, may, phase, bid, bidder, trump,
                buried, laid, best, taker, meld, cards, won, outcome,
            ),
        )  # fmt: skip

    @kept
    def melds(self) -> dict[str, int]:
        """AP10: the bidder's, once the cards are buried."""
        now = self.now
        if len(now.buried) < WIDOW:
            return {}
        own = [token for at, token in self.plays if at == now.bidder]
        return auction_melds((*cards_of(now.held[now.bidder]), *own), now.trump)

    @kept
    def plays(self) -> tuple[tuple[int, str], ...]:
        """Who played which card, in order."""
        first = len(self.history) - self.now.tricks * ACTIVE - len(self.now.laid)
        if len(self.now.buried) < WIDOW:
            return ()
        cards, active, turn = self.history[first:], self.setting.active, self.now.bidder
        found: list[tuple[int, str]] = []
        for start in range(0, len(cards), ACTIVE):
            at = active.index(turn)
            places = [active[(at + step) % ACTIVE] for step in range(ACTIVE)]
            trick = list(zip(places, cards[start : start + ACTIVE], strict=False))
            found += trick
            turn = int(winner([(str(place + 1), card) for place, card in trick], self.now.trump)[0]) - 1
        return tuple(found)

    def result(self) -> Points:
        """AP16 to AP18."""
        now = self.now
        bidder = None if now.bidder < 0 else str(now.bidder + 1)
        seats = [str(place + 1) for place in range(len(now.held))]
        was_played = now.tricks > 0
        detail: dict[str, Json] = {
            "outcome": now.outcome,
            "bidder": bidder,
            "bid": now.bid or None,
            "trump": now.trump or None,
            "melds": self.melds,
            "meld": now.meld,
            "cards": now.cards if was_played else None,
        }
        total = points_of(seats, now.outcome, bidder, now.bid, now.trump, has_kitty=self.setting.kitty)
        return Points(total, detail)


def points_of(
    seats: Sequence[str], outcome: str, bidder: str | None, bid: int, trump: str, *, has_kitty: bool
) -> dict[str, int]:
    """AP16 to AP18: the seats and the kitty."""
    total = dict.fromkeys((*seats, KITTY), 0)
    if bidder is None or outcome == PASSED_OUT:
        return total
    if outcome == THROWN_IN:
        return {**total, bidder: -THROWN, KITTY: THROWN}
    units = units_of(bid)
    if outcome != BETE and trump == _SPADES:
        units *= 2
    pays = {MADE: -1, BETE: 1, DOUBLE_BETE: 2}[outcome] * units
    others = [seat for seat in seats if seat != bidder] + ([KITTY] if has_kitty and bid >= KITTY_FROM else [])
    return {**total, **dict.fromkeys(others, pays), bidder: -pays * len(others)}
