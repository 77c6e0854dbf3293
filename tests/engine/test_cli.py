"""``python -m engine``: JSON in, JSON out, and never a traceback."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engine.concerto.commands.records
from engine.cli import SUBCOMMANDS, main
from engine.concerto.commands.records import diagram
from engine.deals import Deal
from tests.engine.oracle import DEALS, MATCHES

assert engine.concerto.commands.records

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> tuple[int, str]:
    output = io.StringIO()
    code = main(arguments, output)
    return code, output.getvalue()


def run_json(*arguments: str) -> tuple[int, Any]:
    code, text = run(*arguments)
    return code, json.loads(text)


@pytest.fixture
def put(tmp_path: Path) -> Any:
    """Write JSON, or a raw text, to a file and give its path."""

    def write(content: Any) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.json"
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(json.dumps(content))
        return str(path)

    return write


def test_score_a_list_of_deals(put: Any) -> None:
    code, found = run_json("score", put(DEALS))
    assert code == 0
    names = ("points", "made", "left_over_to", "left_over_bonus", "total")
    assert found == [{name: deal[name] for name in names} for deal in DEALS]


def test_score_one_deal(put: Any) -> None:
    code, found = run_json("score", put(DEALS[0]))
    assert code == 0
    assert found["total"] == DEALS[0]["total"]


def test_score_tells_the_problems_of_each_deal(put: Any) -> None:
    code, found = run_json("score", put([DEALS[0], {**DEALS[1], "made": {"NS": 1, "EW": 1}}, 5]))
    assert code == 1
    assert len(found) == 3
    assert found[0]["total"] == DEALS[0]["total"]
    assert {problem["place"][0] for problem in found[1]["problems"]} == {"made"}
    assert found[2]["problems"][0]["message"] == "A deal must be an object, not 5."


def test_problems_tells_what_is_odd_too(put: Any) -> None:
    odd = {"dealer": "N", "points": [1, 0, 1, 0, 1, 0, 1, 0], "left_over": "nothing"}
    code, found = run_json("problems", put(odd))
    assert code == 0
    assert [problem["code"] for problem in found["problems"]] == ["made-nothing"]
    assert run_json("problems", put({}))[0] == 1


def test_match(put: Any) -> None:
    code, found = run_json("match", put(MATCHES))
    assert code == 0
    names = ("counted", "points", "bonus", "total")
    assert [{name: each[name] for name in names} for each in found] == [
        {name: each[name] for name in names} for each in MATCHES
    ]


def test_match_with_options(put: Any) -> None:
    match = {"deals": [{"NS": 100, "EW": 99}]}
    code, found = run_json("match", put(match), "--options", put({"duplicate": True}))
    assert (code, found["is_over"], found["bonus"]) == (0, False, {"NS": 0, "EW": 0})
    code, found = run_json("match", put({**match, "options": {"deals": 1}}))
    assert (code, found["is_over"], found["bonus"]) == (0, True, {"NS": 100, "EW": 0})


@pytest.mark.parametrize(
    "match",
    [
        5,
        {},
        {"deals": 5},
        {"deals": [5]},
        {"deals": [{}]},
        {"deals": [{"NS": 1}]},
        {"deals": [{"NS": -1, "EW": "x"}]},
        {"deals": [{"NS": 1, "EW": 1}] * 5},
        {"deals": [], "options": {"deals": 0}},
    ],
    ids=str,
)
def test_a_match_that_is_none_tells_why(match: Any, put: Any) -> None:
    code, found = run_json("match", put(match))
    assert code == 1
    assert found["problems"]
    assert all(problem["message"] for problem in found["problems"])


def test_sheet(put: Any) -> None:
    code, found = run_json("sheet", put({"deals": [{"total": {"NS": 120, "EW": 22}}]}), "--first-dealer", "X")
    assert code == 1
    code, found = run_json(
        "sheet", put({"deals": [{"total": {"NS": 120, "EW": 22}}]}), "--first-dealer", "East"
    )
    assert code == 0
    assert found["result"]["total"] == {"NS": 520, "EW": 22}
    assert found["scores"][0]["total"] == {"NS": 120, "EW": 22}


def test_describe_and_choices(put: Any) -> None:
    code, found = run_json("describe", put(DEALS[0]))
    assert code == 0
    assert [hand["points"] for hand in found["hands"]] == DEALS[0]["points"]
    code, found = run_json("choices", put({"dealer": "N"}), "--hand", "1")
    assert (code, found["leader"]) == (0, "E")
    assert run_json("choices", put({"dealer": "N"}))[1]["hand"] is None
    assert run_json("choices", put({}), "--hand", "9")[0] == 1


def test_deal_is_repeatable_with_a_seed() -> None:
    code, found = run_json("deal", "--seed", "7")
    assert code == 0
    assert str(Deal.parse(found["deal"])) == found["deal"]
    assert run_json("deal", "--seed", "7")[1] == found
    assert run_json("deal", "--seed", "8")[1] != found
    assert run_json("deal")[1] != run_json("deal")[1]


def test_deal_many() -> None:
    code, found = run_json("deal", "--count", "6", "--seed", "x")
    assert code == 0
    assert [board["board"] for board in found] == [1, 2, 3, 4, 5, 6]
    assert [board["dealer"] for board in found] == list("NESWNE")
    assert len({board["deal"] for board in found}) == 6
    assert run_json("deal", "--count", "0")[0] == 1


def test_show_draws_the_deal() -> None:
    code, text = run("show", DEALS[0]["deal"])
    assert code == 0
    assert text.rstrip("\n") == diagram(Deal.parse(DEALS[0]["deal"]))
    assert text.splitlines()[:5] == [
        "            North",
        "            ♠ A 4 2",
        "            ♥ Q 10 7 6",
        "            ♦ A 5 4 3",
        "            ♣ 6 4",
    ]
    assert "West                    East" in text
    assert run_json("show", "nonsense")[0] == 1


def test_play_gives_records_that_score_the_same(put: Any) -> None:
    code, played = run_json("play", "--count", "3", "--seed", "1")
    assert code == 0
    code, scored = run_json("score", put(played))
    assert code == 0
    assert [each["total"] for each in scored] == [each["total"] for each in played]


def test_a_deal_being_played(put: Any) -> None:
    game = {"deal": DEALS[0]["deal"], "dealer": "W", "hands": DEALS[0]["hands"][:2]}
    path = put(game)
    code, found = run_json("replay", path)
    assert code == 0
    assert found["turn"] == "S"
    assert found["mine"] == []
    assert found["history"] == " ".join(DEALS[0]["hands"][:2]).split()
    assert run_json("view", path, "--seat", "S")[1]["mine"]
    assert run_json("view", path)[1]["mine"] == []
    assert "-" not in run_json("legal", path)[1]["legal"]
    found = run_json("legal", put({**game, "tokens": "7h -"}))[1]
    assert found["turn"] == "N"
    assert found["legal"][-2:] == ["-", ">"]
    code, found = run_json("replay", put({**game, "tokens": ["7h", "7h"]}))
    assert code == 1
    assert found["problems"][0]["place"] == ["tokens", 1]
    assert found["problems"][0]["message"] == "South doesn’t have the 7♥."


@pytest.mark.parametrize(
    "game", [5, {}, {"deal": 5}, {"deal": DEALS[0]["deal"]}, {"deal": [], "dealer": {}}], ids=str
)
def test_what_is_no_deal_being_played(game: Any, put: Any) -> None:
    for name in ("replay", "view", "legal"):
        code, found = run_json(name, put(game))
        assert code == 1
        assert found["problems"][0]["message"]


def test_classify() -> None:
    assert run_json("classify", "As", "Ks", "/", "Qs", "Js", "Ts")[1] == {
        "combination": "straight-flush",
        "significant": ["Ts", "Js", "Qs", "Ks", "As"],
        "split": "3+2",
        "points": 20,
    }
    assert run_json("classify", "As Ad 7h 5c 2s")[1]["combination"] == "pair"
    for wrong in ("As", "As As Ad Ah Ac", "x", "As Ks Qs Js 10s"):
        assert run_json("classify", wrong)[0] == 1


def test_options(put: Any) -> None:
    code, found = run_json("options")
    assert code == 0
    assert [option["name"] for option in found] == ["rules", "deals", "duplicate", "early_end", "game_bonus"]
    assert run_json("options", "--options", put({"duplicate": True}))[1]["early_end"] is False
    code, found = run_json("options", "--options", put({"deals": 0, "speed": 1}))
    assert code == 1
    assert [problem["place"] for problem in found["problems"]] == [["deals"], ["speed"]]


HOSTILE = [
    b"",
    b"{",
    b"\xff\xfe",
    b"[" * 100_000,
    b"[" * 900 + b"]" * 900,
    b'{"total": {"NS": ' + b"9" * 10_000 + b"}}",
    b'"\\ud800"',
    b'{"\\ud800": "\\ud800", "hands": ["\\ud800"]}',
    b"NaN",
    b'{"points": [NaN, Infinity, -Infinity, 1e999]}',
    b"null",
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("name", ["score", "problems", "match", "sheet", "replay", "view", "legal"])
def test_hostile_files_are_answered_with_problems(name: str, content: bytes, put: Any) -> None:
    code, found = run_json(name, put(content))
    assert code == 1
    assert found if isinstance(found, list) else found["problems"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.json", tmp_path):
        code, found = run_json("score", str(path))
        assert code == 1
        assert "We can’t read" in found["problems"][0]["message"]


def test_every_subcommand_has_a_summary() -> None:
    assert {"score", "match", "deal", "show"} <= set(SUBCOMMANDS.choices)
    summaries = [command.description or "" for command in SUBCOMMANDS.choices.values()]
    assert all(summary.endswith(".") or ":" in summary for summary in summaries)


def process(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments], input=given, capture_output=True, check=False, cwd=ROOT
    )


def test_the_process_reads_standard_input_and_sets_the_exit_code() -> None:
    done = process("score", "-", given=json.dumps(DEALS[0]).encode())
    assert done.returncode == 0
    assert json.loads(done.stdout)["total"] == DEALS[0]["total"]
    assert done.stderr == b""
    refused = process("score", "-", given=b'{"hands": ["\\ud800"]}')
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["problems"]
    assert refused.stderr == b""


def test_the_engine_needs_neither_django_nor_numpy() -> None:
    code = (
        "import sys, engine.concerto.commands.records; "
        "print(sorted(n for n in ('django', 'numpy', 'numba', 'celery', 'redis') if n in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == b"[]"
