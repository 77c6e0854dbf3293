"""Boards compared: published examples, and every sum against one that looks at each pair of results by itself."""

from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contest.comparison.comparison import (
    AVERAGE_MINUS,
    AVERAGE_PLUS,
    Basis,
    Method,
    Result,
    Rules,
    compare,
    datum_of,
)
from engine.contest.comparison.field import Score, WeightedPoints
from engine.contest.comparison.imps import (
    THRESHOLDS,
    imps,
    victory_point_scale,
    victory_points,
)
from engine.contest.comparison.parsing import read_board
from engine.errors import ContestError
from tests.engine.contest.oracle import contest

BRIDGE = Fraction(1)
HALF = Fraction(1, 2)


def board(*scores: int) -> list[Result]:
    return [Result(str(place), Score.of(points)) for place, points in enumerate(scores)]


def values(figures) -> list[Fraction]:
    return [figure.value for figure in figures]


@pytest.mark.parametrize("case", contest("matchpoints"))
def test_published_matchpoints(case) -> None:
    scores = case["ns_scores"]
    published = case.get("mp") or [case["mp_by_score"][str(points)] for points in scores]
    assert values(compare(board(*scores))) == published


@pytest.mark.parametrize("case", contest("neuberg")["cases"])
def test_published_neuberg(case) -> None:
    figures = compare(board(*case["scores"]), expected=case["E"])
    assert values(figures) == [Fraction(str(value)) for value in case["result"]]
    assert {(figure.basis, figure.top) for figure in figures} == {(Basis.NEUBERG, case["top"])}


def test_published_imp_scale() -> None:
    thresholds = contest("imp_thresholds")
    assert list(THRESHOLDS) == thresholds
    for place, threshold in enumerate(thresholds, start=1):
        assert imps(threshold, BRIDGE) == place == -imps(-threshold, BRIDGE)
        assert imps(threshold - 1, BRIDGE) == place - 1
    assert imps(10**9) == 24
    assert imps(0) == 0


def test_a_point_of_concerto_counts_ten() -> None:
    assert [imps(points) for points in (1, 2, 4, 5, 400)] == [0, 1, 1, 2, 24]


def test_published_cross_imps() -> None:
    case = contest("cross_imps")
    own, *_others = compare(board(case["own"], *case["others"]), Rules(Method.CROSS_IMPS, BRIDGE))
    assert own.raw == case["sum"] == sum(imps(case["own"] - other, BRIDGE) for other in case["others"])
    assert [imps(case["own"] - other, BRIDGE) for other in case["others"]] == case["imps"]
    assert own.value == Fraction(case["sum"], len(case["others"]))


@pytest.mark.parametrize("case", contest("butler"))
def test_published_butler(case) -> None:
    figures = compare(board(*case["scores"]), Rules(Method.BUTLER, BRIDGE))
    assert values(figures) == case["imps"]
    assert {figure.datum for figure in figures} == {case["datum"]}


def test_the_datum_leaves_out_as_many_as_asked() -> None:
    scores = [Score.of(points) for points in (0, 10, 20, 30, 400)]
    assert datum_of(scores, 0) == 92
    assert datum_of(scores, 1) == 20
    assert datum_of(scores, 2) == 92, "one score is no mean"
    assert datum_of(scores[:2], 1) == 5


@pytest.mark.parametrize("boards", contest("vp_wbf_2013")["rows"])
def test_published_victory_points(boards) -> None:
    for margin, published in contest("vp_wbf_2013")["rows"][boards].items():
        own, others = victory_points(int(margin), int(boards))
        assert own == Fraction(str(published))
        assert own + others == 20
        assert victory_points(-int(margin), int(boards)) == (others, own)


@pytest.mark.parametrize("boards", [1, 2, 4, 7, 28, 60, 128])
def test_victory_points_rise_by_ever_smaller_steps_to_twenty(boards) -> None:
    scale = victory_point_scale(boards)
    steps = [after - before for before, after in pairwise(scale)]
    assert scale[0] == 10
    assert scale[-1] == 20 == victory_points(10**6, boards)[0]
    assert all(step > 0 for step in steps)
    assert steps == sorted(steps, reverse=True)


@pytest.mark.parametrize("boards", [0, -1, 201])
def test_no_victory_points_without_boards(boards) -> None:
    with pytest.raises(ContestError, match="matches of 1 to 200 boards"):
        victory_points(0, boards)


@pytest.mark.parametrize(("count", "percentages"), [(1, [60]), (2, [65, 55]), (3, [70, 60, 50])])
def test_a_small_group_gets_percentages_by_place(count, percentages) -> None:
    """EBU White Book 4.2.3: Neuberg if A > 3 or A > E/3."""
    fouled = [Result(f"f{place}", Score.of(-place), "fouled") for place in range(count)]
    figures = compare([*board(5, 4, 3, 2, 1, 0, -1, -2, -3), *fouled], expected=9 + count)
    small = figures[9:]
    assert [figure.percent for figure in small] == percentages
    assert {figure.basis for figure in small} == {Basis.SMALL_GROUP}
    assert {figure.basis for figure in figures[:9]} == {Basis.NEUBERG}


def test_equal_scores_of_a_small_group_share() -> None:
    figures = compare(board(7, 7, 1), expected=9)
    assert [figure.percent for figure in figures] == [65, 65, 50]


def test_a_group_above_a_third_of_the_field_is_scaled() -> None:
    assert {figure.basis for figure in compare(board(3, 2), expected=5)} == {Basis.NEUBERG}
    assert {figure.basis for figure in compare(board(3, 2), expected=6)} == {Basis.SMALL_GROUP}


def test_averages_take_no_part_in_the_comparison() -> None:
    results = [*board(10, 0), Result("plus", AVERAGE_PLUS), Result("minus", AVERAGE_MINUS)]
    figures = compare(results, expected=4)
    assert values(figures) == [5, 1, Fraction(18, 5), Fraction(12, 5)]
    assert values(compare(results, Rules(Method.CROSS_IMPS), 4))[2:] == [3, -3]
    assert figures[2].basis is Basis.AWARDED


def test_a_weighted_score_counts_by_its_parts_on_both_sides() -> None:
    weighted = Score((WeightedPoints(Fraction(10), HALF), WeightedPoints(Fraction(0), HALF)))
    figures = compare([Result("adjusted", weighted), *board(5, 0)])
    assert values(figures) == [Fraction(5, 2), Fraction(3), HALF]
    assert sum(values(figures)) == 6


def test_a_reversed_score_is_the_other_sides() -> None:
    score = Score((WeightedPoints(Fraction(10), HALF), WeightedPoints(Fraction(-4), HALF)))
    assert score.reversed().mean == -3 == -score.mean


@pytest.mark.parametrize("weights", [(HALF,), (HALF, HALF, HALF), (Fraction(3, 2), -HALF), ()])
def test_weights_add_up_to_one(weights) -> None:
    with pytest.raises(ContestError, match="add up to 1"):
        Score(tuple(WeightedPoints(Fraction(1), weight) for weight in weights))


def test_more_results_than_expected_are_refused() -> None:
    with pytest.raises(ContestError, match="at most 2"):
        compare(board(1, 2, 3), expected=2)


def test_two_results_of_one_name_are_refused() -> None:
    with pytest.raises(ContestError, match="Two results"):
        compare([Result("a", Score.of(1)), Result("a", Score.of(2))])


points = st.fractions(-200, 200, max_denominator=4)
plain_scores = points.map(Score.of)


@st.composite
def weighted_scores(draw):
    weights = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    parts = [WeightedPoints(draw(points), Fraction(weight, sum(weights))) for weight in weights]
    return Score(tuple(parts))


fields = st.lists(plain_scores | weighted_scores(), min_size=2, max_size=12).map(
    lambda scores: [Result(str(place), score) for place, score in enumerate(scores)]
)


def pair_by_pair(results, gained) -> list[Fraction]:
    """Each score's gains from each other score, part by part: quadratic, and plain."""
    return [
        sum(
            one.weight * other.weight * gained(one.points - other.points)
            for against in results
            if against is not result
            for one in result.score.parts
            for other in against.score.parts
        )
        for result in results
    ]


@given(fields)
def test_matchpoints_are_the_sum_of_all_pairs(results) -> None:
    expected = pair_by_pair(results, lambda difference: 1 + (difference > 0) - (difference < 0))
    figures = compare(results)
    assert values(figures) == expected
    assert sum(values(figures)) == len(results) * (len(results) - 1)
    for figure in figures:
        assert figure.value == 2 * figure.beaten + figure.equalled
        assert 0 <= figure.value <= 2 * (len(results) - 1)


@given(fields, st.sampled_from([Fraction(10), BRIDGE, Fraction(7, 3)]))
def test_cross_imps_are_the_sum_of_all_pairs(results, scale) -> None:
    expected = pair_by_pair(results, lambda difference: imps(difference, scale))
    figures = compare(results, Rules(Method.CROSS_IMPS, scale))
    assert [figure.raw for figure in figures] == expected
    assert sum(expected) == 0


@given(fields, st.sampled_from(Method), st.randoms())
def test_the_order_of_the_tables_changes_nothing(results, method, chance) -> None:
    before = {figure.key: figure for figure in compare(results, Rules(method))}
    shuffled = list(results)
    chance.shuffle(shuffled)
    assert {figure.key: figure for figure in compare(shuffled, Rules(method))} == before


@given(fields, st.integers(0, 6))
def test_neuberg_keeps_the_order_and_stays_within_the_top(results, missing) -> None:
    figures = compare(results, expected=len(results) + missing)
    ranked = sorted(figures, key=lambda figure: figure.value)
    assert all(figure.percent is not None and 0 <= figure.percent <= 100 for figure in figures)
    assert all(one.raw <= other.raw for one, other in pairwise(ranked))


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["scores", "method", "expected", "key", "percent", "weighted", "score", "scale"]), inner
    ),
)  # fmt: skip


@given(json)
def test_whatever_is_read_is_compared_or_refused(data) -> None:
    figures = []
    with suppress(ContestError):
        figures = read_board(data).as_json()["figures"]
    assert len(figures) <= (len(data["scores"]) if figures else 0)
