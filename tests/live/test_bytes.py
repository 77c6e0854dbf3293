"""What a seat is told does not depend on a card that it cannot see: not by a byte."""

import json
import random
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from typing import Any

import pytest

from engine.cards import CardSet
from engine.seats import Seat
from games.models import Table
from games.tables.state.seat_view import Reader, view_for
from games.tables.state.snapshot import TableSnapshot
from tests.live.positions import READERS, START, Position, facts_of, positions, twin
from tests.thorough import examples

POSITIONS = examples(1_000)
LATE = START + timedelta(hours=1)


def told(facts: TableSnapshot, seat: Seat | None, missed: int = 0) -> bytes:
    """What is sent to that seat, or to somebody who watches, whose page has missed so many actions."""
    reader = Reader(seat.letter, "w") if seat else Reader()
    assert facts.deal is not None
    since = (facts.deal.number, max(0, facts.deal.fold.next_number - missed))
    return json.dumps(view_for(facts=facts, reader=reader, at=START, since=since)).encode()


def test_two_deals_that_differ_in_hidden_cards_are_told_alike() -> None:
    rng = random.Random(20261121)
    differ = dict.fromkeys(READERS, 0)
    steps = 0
    for number, position in enumerate(islice(positions(rng), POSITIONS)):
        missed = number % 6
        terms: dict[str, Any] = {"helps": number % 5 == 0, "clock_seconds": 900 * (number % 2)}
        facts = facts_of(position, **terms)
        for seat in READERS:
            other = twin(position, seat, rng)
            differ[seat] += other != position
            mine = told(facts, seat, missed)
            assert mine == told(facts_of(other, **terms), seat, missed), (position, seat)
            steps += len(json.loads(mine)["deal"]["steps"])

    assert min(differ.values()) > 0.9 * POSITIONS, "the twins are really others"
    assert steps > POSITIONS, "what was missed was told as well"


def test_what_a_page_has_missed_is_told_step_by_step() -> None:
    shown = list(islice(positions(random.Random(6)), 9))
    views = [view_for(facts=facts_of(each), reader=Reader("N"), at=START)["deal"] for each in shown]
    facts = facts_of(shown[8])
    assert facts.deal is not None
    assert all(line.back_to is None for line in facts.deal.fold.lines)

    def steps(*since: int) -> list[Any]:
        found = view_for(facts=facts, reader=Reader("N"), at=START, since=since)["deal"]["steps"]  # type: ignore[arg-type]
        return list(found)

    missed = steps(2, 4)
    assert [each["number"] for each in missed] == [4, 5, 6]
    assert [each["done"] for each in missed] == [5, 6, 7]
    assert [each["view"] for each in missed] == [each["view"] for each in views[5:8]]
    assert [(each["seat"], each["token"]) for each in missed] == [
        (each["last"]["seat"], each["last"]["token"]) for each in views[5:8]
    ]
    for since in ((2, 8), (2, 7), (1, 4), (3, 0), (2, 99)):
        assert steps(*since) == []


def test_an_action_that_was_taken_back_is_not_shown_again() -> None:
    undone = next(
        each for each in positions(random.Random(8)) if each.lines and each.lines[-1].back_to is not None
    )
    since = (2, len(undone.lines) - 2)
    view = view_for(facts=facts_of(undone), reader=Reader("N"), at=START, since=since)
    assert view["deal"]["steps"] == []


def test_who_watches_a_sealed_board_is_told_no_steps_and_who_is_behind_none_before_their_time() -> None:
    facts = facts_of(next(islice(positions(random.Random(6)), 8, 9)), delay_seconds=5)
    late = view_for(facts=facts, reader=Reader(), at=START, since=(2, 4))
    assert late["deal"] is None or late["deal"]["steps"] == []
    assert facts.deal is not None
    sealed = replace(facts, deal=replace(facts.deal, is_sealed=True))
    assert "steps" not in view_for(facts=sealed, reader=Reader(), at=LATE, since=(2, 4))["deal"]


def test_control_a_card_that_is_seen_makes_a_difference() -> None:
    """The same comparison finds what it is there to find: the cards of one's own."""
    rng = random.Random(5)
    position = next(iter(positions(rng)))
    other = twin(position, Seat.N, rng)

    assert told(facts_of(position), Seat.N) == told(facts_of(other), Seat.N)
    assert told(facts_of(position), Seat.E) != told(facts_of(other), Seat.E)


@pytest.mark.parametrize("seat", READERS)
def test_no_card_of_another_seat_is_told_before_it_is_played(seat: Seat | None) -> None:
    rng = random.Random(11)
    for position in islice(positions(rng), 0, 400, 7):
        facts = facts_of(position)
        text = told(facts, seat).decode()
        for card in hidden(position, seat):
            assert f'"{card}"' not in text


def hidden(position: Position, seat: Seat | None) -> set[str]:
    """The cards that nobody has shown and this seat does not hold; none once the deal is over, when some are shown."""
    facts = facts_of(position)
    assert facts.deal is not None
    state: Any = facts.deal.fold.state
    if state.is_over:
        return set()
    return {
        card.text
        for index, bits in enumerate(state.held)
        if seat is None or index != seat.index
        for card in CardSet(bits)
    }


def test_a_spectator_of_a_sealed_board_is_told_nothing_of_it() -> None:
    rng = random.Random(3)
    seen = set()
    for position in islice(positions(rng), 0, 300, 10):
        facts = facts_of(position)
        assert facts.deal is not None
        sealed = replace(facts, deal=replace(facts.deal, is_sealed=True, board=9, board_number=2))
        view = view_for(facts=sealed, reader=Reader(), at=START)
        assert view["match"] is None
        assert set(view["deal"]) == {"number", "of", "dealer", "board", "is_hidden"}
        seen.add(json.dumps({**view, "version": 0, "deal": view["deal"]["number"], "state": ""}))

    assert len(seen) == 1


@pytest.mark.parametrize("state", [Table.State.FINISHED, Table.State.CLOSED])
def test_a_spectator_of_a_table_that_is_over_is_told_no_points_of_its_sealed_boards(
    state: Table.State,
) -> None:
    facts = facts_of(next(islice(positions(random.Random(3)), 30, 31)))
    over = replace(facts, state=state, deal=None)
    sealed = replace(over, played=(replace(facts.played[0], board=4, is_sealed=True),))

    assert view_for(facts=sealed, reader=Reader(), at=START)["match"] is None
    assert view_for(facts=sealed, reader=Reader("N", "w"), at=START)["match"]["deals"], (
        "whoever sat there knows"
    )
    assert view_for(facts=over, reader=Reader(), at=START)["match"]["deals"], "open boards are everybody's"


def test_a_spectator_who_is_behind_sees_what_was_then() -> None:
    rng = random.Random(8)
    position = next(islice(positions(rng), 30, 31))
    facts = facts_of(position, delay_seconds=20)
    at = position.lines[-1].at
    shown = [line for line in position.lines if (at - line.at).total_seconds() >= 20]
    then = facts_of(Position(position.deal, position.dealer, tuple(shown)))

    late = view_for(facts=facts, reader=Reader(), at=at)
    assert late["deal"]["view"] == view_for(facts=then, reader=Reader(), at=START)["deal"]["view"]
    # With the steps that lead there, as others have them at once.
    before = (late["deal"]["number"], len(shown) - 4)
    steps = view_for(facts=facts, reader=Reader(), at=at, since=before)["deal"]["steps"]
    assert [step["number"] for step in steps] == [line.number for line in shown[-4:-1]]
    assert steps == view_for(facts=then, reader=Reader(), at=START, since=before)["deal"]["steps"]
    assert late["deal"]["next"] == len(shown)
    assert late["deal"]["last"]["number"] == shown[-1].number
    assert late["deal"]["clock"] is None
