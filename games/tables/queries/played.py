"""A finished deal, ready to be stepped through; how each moment is shown, the game says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
    robots: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """By hand, from 1, and seat what to call the robot that acted there."""
