"""The demo's scoresheets: deals dealt, played out by the rules, and written down."""

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from engine.concerto.game import CONCERTO
from engine.concerto.options import CARDS_IN_HAND
from engine.concerto.play import PASS, PLAY, Action, State
from engine.concerto.scoring import left_over_value, value_of_bits
from engine.deals import Deal
from engine.seats import SEATS, Seat

CARDS, COMBINATIONS, TOTALS = "cards", "combinations", "totals"
# How many sheets in ten the pairs write down to that depth.
DEPTHS = {CARDS: 8, COMBINATIONS: 1, TOTALS: 1}
# Of partner's cards, the leader guesses this many: a pair that understands each other guesses more.
GUESSED = {0: 0, 1: 1, 2: 2, 3: 3}


def played_match(rng: random.Random, options: dict[str, Any], skill: tuple[int, int]) -> dict[str, Any]:
    """A sheet's content: as many deals as the match had, most often written down card by card."""
    depth = rng.choices([*DEPTHS], weights=[*DEPTHS.values()])[0]
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


def play_out(state: State, rng: random.Random, skill: tuple[int, int]) -> State:
    """The state at the end of the deal; `skill` of N-S and of E-W is 0 to 3."""
    while not state.is_over:
        state = _play_hand(state, rng, skill[state.on_turn % 2])
    return state


def _play_hand(state: State, rng: random.Random, skill: int) -> State:
    chosen = _chosen_cards(state, rng, skill)
    hands = len(state.hands)
    while len(state.hands) == hands:
        state = state.apply(_next_action(state, chosen))
    return state


def _chosen_cards(state: State, rng: random.Random, skill: int) -> int:
    """The bits of five cards: the most points among the leader's cards and those guessed of partner's."""
    leader, partner = SEATS[state.on_turn], SEATS[state.on_turn ^ 2]
    own = [card.bit for card in state.cards_held(leader)]
    others = [card.bit for card in state.cards_held(partner)]
    guessed = rng.sample(others, min(len(others), max(GUESSED[skill], CARDS_IN_HAND - len(own))))
    own_bits = sum(own)

    def worth(cards: int) -> int:
        return value_of_bits(cards & own_bits, cards & ~own_bits).points

    hands = (sum(cards) for cards in combinations([*own, *guessed], CARDS_IN_HAND))
    # The leader plays the first card, so at least one of the five is the leader's.
    return max((cards for cards in hands if cards & own_bits), key=worth)


def _next_action(state: State, chosen: int) -> Action:
    """The next card of the chosen ones; who has none left lets partner go on."""
    legal = state.legal_actions()
    wanted = [action for action in legal if action.bit & chosen]
    if wanted:
        return wanted[0]
    if PLAY in legal:
        return PLAY
    return PASS if PASS in legal else legal[0]


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
