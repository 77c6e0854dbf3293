"""The end of a season, held to the published cases and to the laws of the rules (F80 to F90)."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.__main__  # noqa: F401 - puts the subcommands into the register
from engine.cli import main
from engine.contest.pyramid import Level, PlayOff, Pyramid, Undecided, Way, read_pyramid
from engine.errors import ContestError
from tests.engine.contest.oracle import ORACLES

CASES = json.loads((ORACLES / "formats" / "pyramid.json").read_text(encoding="utf-8"))


def answered(data: object, folder: Path) -> tuple[int, object]:
    path = folder / "pyramid.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    output = io.StringIO()
    code = main(["pyramid", str(path)], output)
    return code, json.loads(output.getvalue())


def test_every_published_season_ends_as_published(tmp_path) -> None:
    asked = [{name: part for name, part in case.items() if name != "expect"} for case in CASES]
    code, answers = answered(asked, tmp_path)
    assert code == 0
    assert isinstance(answers, list)
    assert [answer == case["expect"] for answer, case in zip(answers, CASES, strict=True)] == [True] * 40


def test_one_season_alone_and_a_fault_beside_good_ones(tmp_path) -> None:
    good = {name: part for name, part in CASES[0].items() if name != "expect"}
    assert answered(good, tmp_path) == (0, CASES[0]["expect"])
    code, answers = answered([good, {"levels": 3}, good], tmp_path)
    assert code == 1
    assert isinstance(answers, list)
    assert answers[0] == answers[2] == CASES[0]["expect"]
    assert [problem["place"] for problem in answers[1]["problems"]] == [["levels"], ["levels"]]


@st.composite
def pyramids(draw) -> Pyramid:
    levels, number = [], 0
    for level in range(draw(st.integers(1, 4))):
        divisions = {}
        for name in "AB"[: draw(st.integers(1, 2))]:
            size = draw(st.integers(2, 6))
            divisions[f"{level}{name}"] = tuple((number + place,) for place in range(size))
            number += size
        fewest = min(map(len, divisions.values()))
        up, down = draw(st.integers(0, fewest)), draw(st.integers(0, fewest))
        levels.append(Level(draw(st.integers(1, 8)), divisions, up=up, down=down))
    some = st.sets(st.integers(0, number - 1), max_size=number // 2)
    new = tuple(f"N{each}" for each in range(draw(st.integers(0, 4))))
    placed: dict[int | str, int] = {
        entry: draw(st.integers(1, len(levels))) for entry in new if draw(st.booleans())
    }
    return Pyramid(tuple(levels), draw(some), new, draw(some), placed, promotes=draw(st.booleans()))


def levels_of(pyramid: Pyramid) -> dict:
    return {
        entry: number
        for number, level in enumerate(pyramid.levels)
        for places in level.divisions.values()
        for shared in places
        for entry in shared
    }


@given(pyramids())
def test_everybody_who_plays_on_has_one_place_and_nobody_moves_up_two_levels(pyramid) -> None:
    following = pyramid.close()
    seats = [
        (entry, number)
        for number, level in enumerate(following.divisions)
        for entries in level.values()
        for entry in entries
    ]
    before, now = levels_of(pyramid), dict(seats)
    assert len(seats) == len(now)
    assert set(now) == {*before, *pyramid.new} - pyramid.leaving
    assert set(following.ways) == {*before, *pyramid.new}
    for number, level in enumerate(pyramid.levels[:-1]):
        taken = following.divisions[number].values()
        assert all(len(entries) <= level.size for entries in taken)
        assert max(map(len, taken)) - min(map(len, taken)) <= 1
    for entry in now.keys() & before.keys():
        assert now[entry] >= before[entry] - 1
        if now[entry] < before[entry]:
            assert entry not in pyramid.declines
            assert following.ways[entry] in (Way.PROMOTED, Way.INTO_VACANCY)
        elif now[entry] > before[entry]:
            assert following.ways[entry] in (Way.RELEGATED, Way.FOR_ROOM)
    assert all(now[entry] >= number - 1 for entry, number in (pyramid.placed or {}).items())


@given(pyramids())
def test_names_and_the_order_of_the_divisions_in_the_file_change_nothing(pyramid) -> None:
    turned = Pyramid(
        tuple(
            Level(level.size, dict(reversed(level.divisions.items())), up=level.up, down=level.down)
            for level in pyramid.levels
        ),
        pyramid.leaving, pyramid.new, pyramid.declines, pyramid.placed, pyramid.playoffs, pyramid.promotes,
    )  # fmt: skip
    assert turned.close().divisions == pyramid.close().divisions


def test_a_shared_place_or_a_play_off_to_come_keeps_the_season_open() -> None:
    level = (Level(3, {"1": (("A",), ("B",), ("C",))}, down=1), Level(3, {"2": (("D", "E"), ("F",))}, up=1))
    pyramid = Pyramid(level, playoffs=(PlayOff(1, None, None),))
    assert pyramid.undecided() == (Undecided(1, "", ()), Undecided(2, "2", ("D", "E")))
    with pytest.raises(ContestError, match="2 places"):
        pyramid.close()


def test_a_place_shared_within_one_level_is_settled_by_the_order_given() -> None:
    level = (Level(2, {"1": (("A", "B"),)}), Level(2, {"2": (("C", "D"),)}))
    assert Pyramid(level).close().divisions == ({"1": ("A", "B")}, {"2": ("C", "D")})


def test_f84_equal_places_of_parallel_divisions_stand_by_points_a_match_then_by_name() -> None:
    data = {
        "levels": [
            {"size": 3, "divisions": {"1": [["A"], ["B"], ["C"]]}, "down": 1},
            {"size": 2, "divisions": {"2 East": [["D"], ["E"]], "2 West": [["F"], ["G"]]}, "up": 1},
        ]
    }
    following = read_pyramid(data).close()
    assert following.divisions[0] == {"1": ("A", "B", "D")}
    assert following.ways["F"] == Way.WITHOUT_ROOM
    points = [{"entry": "D", "points": "3/2"}, {"entry": "F", "points": "1.6"}, {"entry": "E", "points": 1}]
    following = read_pyramid({**data, "points": points}).close()
    assert following.divisions == ({"1": ("A", "B", "F")}, {"2 East": ("D", "G"), "2 West": ("C", "E")})
    assert following.ways["D"] == Way.WITHOUT_ROOM


FAULTS = {
    "points": {
        "levels": [{"size": 2, "divisions": {"1": [["A"]]}}],
        "points": [{"entry": "A", "points": "?"}],
    },
    "twice": {"levels": [{"size": 2, "divisions": {"1": [["A"], ["A"]]}}]},
    "entry": {"levels": [{"size": 2, "divisions": {"1": [["A"]]}}], "leaving": ["B"]},
    "new": {"levels": [{"size": 2, "divisions": {"1": [["A"]]}}], "new": ["A"]},
    "placed": {"levels": [{"size": 2, "divisions": {"1": [["A"]]}}], "placed": [{"entry": "X", "level": 1}]},
    "level": {
        "levels": [{"size": 2, "divisions": {"1": [["A"]]}}],
        "new": ["X"],
        "placed": [{"entry": "X", "level": 2}],
    },
    "playoff": {
        "levels": [
            {"size": 1, "divisions": {"1": [["A"]]}},
            {"size": 1, "divisions": {"2": [["B"]]}},
            {"size": 1, "divisions": {"3": [["C"]]}},
        ],
        "playoffs": [{"upper": 1, "winner": "C", "loser": "A"}],
    },
    "moving": {"levels": [{"size": 2, "divisions": {"1": [["A"]]}, "down": 2}]},
    "divisions": {"levels": [{"size": 2, "divisions": []}]},
    "place": {"levels": [{"size": 2, "divisions": {"1": ["A"]}}]},
    "number": {"levels": [{"size": 0, "divisions": {"1": [["A"]]}}]},
    "vacancy": {"levels": [{"size": 2, "divisions": {"1": [["A"]]}}], "vacancy": "draw"},
    "levels": {"levels": []},
    "list": {"levels": [{"size": 2, "divisions": {"1": [["A"]]}}], "new": "A"},
    "key": {"levels": [{"size": 2, "divisions": {"1": [[1.5]]}}]},
    "unknown-field": {"levels": [{"size": 2, "divisions": {"1": [["A"]]}}], "cup": 1},
    "pyramid-shape": [],
}


@pytest.mark.parametrize("code", FAULTS)
def test_what_cannot_be_read_is_refused_with_its_place(code) -> None:
    with pytest.raises(ContestError) as refused:
        read_pyramid(FAULTS[code])
    assert code in {each.code for each in refused.value.causes or (refused.value,)}
