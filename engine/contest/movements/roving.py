"""A late pair where every table is full: it roves, and in each round takes the place of a pair, which sits out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.contest.movements.movement import Movement, Sitting

FIRST, SECOND = "first", "second"
MOST_TRIES: Final = 5_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where the late pair sits in a round: at whose place, against whom, with which boards."""

    round_number: int
    table: int
    side: str
    instead_of: int
    against: int
    boards: int


def places(movement: Movement, first_round: int) -> tuple[Place, ...] | None:
    """A place in each round from `first_round` on; None where no such way was found.

    The late pair meets nobody twice and no boards twice, and nobody sits out twice for it. In a movement of two
    fields it keeps to one of them, if it can.
    """
    for sides in ((FIRST,), (SECOND,), (FIRST, SECOND)):
        found = _Search(movement, sides).go_on(first_round, ())
        if found is not None:
            return found
    return None


class _Search:
    """Round by round, going back where a round has no place left; it gives up where that takes too long."""

    def __init__(self, movement: Movement, sides: tuple[str, ...]) -> None:
        self.movement, self.sides, self.tries_left = movement, sides, MOST_TRIES

    def go_on(self, number: int, taken: tuple[Place, ...]) -> tuple[Place, ...] | None:
        if number > len(self.movement.rounds):
            return taken
        for place in self._places(number):
            if self.tries_left and _is_free(place, taken):
                self.tries_left -= 1
                found = self.go_on(number + 1, (*taken, place))
                if found is not None:
                    return found
        return None

    def _places(self, number: int) -> Iterator[Place]:
        for sitting in self.movement.played(number):
            for side in self.sides:
                yield _place(sitting, number, side)


def _place(sitting: Sitting, number: int, side: str) -> Place:
    own, other = (sitting.first, sitting.second) if side == FIRST else (sitting.second, sitting.first)
    return Place(number, sitting.table, side, own, other, sitting.boards)


def _is_free(place: Place, taken: tuple[Place, ...]) -> bool:
    return all(
        place.instead_of != other.instead_of
        and place.against != other.against
        and place.boards != other.boards
        for other in taken
    )
