"""Scoresheets of matches that really were played: deals dealt, played out by the rules, and written down."""

import random
from collections.abc import Sequence
from typing import Any

from config.demo.play import play_out
from engine.concerto.game import CONCERTO
from engine.concerto.play import State
from engine.concerto.scoring import left_over_value
from engine.deals import Deal
from engine.seats import SEATS, Seat

CARDS, COMBINATIONS, TOTALS = "cards", "combinations", "totals"


def played_match(
    rng: random.Random, options: dict[str, Any], skill: tuple[int, int], depth: str = CARDS
) -> dict[str, Any]:
    """A sheet's content: as many deals as the match had, written down at that depth."""
    dealer, states = Seat.N, list[State]()
    while not states or not CONCERTO.match([state.score() for state in states], options).is_over:
        state = CONCERTO.start(Deal.random(rng), dealer.after(len(states)), options)
        states.append(play_out(state, rng, skill))
    return {"first_dealer": dealer.value, "deals": [_record(state, depth) for state in states]}


def played_boards(
    rng: random.Random, options: dict[str, Any], skill: tuple[int, int], boards: Sequence[tuple[str, Deal]]
) -> dict[str, Any]:
    """A sheet's content for boards with these dealers and cards, written down card by card."""
    states = [play_out(CONCERTO.start(deal, dealer, options), rng, skill) for dealer, deal in boards]
    return {"first_dealer": boards[0][0], "deals": [_record(state, CARDS) for state in states]}


def exchanged(deal: Deal) -> Deal:
    """The deal with the cards of North and East exchanged, as somebody put them back into the board."""
    hands = {seat: deal[seat] for seat in SEATS}
    hands[Seat.N], hands[Seat.E] = hands[Seat.E], hands[Seat.N]
    return Deal.of(hands)


def _record(state: State, depth: str) -> dict[str, Any]:
    score = state.score()
    if depth == TOTALS:
        return {"total": score.total.as_json()}
    if depth == COMBINATIONS:
        return {"hands": [_combination(hand.value) for hand in state.hands], "left_over": _left_over(state)}
    return {"deal": str(state.setting.deal), "hands": list(state.hand_lines)}


def _combination(value: Any) -> dict[str, str]:
    split = {"split": str(value.split)} if value.split else {}
    return {"combination": value.combination.key, **split}


def _left_over(state: State) -> dict[str, str]:
    side = state.score().left_over_to
    assert side is not None  # noqa: S101 - a deal that was played out has it
    one, other = side.other.seats
    return _combination(left_over_value(state.cards_held(one), state.cards_held(other)))
