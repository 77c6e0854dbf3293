"""The scoresheet of a whole match (R2, R15 to R18)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.concerto.options import Options
from engine.concerto.sheet import check_sheet, read_sheet
from engine.deals import Deal
from engine.game import CheckedSheet, Severity
from engine.seats import BySide, Seat, Side
from tests.engine.oracle import DEALS, by_seat, played

STANDARD = Options()
DUPLICATE = Options(duplicate=True, early_end=False, game_bonus=False)


def totals(ns: int, ew: int) -> dict[str, Any]:
    return {"total": {"NS": ns, "EW": ew}}


def checked(
    content: object, options: Options = STANDARD, first: Seat = Seat.N, deals: tuple[Deal | None, ...] = ()
) -> CheckedSheet:
    return check_sheet(read_sheet(content, first, options), options, deals)


def seen(content: object, options: Options = STANDARD) -> list[tuple[str, tuple[Any, ...]]]:
    return [(problem.code, problem.place) for problem in checked(content, options).problems]


FOUR = {"deals": [totals(40, 22), totals(22, 40), totals(12, 8), totals(20, 25)]}


def test_a_sheet_of_four_deals() -> None:
    found = checked(FOUR)
    assert found.problems == ()
    assert found.is_accepted
    assert found.result.is_over
    assert found.result.total == BySide(94, 95)
    assert found.result.winner is Side.EW
    assert [score.total for score in found.scores if score] == [
        BySide(40, 22),
        BySide(22, 40),
        BySide(12, 8),
        BySide(20, 25),
    ]


def test_r15_a_sheet_may_end_early() -> None:
    found = checked({"deals": [totals(60, 22), totals(40, 22)]})
    assert found.problems == ()
    assert found.result.counted == 2
    assert found.result.total == BySide(400, 44)


def test_r15_no_deal_after_the_end() -> None:
    content = {"deals": [totals(60, 22), totals(40, 22), totals(1, 2)]}
    (problem,) = checked(content).problems
    assert problem.code == "deal-after-end"
    assert problem.place == ("deals", 2)
    assert problem.severity is Severity.IMPOSSIBLE
    assert str(problem.message) == "The match ended with deal 2, when a side reached 100. There is no deal 3."
    assert not checked(content).is_accepted


def test_r18_a_duplicate_sheet_has_no_early_end() -> None:
    content = {"deals": [totals(60, 22), totals(40, 22), totals(1, 2), totals(2, 1)]}
    assert seen(content, DUPLICATE) == []
    assert checked(content, DUPLICATE).result.total == BySide(103, 47)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"deals": [totals(40, 22), totals(22, 40)]}, [("deal-missing", ("deals", 2))]),
        ({"deals": [totals(40, 22), None, totals(22, 40)]}, [("deal-missing", ("deals", 1))]),
        ({"deals": [totals(40, 22), None, {}]}, [("deal-missing", ("deals", 1))]),
        ({"deals": []}, [("no-deals", ("deals",))]),
        ({"deals": [None] * 4}, [("no-deals", ("deals",))]),
        ({}, [("no-deals", ("deals",))]),
        ({"deals": None}, [("no-deals", ("deals",))]),
        (None, [("not-a-sheet", ()), ("no-deals", ("deals",))]),
        ([], [("not-a-sheet", ()), ("no-deals", ("deals",))]),
        ({"deals": "x"}, [("not-a-sheet", ()), ("no-deals", ("deals",))]),
        ({"deals": [totals(9, 9)] * 5}, [("too-many-deals", ("deals", 4))]),
        ({**FOUR, "weather": 1}, [("unknown-field", ("weather",))]),
    ],
)
def test_what_is_wrong_with_a_sheet(content: object, expected: list[Any]) -> None:
    assert seen(content) == expected


def test_problems_of_a_deal_have_the_place_of_the_deal() -> None:
    content = {"deals": [totals(40, 22), {"total": {"NS": 281, "EW": 22}}, totals(1, 2)]}
    assert seen(content) == [("totals-impossible", ("deals", 1, "total"))]
    found = checked(content)
    assert found.scores[1] is None
    # What comes after a deal without a score is not counted: nobody knows yet what it will be.
    assert found.result.counted == 1


def test_r2_the_deal_passes_to_the_left() -> None:
    first = DEALS[0]
    dealer = Seat.parse(first["dealer"])
    states = [state for seed in range(40) if (state := played(seed)).setting.dealer is dealer.left]
    second = by_seat(states[0])
    assert checked({"deals": [first, second]}, first=dealer).problems[-1].code == "deal-missing"
    wrong = [problem.code for problem in checked({"deals": [second, first]}, first=dealer).problems]
    assert wrong.count("dealer-differs") == 2
    del second["dealer"]
    found = checked({"deals": [first, second]}, first=dealer)
    assert found.scores[1] == states[0].score()


def test_boards_tell_the_deals() -> None:
    first = DEALS[0]
    dealer = Seat.parse(first["dealer"])
    sheet = {"deals": [{"hands": first["hands"]}]}
    board, other = Deal.parse(first["deal"]), Deal.parse(DEALS[1]["deal"])
    assert checked(sheet, first=dealer, deals=(board,)).scores[0] is not None
    assert any(
        problem.code == "not-dealt-to" for problem in checked(sheet, first=dealer, deals=(other,)).problems
    )


def test_the_total_of_the_match_must_agree() -> None:
    assert seen({**FOUR, "total": {"NS": 94, "EW": 95}}) == []
    (problem,) = checked({**FOUR, "total": {"NS": 94, "EW": 96}}).problems
    assert problem.place == ("total", "EW")
    assert str(problem.message) == "East-West’s total for the match comes to 95, not 96."
    assert str(problem.proposal) == "Write 95."


def test_the_same_deal_twice_is_marked() -> None:
    hands = [{"combination": "pair"}] * 7 + [{"combination": "nothing"}]
    deal = {"hands": hands, "left_over": "pair"}
    found = checked({"deals": [deal, totals(3, 4), deal, totals(1, 2)]})
    marks = [problem for problem in found.problems if problem.code == "same-deal"]
    assert [mark.place for mark in marks] == [("deals", 2)]
    assert str(marks[0].message) == "Deals 1 and 3 are the same, hand for hand."
    assert found.is_accepted


def test_a_sheet_is_read_again_from_its_own_json() -> None:
    content = {"deals": [DEALS[0], None, totals(1, 2)], "total": {"NS": 1}}
    sheet = read_sheet(content, Seat.parse(DEALS[0]["dealer"]), Options())
    again = read_sheet(json.loads(json.dumps(sheet.as_json())), Seat.parse(DEALS[0]["dealer"]), Options())
    assert again == sheet
