"""A deal's log, folded into what it says now: which actions count, the state they lead to, and the time they took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from engine import game
from engine.game import Game, State
from league.actors import identity_of

#: A stretch of time in which no clock runs; without an end it is still going on.
Pause = tuple[datetime, datetime | None]
MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log, as its row has it."""

    number: int
    seat: str
    token: str
    back_to: int | None
    at: datetime
    key: str = ""
    user: int | None = None
    robot: str = ""
    guest: int | None = None

    @property
    def who(self) -> str:
        """Who acted, as league.actors.identity has it; empty for a robot."""
        return identity_of(self.user, self.guest)


@dataclass(frozen=True, slots=True, repr=False)
class Fold:
    """A deal as its log tells it. It holds every card: it never leaves the process, and has no text of its own."""

    game: str
    before: tuple[State, ...]
    """The state before each action that counts; the last one is the state now."""
    lines: tuple[Line, ...]
    counting: tuple[Line, ...]
    since: datetime
    """From when the side on turn has been thinking."""
    used: Mapping[str, int] = field(default_factory=dict)
    """What each side has used of its time until then, in milliseconds."""
    players: int | None = None

    @property
    def state(self) -> State:
        return self.before[-1]

    @property
    def offered(self) -> Game:
        return game.get(self.game)

    @property
    def next_number(self) -> int:
        """The number that the next line of the log will have."""
        return len(self.lines)

    @property
    def turn(self) -> str | None:
        """The key of the seat on turn."""
        turn = self.state.turn
        return None if turn is None else str(turn)

    @property
    def side_on_turn(self) -> str | None:
        turn = self.state.turn
        return None if turn is None else self.offered.side_of(turn, self.players)

    def token_seen_by(self, index: int, seat: str | None) -> str:
        """What this seat, or a spectator, sees of the action that counts at this place."""
        return self.offered.token_seen_by(self.before[index], self.counting[index].token, seat)

    def line_of(self, key: str) -> Line | None:
        """The line that a client made under this key."""
        return next((line for line in reversed(self.lines) if key and line.key == key), None)

    def after(self, line: Line, pauses: Sequence[Pause] = ()) -> Fold:
        """The deal after one more line of the log. Raises ActionError as the game's verify does."""
        used = self.used_until(line.at, pauses)
        lines = (*self.lines, line)
        if line.back_to is not None:
            kept = line.back_to
            return replace(
                self,
                before=self.before[: kept + 1],
                lines=lines,
                counting=self.counting[:kept],
                since=line.at,
                used=used,
            )
        state = self.state.apply(line.token)
        return replace(
            self,
            before=(*self.before, state),
            lines=lines,
            counting=(*self.counting, line),
            since=line.at,
            used=used,
        )

    def used_until(self, at: datetime, pauses: Sequence[Pause] = ()) -> dict[str, int]:
        """What each side has used of its time at that moment, in milliseconds."""
        used = dict(self.used)
        side = self.side_on_turn
        if side is not None:
            used[side] = used.get(side, 0) + thinking(self.since, at, pauses)
        return used

    def until(self, at: datetime) -> Fold:
        """The deal as its log told it at an earlier moment: what somebody sees who is told later.

        Whose thinking took how long is not worked out for it.
        """
        past = Fold(self.game, self.before[:1], (), (), self.since, players=self.players)
        for line in self.lines:
            if line.at <= at:
                past = past.after(line)
        return past

    def seen_by(self, seat: str | None) -> list[tuple[str, str]]:
        """Who did what, as this seat or a spectator sees it."""
        return [(line.seat, self.token_seen_by(at, seat)) for at, line in enumerate(self.counting)]


def thinking(start: datetime, end: datetime, pauses: Sequence[Pause]) -> int:
    """The milliseconds from start to end, less the pauses."""
    total = max(end - start, timedelta())
    for begun, ended in pauses:
        overlap = min(ended or end, end) - max(begun, start)
        total -= max(overlap, timedelta())
    return max(total // MILLISECOND, 0)


def fold(
    *,
    game_key: str,
    deal: str,
    dealer: str,
    options: Mapping[str, Any],
    started_at: datetime,
    lines: Iterable[Line],
    pauses: Sequence[Pause] = (),
    players: int | None = None,
) -> Fold:
    """The whole log, from the cards on."""
    offered = game.get(game_key)
    state = offered.start(deal, dealer, options, players)
    found = Fold(game_key, (state,), (), (), started_at, players=players)
    for line in lines:
        found = found.after(line, pauses)
    return found
