"""The rules of Brag with several hands, each test by the number that it covers."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.brag.game import NINE_CARDS, SEVEN_CARDS, SIX_CARDS, BragGame
from engine.brag.hands import KIND_NAMES, NINE, PACK, SEVEN, SIX, groupings, strength
from engine.brag.play import State
from engine.brag.sampling import BragSampling
from engine.errors import ActionError, DealError
from engine.packs import Dealt, in_order, read_cards


def beats(one: str, other: str, order: str = NINE.order) -> bool:
    return strength(read_cards(one), order) > strength(read_cards(other), order)


def dealt(size: int, *hands: str) -> str:
    """These hands, filled up with cards of as many ranks as can be."""
    held = [list(read_cards(hand)) for hand in hands]
    rest = [card for card in PACK if not any(card in hand for hand in held)]
    for hand in held:
        while len(hand) < size:
            fits = next(card for card in rest if card[0] not in {each[0] for each in hand})
            rest.remove(fits)
            hand.append(fits)
    return str(Dealt(tuple(in_order(hand) for hand in held)))


def after(game: BragGame, deal: str, *tokens: str, pot: int = 0) -> State:
    players = len(deal.split(" "))
    state = game.replay(deal, str(players), {**game.read_options({}), "pot": pot}, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_bn9_the_first_and_second_worked_examples() -> None:
    assert beats("9s9h9d", "AsAhAd")
    assert beats("As2s3s", "AsKsQs")
    assert beats("As2h3s", "AsKhQs")
    assert beats("4s3h2s", "9sAsKs")
    assert beats("9s7s5s", "AsKsJs")
    assert beats("9h3d2s", "AsKhJd")
    assert beats("JsTs9s", "Ts9s8s")
    assert strength(read_cards("KsAh2d"), NINE.order)[0] == KIND_NAMES.index("high card")


def test_bn9_the_third_worked_example_counts_every_hand() -> None:
    counts = Counter(KIND_NAMES[strength(hand, NINE.order)[0]] for hand in combinations(PACK, 3))
    assert counts == {
        "prial": 52,
        "running flush": 48,
        "run": 720,
        "flush": 1096,
        "pair": 3744,
        "high card": 16440,
    }


def test_bn7_bv4_bx4_how_many_ways_there_are() -> None:
    assert len(groupings(PACK[:9], NINE)) == 280
    assert len(groupings(PACK[:7], SEVEN)) == 70
    assert len(groupings(PACK[:6], SIX)) == 10


def test_bx1_bx2_the_worked_example_of_six() -> None:
    assert beats("6s6h2d", "AsAhKd", SIX.order)
    assert beats("6s3h2d", "AsKhJd", SIX.order)
    assert beats("5s6s7s", "4s5s6s", SIX.order)
    assert beats("4s5s6s", "3s4s5s", SIX.order)


def test_bn5_of_several_fours_the_highest_wins_at_once() -> None:
    deal = dealt(9, "AsAhAdAc", "9s9h9d9c", "2s")
    state = after(NINE_CARDS, deal, pot=3)
    assert (state.is_over, state.turn) == (True, None)
    assert dict(state.score().total) == {"1": -1, "2": 5, "3": -1}
    shown = NINE_CARDS.view(state, None)
    assert [len(zone.cards) for zone in shown.seats] == [9, 9, 0]


def test_bn6_four_pairs_leave_the_pot_but_fours_go_first() -> None:
    deal = dealt(9, "AsAhKdKcQsQhJdJc7s", "2s", "3s")
    score = after(NINE_CARDS, deal).score()
    assert (dict(score.total), score.detail["outcome"]) == ({"1": -1, "2": -1, "3": -1}, "four-pairs")
    deal = dealt(9, "AsAhKdKcQsQhJdJc7s", "2s2h2d2c", "3s")
    assert after(NINE_CARDS, deal).score().detail["winner"] == "2"
    three = dealt(9, "AsAhAdKcQsQhJdJcTs", "2s", "3s")
    assert not after(NINE_CARDS, three).is_over


def test_bn15_any_order_and_spelling_is_read() -> None:
    deal = dealt(9, "AsKsQs9h9d2c8c7c3d", "4s")
    state = after(NINE_CARDS, deal)
    whole = "AsKsQs/9h9d2c/3d8c7c"
    for token in (whole, "8c7c3d/2c9d9h/QsKsAs", "asksqs 9h9d2c 8c7c3d", "AsKsQs / 9H9D2C / 8c7c3d"):
        assert state.apply(token).history == (whole,)
    assert code(state, "AsKsQs/9h9d2c/8c7c4d") == "not-your-nine"
    assert code(state, "AsKsQs/9h9d2c/8c7cAs") == "not-your-nine"
    assert code(state, "AsKsQs/9h9d2c") == "three-of-three"
    assert code(state, "AsKs/Qs9h9d/2c8c7c3d") == "three-of-three"
    assert code(state, "pass") == "token"


def test_bn11_bn12_the_fourth_worked_example() -> None:
    deal = dealt(9, "AsAhAd4s5s6s7c8d2h", "KsKhKd9s9h3d2c4c5d", "QsQhQd3s3hJh7dTc5c")
    one, two, three = "AsAhAd/6s5s4s/8d7c2h", "KsKhKd/9s9h3d/5d4c2c", "QsQhQd/3s3hJh/7dTc5c"
    score = after(NINE_CARDS, deal, one, two, three, pot=3).score()
    assert score.detail["points"] == {"1": 2, "2": 0, "3": 1}
    assert dict(score.total) == {"1": 5, "2": -1, "3": -1}


def test_bv_the_second_worked_example_lays_the_better_run_first() -> None:
    deal = dealt(7, "AsAhAdKcQh2s3d", "4s")
    assert after(SEVEN_CARDS, deal).apply("AhQhKc/As2s3d").history == ("As2s3d/AhQhKc",)


def test_bx5_won_and_tied_is_enough_and_both_tied_is_not() -> None:
    deal = dealt(6, "2s2h2dKsKhQd", "Ac2c3cKdKcQc")
    score = after(SIX_CARDS, deal, "2s2h2d/KsKhQd", "KdKcQc/Ac2c3c").score()
    assert score.detail["winner"] == "1"
    deal = dealt(6, "AsKsJsTh8h7h", "AdKdJdTc8c7c")
    score = after(SIX_CARDS, deal, "AsKsJs/Th8h7h", "AdKdJd/Tc8c7c").score()
    assert (dict(score.total), score.detail["pot"]) == ({"1": -1, "2": -1}, 2)
    assert SIX_CARDS.match([score], SIX_CARDS.read_options({}), 2).next_options == {"pot": 2}


def test_bn14_hands_lie_face_down_until_the_last_has_laid() -> None:
    deal = dealt(9, "AsKsQs9h9d2c8c7c3d", "4sAcKh")
    state = after(NINE_CARDS, deal, "AsKsQs/9h9d2c/8c7c3d")
    other = NINE_CARDS.view(state, "2").seats[0]
    assert (other.cards, other.melds, other.calls, other.held) == ((), (), ("laid",), 9)
    done = state.apply(state.legal()[0])
    assert all(len(zone.melds) == 3 for zone in NINE_CARDS.view(done, None).seats)
    assert str(NINE_CARDS.view(done, None).seats[0].notes[0]) == "running flush"
    assert NINE_CARDS.view(state, "2").seats[0].notes == ()


@pytest.mark.parametrize("wrong", ["", "As", dealt(9, "As", "Ks")[:-2], dealt(9, "As", "Ks") + " | 2c"])
def test_bn4_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        NINE_CARDS.start(wrong, "1", NINE_CARDS.read_options({}), 2)


@given(st.integers(0, 10_000))
def test_scores_and_what_stays_are_what_was_there(seed: int) -> None:
    rng = random.Random(seed)
    game = rng.choice((NINE_CARDS, SEVEN_CARDS, SIX_CARDS))
    players, pot, ante = rng.choice(game.players), rng.randint(0, 9), rng.randint(1, 10)
    options = {**game.read_options({}), "pot": pot, "ante": ante}
    state = game.start(game.deal(rng, "1", options, players), "1", options, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    score = state.score()
    left = score.detail["pot"]
    assert isinstance(left, int)
    assert sum(score.total.values()) + left == pot
    assert game.fault_of_total(score.total) == ""


def test_the_help_says_what_this_game_compares_and_what_is_in_the_pot() -> None:
    for game, compares, aside in (
        (NINE_CARDS, "Divide your nine cards", "Every card you lay"),
        (SEVEN_CARDS, "Lay two hands", "One card is left over"),
        (SIX_CARDS, "Lay two hands", "Every card you lay"),
    ):
        rng = random.Random(3)
        state = game.start(game.deal(rng, "1", {}, 3), "1", {"ante": 2, "pot": 5}, 3)
        said = game.view(state, state.turn).help
        assert said[0].template.startswith(compares)
        assert said[2].template.startswith(aside)
        assert said[-1].params == {"pot": 11}


@given(st.integers(0, 10_000))
def test_the_groupings_that_are_tried_are_beaten_by_no_other(seed: int) -> None:
    rng = random.Random(seed)
    game = rng.choice((NINE_CARDS, SEVEN_CARDS, SIX_CARDS))
    state = game.start(game.deal(rng, "1", {}, 2), "1", {}, 2)
    if state.is_over:
        return
    sampling = BragSampling(game.variant)
    tried = sampling.worth_trying(state)
    assert {*tried} <= {*state.legal()}
    order = game.variant.order

    def strengths(token: str) -> list[tuple[int, ...]]:
        return [strength(read_cards(hand), order) for hand in token.split("/")]

    kept = [strengths(token) for token in tried]
    assert strengths(sampling.likely(state, rng)) == kept[0]
    for one in kept:
        for other in kept:
            assert one == other or any(mine > theirs for mine, theirs in zip(one, other, strict=True))
