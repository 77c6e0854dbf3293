"""The charts: well-formed, escaped, with all their figures in a table, and no label cut off or on another."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from league.web.charts import (
    Bar,
    Series,
    bar_chart,
    bump_chart,
    line_chart,
)
from league.web.charts.drawing import STEP_ROOM, shortened

SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)
PAIRS = ["Berg & Okafor", "Lindqvist & Marsh", "Adeyemi & Ford", "Silva & Wojciechowska-Brzęczyszczykiewicz"]


def pictures(html: str) -> list[ElementTree.Element]:
    """The drawings of a chart, parsed: a malformed one raises."""
    return [ElementTree.fromstring(svg) for svg in SVG.findall(html)]


def bump(values: list[tuple[int | None, ...]], **options: object) -> str:
    series = [Series(label, places) for label, places in zip(PAIRS, values, strict=False)]
    rounds = [f"R{number}" for number in range(1, len(values[0]) + 1)]
    return bump_chart(series, rounds=rounds, title="Places after each round", **options)  # type: ignore[arg-type]


def texts(picture: ElementTree.Element) -> list[str]:
    return ["".join(node.itertext()) for node in picture.iter("text")]


def test_is_drawn_wide_and_narrow_and_named_for_readers() -> None:
    wide, narrow = pictures(bump([(1, 2), (2, 1)]))
    assert (wide.get("class"), narrow.get("class")) == ("wide", "narrow")
    for picture in (wide, narrow):
        ids = {node.get("id") for node in picture.iter() if node.get("id")}
        assert picture.get("role") == "img"
        assert set((picture.get("aria-labelledby") or "").split()) <= ids
        assert picture.findtext("title") == "Places after each round"


def test_hostile_names_are_escaped() -> None:
    html = bump_chart(
        [Series("<script>alert(1)</script>", (1,))], rounds=["<b>"], title='"><img src=x>', highlight=()
    )
    assert "<script" not in html
    assert "<b>" not in html
    assert "<img" not in html
    assert len(pictures(html)) == 2


def test_nothing_in_a_chart_needs_an_inline_style() -> None:
    html = bump([(1, 2), (2, 1)]) + bar_chart([Bar("a", 3)], title="Bars", amount="Points")
    assert "style=" not in html
    assert "<style" not in html


def test_the_table_holds_every_figure() -> None:
    html = bump([(1, 2), (2, None)])
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', html)
    assert [name for name, _cells in rows] == ["Berg &amp; Okafor", "Lindqvist &amp; Marsh"]
    assert [re.findall(r"<td[^>]*>(.*?)</td>", cells) for _name, cells in rows] == [["1", "2"], ["2", "–"]]


def test_up_to_three_series_are_brought_out_and_lie_on_top() -> None:
    wide = pictures(bump([(1,), (2,), (3,), (4,)], highlight=[PAIRS[1], PAIRS[0], "nobody", *PAIRS[2:]]))[0]
    groups = [(node.get("class"), node.findtext("title")) for node in wide.iter("g")]
    expected = [("each muted", PAIRS[3]), ("each s3", PAIRS[2]), ("each s2", PAIRS[0]), ("each s1", PAIRS[1])]
    assert groups == expected


@pytest.mark.parametrize("which", [0, 1])
def test_labels_end_within_the_picture_and_stand_apart(which: int) -> None:
    picture = pictures(bump([(1, 1), (2, 2), (3, 2), (4, 2)], highlight=PAIRS[:1]))[which]
    width = float((picture.get("viewBox") or "").split()[2])
    labels = [node for node in picture.iter("text") if node.get("text-anchor") is None]
    heights = sorted(float(node.get("y") or 0) for node in labels)
    assert len(labels) == 4
    for node in labels:
        assert float(node.get("x") or 0) + 6.3 * len(node.text or "") <= width
    assert all(below - above >= 15 for above, below in pairwise(heights))


def test_a_missing_value_leaves_a_gap() -> None:
    wide = pictures(bump([(1, None, 1, 2), (None, None, 2, 1)]))[0]
    paths = {node.findtext("title"): (node.find("path")) for node in wide.iter("g")}
    berg, lindqvist = paths[PAIRS[0]], paths[PAIRS[1]]
    assert berg is not None
    assert lindqvist is not None
    assert ((berg.get("d") or "").count("M"), (lindqvist.get("d") or "").count("M")) == (2, 1)


def test_place_one_is_drawn_above_place_two() -> None:
    wide = pictures(bump([(1, 1), (2, 2)]))[0]
    starts = {
        node.findtext("title"): float(re.findall(r"M[\d.]+ ([\d.]+)", path.get("d") or "")[0])
        for node in wide.iter("g")
        if (path := node.find("path")) is not None
    }
    assert starts[PAIRS[0]] < starts[PAIRS[1]]


@pytest.mark.parametrize("count", [1, 40])
def test_steps_are_thinned_but_the_last_is_always_named(count: int) -> None:
    html = line_chart([Series("For", tuple(range(count)))], steps=range(1, count + 1), title="Points")
    for picture, most in zip(pictures(html), (20, 8), strict=True):
        middle = [node.text for node in picture.iter("text") if node.get("text-anchor") == "middle"]
        assert len(middle) <= most
        assert middle[-1] == str(count)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((96, 210), ["0", "50", "100", "150", "200", "250"]),
        ((1000, 1010), ["1,000", "1,002", "1,004", "1,006", "1,008", "1,010"]),
        ((-5, 5), ["−6", "−4", "−2", "0", "2", "4", "6"]),
        ((0, 0), ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ((0.25, 0.5), ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
    ],
)
def test_the_scale_has_round_numbers(values: tuple[float, ...], expected: list[str]) -> None:
    wide = pictures(line_chart([Series("For", values)], steps=["a", "b"], title="Points"))[0]
    assert [node.text for node in wide.iter("text") if node.get("text-anchor") == "end"] == expected


def test_bars_reach_from_nought_to_either_side() -> None:
    html = bar_chart([Bar("up", 30, strong=True), Bar("down", -10)], title="Difference", amount="Difference")
    wide = pictures(html)[0]
    up, down = (node for node in wide.iter("rect"))
    assert float(up.get("width") or 0) == pytest.approx(3 * float(down.get("width") or 0), rel=0.01)
    assert float(down.get("x") or 0) + float(down.get("width") or 0) == pytest.approx(
        float(up.get("x") or 0), abs=0.2
    )
    assert "−10" in texts(wide)
    assert [node.get("class") for node in wide.iter("g")] == ["each s1", "each muted"]


def test_no_series_and_no_bars_are_drawn_empty() -> None:
    assert len(pictures(bump_chart([], rounds=[], title="Places"))) == 2
    assert len(pictures(line_chart([], steps=[], title="Points"))) == 2
    assert len(pictures(bar_chart([], title="Points", amount="Points"))) == 2
    assert len(pictures(bar_chart([Bar("a", 0)], title="Points", amount="Points"))) == 2


def test_the_names_of_rounds_are_not_cut_on_an_axis():
    for name in ("Round 12", "Runde 12", "Quarter-finals", "Viertelfinale"):
        assert shortened(name, STEP_ROOM) == name
