"""Deals that a seat of Partnership Pinochle could be in."""

from __future__ import annotations

import random

import pytest

from engine.packs import Dealt, cards_text, read_cards
from engine.pinochle.game import PINOCHLE
from engine.pinochle.play import PACK, SEATS, State
from engine.pinochle.sampling import SAMPLING


def walked(seed: int, **options: object) -> list[State]:
    rng = random.Random(seed)
    chosen = PINOCHLE.read_options(options)
    state = PINOCHLE.start(PINOCHLE.deal(rng, "W", chosen), "W", chosen)
    found = [state]
    while not found[-1].is_over:
        found.append(found[-1].apply(rng.choice([token for token in found[-1].legal() if token != "!"])))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_pp8_pp23_hands_meld_what_was_shown_and_no_more(seed: int) -> None:
    rng = random.Random(seed)
    for state in walked(seed)[:-1:6]:
        for seat in SEATS:
            found = SAMPLING.sample(PINOCHLE.view(state, seat), rng)
            assert found.held(seat) == state.held(seat)
            assert found.melds == state.melds
            again = PINOCHLE.replay(f"{found.setting.deal} | {found.setting.up}", "W", {}, found.history)
            assert isinstance(again, State)
            assert [cards_text(hand) for hand in again.now.hands] == [
                cards_text(hand) for hand in found.now.hands
            ]


def test_pp5_only_who_holds_the_nine_of_trumps_is_still_asked() -> None:
    """One nine is known, the other lies with anybody in turn."""
    asking = set()
    for seed in range(12):
        state = walked(seed)[0]
        if not state.is_exchanging:
            continue
        view = PINOCHLE.view(state, state.turn)
        for number in range(20):
            found = SAMPLING.sample(view, random.Random(number))
            assert found.now.asking[0] == state.now.turn
            assert all(found.setting.dix in found.setting.dealt(SEATS[place]) for place in found.now.asking)
            asking.add(len(found.now.asking))
    assert asking == {1, 2}


def test_pp21_a_claim_is_tried_when_it_is_right_and_only_then() -> None:
    before = {"NS": 990, "EW": 0}
    tried = [
        (SAMPLING.worth_trying(state) == ("!",), state.made("NS") >= 10 and state.turn in {"N", "S"})
        for state in walked(3, claims=True, before=before)
        if not state.is_over and not state.is_exchanging
    ]
    assert {is_right for _claims, is_right in tried} == {True, False}
    assert all(claims == is_right for claims, is_right in tried)


@pytest.mark.parametrize(
    ("tokens", "card"),
    [
        (("Kh",), "Ah"),
        (("Kh", "9h"), "Th"),
        (("Kh", "Ah"), "Jh"),
    ],
    ids=["takes with the ace", "gives a partner points", "keeps points from others"],
)
def test_a_likely_card_takes_points_gives_them_to_a_partner_and_keeps_them_from_others(
    tokens: tuple[str, ...], card: str
) -> None:
    class OfReason(random.Random):
        def random(self) -> float:
            return 0.99

    hearts = (("Kh", "Kh"), ("Ah", "Th", "9h"), ("Th", "Jh"), ("9s", "9s", "Ah", "9h"))
    rest = [*read_cards("QhQhJh"), *(other for other in PACK if other[1] != "h" and other != "9s")]
    deal = Dealt(tuple((*own, *(rest.pop() for _card in range(12 - len(own)))) for own in hearts))
    state = PINOCHLE.replay(f"{deal} | 9s", "W", {}, tokens)
    assert SAMPLING.likely(state, OfReason()) == card
