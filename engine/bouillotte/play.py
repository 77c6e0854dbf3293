"""A deal of Bouillotte being played: straddles, the opening, raises and the showdown (BO3 to BO18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.bouillotte.hands import HAND, PACK, PLAYERS, Hand, brelan, payment, showdown
from engine.errors import ActionError, DealError
from engine.game.individuals import PlayedDeal, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import Dealt, read_deal
from engine.states import kept
from engine.text import gettext_noop

#: BO4: what a player puts in at most.
CAVE: Final = 30
#: BO21.
FOLD, STRADDLE, OPEN, CALL, RAISE = "f", "s", "o", "=", "+"
#: BO6, BO9, BO10, BO12.
FIRST, SECOND, BETTING, CIRCLE = "first", "second", "betting", "circle"
SHOWDOWN, UNSEEN, PASSED_OUT = "showdown", "unseen", "passed-out"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with."""

    hands: tuple[Hand, ...]
    up: str
    dealer: int
    ante: int
    pot: int

    @property
    def order(self) -> tuple[int, ...]:
        """BO2: the places from eldest on, who sits at the dealer's right; the dealer is last."""
        return tuple((self.dealer - step) % PLAYERS for step in range(1, PLAYERS + 1))


class Now(NamedTuple):
    """How a deal stands; ``asked`` have still to speak in this phase, in their order."""

    put: tuple[int, ...]
    asked: tuple[int, ...]
    folded: tuple[int, ...] = ()
    phase: str = FIRST
    outcome: str = ""


def read(text: str) -> tuple[Dealt, str]:
    """BO3: four hands and the turned card; seven cards are never seen. Raises DealError."""
    written, _bar, up = text.partition(" | ")
    dealt = read_deal(written, [card for card in PACK if card in written], (HAND,) * PLAYERS)
    if up not in PACK or any(up in hand for hand in dealt.hands):
        raise DealError("deal", gettext_noop("“%(given)s” isn’t a deal in this game."), given=text)
    return dealt, up


def start(text: str, dealer: int, ante: int, pot: int) -> State:
    """BO5, BO6. Raises DealError."""
    dealt, up = read(text)
    return begun(Setting(dealt.hands, up, dealer, ante, pot))


def begun(setting: Setting) -> State:
    """BO6: before eldest speaks."""
    put = tuple(setting.ante if place == setting.dealer else 0 for place in range(PLAYERS))
    return State(setting, (), Now(put, setting.order))


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """BO2."""
        return None if self.now.outcome else self.now.asked[0]

    @property
    def due(self) -> int:
        """BO6: the most that anybody has put in."""
        return max(self.now.put)

    @property
    def staying(self) -> tuple[int, ...]:
        """Who has not folded, from eldest on."""
        return tuple(place for place in self.setting.order if place not in self.now.folded)

    @property
    def pot(self) -> int:
        """What lies in the pot."""
        return self.setting.pot + sum(self.now.put)

    def allowed(self) -> Sequence[str]:
        """BO6, BO9, BO10, BO12."""
        more = range(1, CAVE - self.due + 1)
        phase = self.now.phase
        if phase in {FIRST, SECOND}:
            straddles = [STRADDLE] if phase == FIRST and self.due < CAVE else []
            return (FOLD, *straddles, *(f"{OPEN}{k}" for k in more))
        folds = [FOLD] if phase == BETTING else []
        return (*folds, CALL, *(f"{RAISE}{k}" for k in more))

    def refusal(self, token: str) -> ActionError:
        """BO4, BO9, BO12, BO21."""
        number = token[1:]
        has_number = number.isdecimal() and len(number) < 5
        if token not in {FOLD, STRADDLE, CALL} and not (token[:1] in {OPEN, RAISE} and has_number):
            return unknown_action(token)
        is_before = self.now.phase in {FIRST, SECOND}
        if token == FOLD:
            template = gettext_noop("Nothing is due: stand or raise.")
            return ActionError("nothing-due", template, given=token)
        if token == STRADDLE and self.now.phase == SECOND:
            template = gettext_noop("No straddles now: open or fold.")
            return ActionError("no-straddle", template, given=token)
        if is_before and token == CALL:
            template = gettext_noop("Nobody has opened yet: there’s nothing to call.")
            return ActionError("phase", template, given=token)
        if is_before != (token[0] in {STRADDLE, OPEN}):
            first, later = (
                gettext_noop("Nobody has opened yet: open first."),
                gettext_noop("The stakes are open: call, raise or fold."),
            )
            return wrong_phase(token, first if is_before else later)
        if has_number and int(number) == 0:
            return unknown_action(token)
        template = gettext_noop("Nobody puts in more than 30 in a deal: there’s room for %(left)d more.")
        return ActionError("cave", template, given=token, left=CAVE - self.due)

    def _put_in(self, place: int, points: int) -> tuple[int, ...]:
        put = self.now.put
        return (*put[:place], points, *put[place + 1 :])

    def step(self, token: str) -> Now:
        """BO6 to BO13."""
        now, place, due = self.now, self.now.asked[0], self.due
        rest = now.asked[1:]
        if token[0] in {OPEN, RAISE}:
            put = self._put_in(place, due + int(token[1:]))
            now = now._replace(put=put, asked=self._others(place), phase=BETTING)
            return now if now.asked else now._replace(outcome=UNSEEN)
        if token == FOLD:
            now = now._replace(folded=(*now.folded, place), asked=rest)
        elif token == STRADDLE:
            now = now._replace(put=self._put_in(place, due + 1), asked=rest)
        else:
            now = now._replace(put=self._put_in(place, due), asked=rest)
        return self._after_answer(now, place)

    def _others(self, place: int) -> tuple[int, ...]:
        """Who has not folded, from the right of this place on."""
        around = ((place - step) % PLAYERS for step in range(1, PLAYERS))
        return tuple(each for each in around if each not in self.now.folded)

    def _after_answer(self, now: Now, place: int) -> Now:
        """BO7 to BO9, BO11 to BO13: a phase may be over."""
        staying = PLAYERS - len(now.folded)
        if staying == 0:
            return now._replace(outcome=PASSED_OUT)
        if staying == 1 and (now.phase != FIRST or not now.asked):
            return now._replace(outcome=UNSEEN)
        if now.asked:
            return now
        if now.phase == FIRST:
            order = tuple(each for each in self.setting.order if each not in now.folded)
            return now._replace(phase=SECOND, asked=order)
        if now.phase == CIRCLE or staying == 2 or max(now.put) == CAVE:
            return now._replace(outcome=SHOWDOWN)
        around = ((place - step) % PLAYERS for step in range(1, PLAYERS + 1))
        return now._replace(phase=CIRCLE, asked=tuple(each for each in around if each not in now.folded))

    @kept
    def best(self) -> tuple[int | None, str | None]:
        """BO7, BO13 to BO17: who takes the pot, and with what."""
        if self.now.outcome == PASSED_OUT:
            return None, None
        if self.now.outcome == UNSEEN:
            return self.staying[0], None
        return showdown(self.setting.hands, self.setting.up, self.staying)

    @property
    def side(self) -> dict[int, int]:
        """BO15: what each opponent pays to a place."""
        if self.now.outcome != SHOWDOWN:
            return {}
        hands, up = self.setting.hands, self.setting.up
        return {
            place: payment(hands[place], up) for place in sorted(self.staying) if payment(hands[place], up)
        }

    @property
    def shown(self) -> tuple[int, ...]:
        """BO20: whose hands all see at the end."""
        if self.now.outcome != SHOWDOWN:
            return ()
        hands, up = self.setting.hands, self.setting.up
        has_brelan = any(brelan(hands[place], up)[1] for place in self.staying)
        return self.staying if has_brelan else tuple(range(PLAYERS))

    def result(self) -> Points:
        """BO18."""
        winner, shown = self.best
        side = self.side
        total = {
            str(place + 1): -put
            + (self.pot if place == winner else 0)
            + side.get(place, 0) * PLAYERS
            - sum(side.values())
            for place, put in enumerate(self.now.put)
        }
        detail: dict[str, Json] = {
            "outcome": self.now.outcome,
            "winner": None if winner is None else str(winner + 1),
            "with": shown,
            "put": {str(place + 1): put for place, put in enumerate(self.now.put)},
            "side": {str(place + 1): points for place, points in side.items()},
            "pot": self.pot if winner is None else 0,
            "same_dealer": winner is None,
        }
        return Points(total, detail)
