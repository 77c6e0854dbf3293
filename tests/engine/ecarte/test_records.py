"""Written deals of Écarté: what follows from them, and what is wrong with them (EC21 to EC24)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.ecarte.game import ECARTE
from engine.packs import is_card

WHOLE = {
    "turned": "7d", "exchanges": 0, "vulnerable": "2", "king": "1", "tricks": {"1": 3, "2": 2},
    "total": {"1": 3, "2": 0},
}  # fmt: skip


def codes(data: Any) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in ECARTE.read_result(data).problems]


def sheet(*deals: Any, **options: Any) -> list[tuple[str, tuple[Any, ...]]]:
    checked = ECARTE.check_sheet({"deals": [*deals]}, "1", options)
    return [(problem.code, problem.place) for problem in checked.problems]


def test_ec13_the_points_follow_from_the_rest() -> None:
    read = ECARTE.read_result({name: value for name, value in WHOLE.items() if name != "total"})
    assert (read.problems, dict(read.total)) == ((), {"1": 3, "2": 0})
    assert read.score is not None
    assert read.score.as_json()["marks"] == [["1", "king", 1], ["1", "point", 1], ["1", "vulnerable", 1]]
    assert ECARTE.read_result(WHOLE).problems == ()
    assert ECARTE.read_result(read.as_json()) == read


def test_ec4_a_turned_king_is_the_dealers() -> None:
    turned = {"dealer": "2", "turned": "Kd", "exchanges": 2, "tricks": {"1": 5}}
    assert dict(ECARTE.read_result(turned).total) == {"1": 2, "2": 1}
    without = {name: value for name, value in turned.items() if name != "dealer"}
    assert ("impossible", "total-missing") in codes(without)
    checked = ECARTE.check_sheet({"deals": [without]}, "2", {"deals": 1})
    assert dict(checked.result.total) == {"1": 2, "2": 1}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "tricks": {"1": 3, "2": 3}}, "tricks-sum"),
        ({**WHOLE, "tricks": {"1": 6}}, "bad-number"),
        ({**WHOLE, "exchanges": 1}, "vulnerable-exchanges"),
        ({**WHOLE, "vulnerable": "-"}, "nobody-vulnerable"),
        ({**WHOLE, "turned": "Kd"}, "king-turned"),
        (
            {"dealer": "1", "turned": "Kd", "turned_king": "2", "total": {"1": 1, "2": 1}},
            "turned-king-dealer",
        ),
        ({"turned": "7d", "turned_king": "2", "total": {"1": 1, "2": 1}}, "turned-no-king"),
        ({"total": {"1": 5, "2": 0}}, "bad-number"),
        ({"total": {"1": 0, "2": 0}}, "totals-impossible"),
        ({"total": {"1": 2, "2": 2}}, "totals-impossible"),
        ({"total": {"1": 4, "2": 1}}, "totals-impossible"),
        ({"total": {"1": 2}}, "total-missing"),
        ({"total": {"1": 2, "3": 1}}, "unknown-side"),
        ({"turned": "2d", "total": {"1": 2, "2": 0}}, "bad-value"),
        ({"total": 3}, "bad-shape"),
        ({"tricks": 3, "total": {"1": 2, "2": 0}}, "bad-shape"),
        ({"winner": "1", "total": {"1": 2, "2": 0}}, "unknown-field"),
        ([], "bad-shape"),
    ],
)
def test_ec22_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert ECARTE.read_result(data).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**WHOLE, "total": {"1": 2, "2": 0}}, "total-parts"),
        ({"tricks": {"1": 5}, "total": {"1": 1, "2": 0}}, "total-parts"),
        ({"king": "2", "total": {"1": 2, "2": 0}}, "total-parts"),
    ],
)
def test_ec23_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert codes(data) == [("inconsistent", code)]
    assert ECARTE.read_result(data).score is None


def test_ec23_running_totals_the_dealer_and_deals_after_the_target() -> None:
    two, three = {"total": {"1": 2, "2": 0}}, {"total": {"1": 3, "2": 0}}
    assert sheet(two, {**three, "running": {"1": 5, "2": 0}}) == []
    assert sheet(two, {**three, "running": {"1": 4}}) == [("running", ("deals", 1, "running", "1"))]
    assert sheet({**two, "dealer": "2"}, three) == [("dealer", ("deals", 0, "dealer"))]
    assert ("deal-after-end", ("deals", 2)) in sheet(two, three, two)


def test_ec14_ec15_of_one_point_each_the_king_must_be_known_where_it_decides() -> None:
    four, level = {"total": {"1": 4, "2": 0}}, {"total": {"1": 1, "2": 1}}
    assert sheet(four, level, {"total": {"1": 0, "2": 3}}, deals=3) == []
    assert sheet(four, level) == [("king-missing", ("deals", 1, "king"))]
    for king, ended in (("1", {"1": 5, "2": 0}), ("2", {"1": 5, "2": 1})):
        checked = ECARTE.check_sheet({"deals": [four, {**level, "king": king}]}, "1", {})
        assert (checked.is_accepted, dict(checked.result.total)) == (True, ended)


def test_ec15_a_king_may_end_a_match_but_not_a_deal() -> None:
    four = {"total": {"1": 4, "2": 0}, "tricks": {"1": 5}, "king": "1", "vulnerable": "2"}
    king = {"king": "1", "total": {"1": 1, "2": 0}}
    assert sheet(four, king) == []
    assert sheet(king, four) == [("cut-off", ("deals", 0, "tricks"))]


def test_ec24_what_is_rare_is_marked_and_accepted() -> None:
    long = {**WHOLE, "exchanges": 7, "vulnerable": "-", "total": {"1": 2, "2": 0}}
    assert codes(long) == [("suspicious", "many-exchanges")]
    assert ECARTE.read_result(long).score is not None
    same = sheet(WHOLE, {"total": {"1": 1, "2": 0}}, WHOLE, deals=3)
    assert same == [("same-deal", ("deals", 2))]
    kings = [{**WHOLE, "turned": f"{rank}d"} for rank in "789TA"]
    assert sheet(*kings, deals=5) == [("many-kings", ("deals", 4, "king"))]


def test_ec21_nobody_had_the_king_is_more_than_not_to_say() -> None:
    told = {"tricks": {"1": 5, "2": 0}, "vulnerable": "-", "king": "-"}
    assert ("impossible", "total-missing") in codes(told)
    assert dict(ECARTE.read_result({**told, "turned_king": "-"}).total) == {"1": 2, "2": 0}
    assert ("impossible", "turned-king-dealer") in codes({**told, "turned_king": "-", "turned": "Kd"})


def test_ec23_running_totals_begin_again_with_each_game() -> None:
    vole = {"tricks": {"1": 5}, "king": "1", "vulnerable": "2", "total": {"1": 4, "2": 0}}
    deals = [{**vole, "running": {"1": points}} for points in (4, 5, 4, 5)]
    assert sheet(*deals, games=2) == [("same-deal", ("deals", 2)), ("same-deal", ("deals", 3))]
    deals[2] = {**vole, "running": {"1": 9}}
    assert ("running", ("deals", 2, "running", "1")) in sheet(*deals, games=2)


def test_ec15_a_deal_that_a_turned_king_ended_is_a_sheet() -> None:
    state = ECARTE.start(
        "7s8s9sTsAs 7h8h9hThAh | KdKsQsJsKhQhJhQdJdAdTd9d8d7dKcQcJcAcTc9c8c7c",
        "1",
        {"before": {"1": 4, "2": 0}},
    )
    assert state.is_over
    assert ECARTE.read_result(ECARTE.record_of(state)).problems == ()


@pytest.mark.parametrize("seed", range(12))
def test_ec11_ec21_the_play_tells_the_tricks_and_is_held_against_the_rules(seed: int) -> None:
    rng, dealer = random.Random(seed), "12"[seed % 2]
    state = ECARTE.start(ECARTE.deal(rng, dealer, {}), dealer, {})
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    told = ECARTE.record_of(state)
    played = [token for token in state.history if is_card(token)]
    deal = {**told, "play": "".join(played)}

    def found(**more: Any) -> set[tuple[str, str]]:
        checked = ECARTE.check_sheet({"deals": [{**deal, **more}]}, dealer, {"deals": 1})
        return {(each.severity.value, each.code) for each in checked.problems if each.severity.refuses}

    assert found() == set()
    without = {name: value for name, value in deal.items() if name not in {"total", "tricks"}}
    checked = ECARTE.check_sheet({"deals": [without]}, dealer, {"deals": 1})
    assert dict(checked.result.total) == told["total"]
    tricks: Any = told["tricks"]
    more, fewer = sorted(tricks, key=tricks.__getitem__)
    assert ("inconsistent", "play-other") in found(tricks={more: tricks[more] + 1, fewer: tricks[fewer] - 1})
    assert ("impossible", "play-trumps") in found(turned=None)
    assert ("impossible", "play-turned") in found(turned=played[0])
    assert ("impossible", "card-twice") in found(play="".join([*played[:9], played[0]]))


def test_ec11_a_card_that_may_not_be_played_there_is_named() -> None:
    # The ten must be beaten by the ace that is played to the next trick.
    deal = {"turned": "7d", "play": "Th9hKsAh7s8sQsJs8c7c"}
    assert ("impossible", "play-rule") in [
        (each.severity.value, each.code)
        for each in ECARTE.check_sheet({"deals": [deal]}, "1", {"deals": 1}).problems
    ]
