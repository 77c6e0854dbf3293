"""What takes turns has its turn."""

from pathlib import Path

import pytest

from tests import thorough

ROOT = Path(__file__).parents[1]


def test_what_takes_turns_is_there() -> None:
    assert [each for each in thorough.BY_TURNS if not (ROOT / each.partition("::")[0]).exists()] == []


def test_in_as_many_versions_as_it_takes_turns_every_test_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    beginning = "tests/live/test_addresses.py"
    names = {f"{beginning}::test_{number}" for number in range(10)}
    ran = []
    for turn in range(7, 7 + thorough.BY_TURNS[beginning]):
        monkeypatch.setattr(thorough, "TURN", turn)
        ran += sorted(names - thorough.waiting_for_their_turn(names))
    assert sorted(ran) == sorted(names)


def test_the_longest_beginning_counts_and_what_has_none_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thorough, "BY_TURNS", {"tests/a": 1_000_003, "tests/a/b.py::test_often": 1})
    names = {"tests/a/b.py::test_often", "tests/a/b.py::test_rare", "tests/c.py::test_always"}
    assert thorough.waiting_for_their_turn(names) == {"tests/a/b.py::test_rare"}
