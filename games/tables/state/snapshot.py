"""Everything that is known of a table at one version, as plain values. It holds the cards of all seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from engine import game
from engine.game import Game, MatchResult, Points, Score
from engine.game.capabilities import Signals
from games.models import TableRequest
from games.tables.state.log import Fold, Line, Pause
from league.actors import Visitor, identity, identity_of

Kind, State = TableRequest.Kind, TableRequest.State


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat."""

    seat: str
    user: int | None
    player: int | None
    name: str
    robot: str
    ready_for: int
    window: str
    row: int
    guest: int | None = None
    """Of somebody without an account: the key of the row that remembers them."""

    @property
    def who(self) -> str:
        """As league.actors.identity has it; empty for a robot."""
        return identity_of(self.user, self.guest)


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that somebody at the table asked for."""

    row: int
    kind: str
    seat: str
    side: str
    deal: int | None
    number: int | None
    text: str
    agreed: tuple[str, ...]
    state: str
    asked_at: datetime
    granted_at: datetime | None
    ended_at: datetime | None
    answer: str


def speaker_of(table: int, who: str) -> str:
    """The same for all that one person says at this table, and nothing else."""
    return sha256(f"{table}:{who}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a casual table's chat."""

    row: int
    seat: str
    speaker: str
    """As `speaker_of` has it."""
    name: str
    is_guests: bool
    guests_read: bool
    """Whether it was said while the host let guests take part: they read no other."""
    text: str
    at: datetime
    reported_from: str
    """The seat of who has reported it."""


@dataclass(frozen=True, slots=True)
class Played:
    """A deal that is over."""

    number: int
    dealer: str
    board: int | None
    score: Mapping[str, Any]
    finished_at: datetime
    is_sealed: bool = False

    @property
    def points(self) -> Points:
        """Its stored score, as the game adds up a match."""
        return Points(self.score["total"], self.score)


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """The version of a pair's convention card that a side plays in a deal: the one in force when the deal began."""

    pair: int
    number: int
    signals: Signals


@dataclass(frozen=True, slots=True, repr=False)
class DealFacts:
    """The deal on the table."""

    row: int
    number: int
    dealer: str
    board: int | None
    board_number: int | None
    is_sealed: bool
    """Whether others may still play these cards: then nobody but the four is shown any of them."""
    started_at: datetime
    finished_at: datetime | None
    extra_seconds: int
    fold: Fold
    cards: Mapping[str, CardPlayed] = field(default_factory=dict)
    """By side; sides without a card of their own play the usual signals."""


@dataclass(frozen=True, slots=True)
class Names:
    """What stands above the table."""

    club: str
    entries: Mapping[str, str] = field(default_factory=dict)
    """Of a match: who plays on each side, in the order of the match."""


@dataclass(frozen=True, slots=True, repr=False)
class TableSnapshot:
    """A table at one version."""

    table: int
    opened_at: datetime
    version: int
    kind: str
    game: str
    options: Mapping[str, Any]
    state: str
    fixture: int | None
    names: Names
    terms: Mapping[str, Any]
    deal_number: int
    opened_by: int
    seats: Mapping[str, Holder]
    expected: Mapping[str, str]
    """Of a match: the names of those whose seats they are."""
    deal: DealFacts | None
    played: tuple[Played, ...]
    requests: tuple[Asked, ...]
    sheet: int | None
    fault: str
    players: int | None = None
    """How many sit there, as the game's functions take it."""
    seen: int = 1
    """The version that is told to somebody who watches a hidden deal."""
    stand_in: str = ""
    """The robot that plays for somebody absent."""
    guests_talk: bool = False
    chat: tuple[Said, ...] = ()
    """The newest lines, the oldest first; games.tables.state.seat_view has who may read them, and for how long."""
    masks: Mapping[str, str] = field(default_factory=dict)
    """What people outside the club read in place of names that are here."""
    stood_up: frozenset[int] = frozenset()
    """Of a match: the accounts that have left their seats by a press in the deal that is being played."""

    @property
    def offered(self) -> Game:
        return game.get(self.game)

    @property
    def pauses(self) -> tuple[Pause, ...]:
        return pauses_of(self.requests, self.deal.row if self.deal else None)

    @property
    def is_paused(self) -> bool:
        return any(end is None for _begun, end in self.pauses)

    @property
    def result(self) -> MatchResult:
        """The match so far."""
        return self.result_of(self.played)

    def speaker_at(self, seat: str) -> str:
        """How the chat knows the person in the seat."""
        return speaker_of(self.table, self.seats[seat].who)

    @property
    def chairs(self) -> frozenset[int]:
        """Who holds the seats: another value after anybody has sat down, stood up or changed seats."""
        return frozenset(holder.row for holder in self.seats.values())

    @property
    def is_sealed(self) -> bool:
        """Whether others may still play a board of this match."""
        return (self.deal is not None and self.deal.is_sealed) or any(each.is_sealed for each in self.played)

    def result_of(self, played: Iterable[Played]) -> MatchResult:
        """The match with these deals."""
        return self.result_of_scores([each.points for each in played])

    def result_of_scores(self, scores: Sequence[Score]) -> MatchResult:
        """The match after deals with these scores."""
        return self.offered.match(scores, self.options, self.players)

    @property
    def deals(self) -> int | None:
        """How many deals the match has at most, where it has a number of them."""
        return self.offered.deals_of(self.players, self.options)

    @property
    def places(self) -> tuple[str, ...]:
        """The keys of the seats, in the order of the turn."""
        return self.offered.seats(self.players)

    @property
    def sides(self) -> Mapping[str, tuple[str, ...]]:
        """The seats of each side, by the side's key."""
        return self.offered.sides(self.players)

    def side_of(self, seat: str) -> str:
        """The key of the seat's side."""
        return self.offered.side_of(seat, self.players)

    def card_of(self, seat: str) -> CardPlayed | None:
        """The convention card that the seat's side plays in the deal on the table."""
        return self.deal.cards.get(self.side_of(seat)) if self.deal else None

    def card_of_robot(self, seat: str, robot: str) -> CardPlayed | None:
        """The card that a robot of that key plays in the seat: None too where it gives no signals."""
        gives = any(each.key == robot and each.gives_signals for each in self.offered.robots)
        return self.card_of(seat) if gives else None

    def signals_of(self, seat: str) -> Signals | None:
        """The signals of the seat's side: its own card's, else the usual ones, if the game has any."""
        card = self.card_of(seat)
        return card.signals if card else self.offered.signals

    def seat_of(self, visitor: Visitor) -> str | None:
        """The seat that this person holds."""
        who = identity(visitor)
        return next((seat for seat, holder in self.seats.items() if who and holder.who == who), None)

    def robot_at(self, seat: str) -> str:
        """Which robot acts for the seat now: its own, or the weakest where the side's time is up."""
        holder = self.seats.get(seat)
        if holder is None or holder.robot:
            return holder.robot if holder else ""
        robots = self.offered.robots
        return robots[0].key if robots and self.is_overtime(self.side_of(seat)) else ""

    def is_overtime(self, side: str) -> bool:
        """Whether a robot plays on for that side, since its time was up in this deal."""
        return self.deal is not None and any(
            each.kind == Kind.TIME
            and each.state == State.DONE
            and each.side == side
            and each.deal == self.deal.row
            and not each.answer
            for each in self.requests
        )

    def with_line(self, line: Line, version: int) -> TableSnapshot:
        """The same table after one more action of the deal."""
        if self.deal is None:
            raise ValueError("no deal")
        deal = replace(self.deal, fold=self.deal.fold.after(line, self.pauses))
        return replace(self, deal=deal, version=version)


def pauses_of(requests: tuple[Asked, ...], deal: int | None) -> tuple[Pause, ...]:
    """When the deal was paused."""
    return tuple(
        (each.granted_at, each.ended_at)
        for each in requests
        if each.kind == Kind.PAUSE and each.granted_at is not None and each.deal == deal
    )
