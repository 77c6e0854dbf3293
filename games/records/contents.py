"""A scoresheet's content as it arrives from outside: JSON that can be stored, and is no deeper than any sheet."""

from typing import Any

from league.storage.json_content import parse_json

DEEPEST = 16
LONGEST = 200_000


def read_content(text: str | bytes) -> Any:
    """The JSON value of the text. Raises ValueError for what is no JSON, too long, too deep or not storable."""
    return parse_json(text, longest=LONGEST, deepest=DEEPEST)
