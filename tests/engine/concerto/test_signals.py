"""Signals: every row and example of the author's page, the round trip over random cards, and convention cards."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.concerto.commands.signals
from engine.cards import PACK, Card, CardSet, Suit
from engine.cli import main
from engine.concerto.options import Options
from engine.concerto.play import Action, start
from engine.concerto.signals.convention_cards import SystemFault, read_system
from engine.concerto.signals.holdings import Holding, Step
from engine.concerto.signals.signalling import (
    Meaning,
    Signal,
    reading,
    to_signal,
)
from engine.concerto.signals.systems import PARLETT, System
from engine.concerto.signals.ways import (
    CardThenPass,
    Phase,
    is_in_range,
    phase_of_hand,
)
from engine.deals import Deal
from engine.seats import Seat

assert engine.concerto.commands.signals

STRONG, WEAK = Phase.STRONG, Phase.WEAK
PHASES = st.sampled_from(Phase)
DECK = tuple(PACK)


def held_by(text: str, phase: Phase = STRONG, system: System = PARLETT) -> Signal:
    found = to_signal(CardSet.parse(text), phase, system)
    assert found is not None
    return found


def played(text: str, phase: Phase = STRONG) -> str:
    return held_by(text, phase).line.replace(" - ", " ")


def read(text: str, phase: Phase = STRONG) -> tuple[Meaning, ...]:
    first, second = text.split()
    return reading(Card.parse(first), None if second == "-" else Card.parse(second), phase)


def holdings(text: str, phase: Phase = STRONG) -> list[str]:
    return [meaning.holding.key for meaning in read(text, phase)]


def some_cards(smallest: int, largest: int) -> st.SearchStrategy[CardSet]:
    return st.lists(st.sampled_from(DECK), min_size=smallest, max_size=largest, unique=True).map(CardSet.of)


# The round trip


def check_round_trip(cards: CardSet, phase: Phase, system: System = PARLETT) -> None:
    found = to_signal(cards, phase, system)
    if found is None:
        return
    assert found.first in cards
    assert found.second is None or found.second in cards
    assert found.meaning in reading(found.first, found.second, phase, system)
    assert found.meaning in reading(found.first, found.second, phase, system, among=cards)
    assert found.meaning.fits(cards)
    assert found.meaning.certain() <= cards


@given(cards=some_cards(13, 13), phase=PHASES)
def test_what_is_signalled_is_among_the_readings(cards: CardSet, phase: Phase) -> None:
    assert to_signal(cards, phase) is not None
    check_round_trip(cards, phase)


@given(cards=some_cards(0, 13), phase=PHASES)
def test_so_it_is_when_some_cards_are_gone(cards: CardSet, phase: Phase) -> None:
    check_round_trip(cards, phase)


@given(
    cards=some_cards(5, 13),
    phase=PHASES,
    checklist=st.permutations(tuple(Step)),
    ways=st.permutations(PARLETT.ways),
    length=st.integers(0, len(PARLETT.ways)),
)
def test_so_it_is_in_any_system(
    cards: CardSet, phase: Phase, checklist: list[Step], ways: list[Any], length: int
) -> None:
    check_round_trip(cards, phase, System("Ours", tuple(checklist), tuple(checklist), tuple(ways[:length])))


@given(cards=some_cards(13, 13), phase=PHASES)
def test_nothing_higher_on_the_checklist_was_held(cards: CardSet, phase: Phase) -> None:
    """Every higher line can be shown whenever it is held; only three to a flush cannot always."""
    found = to_signal(cards, phase)
    assert found is not None
    higher = PARLETT.strong[: PARLETT.strong.index(found.step)]
    assert not [holding for holding in Holding if holding.step in higher and any(holding.cores(cards))]


@given(cards=some_cards(13, 13), phase=PHASES, seed=st.randoms(use_true_random=False))
def test_the_choice_does_not_depend_on_anything_but_the_cards(
    cards: CardSet, phase: Phase, seed: Any
) -> None:
    shuffled = list(cards)
    seed.shuffle(shuffled)
    fresh = System(PARLETT.name, PARLETT.strong, PARLETT.weak, PARLETT.ways)
    assert to_signal(CardSet.of(shuffled), phase, fresh) == to_signal(cards, phase)


@given(cards=some_cards(13, 13), phase=PHASES)
def test_a_signal_is_a_legal_beginning_of_a_hand(cards: CardSet, phase: Phase) -> None:
    found = to_signal(cards, phase)
    assert found is not None
    rest = [card for card in DECK if card not in cards]
    east, south, west = (CardSet.of(rest[at : at + 13]) for at in (0, 13, 26))
    deal = Deal((cards, east, south, west))
    state = start(deal, Seat.W, Options())
    for token in found.line.split():
        state = state.apply(Action(token))
    assert state.cards_played == (2 if found.second else 1)


# Range


def test_range_is_four_apart_at_most_with_the_ace_low_or_high() -> None:
    ranks = "A23456789TJQKA"
    in_range = {(one, other) for low in range(14) for one, other in permutations(ranks[low : low + 5], 2)}
    for one, other in permutations("23456789TJQKA", 2):
        cards = Card.parse(one + "s"), Card.parse(other + "h")
        assert is_in_range(*cards) == ((one, other) in in_range)
    assert not is_in_range(Card.parse("7s"), Card.parse("7h"))


# What to signal: the checklist

CHECKLIST = (
    ("Ah 2h 3h 4h 5h 7s 7h 7d 7c", Step.FIVE_STRAIGHT_FLUSH),
    ("7s 7h 7d 7c 2h 3h 4h 5h", Step.FOURS),
    ("2h 3h 4h 5h 7s 7d 7c 9s 9d 9c", Step.FOUR_STRAIGHT_FLUSH),
    ("7s 7d 7c Ks Kd Kc 3h 4h 5h", Step.TWO_THREES),
    ("7s 7d 7c Ks Kd 3h 4h 5h", Step.FULL_HOUSE),
    ("3h 4h 5h 9h Kh Ks", Step.THREE_STRAIGHT_FLUSH),
    ("2h 3h 8h 9h Kh Ks Qs Qd", Step.FIVE),
    ("4s 5d 6c 7h 8s 8d 8c", Step.FIVE),
    ("7s 7d 7c 2h 4h 9h Kh", Step.THREES),
    ("7s 7d Ks Kd 2h 3h Jh Th", Step.TWO_PAIR),
    ("2h 3h Jh Th Qs Qd", Step.FOUR),
    ("2h 3s 4d 5c Qs Qd", Step.FOUR),
    ("2h 3s 4d Qs Qd", Step.THREE),
    ("2h Qs Qd", Step.PAIR),
)


@pytest.mark.parametrize(("cards", "step"), CHECKLIST)
@pytest.mark.parametrize("phase", Phase)
def test_the_first_on_the_checklist_is_signalled(cards: str, step: Step, phase: Phase) -> None:
    assert held_by(cards, phase).step is step


def test_the_checklist_is_the_pages_with_threes_before_two_pair() -> None:
    keys = [step.key for step in PARLETT.strong if step is not Step.THREES]
    assert keys == [
        "five-straight-flush",
        "fours",
        "four-straight-flush",
        "two-threes",
        "full-house",
        "three-straight-flush",
        "five",
        "two-pair",
        "four",
        "three",
        "pair",
    ]
    assert PARLETT.strong == PARLETT.weak
    assert PARLETT.strong.index(Step.THREES) == PARLETT.strong.index(Step.TWO_PAIR) - 1


def test_d_a_flush_is_signalled_before_a_straight() -> None:
    assert held_by("2h 3h 8h 9h Kh 4s 5d 6c").meaning.holding is Holding.FIVE_OF_SUIT


@pytest.mark.parametrize("cards", ["", "2h", "2h 7s Qd", "2h 7h Qh"])
def test_there_can_be_nothing_to_signal(cards: str) -> None:
    """Three of a suit of which no two are in range have no showing."""
    assert to_signal(CardSet.parse(cards), STRONG) is None


# Strong: toward a straight flush

TOWARD_A_STRAIGHT_FLUSH = (
    ("Ah 2h 3h 4h 5h", "Ah 5h", "run"),
    ("Th Jh Qh Kh Ah", "Th Ah", "run"),
    ("2h 3h 4h 5h", "2h 5h", "four-in-sequence"),
    ("Ah 2h 3h 4h", "Ah 4h", "four-in-sequence"),
    ("Jh Qh Kh Ah", "Jh Ah", "four-in-sequence"),
    ("Ah 3h 4h 5h", "3h 5h", "three-and-one"),
    ("3h 4h 5h 7h", "3h 5h", "three-and-one"),
    ("Th Qh Kh Ah", "Qh Ah", "three-and-one"),
    ("4h 5h 7h", "4h 5h", "three-one-higher"),
    ("4h 5h 8h", "4h 5h", "three-one-higher"),
    ("Ah 2h 5h", "Ah 2h", "three-one-higher"),
    ("5h 4h 2h", "5h 4h", "three-one-lower"),
    ("5h 4h Ah", "5h 4h", "three-one-lower"),
    ("5h 4h 3h", "5h 3h", "three-in-sequence"),
    ("Ah Kh Qh", "Ah Qh", "three-in-sequence"),
    ("5h 4h 2h Ah", "5h 2h", "two-and-two"),
    ("5h 3h Ah", "5h Ah", "three-apart"),
    ("Ah Qh Th", "Ah Th", "three-apart"),
)


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize(("cards", "shown", "holding"), TOWARD_A_STRAIGHT_FLUSH)
def test_toward_a_straight_flush(cards: str, shown: str, holding: str, phase: Phase) -> None:
    assert played(cards, phase) == shown
    assert holding in holdings(shown, phase)
    assert held_by(cards, phase).meaning.holding.key == holding


def test_every_holding_toward_a_straight_flush_has_exactly_one_shape() -> None:
    """All ways to have three or four in five ranks are told apart, none twice."""
    for size, step in ((3, Step.THREE_STRAIGHT_FLUSH), (4, Step.FOUR_STRAIGHT_FLUSH)):
        suit = PACK.of_suit(Suit.HEARTS)
        cores = [core for each in Holding if each.step is step for core in each.cores(suit)]
        found = [sum(group.bits for group in core) for core in cores]
        assert len(found) == len(set(found))
        assert all(bits.bit_count() == size for bits in found)


def test_5_4_2_a_has_three_showings_and_is_shown_by_5_2() -> None:
    cards = CardSet.parse("5h 4h 2h Ah")
    for shown in ("5h 2h", "4h Ah", "5h Ah"):
        assert [
            meaning
            for meaning in read(shown)
            if meaning.step is Step.FOUR_STRAIGHT_FLUSH and meaning.fits(cards)
        ]
    assert played("5h 4h 2h Ah") == "5h 2h"


def test_5_4_3_a_is_shown_by_3_5_and_read_from_4_a_and_5_a() -> None:
    """The page's 5-2 cannot show it: the two is not held."""
    cards = CardSet.parse("5h 4h 3h Ah")
    assert played("5h 4h 3h Ah") == "3h 5h"
    for shown in ("3h 5h", "4h Ah", "5h Ah"):
        assert [
            meaning
            for meaning in read(shown)
            if meaning.holding is Holding.THREE_AND_ONE and meaning.fits(cards)
        ]
    assert not [meaning for meaning in read("5h 2h") if meaning.fits(cards)]


def test_gaps_are_avoided_where_possible() -> None:
    """A-3 would be low then high with one between too, but across the missing two."""
    cards = CardSet.parse("Ah 3h 4h 5h")
    assert not [each for each in read("Ah 3h") if each.step in TO_A_STRAIGHT_FLUSH and each.fits(cards)]


@pytest.mark.parametrize(
    ("shown", "impossible"),
    [("Qh Kh", "three-one-higher"), ("2h Ah", "three-one-lower"), ("Kh Ah", "three-one-higher")],
)
def test_what_no_cards_allow_is_not_read(shown: str, impossible: str) -> None:
    assert impossible not in holdings(shown)


# Strong: fours, full house and below


def test_fours_are_shown_by_heart_then_diamond() -> None:
    assert played("9s 9h 9d 9c Kh Kd") == "9h 9d"
    assert holdings("9h 9d") == ["fours"]
    assert str(read("9h 9d")[0].certain()) == "9c 9d 9h 9s"


def test_two_sets_of_three_are_shown_by_two_ranks_of_one_colour() -> None:
    assert played("9s 9h 9d 3s 3h 3c") == "3h 9d"
    assert "two-threes" in holdings("3h 9d")
    assert "two-threes" in holdings("9h 3d")
    assert "two-threes" in holdings("3h 9h")


@given(
    ranks=st.lists(st.sampled_from("23456789TJQKA"), min_size=2, max_size=2, unique=True),
    lacking=st.tuples(st.sampled_from("cdhs"), st.sampled_from("cdhs")),
)
def test_two_sets_of_three_always_have_two_suits_of_one_colour(
    ranks: list[str], lacking: tuple[str, str]
) -> None:
    sets = zip(ranks, lacking, strict=True)
    cards = CardSet.of(Card.parse(rank + suit) for rank, gone in sets for suit in "cdhs" if suit != gone)
    found = to_signal(cards, STRONG)
    assert found is not None
    assert found.second is not None
    assert found.step is Step.TWO_THREES
    assert found.first.suit.same_colour is found.second.suit


def test_a_full_house_is_shown_by_two_colours_threes_first() -> None:
    for line in (played("9s 9h 9d Ks Kc"), played("Ks Kh Kd 9s 9c")):
        first, second = (Card.parse(text) for text in line.split())
        assert first.suit.is_red != second.suit.is_red
    assert played("9s 9h 9d Ks Kc")[0] == "9"
    assert played("Ks Kh Kd 9s 9c")[0] == "K"


def test_threes_only_are_shown_by_a_red_card_and_a_pass_a_heart_if_possible() -> None:
    assert played("9s 9h 9d Kc") == "9h -"
    assert played("9s 9c 9d Kc") == "9d -"
    assert holdings("9h -") == ["threes"]
    assert held_by("9s 9h 9d Kc").line == "9h - -"


def test_two_pair_strong_is_shown_by_black_then_red_or_minor_then_major() -> None:
    allowed = {"cd", "ch", "sd", "sh", "cs", "dh"}
    for one, other in permutations("cdhs", 2):
        line = played(f"9{one} 9{other} 3s 3h")
        assert line[0] == line[3]
        assert line[1] + line[4] in allowed


def test_two_pair_out_of_range_can_be_shown_by_high_then_low() -> None:
    assert "both-pairs" in holdings("9h 3d")
    assert "both-pairs" not in holdings("3h 9d")
    assert "both-pairs" not in holdings("9h 6d")


def test_one_pair_is_shown_by_a_black_card_and_a_pass_a_diamond_if_both_are_red() -> None:
    assert played("9s 9h 2d") == "9s -"
    assert played("9c 9h 2d") == "9c -"
    assert played("9d 9h 2s") == "9d -"
    assert holdings("9c -") == ["pair"]
    assert holdings("9d -") == ["threes", "pair"]
    threes, pair = read("9d -")
    assert pair.fits(CardSet.parse("9d 9h"))
    assert not pair.fits(CardSet.parse("9d 9s"))
    assert not threes.fits(CardSet.parse("9d 9h 9s"))
    assert threes.fits(CardSet.parse("9d 9c 9s"))


# Weak: flushes, straights, two pair

WEAK_ROWS = (
    ("five-of-suit", "2h 9h", ("3h", "Kh", "Th"), "9h 2h"),
    ("both-pairs", "9h 2h", ("9s", "2c"), "2h 9h"),
    ("four-of-suit", "2h 5h", ("9h", "Kh"), "5h 2h"),
    ("three-of-suit", "5h 2h", ("Kh",), "2h 5h"),
    ("straight", "2h 6s", ("3h", "4s", "5d"), "6h 2s"),
    ("four-to-straight", "2h 5s", ("3h", "6d"), "5h 2s"),
    ("three-to-straight", "5h 2s", ("3h",), "2h 5s"),
)


@pytest.mark.parametrize(("holding", "shown", "others", "reverse"), WEAK_ROWS)
def test_weak_rows(holding: str, shown: str, others: Sequence[str], reverse: str) -> None:
    meanings = {meaning.holding.key: meaning for meaning in read(shown, WEAK)}
    assert holding in meanings
    held = CardSet.parse(" ".join((shown, *others)))
    assert meanings[holding].fits(held)
    assert not meanings[holding].fits(CardSet.of(card for card in held if card.text != others[0]))
    assert holding not in holdings(reverse, WEAK)


def test_weak_two_pair_in_one_suit_names_both_ranks() -> None:
    cards = "9h 9s 2h 2c"
    assert played(cards, WEAK) == "9h 2h"
    assert held_by(cards, WEAK).meaning.holding is Holding.BOTH_PAIRS
    assert held_by(cards, STRONG).meaning.holding is Holding.TWO_PAIR
    # Without a suit in common, or in range, it is shown as in the strong phase.
    assert held_by("9h 9s 2d 2c", WEAK).meaning.holding is Holding.TWO_PAIR
    assert held_by("9h 9s 6h 6c", WEAK).meaning.holding is Holding.TWO_PAIR


def test_a_complete_straight_is_played_lowest_then_highest_whatever_the_suits() -> None:
    assert played("4s 5d 6c 7h 8s") == "4s 8s"
    assert "straight" in holdings("4s 8s")
    assert "straight" in holdings("4s 8d")


def test_four_to_a_straight_does_not_look_like_five_or_like_a_four_flush() -> None:
    line = played("4s 5s 7d 8c")
    first, second = (Card.parse(text) for text in line.split())
    assert "straight" not in holdings(line)
    assert first.suit is not second.suit
    # The only two suits that differ have three ranks between: it cannot be shown.
    assert "four-to-straight" not in holdings("4s 8d")


# Reading two cards: the page's table. Its cells say nothing of order, so both orders are taken together.

TO_A_STRAIGHT_FLUSH = {Step.FIVE_STRAIGHT_FLUSH, Step.FOUR_STRAIGHT_FLUSH, Step.THREE_STRAIGHT_FLUSH}
TO_A_FLUSH = {Holding.FIVE_OF_SUIT, Holding.FOUR_OF_SUIT, Holding.THREE_OF_SUIT}


def family(meaning: Meaning) -> str:
    if meaning.step in TO_A_STRAIGHT_FLUSH:
        return "straight flush"
    if meaning.holding in TO_A_FLUSH:
        return "flush"
    if meaning.step in (Step.FIVE, Step.FOUR, Step.THREE):
        return "straight"
    return meaning.step.key


CELLS = {
    ("same rank", "same colour"): {"fours", "two-pair"},
    ("same rank", "different colour"): {"two-pair"},
    ("in range", "same suit"): {"straight flush", "flush"},
    ("in range", "same colour"): {"two-threes", "straight"},
    ("in range", "different colour"): {"full-house", "straight"},
    ("out of range", "same suit"): {"two-threes", "flush"},
    ("out of range", "same colour"): {"two-threes", "two-pair"},
    ("out of range", "different colour"): {"full-house"},
}


def cell(one: Card, other: Card) -> tuple[str, str]:
    rank = (
        "same rank" if one.rank is other.rank else "in range" if is_in_range(one, other) else "out of range"
    )
    if one.suit is other.suit:
        return rank, "same suit"
    return rank, "same colour" if one.suit.same_colour is other.suit else "different colour"


@pytest.mark.parametrize("phase", Phase)
def test_every_two_cards_read_as_the_pages_table_says(phase: Phase) -> None:
    found: dict[tuple[str, str], set[str]] = {where: set() for where in CELLS}
    for one, other in permutations(DECK, 2):
        found[cell(one, other)] |= {family(meaning) for meaning in reading(one, other, phase)}
    expected = {where: set(families) for where, families in CELLS.items()}
    # "A complete straight is played lowest then highest, whatever the suits."
    expected["in range", "same suit"].add("straight")
    if phase is WEAK:
        # The weak table's own row.
        expected["out of range", "same suit"].add("two-pair")
    assert found == expected


@pytest.mark.parametrize("phase", Phase)
def test_every_two_cards_mean_something_in_either_order(phase: Phase) -> None:
    assert not [two for two in permutations(DECK, 2) if not reading(*two, phase)]
    assert reading(Card.parse("9h"), Card.parse("9h"), phase) == ()


def test_fours_only_if_heart_then_diamond_otherwise_two_pair() -> None:
    assert holdings("9d 9h") == ["two-pair"]
    assert holdings("9c 9s") == holdings("9s 9c") == ["two-pair"]


def test_example_red_4_black_4_another_pair_is_held() -> None:
    (meaning,) = read("4h 4s")
    assert meaning.holding is Holding.TWO_PAIR
    assert meaning.fits(CardSet.parse("4h 4s Kd Kc"))
    assert not meaning.fits(CardSet.parse("4h 4s 4d Kc"))


def test_example_red_4_black_7_full_house_or_one_more_of_that_straight() -> None:
    assert set(holdings("4h 7s")) == {"full-house", "four-to-straight"}
    house, straight = read("4h 7s")
    assert house.fits(CardSet.parse("4h 4s 4c 7s 7d"))
    assert not house.fits(CardSet.parse("4h 4s 7c 7s 7d"))
    assert straight.fits(CardSet.parse("4h 5h 6c 7s"))


def test_example_red_4_black_j_full_house_fours_over_jacks() -> None:
    (meaning,) = read("4h Js")
    assert meaning.holding is Holding.FULL_HOUSE
    assert str(meaning.message) == (
        "A full house: threes of the rank of the 4♥ over a pair of the rank of the J♠."
    )


def test_the_phases_own_meanings_come_first() -> None:
    assert holdings("4h 7s", STRONG) == ["full-house", "four-to-straight"]
    assert holdings("4h 7s", WEAK) == ["four-to-straight", "full-house"]


def test_cards_that_are_gone_rule_meanings_out() -> None:
    gone = CardSet.parse("7h 7d 7c")
    assert [
        each.holding.key for each in reading(Card.parse("4h"), Card.parse("7s"), STRONG, among=PACK - gone)
    ] == ["four-to-straight"]


@given(cards=some_cards(13, 13), phase=PHASES)
def test_what_is_certain_is_held(cards: CardSet, phase: Phase) -> None:
    for first, second in permutations(list(cards)[:4], 2):
        for meaning in reading(first, second, phase):
            if meaning.fits(cards):
                assert meaning.certain() <= cards


def test_certain_cards_of_a_sequence() -> None:
    meaning = next(each for each in read("2h 5h") if each.holding is Holding.FOUR_IN_SEQUENCE)
    assert str(meaning.certain()) == "2h 3h 4h 5h"


# The choice where the page is silent


def test_d_the_clearest_cards_are_chosen() -> None:
    """Of two full houses the one out of range is shown, for in range it could be a straight."""
    assert played("9s 9h 9d 8c 8d 2c 2d").startswith("9")
    assert played("9s 9h 9d 8c 8d 2c 2d")[3] == "2"


def test_d_then_the_highest_cards_are_chosen() -> None:
    assert played("4s 4h 4d 4c 9s 9h 9d 9c") == "9h 9d"
    assert played("2h 3h 4h 5h 6h 7h") == "3h 7h"


def test_d_then_spades_first() -> None:
    assert played("9s 9c 2d") == "9s -"


def test_phases_of_the_hands_of_a_deal() -> None:
    assert [phase_of_hand(hand) for hand in range(8)] == [STRONG] * 4 + [WEAK] * 4


def test_sentences() -> None:
    found = held_by("9s 9h 9d Kc")
    assert str(found.message) == "The 9♥, and after partner’s pass a pass: threes."
    assert str(found.meaning.message) == "Threes, of the rank of the 9♥."
    assert str(held_by("9s 9h 9d 9c").message) == "The 9♥, and after partner’s pass the 9♦: fours."
    for holding in Holding:
        assert holding.template % {"first": "1", "second": "2"} != holding.template


# Systems


def test_a_system_goes_through_json_unchanged() -> None:
    assert read_system(json.loads(json.dumps(PARLETT.as_json()))) == PARLETT
    assert pickle.loads(pickle.dumps(PARLETT)) == PARLETT


@given(
    steps=st.permutations(tuple(Step)),
    ways=st.permutations(PARLETT.ways),
    phase=st.sampled_from([(STRONG,), (WEAK,), (STRONG, WEAK)]),
)
def test_any_system_goes_through_json_unchanged(steps: list[Step], ways: list[Any], phase: Any) -> None:
    ours = tuple(replace(way, phases=phase) for way in ways)
    strong = tuple(steps) if STRONG in phase else ()
    weak = tuple(steps[:4]) if WEAK in phase else ()
    system = System("Ours", strong, weak, ours)
    assert read_system(json.loads(json.dumps(system.as_json()))) == system


def test_a_partnership_plays_its_own_system() -> None:
    """They show fours by a club and a pass, and never a straight flush."""
    card = {
        "name": "Clubs",
        "checklist": {"strong": ["fours"], "weak": []},
        "ways": [{"holding": "fours", "then": "pass", "preferred": ["c"]}],
    }
    system = read_system(card)
    cards = "9s 9h 9d 9c 2h 3h 4h 5h 6h"
    assert held_by(cards, STRONG, system).line == "9c - -"
    assert to_signal(CardSet.parse(cards), WEAK, system) is None
    assert [each.holding.key for each in reading(Card.parse("9c"), None, STRONG, system)] == ["fours"]
    assert reading(Card.parse("9h"), Card.parse("9d"), STRONG, system) == ()
    assert isinstance(system.ways[0], CardThenPass)


def test_all_faults_of_a_convention_card_are_told_at_once() -> None:
    card = {
        "name": " ",
        "colour": "blue",
        "checklist": {"strong": ["fours", "fours", "sixes"], "weak": "all"},
        "ways": [
            {"holding": "fours", "suits": "same", "ranks": "same", "order": "low-then-high", "between": [9]},
            {"holding": "full-house", "then": "pass", "preferred": ["hh"]},
            {"holding": "fours", "suits": ["same"], "ranks": "same", "in_order": 1, "between": [1]},
            {"holding": "pair", "then": "play", "preferred": ["h"], "phases": ["strong", "strong"]},
            7,
        ],
    }
    with pytest.raises(SystemFault) as caught:
        read_system(card)
    assert sorted(map(str, (fault.place for fault in caught.value.causes))) == sorted(
        map(
            str,
            [
                ("name",),
                ("colour",),
                ("checklist", "strong", 1),
                ("checklist", "strong", 2),
                ("checklist", "weak"),
                ("ways", 0, "order"),
                ("ways", 0, "between"),
                ("ways", 1, "holding"),
                ("ways", 1, "preferred"),
                ("ways", 2, "suits"),
                ("ways", 2, "between"),
                ("ways", 2, "in_order"),
                ("ways", 3, "then"),
                ("ways", 3, "phases"),
                ("ways", 4),
            ],
        )
    )
    assert all(str(fault.message) in str(caught.value.message) for fault in caught.value.causes)


def test_a_line_of_the_checklist_needs_a_row() -> None:
    card = {"name": "Ours", "checklist": {"strong": ["pair"], "weak": ["fours"]}, "ways": []}
    with pytest.raises(SystemFault) as caught:
        read_system(card)
    assert [fault.place for fault in caught.value.causes] == [
        ("checklist", "strong", 0),
        ("checklist", "weak", 0),
    ]
    assert str(caught.value.causes[0].message) == (
        "No row says how to show “one pair”. Add one, or remove it from the checklist."
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(
    name=JSON,
    checklist=JSON | st.fixed_dictionaries({"strong": JSON, "weak": st.lists(JSON)}),
    ways=JSON
    | st.lists(
        st.fixed_dictionaries(
            {"holding": JSON | st.just("pair")},
            optional={
                "then": JSON,
                "suits": JSON,
                "ranks": JSON,
                "order": JSON,
                "between": JSON,
                "in_order": JSON,
                "phases": JSON,
                "preferred": JSON,
            },
        )
    ),
    whole=JSON,
)
def test_no_json_is_worse_than_faults(name: Any, checklist: Any, ways: Any, whole: Any) -> None:
    for data in (whole, {"name": name, "checklist": checklist, "ways": ways}):
        system = None
        with suppress(SystemFault):
            system = read_system(data)
        assert system is None or read_system(system.as_json()) == system


# The command line


def run(*arguments: str) -> tuple[int, Any]:
    output = io.StringIO()
    code = main(arguments, output)
    return code, json.loads(output.getvalue())


def test_signal_on_the_command_line() -> None:
    code, found = run("signal", "9s", "9h", "9d", "9c", "Kd", "--phase", "weak")
    assert code == 0
    assert found["line"] == "9h - 9d"
    assert found["shows"]["holding"] == "fours"
    assert run("signal", "2h 7s Qd") == (0, None)
    assert run("signal", "2h 2h")[1]["problems"][0]["code"] == "card-twice"


def test_reading_on_the_command_line() -> None:
    code, found = run("reading", "4h", "Js")
    assert code == 0
    assert [meaning["holding"] for meaning in found] == ["full-house"]
    assert [meaning["holding"] for meaning in run("reading", "4h", "pass")[1]] == ["threes"]
    code, found = run("reading", "4h", "4h")
    assert code == 1
    assert found["problems"][0]["message"] == "The 4♥ can’t be played twice."


def test_a_convention_card_on_the_command_line(tmp_path: Path) -> None:
    code, found = run("convention-card")
    assert code == 0
    card = tmp_path / "card.json"
    card.write_text(json.dumps({**found, "name": "Ours"}))
    assert run("convention-card", "--system", str(card)) == (0, {**found, "name": "Ours"})
    assert run("reading", "9h", "9d", "--system", str(card))[1][0]["holding"] == "fours"
    card.write_text('{"name": 5}')
    code, found = run("signal", "9h", "--system", str(card))
    assert code == 1
    assert len(found["problems"]) == 3
