"""The par of a deal, its lines of play, and the subcommand (R3 to R7, R11, R12)."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.concerto.commands.best_play
from engine.cards import CardSet
from engine.cli import main
from engine.concerto.best_play.deal_par import deal_par, deal_pars, par_of
from engine.concerto.best_play.par import (
    Frontier,
    FrontierPoint,
    Holding,
    deal_frontiers,
)
from engine.concerto.options import Options
from engine.concerto.play import Action, start
from engine.deals import Deal
from engine.seats import SEATS, BySide, Seat, Side
from tests.engine.concerto.best_play_lines import lines
from tests.thorough import examples

assert engine.concerto.commands.best_play
_ORACLE = Path(__file__).parents[2] / "oracles" / "concerto_par.json"
SEEDS = st.integers(0, 2**32)
NO_CARDS = Holding(CardSet(), CardSet())


def made_up(*pairs: tuple[int, int]) -> Frontier:
    return tuple(FrontierPoint(points, left, (), NO_CARDS) for points, left in pairs)


@settings(deadline=None)
@given(SEEDS, st.sampled_from(SEATS))
def test_r3_to_r7_best_play_can_be_played(seed: int, dealer: Seat) -> None:
    """Every point of both frontiers, as lines of play through the rules, gives the points and left-overs it says."""
    deal = Deal.random(random.Random(seed))
    both = deal_frontiers([deal])[0]
    length = max(len(both.ns), len(both.ew))
    for number in range(length):
        last_ns, last_ew = len(both.ns) - 1, len(both.ew) - 1
        chosen = BySide(both.ns[min(number, last_ns)], both.ew[min(number, last_ew)])
        state = start(deal, dealer, Options())
        of_side = {
            side: iter(lines(chosen[side], one_leads_first=first_leader(dealer, side) is side.seats[0]))
            for side in Side
        }
        for hand in range(8):
            for token in next(of_side[dealer.after(hand + 1).side]).split():
                state = state.apply(Action(token))
        score = state.score()
        assert score.made == BySide(chosen.ns.points, chosen.ew.points)
        loser = score.left_over_to.other if score.left_over_to else Side.NS
        assert score.left_over_bonus == 10 * chosen[loser].left_over


def first_leader(dealer: Seat, side: Side) -> Seat:
    """R3: the seat that leads this side's first hand."""
    return dealer.left if dealer.left.side is side else dealer.partner


def test_r11_the_side_with_more_points_scores_what_the_other_leaves() -> None:
    found = par_of(BySide(made_up((40, 1)), made_up((32, 2))), Seat.N)
    assert found.par.total == BySide(60, 32)
    assert (found.par.left_over_to, found.par.bonus) == (Side.NS, 20)


@pytest.mark.parametrize(("dealer", "total"), [(Seat.N, (30, 50)), (Seat.W, (40, 30))])
def test_r12_at_equal_points_the_non_dealing_side_scores(dealer: Seat, total: tuple[int, int]) -> None:
    found = par_of(BySide(made_up((30, 2)), made_up((30, 1))), dealer)
    assert found.par.total == BySide(*total)


def test_the_loser_gives_up_points_where_leaving_less_is_worth_more() -> None:
    found = par_of(BySide(made_up((40, 0)), made_up((32, 1), (30, 0))), Seat.N)
    assert found.par.total == BySide(40, 30)
    assert found.par.chosen.ew.points == 30


@settings(deadline=None, max_examples=examples(300))
@given(
    st.lists(st.tuples(st.integers(0, 60), st.sampled_from([0, 1, 2, 3, 5, 6, 8])), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 60), st.sampled_from([0, 1, 2, 3, 5, 6, 8])), min_size=1, max_size=4),
    st.sampled_from(SEATS),
)
def test_the_two_bounds_meet_and_nobody_gains_by_leaving_par(
    ns: list[tuple[int, int]], ew: list[tuple[int, int]], dealer: Seat
) -> None:
    frontiers = BySide(made_up(*ns), made_up(*ew))
    found = par_of(frontiers, dealer)
    assert found.committing.ns.lead(Side.NS) == found.committing.ew.lead(Side.NS) == found.par.lead(Side.NS)
    for point in frontiers.ns:
        alone = par_of(BySide((point,), (found.par.chosen.ew,)), dealer).committing.ns
        assert alone.lead(Side.NS) <= found.par.lead(Side.NS)
    for point in frontiers.ew:
        alone = par_of(BySide((found.par.chosen.ns,), (point,)), dealer).committing.ns
        assert alone.lead(Side.NS) >= found.par.lead(Side.NS)


def test_one_deal_gives_what_it_gives_among_many() -> None:
    rng = random.Random(3)
    boards = [(Deal.random(rng), seat) for seat in SEATS]
    assert deal_pars(boards) == [deal_par(deal, dealer) for deal, dealer in boards]


def run(tmp_path: Path, data: Any) -> tuple[int, Any]:
    file, output = tmp_path / "given.json", io.StringIO()
    file.write_text(json.dumps(data))
    code = main(["par", str(file)], output)
    return code, json.loads(output.getvalue())


def test_the_subcommand_reads_the_shape_of_the_oracle(tmp_path: Path) -> None:
    oracle = json.loads(_ORACLE.read_text())
    code, answers = run(tmp_path, oracle)
    assert code == 0
    assert [answer["frontier"] for answer in answers] == [case["frontier"] for case in oracle]


def test_the_subcommand_reads_deals(tmp_path: Path) -> None:
    deal = Deal.random(random.Random(5))
    code, (plain, board) = run(tmp_path, [{"deal": str(deal)}, {"deal": str(deal), "dealer": "N"}])
    assert code == 0
    both = deal_frontiers([deal])[0]
    expected = {side.value: [[point.points, point.left_over] for point in both[side]] for side in Side}
    assert plain["frontier"] == board["frontier"] == expected
    assert "par" not in plain
    assert set(board["committing"]) == {"NS", "EW"}
    assert [len(hand["cards"][0] + hand["cards"][1]) for hand in plain["best"]["NS"][0]["hands"]] == [5] * 4


@pytest.mark.parametrize(
    "item",
    [4, None, {}, {"hands": 3}, {"hands": ["A", "K"]}, {"hands": ["A...", "K..."]}, {"deal": 4}, {"deal": "N:"},
     {"hands": ["AX...", "..."]}, {"hands": [None, None]}, {"deal": str(Deal.random(random.Random(1))), "dealer": "Q"}],
)  # fmt: skip
def test_the_subcommand_tells_what_it_cannot_read(tmp_path: Path, item: Any) -> None:
    code, answers = run(tmp_path, [item])
    assert code == 1
    assert answers[0]["problems"][0]["message"]
