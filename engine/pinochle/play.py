"""A deal of Pinochle being played: the exchange, the melds, the tricks, a claim (PP3 to PP21)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.errors import ActionError, DealError
from engine.game.values import Json, Points
from engine.packs import SUITS, Dealt, in_order, pack, read_deal, without
from engine.pinochle.melds import RANKS, melds_of, points_of
from engine.states import Played, kept
from engine.text import gettext_noop

SEATS: Final = ("N", "E", "S", "W")
SIDES: Final = {"NS": ("N", "S"), "EW": ("E", "W")}
PACK: Final = pack(RANKS, copies=2)
_PLACE: Final = {card: place for place, card in enumerate(rank + suit for suit in SUITS for rank in RANKS)}
TRICKS: Final = 12
#: PP18.
WORTH: Final = {"A": 10, "T": 10, "K": 5, "Q": 5}
LAST_TRICK: Final = 10
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
        others = (after(self.dealer, step) for step in (1, 2, 3))
        return tuple(seat for seat in others if self.dix in self.dealt(seat))


class Now(NamedTuple):
    """How a deal stands; ``asked`` counts those who have answered in the exchange."""

    hands: tuple[tuple[str, ...], ...]
    turn: str
    asked: int = 0
    exchanged: str | None = None
    trick: tuple[tuple[str, str], ...] = ()
    won: tuple[str, ...] = ()
    cards: tuple[int, int] = (0, 0)
    claimed: str | None = None


def after(seat: str, steps: int = 1) -> str:
    """PP2: the seat so many places to the left."""
    return SEATS[(SEATS.index(seat) + steps) % 4]


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
    if up not in PACK:
        raise DealError("turned-card", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    return dealt, up


def start(setting: Setting) -> State:
    """PP5: before the exchange, or before the first lead where nobody may exchange. Raises DealError."""
    if setting.up not in setting.dealt(setting.dealer):
        template = gettext_noop("The card that’s shown must be the dealer’s.")
        raise DealError("turned-card", template, given=setting.up)
    first = setting.asked[0] if setting.asked else after(setting.dealer)
    return State(setting, (), Now(setting.deal.hands, first))


def winner(trick: Sequence[tuple[str, str]], trump: str) -> tuple[str, str]:
    """PP17: who takes the trick so far, and with which card; of equal cards the first."""
    return min(trick, key=lambda played: _rank(played[1], trick[0][1][1], trump))


def _rank(card: str, led: str, trump: str) -> tuple[bool, bool, int]:
    return card[1] != trump, card[1] != led, RANKS.index(card[0])


class State(Played[Setting, Now]):
    """A deal being played."""

    @property
    def is_over(self) -> bool:
        """After the last trick, or at once by a claim (PP21)."""
        return len(self.now.won) == TRICKS or self.now.claimed is not None

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return None if self.is_over else self.now.turn

    @property
    def is_exchanging(self) -> bool:
        """PP5: whether somebody is asked for the exchange."""
        return self.now.exchanged is None and self.now.asked < len(self.setting.asked)

    def held(self, seat: str) -> tuple[str, ...]:
        """What a seat holds now."""
        return self.now.hands[SEATS.index(seat)]

    @kept
    def playable(self) -> tuple[str, ...]:
        """PP14 to PP16: the cards that may be played, equal ones once."""
        now, trump = self.now, self.setting.trump
        held = tuple(dict.fromkeys(self.held(now.turn)))
        if not now.trick:
            return held
        led = now.trick[0][1][1]
        follow = tuple(card for card in held if card[1] == led)
        if follow and led != trump:
            return follow
        trumps = tuple(card for card in held if card[1] == trump)
        best = winner(now.trick, trump)[1]
        if best[1] == trump:
            higher = [card for card in trumps if RANKS.index(card[0]) < RANKS.index(best[0])]
            trumps = tuple(higher) or trumps
        return trumps or held

    @kept
    def _legal(self) -> tuple[str, ...]:
        if self.is_over:
            return ()
        if self.is_exchanging:
            return (EXCHANGE, KEEP)
        return (*self.playable, CLAIM) if self.setting.claims else self.playable

    def legal(self) -> tuple[str, ...]:
        """The exchange, or cards and perhaps the claim."""
        return self._legal

    def verify(self, token: str) -> None:
        """PP5, PP14 to PP16, PP21, PP24."""
        if token in self._legal:
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
            raise ActionError("phase", gettext_noop("The exchange is over: play a card."), given=token)
        if token not in self.held(self.now.turn):
            raise ActionError("not-held", gettext_noop("You don’t hold that card."), given=token)
        raise self._not_playable(token)

    def _not_playable(self, token: str) -> ActionError:
        led, trump = self.now.trick[0][1][1], self.setting.trump
        if self.playable[0][1] == led != trump or (led == trump and token[1] != trump):
            template = gettext_noop("You must follow suit: you have the suit that was led.")
            return ActionError("follow-suit", template, given=token)
        if token[1] != trump:
            template = gettext_noop("You must play a trump: you don’t have the suit that was led.")
            return ActionError("must-trump", template, given=token)
        template = gettext_noop("You must play a higher trump: you have one.")
        return ActionError("must-beat", template, given=token)

    def apply(self, token: str) -> State:
        """The state after an answer, a card or a claim."""
        if token not in self._legal:
            self.verify(token)
        return self.after(token)

    def after(self, token: str) -> State:
        """The state after an action that was allowed."""
        if token == CLAIM:
            now = self.now._replace(claimed=self.now.turn)
        elif self.is_exchanging:
            now = self._answered(token)
        else:
            now = self._played(token)
        return State(self.setting, (*self.history, token), now)

    def _answered(self, token: str) -> Now:
        """PP5: the first exchange ends it."""
        now, setting = self.now, self.setting
        if token == EXCHANGE:
            given = {now.turn: (setting.dix, setting.up), setting.dealer: (setting.up, setting.dix)}
            hands = tuple(
                in_order((*(without(hand, given[seat][:1]) or ()), given[seat][1])) if seat in given else hand
                for seat, hand in zip(SEATS, now.hands, strict=True)
            )
            return now._replace(hands=hands, exchanged=now.turn, turn=after(setting.dealer))
        asked = now.asked + 1
        left = setting.asked[asked:]
        return now._replace(asked=asked, turn=left[0] if left else after(setting.dealer))

    def _played(self, card: str) -> Now:
        """PP17, PP18."""
        now = self.now
        place = SEATS.index(now.turn)
        hand = now.hands[place]
        at = hand.index(card)
        hands = (*now.hands[:place], (*hand[:at], *hand[at + 1 :]), *now.hands[place + 1 :])
        trick = (*now.trick, (now.turn, card))
        if len(trick) < len(SEATS):
            return now._replace(hands=hands, trick=trick, turn=after(now.turn))
        taker = winner(trick, self.setting.trump)[0]
        won = (*now.won, taker)
        taken = sum(WORTH.get(played[0], 0) for _seat, played in trick) + LAST_TRICK * (len(won) == TRICKS)
        ns, ew = now.cards
        cards = (ns + taken, ew) if side_of(taker) == "NS" else (ns, ew + taken)
        return now._replace(hands=hands, trick=(), won=won, cards=cards, turn=taker)

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
        has_trick = any(seat in SIDES[side] for seat in self.now.won)
        return self.now.cards[list(SIDES).index(side)] + (self.meld(side) if has_trick else 0)

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
            "tricks": {side: sum(seat in SIDES[side] for seat in now.won) for side in SIDES},
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


def target_for(target: int, totals: Mapping[str, int]) -> int:
    """PP20: the target rises as long as both sides have reached it."""
    while min(totals.get(side, 0) for side in SIDES) >= target:
        target += STEP
    return target
