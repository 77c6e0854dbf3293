"""Where things lie in a chart, whatever it is given: all within the picture, no label on another, scales in order."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from league.web.charts import (
    Bar,
    Played,
    Series,
    Stack,
    bar_chart,
    bump_chart,
    distribution_chart,
    form_chart,
    line_chart,
    stacked_chart,
)
from league.web.charts.bumps import rows_of
from league.web.charts.drawing import TYPE, shortened, text_width
from league.web.charts.frequencies import bins_of
from league.web.charts.scales import apart, scale
from tests.thorough import examples

SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)
# The letters' true height above and below the middle line; two lines of text may touch, not overlap.
HALF = TYPE / 2
ODD_NAMES = st.one_of(
    st.sampled_from(
        ["Silva & Wojciechowska-Brzęczyszczykiewicz", "W" * 60, "王 & 李", "أحمد وليلى", "i", "", "<&>\"'"]
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=60),
)
MOST_ROUNDS = 40
FEW = settings(derandomize=True, max_examples=12, deadline=None)
MANY = settings(derandomize=True, max_examples=examples(100), deadline=None)


def pictures(html: str) -> list[ElementTree.Element]:
    """The drawings of a chart, parsed: a malformed one raises."""
    return [ElementTree.fromstring(svg) for svg in SVG.findall(html)]


def viewbox(picture: ElementTree.Element) -> tuple[float, float]:
    width, height = (picture.get("viewBox") or "").split()[2:]
    return float(width), float(height)


def number(node: ElementTree.Element, name: str) -> float:
    return float(node.get(name) or 0)


def boxes(picture: ElementTree.Element) -> Iterator[tuple[str, float, float, float, float]]:
    """Every text with where it lies: left, top, right, foot."""
    for node in picture.iter("text"):
        text = "".join(node.itertext())
        if text.strip():
            width, x, y = text_width(text), number(node, "x"), number(node, "y") - 4.5
            left = {"end": x - width, "middle": x - width / 2}.get(node.get("text-anchor") or "", x)
            yield text, left, y - HALF, left + width, y + HALF


def coordinates(picture: ElementTree.Element) -> Iterator[tuple[float, float]]:
    for node in picture.iter("line"):
        yield number(node, "x1"), number(node, "y1")
        yield number(node, "x2"), number(node, "y2")
    for node in picture.iter("circle"):
        yield number(node, "cx"), number(node, "cy")
    for node in picture.iter("rect"):
        if "hatch" not in (node.get("class") or ""):
            yield number(node, "x"), number(node, "y")
            yield number(node, "x") + number(node, "width"), number(node, "y") + number(node, "height")
    for node in picture.iter("path"):
        if node.get("class") != "broken":
            yield from (
                (float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", node.get("d") or "")
            )


def check(html: str) -> None:
    """All that holds for every picture."""
    drawn = pictures(html)
    assert [picture.get("class") for picture in drawn] == ["wide", "narrow"]
    assert "nan" not in html
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    for picture in drawn:
        width, height = viewbox(picture)
        for x, y in coordinates(picture):
            assert -0.2 <= x <= width + 0.2, (x, y)
            assert -0.2 <= y <= height + 0.2, (x, y)
        found = list(boxes(picture))
        for text, left, top, right, foot in found:
            assert left >= -1, text
            assert right <= width + 1, text
            assert top >= -1, text
            assert foot <= height + 1, text
        for (one, *a), (other, *b) in combinations(found, 2):
            overlaps = min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5
            assert not overlaps, (one, other)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Series], int]:
    """Places of up to 24 pairs, with ties, late entries and withdrawals, as a standings table makes them."""
    count, rounds = draw(st.integers(0, 24)), draw(st.integers(0, MOST_ROUNDS))
    names = draw(st.lists(ODD_NAMES, min_size=count, max_size=count, unique=True))
    spans = [sorted(draw(st.tuples(st.integers(0, rounds), st.integers(0, rounds)))) for _ in names]
    columns = []
    for step in range(rounds):
        points = [draw(st.integers(0, 3)) if low <= step < high else None for low, high in spans]
        known = [each for each in points if each is not None]
        columns.append([None if mine is None else 1 + sum(p > mine for p in known) for mine in points])
    series = [Series(name, tuple(column[place] for column in columns)) for place, name in enumerate(names)]
    return series, rounds


@MANY
@given(tables(), st.data())
def test_places_of_any_season_can_be_read(season: tuple[list[Series], int], data: st.DataObject) -> None:
    series, rounds = season
    strong = (
        data.draw(st.lists(st.sampled_from([line.label for line in series]), max_size=4)) if series else []
    )
    check(bump_chart(series, rounds=[f"R{n + 1}" for n in range(rounds)], title="Places", highlight=strong))


@FEW
@given(tables())
def test_who_shares_a_place_has_a_row_of_his_own(season: tuple[list[Series], int]) -> None:
    series, rounds = season
    rows = rows_of(series)
    for step in range(rounds):
        column = [(line.values[step], row[step]) for line, row in zip(series, rows, strict=True)]
        taken = sorted((row, place) for place, row in column if row is not None and place is not None)
        assert [row for row, _place in taken] == list(range(len(taken)))
        assert all(above <= below for (_, above), (_, below) in pairwise(taken))
        assert all((place is None) == (row is None) for place, row in column)


def test_sixty_pairs_fit() -> None:
    places = [
        Series(f"Pair number {n} & partner", tuple((n * k) % 60 + 1 for k in (1, 7, 11))) for n in range(60)
    ]
    points = [Series(line.label, tuple(Fraction(n, 2) for _ in range(3))) for n, line in enumerate(places)]
    check(
        bump_chart(places, rounds=["R1", "R2", "R3"], title="Places", highlight=["Pair number 7 & partner"])
    )
    check(line_chart(points, steps=["R1", "R2", "R3"], title="Points"))
    check(line_chart([Series(line.label, (5, 5)) for line in places], steps=["R1", "R2"], title="Level"))


AMOUNTS = st.one_of(
    st.integers(-2000, 2000), st.fractions(-50, 50, max_denominator=6), st.floats(-1e4, 1e4, allow_nan=False)
)


# What is written below the steps, from one letter to a word with a long number.
STEP_NAMES = st.sampled_from(["R{}", "{}", "Runde {}", "Wiederholungsspieltag {}"])


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[Series], list[str]]:
    """Amounts of up to 14 pairs over up to 40 rounds, with gaps, and the names of the rounds."""
    count, steps = draw(st.integers(0, 14)), draw(st.integers(0, MOST_ROUNDS))
    names = draw(st.lists(ODD_NAMES, min_size=count, max_size=count, unique=True))
    values = st.lists(st.one_of(st.none(), AMOUNTS), min_size=steps, max_size=steps)
    named = draw(STEP_NAMES)
    return [Series(name, tuple(draw(values))) for name in names], [named.format(n + 1) for n in range(steps)]


LONG = [Series("W" * 60, tuple(range(24))), Series("Silva & Wojciechowska-Brzęczyszczykiewicz", (None,) * 24)]


@MANY
@given(seasons())
@example((LONG, [f"R{n + 1}" for n in range(24)]))
@example(([Series("W" * 60, (None, 0)), Series("i", (None, None))], ["Runde 1", "Runde 2"]))
@example((LONG[:1], [f"Wiederholungsspieltag {n + 1}" for n in range(24)]))
def test_lines_of_any_values_can_be_read(season: tuple[list[Series], list[str]]) -> None:
    series, steps = season
    check(line_chart(series, steps=steps, title="Points", highlight=[line.label for line in series[:3]]))


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9, 20, 21, 24, 39, 40, 60])
def test_the_last_step_is_always_named(count: int) -> None:
    html = line_chart(
        [Series(name, tuple(range(count))) for name in ("A", "W" * 60)],
        steps=[f"R{n + 1}" for n in range(count)],
        title="Points",
    )
    check(html)
    for picture in pictures(html):
        named = ["".join(node.itertext()) for node in picture.iter("text") if node.get("class") == "step"]
        assert named[-1] == f"R{count}"
        assert len(named) >= min(count, 3)


@FEW
@given(st.lists(st.builds(Bar, ODD_NAMES, AMOUNTS, st.booleans()), max_size=20))
def test_bars_of_any_values_can_be_read(bars: list[Bar]) -> None:
    check(bar_chart(bars, title="Difference", amount="Points"))


# What stands where no bar can: a score, or a walkover in words, in whatever language.
WORDS = [
    "118 : 92",
    "walkover",
    "forfeit",
    "kampflos",
    "nicht angetreten",
    "Unentschieden durch Abbruch " * 3,
    "",
]


@MANY
@given(
    st.lists(
        st.builds(
            Played,
            st.builds(str.format, STEP_NAMES, st.integers(1, 99)),
            ODD_NAMES,
            st.sampled_from(WORDS),
            st.one_of(st.none(), st.integers(-500, 500)),
            st.sampled_from("WDL"),
        ),
        max_size=MOST_ROUNDS,
    )
)
@example([Played("R1", "i", "118 : 92", None, "W"), Played("R2", "i", "90 : 110", -1, "L")])
@example([Played("R1", "W" * 60, "118 : 92", None, "W"), Played("R2", "W" * 60, "90 : 110", -500, "L")])
@example([Played("R23", "W" * 60, "kampflos", None, "W"), Played("R24", "W" * 60, "1 : 0", 1, "W")])
@example([Played("R23", "W" * 60, "walkover", None, "L"), Played("R24", "W" * 60, "1 : 9", -1, "L")])
def test_a_form_of_any_length_can_be_read(matches: list[Played]) -> None:
    check(form_chart(matches, title="Form"))


@pytest.mark.parametrize("differences", [(), (400,), (-400,), (400, -400), (3, -400)])
@pytest.mark.parametrize("word", ["walkover", "kampflos"])
def test_a_walkover_is_said_in_full(word: str, differences: tuple[int, ...]) -> None:
    others = [Played("R23", "W" * 60, "1 : 2", difference, "W") for difference in differences]
    html = form_chart([Played("R24", "W" * 60, word, None, "W"), *others], title="Form")
    check(html)
    assert all(word in [text for text, *_ in boxes(picture)] for picture in pictures(html))


@FEW
@given(st.lists(st.tuples(*[st.integers(0, 40)] * 5), max_size=15), st.integers(0, 5))
def test_parts_of_any_counts_can_be_read(rows: list[tuple[int, ...]], parts: int) -> None:
    names = ["in time", "with a substitute", "after the round", "not played", "still open"][:parts]
    stacks = [Stack(f"R{n}", counts[:parts]) for n, counts in enumerate(rows)]
    html = stacked_chart(stacks, parts=names, title="Matches", of_what="Round")
    check(html)
    for picture in pictures(html):
        drawn = [node for node in picture.iter("rect") if "part" in (node.get("class") or "")]
        assert len(drawn) == parts + sum(count > 0 for stack in stacks for count in stack.counts)


def test_six_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="6 parts"):
        stacked_chart([], parts=list("abcdef"), title="Too many", of_what="Round")


@FEW
@given(
    st.lists(st.one_of(st.integers(-400, 400), st.fractions(-20, 20, max_denominator=3)), max_size=60),
    st.one_of(st.none(), st.integers(-400, 400)),
    st.one_of(st.none(), st.integers(-400, 400)),
)
def test_a_distribution_of_any_values_can_be_read(
    values: list[int], par: int | None, own: int | None
) -> None:
    html = distribution_chart(values, title="Board 7", amount="Points of N-S", par=par, own=own)
    check(html)
    for most in (12, 24):
        bins = bins_of(values, [each for each in (par, own) if each is not None], most=most)
        assert sum(bins.counts) == len(values)
        assert 1 <= len(bins.counts) <= most
    for picture in pictures(html):
        marks = [node.get("class") for node in picture.iter("g") if "mark" in (node.get("class") or "")]
        assert marks == [name for name, at in (("mark own", own), ("mark par", par)) if at is not None]
    table = html.split("<tbody>")[1]
    assert sum(int(n) for n in re.findall(r'</th><td class="number">(\d+)</td>', table)) == len(values)


@FEW
@given(st.lists(AMOUNTS, max_size=20))
def test_a_scale_is_even_and_holds_all_values(values: list[Fraction]) -> None:
    ticks = scale(values)
    steps = {below - above for above, below in pairwise(ticks)}
    assert 2 <= len(ticks) <= 8
    assert len(steps) == 1
    assert min(steps) > 0
    assert all(ticks[0] <= Fraction(value) <= ticks[-1] for value in values)


@FEW
@given(st.lists(st.floats(0, 300, allow_nan=False), max_size=25))
def test_labels_are_pushed_apart_no_further_than_they_must(wished: list[float]) -> None:
    heights = apart(wished, 15, 8, 400)
    ordered = sorted(heights)
    assert all(below - above >= 14.8 for above, below in pairwise(ordered))
    assert all(7.9 <= height <= 400.1 for height in heights)
    by_wish = sorted(range(len(wished)), key=lambda index: (wished[index], index))
    assert [heights[index] for index in by_wish] == ordered
    if all(b - a >= 15 for a, b in pairwise(sorted(wished))) and all(wish >= 8 for wish in wished):
        assert heights == pytest.approx(wished, abs=0.1)


@FEW
@given(ODD_NAMES, st.floats(30, 300))
def test_a_name_is_cut_to_its_room(name: str, room: float) -> None:
    cut = shortened(name, room)
    assert text_width(cut) <= room
    assert cut == name or cut.endswith("…")
