"""Written deals of Tute: what follows from them, and what is wrong with them (TU24 to TU27)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.packs import is_card
from engine.tute.game import TUTE_FOR_FOUR as TUTE

PARTS = {"cards": {"NS": 74}, "declared": {"NS": ["40"], "EW": ["20c"]}, "last": "NS"}


def codes(data: Any) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.code) for problem in TUTE.read_result(data).problems]


def test_tu15_the_totals_follow_from_the_parts() -> None:
    """The third worked example of the rules."""
    read = TUTE.read_result(PARTS)
    assert (read.problems, dict(read.total)) == ((), {"NS": 124, "EW": 66})
    assert read.score is not None
    assert read.score.as_json()["winner"] == "NS"
    assert TUTE.read_result({**PARTS, "total": {"NS": 124, "EW": 66}}).problems == ()
    assert TUTE.read_result(read.as_json()) == read


def test_tu17_of_equal_totals_the_last_trick_must_be_known() -> None:
    level = {"total": {"NS": 65, "EW": 65}}
    assert codes(level) == [("impossible", "last-missing")]
    read = TUTE.read_result({**level, "last": "EW"})
    assert read.score is not None
    assert read.score.as_json()["winner"] == "EW"


def test_tu16_a_tute_is_all_that_need_be_written() -> None:
    read = TUTE.read_result({"tute": "EW"})
    assert dict(read.total) == {"NS": 0, "EW": 230}
    assert [problem.code for problem in read.problems if problem.refuses] == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"cards": {"NS": 60, "EW": 61}, "last": "NS"}, "cards-sum"),
        ({"cards": {"NS": 1}, "last": "NS"}, "cards-points"),
        ({"cards": {"NS": 119}, "last": "NS"}, "cards-points"),
        ({"cards": {"NS": 130}, "last": "NS"}, "cards-points"),
        ({**PARTS, "declared": {"NS": ["40"], "EW": ["40"]}}, "declared-twice"),
        ({**PARTS, "declared": {"NS": ["20s", "20s"]}}, "declared-twice"),
        ({**PARTS, "trump": "c"}, "veinte-in-trumps"),
        ({**PARTS, "up": "7c"}, "veinte-in-trumps"),
        ({**PARTS, "declared": {"NS": ["20s", "20h"], "EW": ["20d", "20c"]}}, "veintes"),
        ({**PARTS, "declared": {"NS": ["60"]}}, "bad-declaration"),
        ({"tute": "NS", "declared": {"EW": ["20c"]}}, "declared-and-tute"),
        ({"total": {"NS": 231, "EW": 0}}, "bad-points"),
        ({"total": {"NS": -1, "EW": 131}}, "bad-points"),
        ({"total": {"NS": 64, "EW": 65}}, "totals-impossible"),
        ({"total": {"NS": 64}}, "total-missing"),
        ({"total": {"NS": 65, "EW": 65, "XY": 1}}, "unknown-side"),
        ({"total": 7}, "bad-shape"),
        ({"last": "N", "total": {"NS": 70, "EW": 60}}, "bad-value"),
        ({"winner": "NS", "total": {"NS": 70, "EW": 60}}, "unknown-field"),
        ([], "bad-shape"),
    ],
)
def test_tu25_what_cannot_be_is_refused(data: Any, code: str) -> None:
    assert ("impossible", code) in codes(data)
    assert TUTE.read_result(data).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**PARTS, "total": {"NS": 123, "EW": 67}}, "total-parts"),
        ({"tute": "NS", "total": {"NS": 130, "EW": 0}}, "total-parts"),
        ({"declared": {"NS": ["20c"]}, "total": {"NS": 65, "EW": 65}, "last": "NS"}, "total-declared"),
        ({"total": {"NS": 124, "EW": 6}, "last": "EW"}, "total-last"),
        ({"trump": "s", "up": "7c", "total": {"NS": 70, "EW": 60}}, "trump-up"),
    ],
)
def test_tu26_what_does_not_agree_is_refused_until_it_is_settled(data: Any, code: str) -> None:
    assert ("inconsistent", code) in codes(data)
    assert TUTE.read_result(data).score is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"total": {"NS": 130, "EW": 0}}, "no-points"),
        ({**PARTS, "declared": {"EW": ["20s", "20d", "20c"]}}, "many-declared"),
        ({"tute": "NS"}, "tute"),
    ],
)
def test_tu27_what_is_rare_is_marked_and_accepted(data: Any, code: str) -> None:
    assert codes(data) == [("suspicious", code)]
    assert TUTE.read_result(data).score is not None


def test_tu27_the_same_deal_twice_is_marked() -> None:
    options = {"deals": 3}
    totals = {"total": {"NS": 70, "EW": 60}}
    checked = TUTE.check_sheet({"deals": [PARTS, totals, PARTS]}, "N", options)
    assert checked.is_accepted
    assert [(problem.code, problem.place) for problem in checked.problems] == [("same-deal", ("deals", 2))]
    assert TUTE.check_sheet({"deals": [totals, totals, PARTS]}, "N", options).problems == ()


def test_tu18_a_level_deal_counts_for_the_side_of_the_last_trick() -> None:
    deals = [{"total": {"NS": 65, "EW": 65}, "last": "EW"}, {"total": {"NS": 65, "EW": 65}, "last": "EW"}]
    assert TUTE.check_sheet({"deals": deals}, "N", {"deals": 2}).result.winners == ("EW",)


# The deal of the page of rules: East dealt, hearts are trumps.
DEALER = "E"
TOKENS = (  # noqa: SIM905 - as the page writes it
    "3c Qc Jh 7c 40 Ah 7h 6h 4h 20d 6s 3s Ks Js Qs 3h 5s As 7d Ad Qd 2d 2s 4s 7s 5h 5d 6d Kd "
    "2h 4c Jc Kc Qh 3d Ac Jd 4d Kh 5c 6c 2c"
).split()
CARDS = [token for token in TOKENS if is_card(token)]
PLAYED = ["".join(CARDS[at : at + 4]) for at in range(0, 40, 4)]
WHOLE = {"trump": "h", "up": "7h", "declared": {"NS": ["40", "20d"]}, "tricks": PLAYED}


def read(deal: Any, dealer: str = DEALER, **options: Any) -> Any:
    return TUTE.check_sheet({"deals": [deal]}, dealer, {"deals": 1, **options})


def found(deal: Any, dealer: str = DEALER, **options: Any) -> list[tuple[str, str]]:
    return [(each.severity.value, each.code) for each in read(deal, dealer, **options).problems]


def test_tu24_from_every_trick_all_else_follows() -> None:
    checked = read(WHOLE)
    assert checked.problems == ()
    assert dict(checked.scores[0].total) == {"NS": 156, "EW": 34}
    assert checked.result.winners == ("NS",)
    assert checked.records[0].as_json() == WHOLE
    told = [side + trick for side, trick in zip(["NS", "S", "EW"], PLAYED, strict=False)]
    assert read({**WHOLE, "tricks": [*told, *PLAYED[3:]]}).problems == ()
    spaced = [" ".join(trick[at : at + 2] for at in (0, 2, 4, 6)) for trick in PLAYED]
    assert read({**WHOLE, "tricks": spaced}).records == checked.records


def test_tu6_who_took_a_trick_tells_who_led_it() -> None:
    """Without the dealer, as a deal alone is read."""
    deal = {"total": {"NS": 70, "EW": 60}, "trump": "h"}
    tricks = ["E7cKc5d2c", "Kd4cJdQd"]
    assert codes({**deal, "tricks": tricks}) == [("impossible", "not-allowed")]
    assert codes({**deal, "tricks": ["7cKc5d2c", "Kd4cJdQd"]}) == []


def test_tu24_who_took_each_trick_is_enough_for_the_last_one() -> None:
    taken = ["NS", "N", "EW", "", "NS", "EW", "EW", "NS", "NS", "EW"]
    checked = read({"cards": {"NS": 60}, "tricks": taken})
    assert checked.problems == ()
    assert dict(checked.scores[0].total) == {"NS": 60, "EW": 70}
    level = read({"total": {"NS": 65, "EW": 65}, "tricks": taken})
    assert level.is_accepted
    assert level.result.winners == ("EW",)
    assert read({"total": {"NS": 65, "EW": 65}, "tricks": ["NS", "", None, " "]}).records[0].as_json() == {
        "total": {"NS": 65, "EW": 65},
        "tricks": ["NS"],
    }


def changed(number: int, trick: str) -> dict[str, Any]:
    """The whole deal with another trick, and what it tells of points left out."""
    return {**WHOLE, "tricks": [*PLAYED[:number], trick, *PLAYED[number + 1 :]]}


@pytest.mark.parametrize(
    ("tricks", "code"),
    [
        (3, "bad-tricks"),
        (["NS"] * 11, "bad-tricks"),
        (["X"], "bad-trick"),
        (["7cKcAc"], "bad-trick"),
        (["7cKcAc8h"], "bad-trick"),
        (["7cKcAcAc"], "bad-trick"),
        ([7], "bad-trick"),
        (["7cKcAc3h", "7cKdAd3d"], "card-twice"),
    ],
)
def test_tu25_what_is_no_trick_is_refused(tricks: Any, code: str) -> None:
    assert ("impossible", code) in found({"total": {"NS": 70, "EW": 60}, "tricks": tricks})


#: Hearts are trumps and South leads; what follows makes somebody hold the card that they should have played.
SOUTH_LEADS = "W"


@pytest.mark.parametrize(
    ("tricks", "is_allowed"),
    [
        # TU7: North, who has a club, follows suit; and beats the king.
        (["7cKc5d2c", "Kd4cJdQd"], False),
        (["7cKc5d2c", "Kd6dJdQd"], True),
        (["7cKc2c4c", "KdAcJdQd"], False),
        (["7cKc2c4c", "Kd5cJdQd"], True),
        # TU7: after a trump any card of the suit will do.
        (["7cJh2cQc", "KdAc5d6d"], True),
        # TU8: East must trump; North must overtrump.
        (["7cKd4cQc", "4d5d5h6d"], False),
        (["7cJh4h2c", "4d3h5d6d"], False),
        (["7cJh4h2c", "4d2h5d6d"], True),
        # TU9: East has neither the suit nor a trump.
        (["7cKd4cQc", "4d5d6d7d"], True),
    ],
)
def test_tu7_to_tu9_a_card_is_judged_by_those_played_later(tricks: list[str], is_allowed: bool) -> None:
    problems = found({"total": {"NS": 70, "EW": 60}, "trump": "h", "tricks": tricks}, SOUTH_LEADS)
    assert (("impossible", "not-allowed") not in problems) is is_allowed
    # Who does not know the trump, or who led, cannot tell.
    assert found({"total": {"NS": 70, "EW": 60}, "tricks": tricks}, SOUTH_LEADS) == []
    assert codes({"total": {"NS": 70, "EW": 60}, "trump": "h", "tricks": tricks}) == []


def test_tu8_a_lower_trump_must_be_played_only_where_the_competition_says_so() -> None:
    """North cannot beat the jack of trumps, has the five, and plays a diamond."""
    deal = {"total": {"NS": 70, "EW": 60}, "trump": "h", "tricks": ["7cJhAd2c", "4d5h6d7d"]}
    assert found(deal, SOUTH_LEADS) == [("impossible", "not-allowed")]
    assert found(deal, SOUTH_LEADS, under_trump=False) == []
    over = {**deal, "tricks": ["7cJhAd2c", "4d3h6d7d"]}
    assert found(over, SOUTH_LEADS, under_trump=False) == [("impossible", "not-allowed")]


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        # TU25: points and declarations need tricks.
        ({"cards": {"NS": 120}, "tricks": ["EW"] * 10}, "cards-without-trick"),
        ({"total": {"NS": 20, "EW": 130}, "tricks": ["EW"] * 10}, "total-without-trick"),
        ({**PARTS, "tricks": ["EW"] * 9 + ["NS"]}, "declared-tricks"),
        ({**PARTS, "declared": {"NS": ["40", "20c"]}, "tricks": ["NS"] + ["EW"] * 8 + ["NS"]}, "declared-tricks"),
        # TU11 to TU13: after which trick could it have been?
        ({**WHOLE, "declared": {"EW": ["40"]}}, "declared-held"),
        ({**WHOLE, "declared": {"NS": ["40", "20s"]}}, "declared-held"),
        # TU14: four kings, right after a trick, before the last one.
        ({"tute": "NS", "tricks": ["NS"] * 10}, "tute-tricks"),
        ({"tute": "NS", "tricks": ["NS", "EW"]}, "tute-trick"),
        ({"tute": "NS", "trump": "h", "tricks": ["7cKcAc4c"]}, "tute-kings"),
    ],
)  # fmt: skip
def test_tu25_tricks_bar_what_needs_others(deal: Any, code: str) -> None:
    assert ("impossible", code) in found(deal)
    assert not read(deal).is_accepted


def test_tu13_a_forty_must_have_come_before_the_same_players_veinte() -> None:
    """East could declare after two tricks; after the second one the marriage in diamonds was broken."""
    tricks = "6d3d5dAd 3sJs6s5s Qc3c6cKc QdJd2d4d Kd7s4s7d 7h3hQh6h JhAsQsAh Ac4c4h2c 7c5c2hJc 5h2sKsKh"
    deal = {"trump": "s", "tricks": tricks.split()}
    assert found({**deal, "declared": {"EW": ["40"]}}, "N") == []
    assert found({**deal, "declared": {"EW": ["20d"]}}, "N") == []
    assert found({**deal, "declared": {"EW": ["20d", "40"]}}, "N") == [("impossible", "declared-held")]
    # In which order they are written says nothing of when they were made.
    assert found({**WHOLE, "declared": {"NS": ["20d", "40"]}}) == []


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        ({**WHOLE, "last": "EW"}, "last-tricks"),
        ({**PARTS, "tricks": ["NS"] * 9 + ["EW"]}, "last-tricks"),
        ({**WHOLE, "cards": {"NS": 87}}, "cards-tricks"),
        ({**WHOLE, "total": {"NS": 155, "EW": 35}}, "total-parts"),
        ({**WHOLE, "up": "3h"}, "up-dealer"),
        (changed(3, "EW" + PLAYED[3]), "trick-taken"),
        (changed(3, "S" + PLAYED[3]), "trick-taken"),
    ],
)
def test_tu26_tricks_must_agree_with_the_rest(deal: Any, code: str) -> None:
    assert ("inconsistent", code) in found(deal)


def test_tu27_a_side_without_a_trick_is_marked() -> None:
    deal = {"total": {"NS": 0, "EW": 130}, "tricks": ["EW"] * 10}
    assert found(deal) == [("suspicious", "no-trick")]
    assert read(deal).is_accepted


@pytest.mark.parametrize("under_trump", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_tu24_every_trick_of_a_deal_that_was_played_says_what_the_deal_was_worth(
    seed: int, under_trump: bool
) -> None:
    rng = random.Random(seed)
    options = TUTE.read_options({"deals": 1, "under_trump": under_trump})
    dealer = rng.choice("NESW")
    state = TUTE.start(TUTE.deal(rng, dealer, options), dealer, options)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    record = json.loads(json.dumps(TUTE.record_of(state)))
    assert read(record, dealer, under_trump=under_trump).is_accepted
    if "tute" not in record:
        bare = {name: record[name] for name in ("trump", "declared", "tricks") if name in record}
        (score,) = read(bare, dealer, under_trump=under_trump).scores
        assert dict(score.total) == record["total"]
        assert score.as_json()["winner"] == state.score().as_json()["winner"]
        assert not read(record, TUTE.dealer_after(dealer), under_trump=under_trump).is_accepted


@pytest.mark.parametrize("seed", range(40))
def test_tu24_a_deal_that_was_played_out_is_a_sheet_without_faults(seed: int) -> None:
    rng = random.Random(seed)
    options = TUTE.read_options({})
    state = TUTE.start(TUTE.deal(rng, "N", options), "N", options)
    while not state.is_over:
        state = state.apply(rng.choice(state.legal()))
    written = TUTE.read_result(json.loads(json.dumps(TUTE.record_of(state))))
    assert not [problem for problem in written.problems if problem.refuses]
    assert written.score is not None
    assert dict(written.score.total) == dict(state.score().total)
    assert written.score.as_json()["winner"] == state.score().as_json()["winner"]
