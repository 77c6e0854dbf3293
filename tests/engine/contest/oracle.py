"""The published contest tables that the tests hold the engine to."""

import json
from pathlib import Path
from typing import Any

ORACLES = Path(__file__).parents[2] / "oracles"


def contest(section: str) -> Any:
    """One section of tests/oracles/contest.json."""
    return json.loads((ORACLES / "contest.json").read_text(encoding="utf-8"))[section]


def tables(section: str) -> Any:
    """One section of tests/oracles/tables.json: points at tables of two and more sides, worked out by hand."""
    return json.loads((ORACLES / "tables.json").read_text(encoding="utf-8"))[section]
