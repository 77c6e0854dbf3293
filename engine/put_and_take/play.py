"""A deal of Put and Take: five put cards, five take cards, and nothing to decide (PT1 to PT6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.errors import ActionError
from engine.game.individuals import PlayedDeal, unknown_action
from engine.game.values import Json, Points
from engine.packs import in_order, pack, read_deal
from engine.text import gettext_noop

PACK: Final = pack()
HAND: Final = 5
#: PT3, PT4: so many cards are turned of each kind.
TURNED: Final = 5
TURN: Final = "turn"


class Result(NamedTuple):
    """What the cards that were turned have done so far."""

    points: dict[int, int]
    """Of each player but the dealer."""
    pot: int
    dealer_paid: int


@dataclass(frozen=True, slots=True)
class Setting:
    """What a deal begins with: the pack in its order."""

    pack: tuple[str, ...]
    players: int
    dealer: int
    doubling: bool

    @property
    def hands(self) -> dict[int, tuple[str, ...]]:
        """PT2: five cards to each but the dealer, one at a time from the dealer's left."""
        others = self.players - 1
        return {
            (self.dealer + 1 + at) % self.players: in_order(self.pack[at : HAND * others : others])
            for at in range(others)
        }

    @property
    def to_turn(self) -> tuple[str, ...]:
        """PT2: the put cards, then the take cards."""
        first = HAND * (self.players - 1)
        return self.pack[first : first + 2 * TURNED]


def start(text: str, players: int, dealer: int, *, doubling: bool) -> State:
    """PT2. Raises DealError."""
    cards = read_deal(text, PACK, (0,) * players).stock
    return State(Setting(cards, players, dealer, doubling), (), 0)


def due(number: int, *, doubling: bool) -> int:
    """PT3, PT4: what the card of that number, from 0, is worth."""
    return 2**number if doubling else number + 1


def settled(hands: Mapping[int, Sequence[str]], turned: Sequence[str], *, doubling: bool) -> Result:
    """PT3 to PT6: what is paid and received for these cards, the put cards first."""
    points, pot, dealer_paid = dict.fromkeys(hands, 0), 0, 0
    for number, card in enumerate(turned):
        worth = due(number % TURNED, doubling=doubling)
        for place, hand in hands.items():
            owed = worth * sum(held[0] == card[0] for held in hand)
            if number < TURNED:
                points[place] -= owed
                pot += owed
            else:
                points[place] += owed
                dealer_paid += max(0, owed - pot)
                pot -= min(owed, pot)
    return Result(points, pot, dealer_paid)


class State(PlayedDeal[Setting, int]):
    """A deal being played; ``now`` is how many cards have been turned."""

    @property
    def place(self) -> int | None:
        """PT9: the dealer turns every card."""
        return None if self.now == 2 * TURNED else self.setting.dealer

    def allowed(self) -> Sequence[str]:
        """PT9."""
        return (TURN,)

    def refusal(self, token: str) -> ActionError:
        """PT8."""
        if token in PACK:
            template = gettext_noop("No cards are played: the dealer turns cards of the pack.")
            return ActionError("token", template, given=token)
        return unknown_action(token)

    def step(self, token: str) -> int:  # noqa: ARG002 (there is only one)
        """PT3, PT4."""
        return self.now + 1

    @property
    def turned(self) -> tuple[str, ...]:
        """The cards that lie open."""
        return self.setting.to_turn[: self.now]

    @property
    def so_far(self) -> Result:
        """PT3 to PT5."""
        return settled(self.setting.hands, self.turned, doubling=self.setting.doubling)

    def result(self) -> Points:
        """PT6."""
        found = self.so_far
        points = {**found.points, self.setting.dealer: -sum(found.points.values())}
        detail: dict[str, Json] = {
            "put": "".join(self.turned[:TURNED]),
            "take": "".join(self.turned[TURNED:]),
            "pot_left": found.pot,
            "dealer_paid": found.dealer_paid,
        }
        return Points({str(place + 1): points[place] for place in sorted(points)}, detail)
