"""Swiss, knock-out, teams, ladders, individuals and grades: every published case, through the command line.

The cases are in `tests/oracles/formats`; the numbers are those of the rules of formats.
"""

import io
import json
from typing import Any

import pytest

import engine.__main__  # noqa: F401 - puts the subcommands into the register
from engine.cli import main
from tests.engine.contest.oracle import ORACLES


def published(name: str) -> Any:
    return json.loads((ORACLES / "formats" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def answered(tmp_path):
    def run(command: str, data: object) -> tuple[int, Any]:
        path = tmp_path / "asked.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        output = io.StringIO()
        code = main([command, str(path)], output)
        return code, json.loads(output.getvalue())

    return run


def without(case: dict, *names: str) -> dict:
    return {name: part for name, part in case.items() if name not in names}


def test_f13_f20_f21_f22_f23_f24_f25_f26_f27_f28_every_published_draw(answered) -> None:
    asked, draws = [], []
    for case in published("swiss"):
        for draw in case["draws"]:
            before = [each for each in case["rounds"] if each["round"] < draw["round"]]
            chosen = {name: draw[name] for name in ("round", "system", "repeats", "absent")}
            parts = {"entries": case["entries"], "forbidden": case["forbidden"], "rounds": before}
            asked.append({**parts, **chosen, "seed": case["name"]})
            draws.append(draw)
    code, answers = answered("swiss", asked)
    assert code == 0
    for answer, draw in zip(answers, draws, strict=True):
        if "impossible" in draw:
            assert answer["impossible"] is True
            continue
        assert answer["cost"] == draw["cost"]
        if draw["unique"]:
            assert [answer["tables"], answer["bye"]] == [draw["tables"], draw["bye"]]
    assert len(answers) > 300


@pytest.mark.parametrize(
    ("part", "asked"),
    [("shapes", ("entries",)), ("ties", ()), ("plays", ("entries", "results", "third_place"))],
)
def test_f40_to_f48_every_published_bracket_tie_and_knock_out(part, asked, answered) -> None:
    cases = published("knockout")[part]
    code, answers = answered(
        "knockout", [{name: c[name] for name in asked or without(c, "expect") if name in c} for c in cases]
    )
    assert code == 0
    assert answers == [case.get("expect", without(case, "entries")) for case in cases]


@pytest.mark.parametrize("command", ["teams", "ladder"])
def test_every_published_team_match_and_ladder(command, answered) -> None:
    cases = published(command)
    code, answers = answered(command, [without(case, "expect") for case in cases])
    assert code == 0
    assert answers == [case["expect"] for case in cases]


def test_f6_f65_every_published_scale_of_victory_points(answered) -> None:
    cases = published("vp")
    assert answered("vp", [{"boards": case["boards"]} for case in cases]) == (
        0,
        [{"winner": case["winner"]} for case in cases],
    )


def test_f120_the_published_movements_of_individuals(answered) -> None:
    cases = published("individuals")
    asked = [{"players": case["players"]} for case in cases]
    assert answered("individuals", asked) == (0, [without(case, "laws") for case in cases])


def test_f130_to_f139_every_published_grade_and_correction(answered) -> None:
    cases = published("ratings")
    asked = [without(case, "expect", "corrected") for case in cases]
    corrected = []
    for case, data in zip(cases, asked, strict=True):
        mended = case["corrected"]["session"]
        sessions = [mended if each["order"] == mended["order"] else each for each in data["sessions"]]
        corrected.append({**data, "sessions": sessions})
    code, answers = answered("grades", [*asked, *corrected])
    assert code == 0
    assert len(answers) == 2 * len(cases)
    for answer, case in zip(answers, cases, strict=False):
        assert leaves(answer) == pytest.approx(leaves(case["expect"]), abs=1.01e-6)
    for answer, case in zip(answers[len(cases) :], cases, strict=True):
        assert leaves(answer["grades"]) == pytest.approx(leaves(case["corrected"]["grades"]), abs=1.01e-6)


def leaves(data: Any, *path: object) -> dict[tuple[object, ...], Any]:
    """Every figure by the way to it."""
    if not isinstance(data, dict | list):
        return {path: data}
    items = data.items() if isinstance(data, dict) else enumerate(data)
    return {way: leaf for key, part in items for way, leaf in leaves(part, *path, key).items()}


@pytest.mark.parametrize(
    ("command", "data"),
    [
        ("swiss", {"entries": [{"key": "A", "number": 1}]}),
        ("swiss", {"entries": [{"key": "A", "number": 1}, {"key": "A", "number": 1}]}),
        ("swiss", {"entries": [{"key": "A", "number": 1}, {"key": "B", "number": 2}], "absent": ["C"]}),
        ("swiss", {"entries": 3, "rounds": {"round": 1}, "system": "sideways", "forbidden": [["A"]]}),
        (
            "swiss",
            {
                "entries": [{"key": "A", "number": 1}, {"key": "B", "number": 2}],
                "rounds": [{"round": 1, "matches": [{"home": "A", "away": "A", "points": ["2", 0.5]}]}],
                "round": 1,
            },
        ),
        ("knockout", {"entries": 1}),
        ("knockout", {"entries": 100_000}),
        ("knockout", {"entries": 4, "results": [["top"], ["top"]]}),
        ("knockout", {"entries": 4, "results": [["top", "left"], ["top"]]}),
        ("knockout", {"mode": "best_of", "best_of": 4, "legs": [[1, 2, 3]]}),
        ("knockout", {"mode": "by weight", "best_of": 1, "legs": [[1, 2], [3, 4]], "withdrawn": "me"}),
        ("teams", {"boards": []}),
        ("teams", {"boards": [{"open": [1, "2"], "average": [1, 1]}], "scale": 0}),
        ("vp", {"boards": 0}),
        ("vp", {"boards": 100_000}),
        ("ladder", {"start": ["A", "A"], "events": [{"kind": "jump"}], "options": {"move": "fly"}}),
        (
            "ladder",
            {
                "start": ["A", "B"],
                "today": 9,
                "events": [
                    {"day": 1, "kind": "challenge", "id": 1, "by": "B", "to": "A"},
                    {"day": 2, "kind": "accept", "id": 1},
                    {"day": 3, "kind": "result", "id": 1, "winner": "C"},
                ],
            },
        ),
        ("individuals", {"players": 9}),
        ("grades", {"sessions": [{"kind": "dice"}], "today": -1}),
        (
            "grades",
            {
                "today": 1,
                "sessions": [{"order": 0, "day": 1, "kind": "match", "boards": 0, "sides": [["A"], []]}],
            },
        ),
        ("grades", {"today": 1, "starts": {"A": {"grade": "1000"}}}),
    ],
)
def test_what_cannot_be_is_a_problem_beside_the_other_answers(command, data, answered) -> None:
    code, (first, second) = answered(command, [data, "nothing"])
    assert code == 1
    assert all(problem["message"] for problem in first["problems"])
    assert second["problems"]
