"""The search is compiled also where its result can be kept nowhere."""

from __future__ import annotations

from typing import Any

from engine.concerto.best_play.compiling import compiled


def test_without_a_place_for_the_cache_functions_are_compiled_all_the_same() -> None:
    names: dict[str, Any] = {}
    # For code that stands in no file, numba finds no place for its cache.
    exec(compile("def double(number):\n    return 2 * number\n", "/nowhere/at/all.py", "exec"), names)
    double = compiled(names["double"])
    assert double(21) == 42
    assert double.signatures
