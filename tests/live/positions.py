"""Random positions at a table without a database, and their twins: the same but for cards that a seat cannot see."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from engine.cards import CardSet
from engine.concerto.game import CONCERTO
from engine.concerto.play import Action
from engine.deals import Deal
from engine.seats import SEATS, Seat
from games.models import Table
from games.models.tables import TableTerms
from games.tables.state.log import Line, fold
from games.tables.state.snapshot import (
    Asked,
    DealFacts,
    Holder,
    Names,
    Played,
    TableSnapshot,
)

START = datetime(2026, 10, 1, 19, 30, tzinfo=UTC)
READERS: tuple[Seat | None, ...] = (*SEATS, None)


@dataclass(frozen=True, slots=True)
class Position:
    """A deal, and what was done so far."""

    deal: Deal
    dealer: Seat
    lines: tuple[Line, ...]


def positions(rng: random.Random) -> Iterator[Position]:
    """Positions of random deals, one after each action; sometimes an action is taken back."""
    while True:
        deal, dealer = Deal.random(rng), rng.choice(SEATS)
        state = CONCERTO.start(deal, dealer, CONCERTO.read_options({}))
        states = [state]
        lines: list[Line] = []
        yield Position(deal, dealer, ())
        while not states[-1].is_over:
            now = START + timedelta(milliseconds=1700 * len(lines))
            number = len(lines)
            if len(states) > 1 and rng.random() < 0.06:
                states.pop()
                lines.append(Line(number, "", "", len(states) - 1, now))
            else:
                turn = states[-1].turn
                assert turn is not None
                token = rng.choice(states[-1].legal())
                lines.append(Line(number, turn.letter, token, None, now, key=f"k{number}", user=turn.index))
                states.append(states[-1].apply(token))
            yield Position(deal, dealer, tuple(lines))


def twin(position: Position, reader: Seat | None, rng: random.Random) -> Position:
    """The same position with other cards where this reader sees none; the very same where there is no choice."""
    seen = 0
    for line in position.lines:
        # Also what was taken back: the same actions must be possible.
        seen |= Action(line.token).bit if line.token else 0
    tokens = [line.token for line in _counting(position.lines)]
    state = CONCERTO.start(position.deal, position.dealer, {})
    for token in tokens:
        state = state.apply(token)
    if state.is_over:
        to = state.score().left_over_to
        for seat in SEATS:
            seen |= 0 if seat.side is to else state.held[seat.index]
    others = [seat for seat in SEATS if seat is not reader]
    if state.is_over:
        others = [seat for seat in others if seat.side is state.score().left_over_to]
    hidden = [card for seat in others for card in CardSet(position.deal.hands[seat.index].bits & ~seen)]
    rng.shuffle(hidden)
    hands = [each.bits for each in position.deal.hands]
    for seat in others:
        kept = hands[seat.index] & seen
        many = 13 - kept.bit_count()
        taken, hidden = hidden[:many], hidden[many:]
        hands[seat.index] = kept | CardSet.of(taken).bits
    return replace(position, deal=Deal(tuple(CardSet(bits) for bits in hands)))  # type: ignore[arg-type]


def _counting(lines: tuple[Line, ...]) -> list[Line]:
    kept: list[Line] = []
    for line in lines:
        if line.back_to is None:
            kept.append(line)
        else:
            del kept[line.back_to :]
    return kept


def facts_of(position: Position, **terms: Any) -> TableSnapshot:
    """A table with this position on it: persons at N and E, robots at S and W, a pause asked for, a deal before."""
    folded = fold(
        game_key="concerto",
        deal=str(position.deal),
        dealer=position.dealer.letter,
        options={},
        started_at=START,
        lines=position.lines,
    )
    defaults = {field.name: field.default for field in TableTerms._meta.fields}
    before = {"total": {"NS": 12, "EW": 31}, "made": {"NS": 12, "EW": 11}}
    return TableSnapshot(
        table=7,
        opened_at=START,
        version=len(position.lines) + 3,
        kind=Table.Kind.CASUAL,
        game="concerto",
        options={},
        state=Table.State.BETWEEN if folded.state.is_over else Table.State.PLAYING,
        fixture=None,
        names=Names("Riverside"),
        terms={**defaults, **terms},
        deal_number=2,
        opened_by=0,
        seats={seat.letter: _holder(seat) for seat in SEATS},
        expected={},
        deal=DealFacts(
            row=5,
            number=2,
            dealer=position.dealer.letter,
            board=None,
            board_number=None,
            is_sealed=False,
            started_at=START,
            finished_at=START if folded.state.is_over else None,
            extra_seconds=0,
            fold=folded,
        ),
        played=(Played(1, "N", None, before, START),),
        requests=(_asked(),),
        sheet=None,
        fault="",
    )


def _holder(seat: Seat) -> Holder:
    robot = "expert" if seat.index > 1 else ""
    return Holder(seat.letter, None if robot else seat.index, None, seat.letter, robot, 2, "w", seat.index)


def _asked() -> Asked:
    return Asked(3, "take_back", "E", "", 5, 4, "", ("E",), "open", START, None, None, "")
