"""A game, and what the checks need to know of it that the seam does not tell."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine.game import Game, all_games, forget, known_games, register


@dataclass(frozen=True)
class Adapter:
    """One game, held to the suites with ``players`` at the table."""

    game: Game
    tokens: tuple[str, ...]
    """Tokens of every kind of action, allowed or not."""
    shuffle_hidden: Callable[[str, Any, str | None, random.Random], tuple[str, Sequence[str]]]
    """(deal, state, seat or None, rng): another deal and its actions, that look the same from that seat."""
    players: int | None = None
    is_by_total: bool = True
    """Whether the best total wins a match, and nothing else."""
    written: Callable[[str, Any], Any] | None = None
    """(deal, finished state): the deal as people would write it down, as JSON without mistakes."""
    field_names: tuple[str, ...] = ("total",)
    """Names that appear in records, for fuzzing."""

    @property
    def name(self) -> str:
        return self.game.key if self.players is None else f"{self.game.key}-{self.players}"

    @property
    def seats(self) -> tuple[str, ...]:
        return self.game.seats(self.players)

    def begin(self, seed: int) -> tuple[str, str, dict[str, Any]]:
        """The deal, dealer and options that ``walk`` with this seed begins with."""
        rng = random.Random(seed)
        dealer, options = rng.choice(self.seats), self.game.read_options({})
        return self.game.deal(rng, dealer, options, self.players), dealer, options

    def replay(self, deal: str, dealer: str, options: Any, tokens: Any) -> Any:
        return self.game.replay(deal, dealer, options, tokens, self.players)

    def walk(self, seed: int) -> Iterator[Any]:
        """The states of one deal played out with random legal actions."""
        deal, dealer, options = self.begin(seed)
        yield from self.play_out(self.game.start(deal, dealer, options, self.players), random.Random(seed))

    def play_out(self, state: Any, rng: random.Random) -> Iterator[Any]:
        yield state
        while not state.is_over:
            state = state.apply(rng.choice(state.legal()))
            yield state


@contextmanager
def registered(game: Game) -> Iterator[None]:
    """The game is offered for a test; one that is offered anyway stays."""
    if game in all_games():
        yield
        return
    is_unfinished = game in known_games()
    if is_unfinished:
        forget(game.key)
    register(game)
    try:
        yield
    finally:
        forget(game.key)
        if is_unfinished:
            register(game, is_offered=False)
