"""A table as one seat sees it, in zones: what any game's table can be drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.game.values import Json
from engine.text import Message


@dataclass(frozen=True, slots=True)
class Composition:
    """An action that takes cards: choose them, then press. The token is ``prefix`` and the cards, as a hand is written.

    Whether the cards will do says the rules' verify: the numbers are only what a button needs. With ``heap`` the cards
    stand in the token in the order in which they were chosen, so many to a heap, ``/`` between two.
    """

    prefix: str
    label: Message
    cards: tuple[str, ...]
    least: int = 0
    most: int = 0
    heap: int = 0

    def as_json(self) -> dict[str, Json]:
        """For a program."""
        return {
            "prefix": self.prefix,
            "label": self.label.as_json(),
            "cards": list(self.cards),
            "least": self.least,
            "most": self.most,
            "heap": self.heap,
        }


@dataclass(frozen=True, slots=True)
class Call:
    """An action without cards."""

    token: str
    label: Message

    def as_json(self) -> dict[str, Json]:
        """For a program."""
        return {"token": self.token, "label": self.label.as_json()}


@dataclass(frozen=True, slots=True)
class SeatZone:
    """What lies before one seat. ``cards`` are those that the viewer sees; ``held`` counts all of them."""

    seat: str
    held: int
    cards: tuple[str, ...] = ()
    melds: tuple[tuple[str, ...], ...] = ()
    tricks: int | None = None
    points: int | None = None
    stake: int | None = None
    calls: tuple[str, ...] = ()
    """What was done there, as the viewer may see it (``token_seen_by``)."""
    is_in: bool = True
    notes: tuple[Message, ...] = ()
    """What else everybody knows of this seat, in words."""

    def as_json(self) -> dict[str, Json]:
        """For a program."""
        return {
            "seat": self.seat,
            "held": self.held,
            "cards": list(self.cards),
            "melds": [list(meld) for meld in self.melds],
            "tricks": self.tricks,
            "points": self.points,
            "stake": self.stake,
            "calls": list(self.calls),
            "is_in": self.is_in,
            "notes": [message.as_json() for message in self.notes],
        }


@dataclass(frozen=True, slots=True)
class Zones:
    """All that ``seat``, or a spectator where it is None, sees of a deal. What is not put in here cannot leak.

    ``cards``, ``calls`` and ``compositions`` are what the viewer may do now; all empty where it is not their turn.
    """

    seat: str | None
    dealer: str
    turn: str | None
    phase: Message
    seats: tuple[SeatZone, ...]
    trick: tuple[tuple[str, str], ...] = ()
    """Who played which card."""
    stock: int | None = None
    discards: tuple[str, ...] = ()
    upcard: str = ""
    trump: str = ""
    layout: tuple[tuple[str, ...], ...] = ()
    pot: int | None = None
    places: tuple[tuple[Message, int], ...] = ()
    """What lies on each place of a board: its name, and points."""
    cards: tuple[str, ...] = ()
    card_use: str = "play"
    """What becomes of a single card of ``cards``: "play", "discard" or "bury". Pages say so where it is pressed."""
    calls: tuple[Call, ...] = ()
    barred: tuple[Call, ...] = ()
    """Calls that the viewer could expect now, and that verify refuses: pages show them with its sentence."""
    compositions: tuple[Composition, ...] = ()
    help: tuple[Message, ...] = ()
    """What the rules say of this moment, in sentences for somebody who learns the game."""
    score: tuple[tuple[str, int], ...] | None = None
    """By side, once the deal is over."""
    history: tuple[str, ...] = ()
    """Every action so far as the viewer may see it, for robots: pages have the table's log."""
    options: tuple[tuple[str, Json], ...] = ()
    """The options that the play of this deal depends on, for robots."""

    def as_json(self) -> Mapping[str, Json]:
        """The view for a program. ``mine`` has the viewer's own cards."""
        return {
            "seat": self.seat,
            "dealer": self.dealer,
            "turn": self.turn,
            "phase": self.phase.as_json(),
            "seats": _all(self.seats),
            "mine": [card for zone in self.seats if zone.seat == self.seat for card in zone.cards],
            "trick": [list(played) for played in self.trick],
            "stock": self.stock,
            "discards": list(self.discards),
            "upcard": self.upcard,
            "trump": self.trump,
            "layout": [list(row) for row in self.layout],
            "pot": self.pot,
            "places": [[name.as_json(), points] for name, points in self.places],
            "cards": list(self.cards),
            "card_use": self.card_use,
            "calls": _all(self.calls),
            "barred": _all(self.barred),
            "compositions": _all(self.compositions),
            "help": [message.as_json() for message in self.help],
            "is_over": self.score is not None,
            "score": None if self.score is None else {"total": dict(self.score)},
        }


def _all(parts: Sequence[SeatZone | Call | Composition]) -> list[Json]:
    return [part.as_json() for part in parts]
