"""What a pair did in a deal, by the sheet: the rows of statistics are made of it."""

from collections.abc import Iterator
from typing import Any

from engine import game
from games.concerto.deals import value_key
from games.front import Figures, entry_of
from games.models import Match, PlayedDeal
from games.records.parsing import Reading


def take_figures(match: Match, deal: PlayedDeal, reading: Reading) -> Iterator[Figures]:
    """What follows from the sheet for each pair in a deal."""
    described = reading.descriptions[deal.number - 1]
    for side in game.get(match.game).sides():
        yield Figures(
            entry=entry_of(reading, side),
            side=side,
            given_away=_given_away(described, side),
            hands=tuple(
                (hand.number + 1, value_key(hand.combination, hand.split), hand.points)
                for hand in described.hands
                if hand.side == side and hand.points is not None
            ),
        )


def _given_away(described: Any, side: Any) -> int | None:
    """What a side's left-overs gave the other: nothing where it scores the other's, None where that is not known."""
    if described.left_over_to is None:
        return None
    if described.left_over_to == side:
        return 0
    bonus: int | None = described.left_over_bonus
    return bonus
