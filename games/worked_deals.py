"""The deal that a game's rules show from start to finish: lines that the game fills as the engine plays it."""

from dataclasses import dataclass, field

#: Who plays it in a game for individuals.
NAMES = {"1": "Anna", "2": "Ben", "3": "Clara", "4": "David"}


@dataclass(slots=True)
class Line:
    """What somebody did, with which cards, and what came of it; of a trick all cards stand in one line."""

    who: str
    cards: list[str] = field(default_factory=list)
    words: str = ""
    drawn: tuple[str, ...] = ()
    """Cards that came of it."""
