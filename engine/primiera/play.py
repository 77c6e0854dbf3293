"""A deal of Primiera being played: claims, draws, claims again, and the point (PM3 to PM18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import ActionError
from engine.game.individuals import PlayedDeal, unknown_action, wrong_phase
from engine.game.values import Json, Points
from engine.packs import cards_text
from engine.primiera.drawing import DISCARD, Drawn, draw_refusal, read, spelled
from engine.primiera.hands import POINT, Hand, discards, kind_of, merit, point
from engine.states import kept
from engine.text import gettext_noop

#: PM21.
CLAIM, NOTHING = "!", "-"
#: How a deal ends.
CLAIMED, BY_POINT, ANNULLED = "claim", "point", "annulled"
#: PM10, PM12.
CLAIMS, DRAW = "claims", "draw"


@dataclass(frozen=True, slots=True)
class Rules:
    """PM7, PM8, PM13, PM15: the options of a deal."""

    ante: int
    second_stake: int
    draws: int
    best_suit: bool
    sets: bool


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with."""

    hands: tuple[Hand, ...]
    stock: tuple[str, ...]
    dealer: int
    rules: Rules
    pot: int


class Now(NamedTuple):
    """How a deal stands; ``acted`` have spoken in this round of claims or draws, ``claims`` are those of the round."""

    drawn: Drawn
    phase: str = CLAIMS
    acted: int = 0
    claims: tuple[int, ...] = ()
    draws: int = 0
    is_over: bool = False


def start(text: str, players: int, dealer: int, rules: Rules, pot: int) -> State:
    """PM3. Raises DealError."""
    dealt = read(text, players)
    return begun(Setting(dealt.hands, dealt.stock, dealer, rules, pot))


def begun(setting: Setting) -> State:
    """PM10: the first claims."""
    return State(setting, (), Now(Drawn(setting.hands, setting.stock)))


class State(PlayedDeal[Setting, Now]):
    """A deal being played."""

    @property
    def place(self) -> int | None:
        """PM10: from the dealer's left."""
        return (
            None if self.now.is_over else (self.setting.dealer + 1 + self.now.acted) % len(self.setting.hands)
        )

    def kind(self, place: int) -> str:
        """PM4, PM8: what that place could show."""
        return kind_of(self.now.drawn.hands[place], sets=self.setting.rules.sets)

    @property
    def pot(self) -> int:
        """PM3, PM13: what lies in the pot."""
        return self.setting.pot + self.paid * len(self.setting.hands)

    @property
    def paid(self) -> int:
        """PM13: what each has paid."""
        begun_draws = self.now.draws + (self.now.phase == DRAW)
        return self.setting.rules.ante + self.setting.rules.second_stake * begun_draws

    def allowed(self) -> Sequence[str]:
        """PM10, PM12."""
        place = self.place or 0
        if self.now.phase == CLAIMS:
            return (CLAIM, NOTHING) if self.kind(place) != POINT else (NOTHING,)
        stock = len(self.now.drawn.stock)
        return discards(self.now.drawn.hands[place], stock, least=1) if stock else (NOTHING,)

    def spelled(self, token: str) -> str:
        """PM21."""
        return spelled(token)

    def refusal(self, token: str) -> ActionError:
        """PM21."""
        drawn = self.now.drawn
        if token not in {CLAIM, NOTHING} and token[:1] != DISCARD:
            return unknown_action(token)
        if self.now.phase == CLAIMS:
            if token == CLAIM:
                return ActionError(
                    "nothing-to-claim",
                    gettext_noop("You can only claim a flush, a fifty-five or a primiera."),
                    given=token,
                )
            claim_first = gettext_noop("First say whether you claim the pot.")
            return wrong_phase(token, claim_first) if len(token) > 1 else unknown_action(token)
        if token == CLAIM:
            return wrong_phase(token, gettext_noop("First exchange cards: claims come afterwards."))
        if token in {NOTHING, DISCARD}:
            template = gettext_noop("Exchange at least one card.")
            return ActionError("must-discard", template, given=token)
        return draw_refusal(token, drawn.hands[self.place or 0], len(drawn.stock))

    def step(self, token: str) -> Now:
        """PM10 to PM16."""
        now, place = self.now, self.place or 0
        if token == CLAIM:
            now = now._replace(claims=(*now.claims, place))
        elif token[:1] == DISCARD:
            now = now._replace(drawn=now.drawn.after(place, token))
        if now.acted + 1 < len(self.setting.hands):
            return now._replace(acted=now.acted + 1)
        if now.phase == DRAW:
            return now._replace(phase=CLAIMS, acted=0, draws=now.draws + 1)
        goes_on = not now.claims and now.draws < self.setting.rules.draws and now.drawn.stock
        return now._replace(phase=DRAW, acted=0) if goes_on else now._replace(acted=0, is_over=True)

    @kept
    def best(self) -> tuple[str, int | None]:
        """PM5 to PM7, PM11, PM16: how the deal ends, and who takes the pot."""
        hands, rules = self.now.drawn.hands, self.setting.rules
        if self.now.claims:
            worth = {
                place: merit(hands[place], sets=rules.sets, best_suit=rules.best_suit)
                for place in self.now.claims
            }
        else:
            worth = {place: (point(hand),) for place, hand in enumerate(hands)}
        first = [place for place, each in worth.items() if each == max(worth.values())]
        if len(first) > 1:
            return ANNULLED, None
        return CLAIMED if self.now.claims else BY_POINT, first[0]

    def result(self) -> Points:
        """PM18."""
        outcome, winner = self.best
        seats = range(len(self.setting.hands))
        hands = {str(place + 1): cards_text(hand) for place, hand in enumerate(self.now.drawn.hands)}
        shown = None if winner is None else self.kind(winner) if outcome == CLAIMED else POINT
        detail: dict[str, Json] = {
            "outcome": outcome,
            "winner": None if winner is None else str(winner + 1),
            "with": shown,
            "claims": [str(place + 1) for place in self.now.claims],
            "draws": self.now.draws,
            "hands": hands,
            "pot": self.pot if winner is None else 0,
        }
        total = {str(place + 1): -self.paid + self.pot * (place == winner) for place in seats}
        return Points(total, detail)
