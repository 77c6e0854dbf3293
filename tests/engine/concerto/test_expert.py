"""The expert: its compiled parts against the rules, how it lays a view out, and what it makes of clear situations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from engine.concerto.best_play.par import deal_frontiers
from engine.concerto.play import Action, State, start
from engine.concerto.robots.expert.compiling import digest_of
from engine.concerto.robots.expert.robot import EXPERT
from engine.concerto.view import view
from engine.deals import Deal
from engine.seats import SIDES, Seat
from tests.engine.robot_conformance import DUPLICATE, dealt

# With the compiler off, the compiled parts are slow but plain Python, and start at once.
PLAIN = """
import json, random
import numpy as np
from engine.concerto.robots.expert.belief import follow, new_mind
from engine.concerto.robots.expert.cards import hand_points
from engine.concerto.robots.expert.weights import FIGURES, SIZE
from engine.concerto.scoring import value_of_bits
rng = random.Random(5)
for _ in range(3000):
    rank, suit = rng.randrange(13), rng.randrange(4)
    near = [card for card in range(52) if abs(card % 13 - rank) < 3 or card // 13 == suit]
    few = [card for card in near if card % 13 in (rank, (rank + 5) % 13) or card // 13 == suit]
    cards = rng.sample(rng.choice([range(52), near, few]), 5)
    split = rng.randrange(6)
    one, other = (sum(1 << card for card in part) for part in (cards[:split], cards[split:]))
    assert hand_points(one, other) == value_of_bits(one, other).points, (cards, split)
assert len(FIGURES) == SIZE
mind = new_mind()
follow(np.array([[0, 0, 40, 0, 0, 0, 0, 0, 0, 13, 13]]), mind, FIGURES)
print(json.dumps([mind.odds[0].tolist(), mind.odds[1].tolist()]))
"""


def test_compiled_parts_know_the_rules_and_what_a_lead_tells() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    leader, partner = json.loads(done.stdout)
    assert set(partner) == {1.0}
    led, same_rank, next_to_it, elsewhere = 40, 1, 41, 12
    assert min(leader[same_rank], leader[next_to_it]) > 1.0 > leader[elsewhere]
    assert leader[led] == 1.0


def test_what_is_kept_depends_on_every_module(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / f"{name}.py").write_text("text")
    before = digest_of(("one", "other"), tmp_path)
    assert before == digest_of(("one", "other"), tmp_path)
    (tmp_path / "other.py").write_text("texts")
    assert digest_of(("one", "other"), tmp_path) != before


def state_of(deal: str, tokens: str) -> State:
    """North leads; the tokens are those of all four."""
    state = start(Deal.parse(deal), Seat.W, DUPLICATE)
    for token in tokens.split():
        state = state.apply(Action(token))
    return state


def finished(state: State) -> State:
    """The state when experts have played the hand out."""
    hands = len(state.hands)
    while len(state.hands) == hands:
        assert state.turn is not None
        state = state.apply(EXPERT.action(view(state, state.turn)))
    return state


def test_partners_complete_a_straight_flush() -> None:
    # North holds 4-5-6 of hearts, South 8-7-3-2.
    deal = "N:AQ2.654.K83.T742 KT86.AQ.QJ42.AJ6 J3.8732.A9.KQ985 9754.KJT9.T765.3"
    assert finished(state_of(deal, "6h - 5h")).hands[0].value.points == 20


def test_partners_bring_two_and_two_to_fours() -> None:
    deal = "N:AQ92.9654.K8.742 KT86.AQ.QJ42.AJ6 J3.8732.A93.KQ98 754.KJT.T765.T53"
    assert finished(state_of(deal, "9h - 9s")).hands[0].value.points == 16


def test_pairs_make_most_of_what_their_cards_could() -> None:
    made = best = 0
    for seed in range(4):
        state = dealt(100 + seed)
        frontiers = deal_frontiers([state.setting.deal])[0]
        best += sum(frontiers[side][0].points for side in SIDES)
        while (seat := state.turn) is not None:
            state = state.apply(EXPERT.action(view(state, seat)))
        made += sum(hand.value.points for hand in state.hands)
    assert made >= 0.65 * best
