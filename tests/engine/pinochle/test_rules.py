"""The rules of Partnership Pinochle, each test by the number that it covers."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from engine.errors import ActionError, OptionError
from engine.game.values import Points
from engine.packs import read_cards
from engine.pinochle.game import PINOCHLE, shown_cards
from engine.pinochle.melds import melds_of, points_of
from engine.pinochle.play import PACK, SEATS, SIDES, State, target_for


def worth(cards: str, trump: str = "s", dixes: int = 0) -> int:
    return points_of(melds_of(read_cards(cards), trump, dixes))


@pytest.mark.parametrize(
    ("cards", "dixes", "points"),
    [
        ("AsTsKsQsJs9sKhQh9hJdTdTd", 0, 150 + 20 + 40),
        ("AsTsKsQsJs9sKhQh9hJdTdTd", 1, 150 + 20 + 40 + 10),
        ("AsTsKsKsQsQsJs", 0, 190),
        ("KsQsKhQhKdQdKcQc", 0, 80 + 60 + 40 + 3 * 20),
        ("AsAsAhAhAdAdAcAcJsJhJdJc", 0, 1040),
        ("QsQsQhQhQdQdQcQcJdJd", 0, 900),
        ("AsAsTsTsKsKsQsQsJsJs", 0, 1500),
    ],
)
def test_pp9_pp10_pp11_melds(cards: str, dixes: int, points: int) -> None:
    assert worth(cards, dixes=dixes) == points


def played(seed: int, **options: object) -> list[State]:
    rng = random.Random(seed)
    chosen = PINOCHLE.read_options(options)
    state = PINOCHLE.start(PINOCHLE.deal(rng, "N", chosen), "N", chosen)
    found = [state]
    while not found[-1].is_over:
        found.append(found[-1].apply(rng.choice(found[-1].legal())))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_pp18_pp12_cards_are_conserved_and_make_250(seed: int) -> None:
    *_, last = played(seed)
    cards = [token for token in last.history if token in PACK]
    assert sorted(cards) == sorted(PACK)
    assert sum(last.now.cards) == 250
    for side in SIDES:
        has_trick = any(SEATS[place] in SIDES[side] for place in last.now.won)
        assert last.score().total[side] == last.made(side)
        assert last.made(side) - last.now.cards[list(SIDES).index(side)] == last.meld(side) * has_trick


@pytest.mark.parametrize("seed", range(20))
def test_pp5_pp23_the_exchange_swaps_two_cards_and_all_see_what_is_melded(seed: int) -> None:
    for before, state in pairwise(played(seed)):
        if state.history[-1] == "x":
            who = before.turn or ""
            assert state.held(who).count(state.setting.dix) == before.held(who).count(state.setting.dix) - 1
            assert state.setting.up in state.held(who)
            assert state.setting.dix in state.held(state.setting.dealer)
        if not state.is_exchanging and not state.now.won and not state.now.trick:
            for seat in PINOCHLE.seats():
                dealt = [*state.held(seat), *([state.setting.dix] if seat == state.now.exchanged else [])]
                assert not [card for card in shown_cards(state, seat) if card not in dealt]


def test_pp20_the_target_rises_as_long_as_both_have_reached_it() -> None:
    assert target_for(1000, {"NS": 1290, "EW": 1010}) == 1250
    assert target_for(1000, {"NS": 990, "EW": 1500}) == 1000
    both = PINOCHLE.match([Points({"NS": 1290, "EW": 1010})], {})
    assert both.winners == ("NS",)
    assert not PINOCHLE.match([Points({"NS": 1240, "EW": 1010})], {}).is_over


def test_pp21_a_claim_ends_the_match_and_may_lose_it() -> None:
    *_, last = (state for state in played(1, claims=True) if not state.is_exchanging and not state.is_over)
    claimed = last.apply("!")
    claim = claimed.score().detail["claim"]
    assert isinstance(claim, dict)
    assert (claim["by"], claim["correct"]) == (last.turn, False)
    result = PINOCHLE.match([claimed.score()], {"claims": True})
    assert (result.is_over, result.winners) == (True, (claim["wins"],))
    with pytest.raises(ActionError) as refused:
        played(1)[-2].verify("!")
    assert refused.value.code == "claims-off"


def test_pp22_options() -> None:
    with pytest.raises(OptionError):
        PINOCHLE.read_options({"target": 1010})
    with pytest.raises(OptionError):
        PINOCHLE.read_options({"before": {"NS": 1}})
    scores = [Points({"NS": 1200, "EW": 100})] * 3
    assert not PINOCHLE.match(scores[:1], {"duplicate": True, "deals": 3}).is_over
    assert PINOCHLE.match(scores, {"duplicate": True, "deals": 3}).winners == ("NS",)


@pytest.mark.parametrize("seed", range(5))
def test_pp23_a_melded_card_lies_open_until_it_is_played(seed: int) -> None:
    for state in played(seed)[::7]:
        for zone in PINOCHLE.view(state, None).seats:
            held = Counter(state.held(zone.seat))
            assert not Counter(card for row in zone.melds for card in row) - held
