from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest.points.parsing import read_scheme
from engine.contest.points.scheme import Award, Band, HeadToHead, PointsScheme
from engine.contest.results import Outcome
from engine.errors import ContestError
from tests.engine.contest.seasons import match

BANDS = {
    "bands": [
        {"from": 1, "winner": "3/2", "loser": "1/2"},
        {"from": 20, "winner": 2, "loser": 0},
    ],
    "draw": 1,
}


def faults_of(data: object) -> set[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(ContestError) as refused:
        read_scheme(data)
    assert all(str(cause.message) for cause in refused.value.causes)
    return {(cause.code, cause.place) for cause in refused.value.causes}


def awards(scheme: PointsScheme, kind: str, home_score: int = 0, away_score: int = 0) -> tuple[Award, Award]:
    home, away = scheme.awards(match(1, 1, "A", "B", kind, home_score, away_score))
    assert home is not None
    assert away is not None
    return home, away


def test_nothing_said_is_two_one_nought() -> None:
    assert read_scheme({}) == HeadToHead.plain(2, 1, 0)


def test_a_win_a_draw_and_a_loss() -> None:
    scheme = read_scheme({"win": 3, "draw": "1/2", "loss": "0.25"})
    home, away = awards(scheme, "played", 40, 60)
    assert home == Award(Outcome.LOST, Fraction(1, 4), 40, 2)
    assert away == Award(Outcome.WON, Fraction(3), 60, 1)
    assert awards(scheme, "played", 50, 50) == (Award(Outcome.DRAWN, Fraction(1, 2), 50, 1),) * 2


@pytest.mark.parametrize(
    ("home_score", "away_score", "home_points", "away_points"),
    [
        (50, 50, "1", "1"),
        (51, 50, "3/2", "1/2"),
        (50, 69, "1/2", "3/2"),
        (70, 50, "2", "0"),
        (50, 400, "0", "2"),
    ],
)
def test_margin_bands(home_score, away_score, home_points, away_points) -> None:
    home, away = awards(read_scheme(BANDS), "played", home_score, away_score)
    assert (home.points, away.points) == (Fraction(home_points), Fraction(away_points))


def test_a_walkover_is_worth_a_win_and_no_score_unless_said_otherwise() -> None:
    home, away = awards(read_scheme({"win": 3}), "walkover_home")
    assert (home, away) == (Award(Outcome.WON, Fraction(3), 0, 1), Award(Outcome.LOST, Fraction(0), 0, 2))
    assert awards(read_scheme(BANDS), "walkover_away")[1].points == 2


def test_a_walkover_with_its_own_points_and_score() -> None:
    scheme = read_scheme({"walkover": {"winner": "3/2", "loser": -1, "score": 100}})
    home, away = awards(scheme, "walkover_away")
    assert home == Award(Outcome.LOST, Fraction(-1), 0, 2)
    assert away == Award(Outcome.WON, Fraction(3, 2), 100, 1)
    assert awards(scheme, "double_forfeit") == (Award(Outcome.LOST, Fraction(-1), 0, 2),) * 2


@pytest.mark.parametrize("kind", ["void", "unplayed"])
def test_what_does_not_count_has_no_worth(kind) -> None:
    assert HeadToHead.plain().awards(match(1, 1, "A", "B", kind)) == (None, None)


@pytest.mark.parametrize("data", [{}, {"win": "5/2", "draw": 1, "loss": "1/3"}, BANDS])
def test_writing_and_reading_gives_the_same_scheme(data) -> None:
    extras = {"walkover": {"winner": 1, "loser": "-1/2", "score": 30}, "bye": "1/2", "missed": "1/3"}
    for given_data in (data, {**data, **extras}):
        scheme = read_scheme(given_data)
        assert read_scheme(scheme.as_json()) == scheme


def test_every_fault_is_named_at_its_place_at_once() -> None:
    data = {
        "bands": [
            {"from": 5, "winner": 2, "loser": 3},
            {"from": 5, "winner": 1, "loser": 0},
        ],
        "win": 2,
        "walkover": {"winner": 0.5, "score": -1},
        "bye": "half",
        "colour": "red",
    }
    assert faults_of(data) == {
        ("unknown-field", ("colour",)),
        ("win-and-bands", ("bands",)),
        ("win-below-loss", ("bands", 0)),
        ("no-draw", ("draw",)),
        ("points", ("walkover", "winner")),
        ("score", ("walkover", "score")),
        ("points", ("bye",)),
    }


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ([], ("scheme-shape", ())),
        ({"win": 0}, ("win-not-above-loss", ("win",))),
        ({"win": 10**400}, ("points", ("win",))),
        ({"win": True}, ("points", ("win",))),
        ({"bands": [], "draw": 1}, ("bands-shape", ("bands",))),
        ({"bands": {}, "draw": 1}, ("bands-shape", ("bands",))),
        ({"bands": [3], "draw": 1}, ("band-shape", ("bands", 0))),
        ({"bands": [{"from": "x", "winner": 2, "loser": 0}], "draw": 1}, ("margin", ("bands", 0, "from"))),
        ({"bands": [{"from": 2, "winner": 2, "loser": 0}], "draw": 1}, ("first-band", ("bands", 0, "from"))),
        ({"bands": [{"from": 0, "winner": 1, "loser": 1}], "draw": 1}, ("win-not-above-loss", ("bands", 0))),
        (
            {
                "bands": [{"from": 1, "winner": 3, "loser": 0}, {"from": 1, "winner": 3, "loser": 0}],
                "draw": 1,
            },
            ("band-order", ("bands", 1, "from")),
        ),
        (
            {
                "bands": [{"from": 1, "winner": 3, "loser": 0}, {"from": 9, "winner": 2, "loser": 0}],
                "draw": 1,
            },
            ("band-falls", ("bands", 1, "winner")),
        ),
        ({"walkover": 2}, ("walkover-shape", ("walkover",))),
        ({"walkover": {"winner": 0, "loser": 1}}, ("win-below-loss", ("walkover",))),
    ],
)
def test_one_fault(data, fault) -> None:
    if isinstance(data, list):
        with pytest.raises(ContestError) as refused:
            read_scheme(data)
        assert (refused.value.code, refused.value.place) == fault
    else:
        assert faults_of(data) == {fault}


def test_the_message_of_a_single_fault_is_the_fault() -> None:
    with pytest.raises(ContestError, match="“half” isn’t a number of points") as refused:
        read_scheme({"bye": "half"})
    assert refused.value.code == "points"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["win", "draw", "loss", "bands", "walkover", "bye"])


def read_or_refused(data: object) -> PointsScheme | ContestError:
    try:
        return read_scheme(data)
    except ContestError as refused:
        return refused


@given(st.dictionaries(FIELDS, JSON) | JSON)
def test_any_json_is_read_or_refused_in_words(data) -> None:
    answer = read_or_refused(data)
    if isinstance(answer, ContestError):
        assert all(str(fault.message) for fault in (answer, *answer.causes))
    else:
        assert read_scheme(answer.as_json()) == answer


@pytest.mark.parametrize("starts", [(), (2,), (0, 0), (0, 5, 3)])
def test_a_scheme_that_leaves_a_win_without_points_cannot_be_made(starts) -> None:
    bands = tuple(Band(start, Fraction(2), Fraction(0)) for start in starts)
    with pytest.raises(ValueError, match="bands of a points scheme"):
        HeadToHead(bands=bands, draw=Fraction(1), walkover_winner=Fraction(2))
