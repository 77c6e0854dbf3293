"""A deal of Pinochle being played: the exchange, the melds, the tricks, a claim (PP3 to PP21)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.errors import ActionError, DealError
from engine.game.values import Json, Points
from engine.packs import SUITS, Dealt, pack, read_deal, without
from engine.pinochle.melds import melds_of, points_of
from engine.pinochle.tricks import (
    BIT,
    CARDS,
    NUMBER,
    RANKS,
    cards_of,
    different,
    hand_of,
    playable,
    played,
)
from engine.states import Played, kept, made
from engine.text import gettext_noop

SEATS: Final = ("N", "E", "S", "W")
PLACE: Final = {seat: place for place, seat in enumerate(SEATS)}
SIDES: Final = {"NS": ("N", "S"), "EW": ("E", "W")}
PACK: Final = pack(RANKS, copies=2)
_PLACE: Final = {card: place for place, card in enumerate(rank + suit for suit in SUITS for rank in RANKS)}
TRICKS: Final = 12
#: PP18.
WORTH: Final = {"A": 10, "T": 10, "K": 5, "Q": 5}
LAST_TRICK: Final = 10
#: PP18: by a card's number.
_POINTS: Final = tuple(WORTH.get(card[0], 0) for card in CARDS.cards)
_BEATING: Final = CARDS.beating
_TRUMPS: Final = CARDS.suits
STEP: Final = 250
EXCHANGE, KEEP, CLAIM = "x", "-", "!"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with; ``before`` are the sides' totals in the match, which a claim counts from (PP21)."""

    deal: Dealt
    up: str
    dealer: str
    target: int
    claims: bool
    before: Mapping[str, int] = field(hash=False)

    @property
    def trump(self) -> str:
        """PP3."""
        return self.up[1]

    @property
    def dix(self) -> str:
        """PP3: the nine of trumps."""
        return "9" + self.trump

    def dealt(self, seat: str) -> tuple[str, ...]:
        """What that seat was dealt."""
        return self.deal.hands[SEATS.index(seat)]

    @property
    def asked(self) -> tuple[str, ...]:
        """PP5, PP6: who may exchange, in order."""
        if self.up == self.dix:
            return ()
        dix, dealer = self.dix, PLACE[self.dealer]
        hands = [(SEATS[at], self.deal.hands[at]) for at in ((dealer + step) % 4 for step in (1, 2, 3))]
        return tuple([seat for seat, hand in hands if dix in hand])


class Now(NamedTuple):
    """How a deal stands. Seats are their places; ``asking`` have still to answer in the exchange (PP5)."""

    held: tuple[int, ...]
    """What each holds: ``tricks``."""
    turn: int
    playable: int
    """PP14 to PP16: the cards that may be played; none in the exchange, or once the deal is over."""
    asking: tuple[int, ...] = ()
    exchanged: str | None = None
    laid: tuple[int, ...] = ()
    """The numbers of the cards of the trick, as they were played."""
    best: int = -1
    """The card that is winning the trick, and whose it is."""
    taker: int = -1
    won: tuple[int, ...] = ()
    """Who won each trick."""
    cards: tuple[int, int] = (0, 0)
    claimed: str | None = None

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """What each holds, as hands are written."""
        return tuple(map(cards_of, self.held))

    @property
    def trick(self) -> tuple[tuple[str, str], ...]:
        """The trick on the table: who played which card."""
        return tuple(
            (SEATS[(self.turn - len(self.laid) + step) % 4], CARDS.cards[number])
            for step, number in enumerate(self.laid)
        )


def after(seat: str, steps: int = 1) -> str:
    """PP2: the seat so many places to the left."""
    return SEATS[(PLACE[seat] + steps) % 4]


def by_rank(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards by suits, strong ones first, the ten above the king (PP1)."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def side_of(seat: str) -> str:
    """PP2."""
    return "NS" if seat in SIDES["NS"] else "EW"


def read(text: str) -> tuple[Dealt, str]:
    """PP4: the four hands, and the turned card. Raises DealError."""
    written, _bar, up = text.partition(" | ")
    dealt = read_deal(written, PACK, (TRICKS,) * 4)
    if up not in NUMBER:
        raise DealError("turned-card", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    return dealt, up


def start(setting: Setting) -> State:
    """PP5: before the exchange, or before the first lead where nobody may exchange. Raises DealError."""
    if setting.up not in setting.dealt(setting.dealer):
        template = gettext_noop("The card that’s shown must be the dealer’s.")
        raise DealError("turned-card", template, given=setting.up)
    held, asking = tuple(map(hand_of, setting.deal.hands)), tuple([PLACE[seat] for seat in setting.asked])
    if asking:
        return State(setting, (), Now(held, asking[0], 0, asking))
    first = (PLACE[setting.dealer] + 1) % 4
    return State(setting, (), Now(held, first, different(held[first])))


def _led(now: Now, turn: int) -> Now:
    """PP14: this seat leads any card."""
    return now._replace(asking=(), turn=turn, playable=different(now.held[turn]))


def with_hands(now: Now, hands: Iterable[Iterable[str]], trump: str) -> Now:
    """The same with these cards in the hands."""
    now = now._replace(held=tuple(map(hand_of, hands)))
    if now.asking:
        return now
    if not now.laid:
        return _led(now, now.turn)
    hand = now.held[now.turn]
    return now._replace(playable=playable(hand, now.laid[0], now.best, _TRUMPS[trump]))


class State(Played[Setting, Now]):
    """A deal being played."""

    @property
    def is_over(self) -> bool:
        """After the last trick, or at once by a claim (PP21)."""
        return not self.now.playable and not self.now.asking

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else SEATS[self.now.turn]

    @property
    def is_exchanging(self) -> bool:
        """PP5: whether somebody is asked for the exchange."""
        return bool(self.now.asking)

    def held(self, seat: str) -> tuple[str, ...]:
        """What a seat holds now."""
        return cards_of(self.now.held[PLACE[seat]])

    def legal(self) -> tuple[str, ...]:
        """The exchange, or cards and perhaps the claim."""
        now = self.now
        if not now.playable:
            return (EXCHANGE, KEEP) if now.asking else ()
        cards = CARDS.texts(now.playable)
        return (*cards, CLAIM) if self.setting.claims else cards

    def verify(self, token: str) -> None:
        """PP5, PP14 to PP16, PP21, PP24."""
        if self.now.playable & BIT.get(token, 0) or (token not in BIT and token in self.legal()):
            return
        if self.is_over:
            raise ActionError("over", gettext_noop("The deal is over."), given=token)
        if token not in PACK and token not in {EXCHANGE, KEEP, CLAIM}:
            template = gettext_noop("“%(given)s” isn’t an action in this game.")
            raise ActionError("token", template, given=token)
        if token == CLAIM and not self.setting.claims:
            raise ActionError("claims-off", gettext_noop("Claims are off in this competition."), given=token)
        if self.is_exchanging:
            template = gettext_noop("First exchange the nine of trumps, or keep it.")
            raise ActionError("phase", template, given=token)
        if token not in PACK:
            raise ActionError("phase", gettext_noop("Nobody can exchange now: play a card."), given=token)
        if token not in cards_of(self.now.held[self.now.turn]):
            raise ActionError("not-held", gettext_noop("You don’t hold that card."), given=token)
        raise self._not_playable(token)

    def _not_playable(self, token: str) -> ActionError:
        led, trump = CARDS.cards[self.now.laid[0]][1], self.setting.trump
        own = {card[1] for card in cards_of(self.now.held[self.now.turn])}
        if led in own and token[1] != led:
            template = gettext_noop("You must follow suit: you have the suit that was led.")
            return ActionError("follow-suit", template, given=token)
        if token[1] != trump:
            template = gettext_noop("You must play a trump: you don’t have the suit that was led.")
            return ActionError("must-trump", template, given=token)
        template = gettext_noop("You must play a higher trump: you have one.")
        return ActionError("must-beat", template, given=token)

    def apply(self, token: str) -> State:
        """The state after an answer, a card or a claim."""
        if not self.now.playable & BIT.get(token, 0):
            self.verify(token)
        return self.after(token)

    def after(self, token: str) -> State:
        """The state after an action that was allowed."""
        setting, history, now = self
        number = NUMBER.get(token, -1)
        if number >= 0:
            now = _played(now, number, setting.up[1])
        elif token == CLAIM:
            now = now._replace(claimed=SEATS[now.turn], playable=0)
        else:
            now = self._answered(token)
        return made(State, (setting, history + (token,), now))  # noqa: RUF005 (quicker)

    def _answered(self, token: str) -> Now:
        """PP5: the first exchange ends it."""
        now, setting = self.now, self.setting
        first = (PLACE[setting.dealer] + 1) % 4
        if token == EXCHANGE:
            seat = SEATS[now.turn]
            given = {seat: (setting.dix, setting.up), setting.dealer: (setting.up, setting.dix)}
            hands = tuple(
                (*(without(hand, given[seat][:1]) or ()), given[seat][1]) if seat in given else hand
                for seat, hand in zip(SEATS, now.hands, strict=True)
            )
            return _led(now._replace(held=tuple(map(hand_of, hands)), exchanged=seat), first)
        asking = now.asking[1:]
        if asking:
            return now._replace(asking=asking, turn=asking[0])
        return _led(now, first)

    @kept
    def melds(self) -> dict[str, dict[str, int]]:
        """PP8: what each seat melds, once the exchange is over."""
        if self.is_exchanging:
            return {}
        setting = self.setting
        return {
            seat: melds_of(self.after_exchange(seat), setting.trump, setting.dealt(seat).count(setting.dix))
            for seat in SEATS
        }

    def after_exchange(self, seat: str) -> list[str]:
        """PP5: the twelve cards of a seat once the exchange is over."""
        setting = self.setting
        held = list(setting.dealt(seat))
        if self.now.exchanged is not None and seat in {self.now.exchanged, setting.dealer}:
            gone, come = setting.dix, setting.up
            if seat == setting.dealer:
                gone, come = come, gone
            held.remove(gone)
            held.append(come)
        return held

    def meld(self, side: str) -> int:
        """PP9: the melds of a side."""
        return sum(points_of(self.melds[seat]) for seat in SIDES[side])

    def made(self, side: str) -> int:
        """PP12, PP19: what a side has so far: its cards, and its melds once it has won a trick."""
        place = list(SIDES).index(side)
        has_trick = any(seat % 2 == place for seat in self.now.won)
        return self.now.cards[place] + (self.meld(side) if has_trick else 0)

    @property
    def target(self) -> int:
        """PP20, PP21: the target in effect, by the totals before the deal."""
        return target_for(self.setting.target, self.setting.before)

    def score(self) -> Points:
        """PP19, PP21. Raises ActionError while the deal is not over."""
        if not self.is_over:
            raise ActionError("not-over", gettext_noop("The deal isn’t over."))
        now = self.now
        total = {side: self.made(side) for side in SIDES}
        detail: dict[str, Json] = {
            "trump": self.setting.trump,
            "exchanged": now.exchanged,
            "melds": self.melds,
            "meld": {side: self.meld(side) for side in SIDES},
            "tricks": {side: sum(seat % 2 == place for seat in now.won) for place, side in enumerate(SIDES)},
            "cards": {"NS": now.cards[0], "EW": now.cards[1]},
            "target": self.target,
            "claim": self._claim(total),
        }
        return Points(total, detail)

    def _claim(self, total: Mapping[str, int]) -> dict[str, Json] | None:
        if self.now.claimed is None:
            return None
        side = side_of(self.now.claimed)
        is_correct = self.setting.before.get(side, 0) + total[side] >= self.target
        other = next(each for each in SIDES if each != side)
        return {"by": self.now.claimed, "correct": is_correct, "wins": side if is_correct else other}


def _played(now: Now, card: int, trump: str) -> Now:
    """PP17, PP18."""
    held, turn, _playable, asking, exchanged, laid, best, taker, won, cards, claimed = now
    held = played(held, turn, card)
    if not laid or _BEATING[trump][best] >> card & 1:
        best, taker = card, turn
    laid = (*laid, card)
    if len(laid) < 4:
        turn = (turn + 1) % 4
        may = playable(held[turn], laid[0], best, _TRUMPS[trump])
        return made(Now, (held, turn, may, asking, exchanged, laid, best, taker, won, cards, claimed))
    won, (ns, ew) = (*won, taker), cards
    taken = _POINTS[laid[0]] + _POINTS[laid[1]] + _POINTS[laid[2]] + _POINTS[laid[3]]
    if len(won) == TRICKS:
        taken += LAST_TRICK
    cards = (ns + taken, ew) if taker % 2 == 0 else (ns, ew + taken)
    may = different(held[taker])
    return made(Now, (held, taker, may, asking, exchanged, (), -1, -1, won, cards, claimed))


def target_for(target: int, totals: Mapping[str, int]) -> int:
    """PP20: the target rises as long as both sides have reached it."""
    while min(totals.get(side, 0) for side in SIDES) >= target:
        target += STEP
    return target
