"""The runner adds both halves up and hides nothing."""

from collections import Counter

import pytest

from tests.run import NOTHING_CHOSEN, SLOWEST, Half, chance_of_sets, order, report, workers


def half(code: int, summary: str) -> Half:
    return Half("Somewhere", code, summary)


def test_both_halves_are_added_up(capsys: pytest.CaptureFixture[str]) -> None:
    first = half(0, "======= 1000 passed, 2 skipped in 60.00s =======")
    second = half(0, "======= 500 passed in 70.00s (0:01:10) =======")

    assert report([first, second], seconds=130) == 0

    last = capsys.readouterr().out.splitlines()[-1]
    assert "1500 passed, 2 skipped in 130.00s" in last


@pytest.mark.parametrize("failing", [0, 1])
def test_one_failing_half_fails_the_whole(failing: int, capsys: pytest.CaptureFixture[str]) -> None:
    halves = [half(0, "== 3 passed in 1s =="), half(0, "== 3 passed in 1s ==")]
    halves[failing] = half(1, "== 1 failed, 2 passed in 1s ==")

    assert report(halves, seconds=2) == 1
    assert "1 failed, 5 passed" in capsys.readouterr().out


def test_a_choice_without_tests_for_one_half_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    halves = [half(0, "== 3 passed in 1s =="), half(NOTHING_CHOSEN, "== 9 deselected in 1s ==")]

    assert report(halves, seconds=2) == 0
    assert "no test of this choice runs here" in capsys.readouterr().out


def test_a_choice_without_any_test_fails() -> None:
    nothing = half(NOTHING_CHOSEN, "== no tests ran in 0.01s ==")

    assert report([nothing, nothing], seconds=1) == 1


@pytest.mark.parametrize("chosen", [["-n0"], ["-n", "4"], ["-p", "no:xdist"], ["--pdb"]])
def test_who_chooses_the_number_of_workers_gets_it(chosen: list[str]) -> None:
    assert workers(chosen) == []


def test_the_tests_are_spread_over_the_processors_otherwise() -> None:
    assert workers(["-k", "word"])[0].startswith("-n")


def test_each_half_has_the_order_of_its_seed_unless_another_is_asked_for() -> None:
    assert order(["-k", "word"], seed=7) == ["--randomly-seed=7"]
    assert order(["--randomly-seed=8"], seed=7) == []
    assert order(["-p", "no:randomly"], seed=7) == []


def test_whoever_repeats_a_seed_has_the_same_order_of_sets() -> None:
    assert chance_of_sets(["-x", "--randomly-seed=7"]) == {"PYTHONHASHSEED": "7"}
    assert chance_of_sets(["--randomly-seed=last"]) == chance_of_sets(["-p", "no:randomly"]) == {}


def test_the_files_that_took_longest_in_both_halves_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    first = Half(
        "One", 0, "== 3 passed in 1s ==", Counter({f"tests/test_{n}.py": n / 2 for n in range(1, 30)})
    )
    second = Half("Two", 0, "== 3 passed in 1s ==", Counter({"tests/test_1.py": 40}))

    report([first, second], seconds=2)

    told = [line.split() for line in capsys.readouterr().out.splitlines() if line.endswith(".py")]
    assert told[:2] == [["40.5", "tests/test_1.py"], ["14.5", "tests/test_29.py"]]
    assert len(told) == SLOWEST
