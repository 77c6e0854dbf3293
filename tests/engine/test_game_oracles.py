"""Every game against deals and matches that an independent program played from the same pages of rules."""

from __future__ import annotations

import hashlib
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import engine.game.commands
from engine.cli import main
from engine.errors import RuleError
from engine.game import all_games, forget, get, known, known_games, register
from engine.game.commands import played_through
from engine.tute.game import TuteGame

FOLDER = Path(__file__).parent.parent / "oracles" / "games"
#: Of more legal actions than these a position has the first twelve, and the hash of all.
MOST_WRITTEN = 40

assert engine.game.commands


@cache
def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text())


GAMES = [game.key for game in known_games() if (FOLDER / f"{game.key}.json").exists()]
RARE = [(game, at) for game, deals in read("rare.json").items() for at in range(len(deals)) if game in GAMES]
MATCHES = [
    (path.name, game, at)
    for path in sorted(FOLDER.glob("matches-*.json"))
    for game, cases in read(path.name).items()
    for at in range(len(cases))
    if game in GAMES
]


def asked(game: str, case: dict[str, Any]) -> dict[str, Any]:
    names = ("deal", "dealer", "players", "options", "tokens")
    at = [position["at"] for position in case["positions"]]
    return {"game": game, **{name: case[name] for name in names}, "at": at}


def as_written(position: dict[str, Any]) -> dict[str, Any]:
    """A position as the oracles have it: of many actions the first, and the hash of all."""
    if len(position["legal"]) <= MOST_WRITTEN:
        return position
    whole = hashlib.sha256(" ".join(position["legal"]).encode()).hexdigest()
    return {**position, "legal": position["legal"][:12], "sha": whole[:16]}


def check_deal(game: str, case: dict[str, Any]) -> None:
    found = json.loads(json.dumps(played_through(asked(game, case))))
    assert found["turns"] == case["turns"]
    assert found["counts"] == case["counts"]
    assert [as_written(position) for position in found["positions"]] == case["positions"]
    assert found["score"] == case["score"]
    assert {name: found["detail"][name] for name in case["detail"]} | _regrouped(found, case) == case[
        "detail"
    ]


def _regrouped(found: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """Conquian: the same cards may lie in other melds (CQ7)."""
    down = found["detail"].get("down")
    if down is None:
        return {}
    as_asked = case["detail"]["down"]
    return (
        {"down": as_asked}
        if {seat: _cards(melds) for seat, melds in down.items()}
        == {seat: _cards(melds) for seat, melds in as_asked.items()}
        else {}
    )


def _cards(melds: list[str]) -> list[str]:
    return sorted(meld[at : at + 2] for meld in melds for at in range(0, len(meld), 2))


@pytest.mark.parametrize(("game", "at"), [(game, at) for game in GAMES for at in range(60)])
def test_a_deal_is_played_as_the_oracle_played_it(game: str, at: int) -> None:
    check_deal(game, read(f"{game}.json")["deals"][at])


@pytest.mark.parametrize(("game", "at"), RARE)
def test_a_rare_deal_is_played_as_the_oracle_played_it(game: str, at: int) -> None:
    check_deal(game, read("rare.json")[game][at])


@pytest.mark.parametrize(("name", "game", "at"), MATCHES)
def test_a_match_ends_as_the_oracle_says(name: str, game: str, at: int, tmp_path: Path) -> None:
    case = read(name)[game][at]
    path, output = tmp_path / "match.json", io.StringIO()
    path.write_text(json.dumps({"game": game, "options": case["options"], "deals": case["deals"]}))
    assert main(["match", str(path)], output) == 0
    found = json.loads(output.getvalue())
    assert {field: found[field] for field in case["result"]} == case["result"]


def test_a_deal_that_is_not_over_has_no_score_yet() -> None:
    case = read("tute.json")["deals"][0]
    found: Any = played_through({**asked("tute", case), "tokens": case["tokens"][:7], "at": [7, 0]})
    assert found["turns"] == case["turns"][:8]
    assert (found["score"], found["detail"]) == (None, None)
    assert [position["at"] for position in found["positions"]] == [7, 0]


FIRST = asked("tute", read("tute.json")["deals"][0])
WRONG = {
    "no object": (5, "play-shape", []),
    "game": ({**FIRST, "game": "poker"}, "game-unknown", []),
    "game of another kind": ({**FIRST, "game": ["tute"]}, "game-unknown", []),
    "players": ({**FIRST, "players": 5}, "players", ["players"]),
    "deal": ({**FIRST, "deal": {"N": "As"}}, "deal", ["deal"]),
    "a deal of another game": ({**FIRST, "deal": "AsKs QhJh"}, "deal", []),
    "seat": ({**FIRST, "dealer": "X"}, "seat-unknown", ["dealer"]),
    "option": ({**FIRST, "options": {"deals": 0}}, "option-value", ["options", "deals"]),
    "not allowed": ({**FIRST, "tokens": [*FIRST["tokens"][:4], "2s"]}, "not-held", ["tokens", 4]),
    "no text": ({**FIRST, "tokens": [7]}, "token", ["tokens", 0]),
    "too long": ({**FIRST, "tokens": ["A" * 5000]}, "token", ["tokens", 0]),
    "after the end": ({**FIRST, "tokens": [*FIRST["tokens"], "As"]}, "over", ["tokens", 40]),
    "no list": ({**FIRST, "tokens": "As"}, "list", ["tokens"]),
    "no place": ({**FIRST, "at": [41]}, "at", ["at"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_and_the_other_deals_are_answered(name: str, tmp_path: Path) -> None:
    item, code, place = WRONG[name]
    path, output = tmp_path / "deals.json", io.StringIO()
    path.write_text(json.dumps([item, FIRST]))
    assert main(["playout", str(path)], output) == 1
    refused, answered = json.loads(output.getvalue())
    assert [(problem["code"], problem["place"]) for problem in refused["problems"]] == [(code, place)]
    assert all(problem["message"] for problem in refused["problems"])
    assert answered["turns"][-1] is None


def test_a_game_that_is_not_finished_is_not_offered() -> None:
    unfinished = Unfinished()
    register(unfinished, is_offered=False)
    try:
        assert known("unfinished") is unfinished
        assert unfinished in known_games()
        assert unfinished not in all_games()
        with pytest.raises(RuleError, match="no game"):
            get("unfinished")
        with pytest.raises(RuleError, match="already"):
            register(unfinished)
    finally:
        forget("unfinished")
    with pytest.raises(RuleError, match="no game"):
        known("unfinished")


class Unfinished(TuteGame):
    key = "unfinished"
