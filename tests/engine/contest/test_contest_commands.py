"""The subcommands of contests, through the command line's own door."""

import io
import json

import pytest

import engine.__main__  # noqa: F401 - puts the subcommands into the register
from engine.cli import main
from engine.contest.standings.table import Table
from tests.engine.contest.oracle import contest

SEASON = {
    "entries": ["A", "B", "C"],
    "results": [
        {"round": 1, "home": "A", "away": "B", "home_score": 60, "away_score": 40},
        {"round": 2, "home": "C", "away": "A", "home_score": 60, "away_score": 40},
    ],
}


def run(*arguments: str) -> tuple[int, object]:
    output = io.StringIO()
    code = main(arguments, output)
    return code, json.loads(output.getvalue())


@pytest.fixture
def write(tmp_path):
    def to_file(data: object) -> str:
        path = tmp_path / "season.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return str(path)

    return to_file


@pytest.mark.parametrize("size", contest("berger")["tables"])
def test_round_robin_prints_the_published_table(size) -> None:
    assert run("round-robin", size) == (0, contest("berger")["tables"][size])


def test_a_double_round_robin_has_twice_the_rounds() -> None:
    code, rounds = run("round-robin", "5", "--double")
    assert code == 0
    assert isinstance(rounds, list)
    assert [len(drawn) for drawn in rounds] == [2] * 10


def test_a_round_robin_at_tables_of_three() -> None:
    code, rounds = run("round-robin", "9", "--seats", "3")
    assert code == 0
    assert isinstance(rounds, list)
    assert [[len(table) for table in drawn] for drawn in rounds] == [[3, 3, 3]] * 4


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("2", "--seats", "3"), "too-few"),
        (("121", "--seats", "4"), "too-many"),
        (("9", "--seats", "2"), "seats"),
    ],
)
def test_impossible_tables(arguments, code) -> None:
    exit_code, answer = run("round-robin", *arguments)
    assert exit_code == 1
    assert isinstance(answer, dict)
    assert [problem["code"] for problem in answer["problems"]] == [code]


@pytest.mark.parametrize(("entries", "code"), [("1", "too-few"), ("501", "too-many"), ("9" * 30, "too-many")])
def test_a_round_robin_of_an_impossible_size(entries, code) -> None:
    exit_code, answer = run("round-robin", entries)
    assert exit_code == 1
    assert isinstance(answer, dict)
    assert [problem["code"] for problem in answer["problems"]] == [code]


def test_standings_prints_the_table(write) -> None:
    code, answer = run("standings", write(SEASON))
    assert code == 0
    assert isinstance(answer, dict)
    rows = Table.from_json(answer).rows
    assert [(row.place, row.entry) for row in rows] == [(1, "C"), (2, "A"), (3, "B")]


def test_standings_prints_the_history(write) -> None:
    code, answer = run("standings", write(SEASON), "--history")
    assert code == 0
    assert isinstance(answer, list)
    assert [table["after_round"] for table in answer] == [1, 2]


def test_standings_tells_everything_that_is_wrong(write) -> None:
    wrong = {"entries": ["A"], "results": [{"round": 0, "home": "A", "away": None}], "points": {"win": "x"}}
    code, answer = run("standings", write(wrong))
    assert code == 1
    assert isinstance(answer, dict)
    assert {(problem["code"], tuple(problem["place"])) for problem in answer["problems"]} == {
        ("number", ("results", 0, "round")),
        ("key", ("results", 0, "away")),
        ("points", ("points", "win")),
    }


def test_standings_tells_of_facts_that_contradict_each_other(write) -> None:
    stranger = {"entries": ["A", "B"], "results": [{"round": 1, "home": "A", "away": "X"}]}
    code, answer = run("standings", write(stranger))
    assert code == 1
    assert isinstance(answer, dict)
    assert [problem["message"] for problem in answer["problems"]] == ["Entry X isn’t in this competition."]
