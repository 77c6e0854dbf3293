"""Deals played out for the demo: each hand the best of a few that the leader can see with luck."""

import random
from itertools import combinations

from engine.concerto.play import PASS, PLAY, Action, State
from engine.concerto.rules import CARDS_IN_HAND
from engine.concerto.scoring import value_of_bits
from engine.seats import SEATS

# Of partner's cards, the leader guesses this many: a pair that understands each other guesses more.
GUESSED = {0: 0, 1: 1, 2: 2, 3: 3}


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
