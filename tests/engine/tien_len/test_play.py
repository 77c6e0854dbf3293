"""The rules of Tien Len, each test by the number that it covers."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError, OptionError
from engine.game.values import Points
from engine.packs import Dealt, in_order, read_cards
from engine.tien_len.combinations import CARDS, NUMBER, PACK, all_in, kind_of, numbers_of
from engine.tien_len.game import TIEN_LEN
from engine.tien_len.play import KIND_NAMES, State

OPTIONS = TIEN_LEN.read_options({})


def bits(text: str) -> int:
    return sum(1 << NUMBER[card] for card in read_cards(text))


def dealt(*hands: str) -> str:
    """A deal in which the seats hold these cards; the others come as they will, from the highest down."""
    held = [list(read_cards(hand)) for hand in hands]
    rest = [card for card in CARDS if not any(card in hand for hand in held)]
    for hand in held:
        while len(hand) < 13:
            hand.append(rest.pop())
    return str(Dealt(tuple(in_order(hand) for hand in held)))


def after(deal: str, *tokens: str, players: int = 4, **options: object) -> State:
    state = TIEN_LEN.replay(deal, "1", {**OPTIONS, **options}, tokens, players)  # type: ignore[dict-item]
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_tl1_rank_goes_before_suit() -> None:
    assert (CARDS[0], CARDS[3], CARDS[-1]) == ("3s", "3h", "2h")
    assert NUMBER["4s"] > NUMBER["3h"]


@pytest.mark.parametrize(
    ("cards", "form", "form_without_twos"),
    [
        ("3s", "single card", "single card"), ("2s2h", "pair", "pair"), ("7s7c7d", "triplet", "triplet"),
        ("9s9c9d9h", "four of a kind", "four of a kind"), ("4s5h6s", "sequence", "sequence"),
        ("QsKhAs2d", "sequence", None), ("KsAh2h", "sequence", None), ("As2s3s", None, None),
        ("3s4s", None, None), ("3s3c4s4c5s5c", "double sequence", "double sequence"),
        ("KsKcAsAc2s2c", "double sequence", None), ("3s3c4s4c", None, None), ("3s3c4s4c5s", None, None),
        ("3s4s5s5c", None, None), ("3s4s6s", None, None), ("3s3c3d4s4c4d5s5c5d", None, None),
    ],
)  # fmt: skip
def test_tl5_to_tl7_each_set_of_cards_has_one_form(
    cards: str, form: str | None, form_without_twos: str | None
) -> None:
    for twos, expected in ((True, form), (False, form_without_twos)):
        kind = kind_of(bits(cards), twos=twos)
        assert (kind and KIND_NAMES[kind.form]) == expected


def test_tl5_the_third_worked_example() -> None:
    """Six singles, three pairs, eight sequences of three and one double sequence."""
    found = all_in(bits("5s5c6s6d7c7h"), twos=True)
    kinds = Counter(KIND_NAMES[kind.form] for kind in (kind_of(cards, twos=True) for cards in found) if kind)
    assert kinds == {"single card": 6, "pair": 3, "sequence": 8, "double sequence": 1}


@pytest.mark.parametrize(
    ("standing", "higher", "not_higher", "other"),
    [
        ("3s3d", "3c3h", "", "4s"),
        ("4s4c", "4d4h", "3s3h", "5s5c5d"),
        ("4s5h6s", "4h5s6c", "3s4d5c", "4d5s6h7d"),
        ("5s5c6s6c7s7c", "5d5h6d6h7d7h", "", "9s9c9d9h"),
    ],
)
def test_tl5_the_first_two_worked_examples(standing: str, higher: str, not_higher: str, other: str) -> None:
    held = set(read_cards(higher + not_higher + other)) - set(read_cards(standing))
    state = after(dealt(standing, "".join(held), "", ""), standing, leader="1")
    assert state.turn == "2"
    state.verify(higher)
    if not_higher:
        assert code(state, not_higher) == "not-higher"
    assert code(state, other) == "other-kind"


def test_tl8_the_lowest_card_that_anybody_holds_is_led() -> None:
    four = after(dealt("4s", "4c", "3s3c5d5h", "4d"))
    assert four.turn == "3"
    assert set(four.legal()) == {"3s", "3s3c"}
    assert code(four, "3c") == "must-hold-lowest"
    assert code(four, "-") == "must-lead"
    two = after(dealt("5s", "4c"), players=2)
    assert (two.turn, two.legal()[0]) == ("2", "4c")


def test_tl9_the_leader_of_a_later_deal_leads_anything() -> None:
    state = after(dealt("4s", "4c", "3s", "4d"), leader="2")
    assert state.turn == "2"
    assert len({token for token in state.legal() if len(token) == 2}) == 13
    with pytest.raises(DealError):
        after(dealt("4s", "4c"), players=2, leader="3")
    with pytest.raises(OptionError):
        TIEN_LEN.read_options({"leader": "5"})


def test_tl10_who_follows_may_pass_though_they_could_play() -> None:
    state = after(dealt("3s", "4c", "4d", "4h"), "3s")
    assert (state.turn, state.legal()[-1]) == ("2", "-")
    assert code(state, "4d") == "not-held"
    assert code(state, "4c4c") == "not-held"
    assert code(state, "4x") == code(state, "fold") == code(state, "Jk") == code(state, "") == "token"
    assert code(after(dealt("3s5s", "4c", "4d", "4h"), leader="1"), "3s5s") == "no-combination"


PASSED = dealt("3s9s", "4sJs", "5sQs", "6sKs")


def test_tl11_who_passed_may_play_again_unless_passing_is_final() -> None:
    tokens = ("3s", "-", "5s", "-", "9s")
    assert after(PASSED, *tokens).turn == "2"
    final = after(PASSED, *tokens, pass_is_final=True)
    assert final.turn == "3"
    assert final.apply("-").turn == "1"


def test_tl12_when_all_others_have_passed_the_last_to_play_leads() -> None:
    state = after(PASSED, "3s", "4s", "-", "-", "-")
    assert (state.turn, state.now.standing) == ("2", 0)
    assert code(state, "-") == "must-lead"


def test_tl13_the_fifth_worked_example() -> None:
    """Player 2 goes out; 3, 4 and 1 pass: 3 leads."""
    row = "3c4c5c6c7c8c9cTcJcQcKcAc2c"
    deal = dealt("3s", row, "4s", "5s")
    state = after(deal, row, "-", "-", "-", leader="2")
    assert (state.now.out, state.turn, state.now.standing) == ((1,), "3", 0)
    assert "2" not in {state.apply(token).turn for token in state.legal()}


BOMBS = dealt("2s2c2d", "5s5c5d5h", "3s3c4s4c6s6c7s7c", "8s8c8d9s9cTsTcJsJc")


@pytest.mark.parametrize(
    ("led", "holder", "bomb", "beats"),
    [
        ("2s", "5s5c5d5h", "5s5c5d5h", True),
        ("2s2c", "5s5c5d5h", "5s5c5d5h", False),
        ("2s", "3s3c4s4c5s5c", "3s3c4s4c5s5c", True),
        ("2s2c", "3s3c4s4c5s5c", "3s3c4s4c5s5c", False),
        ("2s2c", "3s3c4s4c5s5c6s6c", "3s3c4s4c5s5c6s6c", True),
        ("2s2c2d", "3s3c4s4c5s5c6s6c", "3s3c4s4c5s5c6s6c", False),
        ("2s2c2d", "3s3c4s4c5s5c6s6c7s7c", "3s3c4s4c5s5c6s6c7s7c", True),
        ("As", "5s5c5d5h", "5s5c5d5h", False),
    ],
)
def test_tl14_the_fourth_worked_example(led: str, holder: str, bomb: str, beats: bool) -> None:
    deal = dealt(led, holder, "", "")
    state = after(deal, led, leader="1", bombs=True)
    assert (bomb in state.legal()) == beats
    assert bomb not in after(deal, led, leader="1").legal()


def test_tl14_a_bomb_is_beaten_only_in_kind() -> None:
    deal = dealt("2s", "5s5c5d5h", "6s6c6d6h", "7s7c8s8c9s9c")
    state = after(deal, "2s", "5s5c5d5h", leader="1", bombs=True)
    assert state.legal() == ("6s6c6d6h", "-")
    assert state.apply("-").legal()[:1] != ("7s7c8s8c9s9c",)
    assert code(state.apply("-"), "7s7c8s8c9s9c") == "other-kind"


def test_tl16_tl17_the_sixth_worked_example() -> None:
    order = {"order": ["3", "1", "4", "2"]}
    for scoring, total in (
        ("loser", {"1": 1, "2": -3, "3": 1, "4": 1}),
        ("places", {"1": 2, "2": 0, "3": 3, "4": 1}),
    ):
        read = TIEN_LEN.check_sheet({"deals": [order]}, "1", {"deals": 4, "scoring": scoring}, 4)
        score = read.scores[0]
        assert score is not None
        assert dict(score.total) == total


def test_tl18_equal_totals_are_decided_by_deals_as_first_out() -> None:
    def deal(*order: str) -> Points:
        return Points({seat: 3 - order.index(seat) for seat in order}, {"order": [*order]})

    scores = [
        deal("1", "2", "3", "4"),
        deal("2", "1", "3", "4"),
        deal("1", "4", "2", "3"),
        deal("2", "3", "1", "4"),
    ]
    more = [*scores[:3], deal("3", "2", "4", "1")]
    result = TIEN_LEN.match(more, {"deals": 4, "scoring": "places"}, 4)
    assert (result.total["1"], result.total["2"], result.winners) == (8, 8, ("1",))
    assert TIEN_LEN.match(scores[:1], {"deals": 4}, 4).next_options == {"leader": "1"}


@pytest.mark.parametrize(
    "wrong", ["", "As", dealt("", "")[:-2], dealt("", "", ""), dealt("", "").replace("2h", "2s")]
)
def test_tl4_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        TIEN_LEN.start(wrong, "1", OPTIONS, 2)


def test_tl20_cards_are_read_in_any_order() -> None:
    state = after(dealt("3s4h5d", "3c", "3d", "3h"))
    assert state.apply("5d3s4h").history == ("3s4h5d",)


@given(st.integers(0, 10_000))
def test_cards_are_conserved_and_points_add_up(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.choice((2, 3, 4))
    options = {**OPTIONS, "scoring": rng.choice(("loser", "places")), "bombs": rng.random() < 0.5}
    state = TIEN_LEN.start(TIEN_LEN.deal(rng, "1", options, players), "1", options, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    played = [card for token in state.history if token != "-" for card in read_cards(token)]
    left = [CARDS[number] for hand in state.now.hands for number in numbers_of(hand)]
    assert len({*played, *left}) == len(played) + len(left) == 13 * players
    assert {*played, *left} <= set(PACK)
    score = state.score()
    assert TIEN_LEN.fault_of_total(score.total) == ""
    assert sum(score.total.values()) == (0 if options["scoring"] == "loser" else players * (players - 1) // 2)


def test_help_says_what_may_be_played_and_a_leader_cannot_pass() -> None:
    deal = dealt("3s5s", "4s4c", "6s", "7s")

    def told(state: State) -> list[str]:
        view = TIEN_LEN.view(state, state.turn)
        return [str(message) for message in view.help[:-3]]

    first = after(deal)
    assert told(first)[0].startswith("You begin with a combination")
    assert [call.token for call in TIEN_LEN.view(first, first.turn).barred] == ["-"]
    assert TIEN_LEN.view(first, "2").barred == ()
    second = first.apply("3s")
    assert TIEN_LEN.view(second, second.turn).barred == ()
    assert [line[:11] for line in told(second)] == ["Choose card", "If you pass"]
    bombed = after(deal, "3s", bombs=True, pass_is_final=True)
    assert told(bombed)[1].startswith("Twos can be bombed")
    assert told(bombed)[2] == "If you pass, you’re out until the trick is over."
    later = after(deal, leader="2")
    assert told(later) == ["You lead: play any combination. You can’t pass."]
