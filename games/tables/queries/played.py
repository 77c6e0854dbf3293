"""A finished deal, ready to be stepped through; how each moment is shown, the game says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import game as games
from engine.game.capabilities import Signals
from games.records.display.robot_hands import StandIns
from games.tables.state.snapshot import CardPlayed

EVERYBODY = "all"


@dataclass(frozen=True, slots=True)
class Played:
    """A deal as it was played out, ready to be stepped through. It holds every card: callers check who may see them."""

    game: str
    options: Mapping[str, Any]
    deal: str
    dealer: str
    tokens: tuple[str, ...]
    names: Mapping[str, str]
    players: int | None = None
    robots: StandIns = field(default_factory=dict)
    cards: Mapping[str, CardPlayed] = field(default_factory=dict)
    """By side the convention card that it played by; the usual signals elsewhere."""

    @property
    def card_versions(self) -> dict[str, list[int]]:
        """By side the pair and the version of its convention card, as an analysis keeps them."""
        return {side: [card.pair, card.number] for side, card in self.cards.items()}

    def signals_of(self, seat: str) -> Signals | None:
        """The signals of the seat's side, if the game has any."""
        offered = games.get(self.game)
        card = self.cards.get(offered.side_of(seat, self.players))
        return card.signals if card else offered.signals
