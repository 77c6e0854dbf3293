"""A deal of Primero being played: one draw, then stakes and raises, then the best hand (PR2 to PR9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.errors import ActionError
from engine.game.individuals import PlayedDeal, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import cards_text
from engine.primiera.drawing import DISCARD, Drawn, draw_refusal, read, spelled
from engine.primiera.hands import Hand, discards, old_kind_of, old_merit
from engine.states import kept
from engine.text import gettext_noop

#: PR12; ``-`` draws nothing, or waits.
WAIT, MATCH, FOLD, STAKE = "-", "=", "f", "+"
SHOWDOWN, UNSEEN, ANNULLED = "showdown", "unseen", "annulled"
_SAID: Final = (WAIT, MATCH, FOLD)


@dataclass(frozen=True, slots=True)
class Rules:
    """PR6: the options of a deal."""

    ante: int
    limit: int
    raises: int


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with."""

    hands: tuple[Hand, ...]
    stock: tuple[str, ...]
    dealer: int
    rules: Rules
    pot: int


class Now(NamedTuple):
    """How a deal stands; ``spoken`` have since the last stake, ``put`` is what each staked besides the ante."""

    drawn: Drawn
    turn: int
    put: tuple[int, ...]
    drew: int = 0
    raises: int = 0
    spoken: frozenset[int] = frozenset()
    folded: tuple[int, ...] = ()
    is_over: bool = False


def start(text: str, players: int, dealer: int, rules: Rules, pot: int) -> State:
    """PR2. Raises DealError."""
    dealt = read(text, players)
    return begun(Setting(dealt.hands, dealt.stock, dealer, rules, pot))


def begun(setting: Setting) -> State:
    """PR5: before the draw."""
    players = len(setting.hands)
    first = (setting.dealer + 1) % players
    return State(setting, (), Now(Drawn(setting.hands, setting.stock), first, (0,) * players))


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """PR5, PR6: from the dealer's left, without those who have folded."""
        return None if self.now.is_over else self.now.turn

    @property
    def is_drawing(self) -> bool:
        """PR5."""
        return self.now.drew < len(self.setting.hands)

    @property
    def due(self) -> int:
        """PR6: what the player on turn must put in to stay."""
        return max(self.now.put) - self.now.put[self.now.turn]

    @property
    def pot(self) -> int:
        """PR2, PR6: what lies in the pot."""
        return self.setting.pot + self.setting.rules.ante * len(self.setting.hands) + sum(self.now.put)

    def allowed(self) -> Sequence[str]:
        """PR5, PR6."""
        now, rules = self.now, self.setting.rules
        if self.is_drawing:
            return (WAIT, *discards(now.drawn.hands[now.turn], len(now.drawn.stock), least=1))
        stakes = range(1, rules.limit + 1) if now.raises < rules.raises else ()
        return (*((MATCH, FOLD) if self.due else (WAIT,)), *(f"{STAKE}{k}" for k in stakes))

    def spelled(self, token: str) -> str:
        """PR12."""
        return spelled(token)

    def refusal(self, token: str) -> ActionError:
        """PR12."""
        is_stake = token[:1] == STAKE and token[1:].isdecimal() and len(token) < 5
        if token not in _SAID and not is_stake and token[:1] != DISCARD:
            return unknown_action(token)
        if self.is_drawing:
            if token[:1] != DISCARD:
                return wrong_phase(token, gettext_noop("First exchange cards, or nothing."))
            if token == DISCARD:
                template = gettext_noop("Choose cards to exchange, or exchange nothing.")
                return ActionError("token", template, given=token)
            return draw_refusal(token, self.now.drawn.hands[self.now.turn], len(self.now.drawn.stock))
        if token[:1] == DISCARD:
            no_exchange = gettext_noop("Stakes are made now: there’s no exchange.")
            return wrong_phase(token, no_exchange) if len(token) > 1 else unknown_action(token)
        if is_stake:
            return self._stake_refusal(token)
        if token == WAIT:
            template = gettext_noop("%(due)d is due: match it, raise or fold.")
            return ActionError("something-due", template, given=token, due=self.due)
        return ActionError("nothing-due", gettext_noop("Nothing is due: wait or stake."), given=token)

    def _stake_refusal(self, token: str) -> ActionError:
        rules = self.setting.rules
        if self.now.raises >= rules.raises:
            template = gettext_noop("There are no more raises in this deal.")
            return ActionError("no-more-raises", template, given=token)
        template = gettext_noop("Stake from 1 to %(limit)d points.")
        return ActionError("limit", template, given=token, limit=rules.limit)

    def step(self, token: str) -> Now:
        """PR5 to PR7."""
        now, turn = self.now, self.now.turn
        if self.is_drawing:
            drawn = now.drawn.after(turn, token) if token != WAIT else now.drawn
            return now._replace(drawn=drawn, drew=now.drew + 1, turn=(turn + 1) % len(now.put))
        spoken, put, folded, raises = now.spoken | {turn}, now.put, now.folded, now.raises
        if token == FOLD:
            folded = (*folded, turn)
        elif token != WAIT:
            added = self.due + (int(token[1:]) if token != MATCH else 0)
            put = (*put[:turn], put[turn] + added, *put[turn + 1 :])
        if token[:1] == STAKE:
            spoken, raises = frozenset({turn}), raises + 1
        staying = [place for place in range(len(put)) if place not in folded]
        done = len(staying) == 1 or all(place in spoken for place in staying)
        follow = (place % len(put) for place in range(turn + 1, turn + 1 + len(put)))
        after = next((place for place in follow if place not in folded), turn)
        return now._replace(turn=after, put=put, raises=raises, spoken=spoken, folded=folded, is_over=done)

    @property
    def staying(self) -> tuple[int, ...]:
        """Who has not folded."""
        return tuple(place for place in range(len(self.now.put)) if place not in self.now.folded)

    @kept
    def best(self) -> tuple[str, int | None]:
        """PR4, PR7, PR8: how the deal ends, and who takes the pot."""
        if len(self.staying) == 1:
            return UNSEEN, self.staying[0]
        worth = {place: old_merit(self.now.drawn.hands[place]) for place in self.staying}
        first = [place for place, each in worth.items() if each == max(worth.values())]
        return (ANNULLED, None) if len(first) > 1 else (SHOWDOWN, first[0])

    def result(self) -> Points:
        """PR9."""
        outcome, winner = self.best
        hands = self.now.drawn.hands
        detail: dict[str, Json] = {
            "outcome": outcome,
            "winner": None if winner is None else str(winner + 1),
            "with": old_kind_of(hands[winner]) if outcome == SHOWDOWN and winner is not None else None,
            "folded": [str(place + 1) for place in self.now.folded],
            "hands": {str(place + 1): cards_text(hand) for place, hand in enumerate(hands)},
            "put": {str(at + 1): self.setting.rules.ante + put for at, put in enumerate(self.now.put)},
            "pot": self.pot if winner is None else 0,
        }
        total = {
            str(place + 1): -self.setting.rules.ante - put + self.pot * (place == winner)
            for place, put in enumerate(self.now.put)
        }
        return Points(total, detail)
