"""A game is a folder in every layer: nothing outside its folders names it, or knows its seats, deals and hands."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game.registry import known_games
from tests.architecture.sources import files, nodes, text

# By their folders, so that none is forgotten here: engine.tute.game; and by what people and programs call them.
GAMES = tuple(type(each).__module__.split(".")[1] for each in known_games())
NAMES = tuple(sorted({name for each in known_games() for name in (each.key, str(each.name))} - {*GAMES}))
OWN = tuple(place.format(game) for place in ("engine/{}/", "games/{}/") for game in GAMES)
PAGES = {".html", ".js", ".css", ".typ"}
WORDS = re.compile(
    rf"(?<![a-z])(?:{'|'.join(map(re.escape, (*GAMES, *NAMES)))})(?!master)|eight hands|left[-_ ]?overs?\b|left_over",
    re.I,
)
SPLIT = re.compile(r"(?<!\.)(?<!\.r)\bsplits?\b(?! off| into)", re.I)
SEATS = {"N", "E", "S", "NS", "EW", "NESW"}
QUOTED_SEAT = re.compile(r"""["'](?:N|E|S|NS|EW|NESW)["']|\bseat-[NESW]\b""")
# Alone W is also "won", in the league, so it is looked for where there are cards; and a key, which has its words.
WEST = re.compile(r"""["']W["'](?!, _\()""")
PACK = {52, 13}
PACK_IN_WORDS = re.compile(r"\b(?:13|52|thirteen) (?:cards|keys)\b|\beight hands\b", re.I)

# Each of these is needed, or test_what_is_shared_is_there fails.
SHARED = {
    # Four seats, N E S W, in two pairs: every game of four at a table has them.
    "engine/seats.py",
    # The cards of the French pack and the letters of those four seats, in words and as pictures.
    "games/templatetags/cards.py",
    # Games are made known here, each by its name: the engine's, and what people see of them.
    "engine/__init__.py", "games/wiring.py",
}  # fmt: skip


def generic() -> Iterator[Path]:
    """Modules, templates, scripts and styles that belong to no game."""
    for name in files():
        path = name.as_posix()
        if path.startswith(OWN) or path in SHARED or "/migrations/" in path:
            continue
        is_module = name.parts[0] in {"engine", "league", "games", "config"} and name.suffix == ".py"
        is_page = (
            name.parts[0] in {"templates", "static", "games", "league", "config"} and name.suffix in PAGES
        )
        if is_module or (is_page and "vendor" not in name.parts):
            yield name


def named(name: Path) -> Iterator[str]:
    """What a file says of a game: the line and the word."""
    is_of_cards = "games" in name.parts or name.parts[0] == "static"
    patterns = [WORDS]
    if name.suffix in PAGES:
        patterns += [QUOTED_SEAT, PACK_IN_WORDS]
    if is_of_cards:
        patterns += [WEST]
    if name.parts[0] == "games":
        patterns += [SPLIT]
    for number, line in enumerate(text(name).splitlines(), start=1):
        yield from (f"{name}:{number} {found.group()}" for each in patterns for found in each.finditer(line))
    for node in nodes(name) if name.suffix == ".py" else ():
        if isinstance(node, ast.Constant) and (
            (isinstance(node.value, str) and node.value in SEATS)
            or (is_of_cards and type(node.value) is int and node.value in PACK)
        ):
            yield f"{name}:{node.lineno} {node.value}"


def test_nothing_outside_its_folders_knows_a_game() -> None:
    assert [each for name in generic() for each in named(name)] == []


def test_what_is_shared_is_there() -> None:
    """An exception that is needed no more goes from the list."""
    assert {name.as_posix() for name in files() if name.as_posix() in SHARED and [*named(name)]} == SHARED


@pytest.mark.parametrize("suffix", [".py", *sorted(PAGES)])
def test_every_kind_of_file_is_looked_into(suffix: str) -> None:
    assert any(name.suffix == suffix for name in generic())
