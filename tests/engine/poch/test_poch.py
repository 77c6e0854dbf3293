"""The rules of Poch, each test by the number that it covers, and its written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ActionError, DealError, OptionError
from engine.packs import in_order, read_cards
from engine.poch.board import PLACES, merit, pack_of
from engine.poch.game import POCH_FOR_MANY as POCH
from engine.poch.play import State

OPTIONS = POCH.read_options({})
FIRST = "AsKsQs7h8h 7s8s9sQhTc AhKhThJdTd | Js"
EMPTY = dict.fromkeys(PLACES, 0)


def after(*tokens: str, deal: str = FIRST, dealer: str = "3", **options: Any) -> State:
    players = len(deal.split(" | ", maxsplit=1)[0].split(" "))
    state = POCH.replay(deal, dealer, {**OPTIONS, **options}, tokens, players)
    assert isinstance(state, State)
    return state


def code(state: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        state.verify(token)
    return refused.value.code


def test_po2_po4_po5_the_first_worked_example() -> None:
    state = after()
    assert state.now.points == (5, -4, -7)
    board = dict(zip(PLACES, state.now.board, strict=True))
    assert board == {**EMPTY, "J": 3, "T": 3}


def test_po11_to_po15_the_second_worked_example() -> None:
    state = after("-", "-", "-")
    assert (state.turn, state.legal()) == ("1", ("Qs",))
    assert code(state, "Ks") == "lowest-card"
    assert code(state, "7h") == "longest-suit"
    run = after("-", "-", "-", "Qs")
    assert run.legal() == ("Ks",)
    assert code(run, "7h") == "must-follow"
    assert code(run, "9h") == "not-held"
    done = after("-", "-", "-", "Qs", "Ks", "As", "7h", "8h")
    assert dict(done.score().total) == {"1": 15, "2": -9, "3": -12}
    assert sum(done.now.board) == 6
    chips = after("-", "-", "-", "Qs", "Ks", "As", "7h", "8h", sequence_chip=True)
    assert chips.now.points[0] == 17


def test_po6_the_third_worked_example() -> None:
    def worth(text: str) -> tuple[int, ...]:
        return merit(in_order(read_cards(text)))

    assert worth("KsKh2d3s4h") > worth("QsQhAdKsJh")
    assert worth("KsKhAd3s4h") > worth("KdKcQd3c4c")
    assert worth("2s2h2d3s4h") > worth("AsAhKdKsQh")
    assert worth("2s2h2d2c4h") > worth("AsAhAdKsQh")


def test_po8_to_po10_the_fourth_worked_example() -> None:
    state = after("-", "-", "+2", "=", "f", "+3", "f", board={**EMPTY, "poch": 4})
    assert state.now.poch == (2, "unseen")
    before = after("-", "-", board={**EMPTY, "poch": 4})
    assert state.now.points[2] - before.now.points[2] == 4 + 2
    assert before.now.points[0] - state.now.points[0] == 2
    assert state.turn == "3"


def test_po7_po9_what_may_be_said_when() -> None:
    state = after()
    assert state.legal() == ("-", "+1", "+2", "+3", "+4", "+5")
    assert code(state, "+6") == "limit"
    assert code(state, "f") == code(state, "As") == "phase"
    assert code(state, "stake") == "token"
    opener = after("+1", "=", "=")
    assert (opener.turn, opener.legal()[0]) == ("1", "=")
    assert code(after("+1"), "+1") == "phase"
    assert code(after("+1", "=", "=", raises=0), "+1") == "no-more-raises"


def test_po10_equal_hands_go_to_who_is_nearer_to_the_dealers_left() -> None:
    deal = "AsKh9d8c7c AhKs9c8d7d QsJsThTd7h | Ts"
    state = after("+1", "=", "=", "=", deal=deal, dealer="2")
    assert state.now.poch == (2, "shown")
    level = "AsKh9d8c7c AhKd9c8d7d JsQhTh8s7h | Ts"
    assert after("+1", "f", "=", "=", deal=level, dealer="1").now.poch == (1, "shown")
    assert after("+1", "=", "f", "=", deal=level, dealer="3").now.poch == (0, "shown")


def test_po17_everybody_deals_equally_often_and_the_board_is_carried() -> None:
    assert POCH.deals_of(5, OPTIONS) == 10
    score = after("-", "-", "-", "Qs", "Ks", "As", "7h", "8h").score()
    assert POCH.match([score], OPTIONS, 3).next_options == {"board": {**EMPTY, "J": 3, "T": 3}}
    for wrong in ({"A": 1}, 7, {**EMPTY, "A": -1}):
        with pytest.raises(OptionError):
            POCH.read_options({"board": wrong})


def test_po18_hands_are_seen_once_they_were_shown_and_paid_cards_at_once() -> None:
    seen = POCH.view(after(), "2")
    assert seen.seats[0].cards == ()
    assert {card for meld in seen.seats[0].melds for card in meld} == {"As", "Ks", "Qs"}
    shown = POCH.view(after("+1", "=", "f", "="), None)
    assert [bool(zone.cards) for zone in shown.seats] == [True, True, False]


@pytest.mark.parametrize(
    "wrong", ["", FIRST.replace(" | Js", ""), FIRST.replace("Js", "As"), FIRST.replace("7h", "6h")]
)
def test_po1_po3_what_is_no_deal_is_refused(wrong: str) -> None:
    with pytest.raises(DealError):
        POCH.start(wrong, "1", OPTIONS, 3)


@given(st.integers(0, 10_000))
def test_po16_scores_and_the_board_are_what_was_there(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.choice(POCH.players)
    board = {place: rng.randint(0, 9) for place in PLACES}
    options = {**OPTIONS, "board": board, "raises": rng.randint(0, 6), "sequence_chip": rng.random() < 0.5}
    state = POCH.start(POCH.deal(rng, "1", options, players), "1", options, players)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    score = state.score()
    assert sum(score.total.values()) + sum(state.now.board) == sum(board.values())
    assert {card for hand in state.setting.hands for card in hand} <= {*pack_of(players)}
    assert POCH.fault_of_total(score.total) == ""


WHOLE = {
    "trump": "s",
    "up": "Js",
    "best": {"A": "1", "K": "1", "Q": "1", "marriage": "1", "sequence": "2"},
    "out": "1",
    "left": {"1": 0, "2": 5, "3": 4},
    "board": {**EMPTY, "J": 3, "T": 3},
    "total": {"1": 14, "2": -9, "3": -11},
}


def codes(*deals: Any) -> list[tuple[str, str]]:
    checked = POCH.check_sheet({"deals": [*deals]}, "1", OPTIONS, 3)
    return [(each.severity.value, each.code) for each in checked.problems if not each.is_missing]


def changed(**fields: Any) -> dict[str, Any]:
    return {**WHOLE, **fields}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (changed(best={"A": ["1", "2"]}), "bad-value"),
        (changed(best={"A": "1", "marriage": "1", "K": "2", "Q": "1"}), "marriage"),
        (changed(best={"K": "1", "Q": "1"}), "marriage"),
        (changed(best={"sequence": "1", "A": "1", "K": "1", "Q": "1", "marriage": "1"}), "too-many-best"),
        (changed(best={"J": "1"}), "turned-place"),
        (changed(trump="h"), "trump"),
        (changed(left={"1": 0, "2": 0, "3": 5}), "left-out"),
        (changed(left={"1": 0, "2": 6, "3": 5}), "bad-number"),
        (changed(up="6s"), "bad-cards"),
        (changed(stakes={"1": 40}), "stakes"),
        (changed(vying="shown"), "poch"),
        (changed(stakes={"1": 2, "2": 2}), "poch"),
        ({"total": {"1": -20, "2": -10, "3": 1}}, "totals-impossible"),
    ],
)
def test_po20_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)


@pytest.mark.parametrize(
    ("deals", "code"),
    [
        ([changed(total={"1": 14, "2": -9, "3": -12})], "board-sum"),
        ([changed(total={"1": 13, "2": -9, "3": -10})], "total-other"),
        ([changed(board={**EMPTY, "J": 3, "T": 3, "poch": 1})], "board-before"),
        ([changed(board={**EMPTY, "A": 3, "J": 3})], "paid-place"),
        ([WHOLE, WHOLE], "board-before"),
        ([changed(total={"1": 1, "2": -3, "3": -4}, stakes={"1": 0})], "left-points"),
    ],
)
def test_po20_what_does_not_agree_is_refused_until_it_is_settled(deals: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(*deals)


def test_po20_what_is_rare_is_marked_and_accepted() -> None:
    assert codes(WHOLE) == []
    full = changed(left={"1": 0, "2": 5, "3": 5}, total={"1": 15, "2": -9, "3": -12})
    assert codes(full) == [("suspicious", "nobody-played")]
    totals = {"total": {"1": -7, "2": -7, "3": -7}, "best": {"A": "1"}}
    checked = POCH.check_sheet({"deals": [totals] * 9}, "1", {**OPTIONS, "deals": 9}, 3)
    assert {each.code for each in checked.problems} >= {"long-carried"}
    twice = POCH.check_sheet(
        {"deals": [{**totals, "best": {"sequence": "1"}}] * 3}, "1", {**OPTIONS, "deals": 3}, 3
    )
    assert {each.code for each in twice.problems} == {"sequences", "same-deal"}
    assert twice.is_accepted


def test_po20_points_and_board_follow_from_who_got_what_the_stakes_and_the_cards_left() -> None:
    """The second deal begins with what the first one left: 3 points each on jack and ten, none on the poch."""
    first = {name: WHOLE[name] for name in ("best", "out", "left")}
    second = {
        "best": {"J": "2", "T": "3", "poch": "3"},
        "stakes": {"1": 1, "2": 3, "3": 3},
        "left": {"1": 2, "2": 1, "3": 0},
    }
    checked = POCH.check_sheet({"deals": [first, second]}, "1", {**OPTIONS, "deals": 2}, 3)
    assert checked.is_accepted
    assert [dict(score.total) for score in checked.scores if score] == [
        {"1": 14, "2": -9, "3": -11},
        {"1": -7 - 1 - 2, "2": -7 - 3 + 6 - 1, "3": -7 - 3 + 6 + 7 + 3},
    ]
    unknown = POCH.check_sheet({"deals": [{**second, "stakes": {}}]}, "1", OPTIONS, 3)
    assert {each.code for each in unknown.problems} >= {"total-missing"}
    chips = {**OPTIONS, "deals": 1, "sequence_chip": True}
    assert POCH.check_sheet({"deals": [first]}, "1", chips, 3).scores == (None,)


def test_po8_po9_a_raise_that_is_not_allowed_is_shown_with_its_reason() -> None:
    answering = POCH.view(after("+1"), "2")
    assert [call.token for call in answering.barred] == ["+1"]
    with pytest.raises(ActionError, match="who opened may raise"):
        after("+1").verify("+1")
    assert [call.token for call in POCH.view(after("+1", "=", "=", raises=0), "1").barred] == ["+1"]
    assert POCH.view(after("+1", "=", "="), "1").barred == ()
    assert POCH.view(after("+1"), "1").barred == ()


def test_po2_the_view_shows_what_lies_on_each_place() -> None:
    dealt = after(board={**EMPTY, "poch": 4})
    view = POCH.view(dealt, dealt.turn)
    assert [(str(name), points) for name, points in view.places] == [
        ("ace", 0), ("king", 0), ("queen", 0), ("jack", 3), ("ten", 3), ("marriage", 0),
        ("sequence 7-8-9", 0), ("poch", 4),
    ]  # fmt: skip
    told = {str(message) for message in view.help}
    assert any(text.startswith("4 points lie on the poch") for text in told)
    # Nobody else is told to stake.
    others = POCH.view(dealt, None).help
    assert others
    assert not any("lie on the poch" in str(message) for message in others)
