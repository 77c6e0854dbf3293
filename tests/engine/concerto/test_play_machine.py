"""Random legal deals, played by a state machine: what holds in every state of every deal."""

from __future__ import annotations

import json
import random
from dataclasses import asdict

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.cards import PACK, CardSet
from engine.concerto.game import CONCERTO
from engine.concerto.match import match_result
from engine.concerto.options import Options, side_of_hand
from engine.concerto.play import PASS, PLAY, Action, State, start
from engine.concerto.view import view
from engine.deals import Deal
from engine.errors import ActionError
from engine.seats import SEATS
from tests.engine.oracle import by_seat
from tests.engine.test_conformance import shuffle_concerto
from tests.thorough import examples

OPTIONS = Options()


class PlayedDeal(RuleBasedStateMachine):
    """One deal. Passing and "Play" are tried more often than chance would, for that is where the rules are."""

    state: State

    @initialize(seed=st.integers(0, 2**32), dealer=st.sampled_from(SEATS))
    def deal(self, seed: int, dealer: object) -> None:
        self.dealt = Deal.random(random.Random(seed))
        self.dealer = SEATS[SEATS.index(dealer)]
        self.rng = random.Random(seed)
        self.state = start(self.dealt, self.dealer, OPTIONS)
        self.tokens: list[str] = []

    def act(self, action: Action) -> None:
        before = self.state
        self.state = before.apply(action)
        self.tokens.append(action.token)
        assert before.history == tuple(self.tokens[:-1])

    @precondition(lambda self: not self.state.is_over)
    @rule(choice=st.integers(0, 12))
    def play_a_card(self, choice: int) -> None:
        cards = [action for action in self.state.legal_actions() if action.card]
        self.act(cards[choice % len(cards)])

    @precondition(lambda self: PASS in self.state.legal_actions())
    @rule()
    def pass_the_turn(self) -> None:
        partner = self.state.turn.partner  # type: ignore[union-attr]
        self.act(PASS)
        assert self.state.turn is partner

    @precondition(lambda self: PLAY in self.state.legal_actions())
    @rule()
    def say_play(self) -> None:
        partner = self.state.turn.partner  # type: ignore[union-attr]
        self.act(PLAY)
        assert self.state.turn is partner
        assert PASS not in self.state.legal_actions()

    @rule()
    def finish(self) -> None:
        while not self.state.is_over:
            self.act(self.rng.choice(self.state.legal_actions()))

    @rule(index=st.integers(0, 51))
    def a_card_of_somebody_else_is_refused(self, index: int) -> None:
        card = list(PACK)[index]
        turn = self.state.turn
        if turn is None or card not in self.state.cards_held(turn):
            with pytest.raises(ActionError):
                self.state.verify(Action(card.text))

    @invariant()
    def the_52_cards_are_conserved(self) -> None:
        state = self.state
        seen = [card for seat in SEATS for card in state.cards_held(seat)]
        seen += [card for hand in state.hands for card in hand.cards]
        seen += [move.action.card for move in state.line if move.action.card]
        assert sorted(seen) == list(PACK)

    @invariant()
    def r3_every_hand_is_played_by_its_own_side(self) -> None:
        for number, hand in enumerate(self.state.hands):
            side = side_of_hand(self.dealer, number)
            assert all(move.seat.side is side for move in hand.line)
            assert len(hand.cards) == 5
            assert all(move.action.card in self.dealt[move.seat] for move in hand.line if move.action.card)

    @invariant()
    def r5_there_are_never_three_passes_in_a_row(self) -> None:
        lines = [hand.line for hand in self.state.hands] + [self.state.line]
        for line in lines:
            tokens = "".join("-" if move.action is PASS else "x" for move in line)
            assert "---" not in tokens
            assert not tokens.startswith("-")

    @invariant()
    def somebody_with_cards_has_the_turn_until_eight_hands_are_played(self) -> None:
        assert self.state.is_over == (len(self.state.hands) == 8)
        if not self.state.is_over:
            assert self.state.turn is not None
            assert self.state.cards_held(self.state.turn)
            assert self.state.turn.side is side_of_hand(self.dealer, len(self.state.hands))

    @invariant()
    def the_replay_of_the_tokens_is_the_same_state(self) -> None:
        assert CONCERTO.replay(str(self.dealt), self.dealer, asdict(OPTIONS), self.tokens) == self.state

    @invariant()
    def r8_no_view_shows_what_is_hidden(self) -> None:
        for seat in (None, *SEATS):
            other = shuffle_concerto(self.dealt, self.state, seat, self.rng)
            twin = CONCERTO.view(CONCERTO.replay(str(other), self.dealer, asdict(OPTIONS), self.tokens), seat)
            assert repr(twin) == repr(view(self.state, seat))
            assert json.dumps(twin.as_json()) == json.dumps(view(self.state, seat).as_json())

    def teardown(self) -> None:
        if not hasattr(self, "state"):
            return
        self.finish()
        for seat in SEATS:
            used = CardSet.of(
                move.action.card
                for hand in self.state.hands
                for move in hand.line
                if move.action.card and move.seat is seat
            )
            assert used | self.state.cards_held(seat) == self.dealt[seat]
        for side_seats in ((0, 2), (1, 3)):
            assert sum(self.state.held[seat].bit_count() for seat in side_seats) == 6
        checked = CONCERTO.records.check(CONCERTO.records.read_record(by_seat(self.state)), str(self.dealt))
        assert checked.score == self.state.score()
        assert match_result([self.state.score()], OPTIONS).counted == 1


TestPlayedDeal = PlayedDeal.TestCase
TestPlayedDeal.settings = settings(
    max_examples=examples(40),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
