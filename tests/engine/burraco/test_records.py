"""Written deals of Burraco: what follows from them, and what is wrong with them (BU23 to BU26)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.burraco.cards import PACK
from engine.burraco.game import BURRACO

LINES: dict[str, Any] = {
    "melded": {"NS": 265, "EW": 40},
    "clean": {"NS": 1, "EW": 0},
    "dirty": {"NS": 1, "EW": 0},
    "closed": "NS",
    "held": {"NS": 30, "EW": 95},
    "missed": "EW",
}
TOTAL = {"NS": 635, "EW": -155}


def codes(data: Any) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in BURRACO.read_result(data).problems]


def test_bu16_the_totals_follow_from_the_lines() -> None:
    """The worked examples 4 and 5."""
    read = BURRACO.read_result(LINES)
    assert (read.problems, dict(read.total)) == ((), TOTAL)
    assert BURRACO.read_result(read.as_json()) == read
    assert codes({**LINES, "total": TOTAL}) == []
    assert codes({"total": TOTAL}) == []


CARDS: dict[str, Any] = {
    "melds": {"NS": ["KsKsKhKhKdKdKc", "Jk3s4s5s6s7s8s9s"], "EW": ["7h8h9h"]},
    "cards": {"NS": "As", "EW": "2d Jk"},
}


def test_bu23_the_lines_follow_from_melds_and_hands() -> None:
    read = BURRACO.read_result({**CARDS, "missed": "EW"})
    assert read.problems == ()
    assert dict(read.total) == {"NS": 70 + 75 + 200 + 100 - 15, "EW": 25 - 50 - 100}
    semi = BURRACO.read_result({**CARDS, "semi_clean": {"NS": 1}})
    assert semi.problems == ()
    assert semi.total["NS"] == 70 + 75 + 200 + 150 - 15


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**LINES, "melded": {"NS": 266}}, "bad-cards"),
        ({**LINES, "held": {"NS": -5}}, "bad-cards"),
        ({"total": {"NS": 632, "EW": 0}}, "bad-points"),
        ({"total": {"NS": 99_995, "EW": 0}}, "bad-points"),
        ({**LINES, "closed": "EW"}, "closed-missed"),
        ({**LINES, "clean": {"NS": 0}, "dirty": {"NS": 0}}, "closed-burraco"),
        ({**LINES, "melded": {"NS": 80, "EW": 40}}, "melded-burrachi"),
        ({**LINES, "melded": {"NS": 1000, "EW": 40}}, "cards-sum"),
        ({**LINES, "clean": {"NS": 16}}, "bad-number"),
        ({**CARDS, "melds": {"NS": ["7s8sTh"]}}, "bad-meld"),
        ({**CARDS, "melds": {"NS": ["7sJkJk"]}}, "bad-meld"),
        ({**CARDS, "melds": {"NS": [7]}}, "bad-meld"),
        ({**CARDS, "melds": {"NS": ["KsKhKd", "KsKcKc"]}}, "set-twice"),
        ({**CARDS, "cards": {"NS": "KsAs", "EW": "Ks"}}, "card-too-often"),
        ({**CARDS, "cards": {"EW": "JkJkJkJk"}}, "card-too-often"),
        ({**CARDS, "cards": {"EW": "Xx"}}, "bad-hand"),
        ({"total": {"NS": 5}}, "total-missing"),
        ({"total": TOTAL, "points": 3}, "unknown-field"),
        ({"missed": "N"}, "bad-value"),
        ([], "bad-shape"),
    ],
)
def test_bu24_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert BURRACO.read_result(data).score is None


def test_bu24_more_cards_than_were_dealt_and_drawn() -> None:
    hand = "".join(PACK[:96])
    assert ("impossible", "too-many-cards") in codes({"cards": {"NS": hand}, "missed": "both"})
    assert ("impossible", "too-many-cards") not in codes(
        {"cards": {"NS": "".join(PACK[:83])}, "missed": "both"}
    )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**LINES, "total": {**TOTAL, "NS": 630}}, "total-parts"),
        ({**CARDS, "melded": {"NS": 100}}, "lines-cards"),
        ({**CARDS, "clean": {"NS": 2}}, "lines-cards"),
        ({**CARDS, "held": {"EW": 55}}, "lines-cards"),
    ],
)
def test_bu25_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)
    assert BURRACO.read_result(data).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"total": {"NS": 1505, "EW": 0}}, "rare-total"),
        ({"total": {"NS": 5, "EW": -705}}, "rare-total"),
        ({"total": {"NS": 0, "EW": 0}}, "no-points"),
        (
            {**LINES, "melded": {"NS": 600}, "clean": {"NS": 4}, "dirty": {"NS": 1}, "total": {"EW": 5}},
            "many-burrachi",
        ),
    ],
)
def test_bu26_what_is_rare_is_marked_and_accepted(data: Any, code: str) -> None:
    assert ("suspicious", code) in codes(data)
    assert BURRACO.read_result(data).score is not None


def check(deals: list[Any], **options: Any) -> Any:
    return BURRACO.check_sheet({"deals": deals}, "N", {"deals": len(deals), **options})


def test_bu25_bu26_running_totals_and_deals_that_are_there_twice() -> None:
    first = {"total": TOTAL, "running": TOTAL}
    wrong = check([first, {"total": TOTAL, "running": {"NS": 1270, "EW": 0}}])
    assert [(problem.code, problem.place[1:]) for problem in wrong.problems] == [
        ("running-total", (1, "running", "EW"))
    ]
    assert [problem.code for problem in check([LINES, LINES]).problems] == ["same-deal"]


def test_semi_clean_burrachi_are_refused_where_they_do_not_count() -> None:
    deal = {**CARDS, "semi_clean": {"NS": 1}, "missed": "EW"}
    assert "semi-clean-off" in [problem.code for problem in check([deal]).problems]
    assert check([deal], semi_clean=True).is_accepted


@pytest.mark.parametrize("semi_clean", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_bu23_a_deal_that_was_played_out_is_a_sheet_without_faults(seed: int, semi_clean: bool) -> None:
    rng = random.Random(seed)
    options = BURRACO.read_options({"semi_clean": semi_clean, "deals": 1})
    deal = BURRACO.deal(rng, "N", options)
    state: Any = BURRACO.start(deal, "N", options)
    while not state.is_over:
        legal = [token for token in state.legal() if len(token) > 2] or list(state.legal())
        state = state.apply(rng.choice(legal))
    record = json.loads(json.dumps(BURRACO.record_of(state)))
    checked = check([record], semi_clean=semi_clean)
    assert not [problem for problem in checked.problems if problem.refuses]
    assert dict(checked.scores[0].total) == dict(state.score().total)
    assert BURRACO.fits_deal(record, deal, "N")
    bare = {name: record[name] for name in record if name in {"melds", "cards", "closed", "missed"}}
    assert dict(check([bare], semi_clean=semi_clean).scores[0].total) == dict(state.score().total)


def test_bu24_cards_that_could_not_be_drawn_on_the_board() -> None:
    deal = BURRACO.deal(random.Random(3), "N", {})
    last = BURRACO.boards.stock(deal)[-1]
    both = {"cards": {"NS": last, "EW": last}}
    assert not BURRACO.fits_deal(both, deal, "N")
    assert BURRACO.fits_deal({"cards": {"NS": BURRACO.boards.hands(deal)["N"][0]}}, deal, "N")
