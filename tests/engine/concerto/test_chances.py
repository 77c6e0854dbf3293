"""What the table tells the seat on turn: the best that the hand can still become, and its chance, by its view alone."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import PACK, CardSet, cards_of
from engine.concerto.chances import DRAWN, outlook
from engine.concerto.coach import COACH
from engine.concerto.options import Options
from engine.concerto.play import State, start
from engine.concerto.poker import FIVE_CARD_COMBINATIONS
from engine.concerto.scoring import value_of_bits
from engine.concerto.view import view
from engine.deals import Deal
from engine.seats import SEATS
from tests.thorough import examples

LEVELS = {combination.key: place for place, combination in enumerate(FIVE_CARD_COMBINATIONS)}


def moment(seed: int, cards: int) -> State:
    """A hand of a random deal with so many cards on the table."""
    rng = random.Random(seed)
    state = start(Deal.random(rng), rng.choice(SEATS), Options())
    for _ in range(5 * rng.randrange(4)):
        state = state.apply(rng.choice([token for token in state.legal() if len(token) > 1]))
    while state.cards_played != cards:
        state = state.apply(rng.choice([token for token in state.legal() if len(token) > 1]))
    return state


def with_other_hidden_cards(state: State, seed: int) -> State:
    """The same actions; what the seat on turn has not seen lies elsewhere."""
    seat = SEATS[state.on_turn]
    others = [each for each in SEATS if each is not seat]
    hidden = [card for each in others for card in cards_of(state.held[each.index])]
    random.Random(seed).shuffle(hidden)
    held = list(state.held)
    for each in others:
        count = held[each.index].bit_count()
        held[each.index] = CardSet.of(hidden[:count]).bits
        hidden = hidden[count:]
    north, east, south, west = held
    return state._replace(held=(north, east, south, west))


def chances(state: State) -> dict[str, float]:
    """With one card missing: how likely each combination, or a better one, is at best; exact, by every card."""
    seat = SEATS[state.on_turn]
    own = view(state, seat)
    put_in = {
        each: sum(move.action.bit for move in state.line if move.seat is each)
        for each in (seat, seat.partner)
    }
    gone = own.mine.bits | sum(move.action.bit for hand in state.hands for move in hand.line)
    unseen = list(cards_of(PACK.bits & ~gone & ~put_in[seat] & ~put_in[seat.partner]))
    mine = [
        value_of_bits(put_in[seat] | card.bit, put_in[seat.partner]).combination.key
        for card in cards_of(own.mine.bits)
    ]
    found = dict.fromkeys(LEVELS, 0.0)
    held = own.cards_left[seat.partner.index]
    theirs = {
        card: value_of_bits(put_in[seat], put_in[seat.partner] | card.bit).combination.key for card in unseen
    }
    for key, level in LEVELS.items():
        if any(LEVELS[each] >= level for each in mine):
            found[key] = 1.0
            continue
        misses = sum(1 for each in theirs.values() if LEVELS[each] < level)
        none = 1.0
        for place in range(held):
            none *= max(0, misses - place) / (len(unseen) - place)
        found[key] = 1 - none
    return found


@settings(deadline=None, max_examples=examples(25))
@given(st.integers(0, 2**32), st.integers(2, 4))
def test_it_hangs_on_what_the_seat_sees_and_nothing_else(seed: int, cards: int) -> None:
    state = moment(seed, cards)
    twin = with_other_hidden_cards(state, seed + 1)
    seat = SEATS[state.on_turn]
    assert outlook(view(state, seat)) == outlook(view(twin, seat))
    for other in SEATS:
        if other is not seat:
            assert outlook(view(state, other)) is None
    assert outlook(view(state, None)) is None


@settings(deadline=None, max_examples=examples(25))
@given(st.integers(0, 2**32))
def test_the_chance_is_within_its_error_of_the_exact_one(seed: int) -> None:
    state = moment(seed, 4)
    found = outlook(view(state, SEATS[state.on_turn]))
    exact = chances(state)
    if found is None:
        assert all(chance < 0.3 for key, chance in exact.items() if LEVELS[key] > 0)
        return
    # Five standard errors of the drawing, and what rounding takes.
    error = 5 * (0.25 / DRAWN) ** 0.5 + 0.05
    assert abs(found["in_ten"] / 10 - exact[found["combination"]]) <= error
    assert found["in_ten"] >= 1


def test_with_one_card_on_the_table_nothing_is_said() -> None:
    state = moment(5, 1)
    assert outlook(view(state, SEATS[state.on_turn])) is None


def test_the_coach_says_what_an_action_makes_possible() -> None:
    state = moment(11, 4)
    own = view(state, SEATS[state.on_turn])
    for token in own.legal:
        said = [str(each) for each in COACH.prospects(own, token)]
        if len(token) > 1:
            after = state.apply(token).hands[-1].value
            assert said == [f"It completes the hand: {after.combination.title}, {after.points} points."]
        else:
            assert all("of 10 hands your partner may hold" in each for each in said)
