"""A game is a folder in every layer: nothing outside its folders names it, or knows its seats, deals and hands."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import files, text, tree

GAMES = ("concerto",)
OWN = tuple(
    place.format(game) for place in ("engine/{}/", "games/{}/", "games/models/{}.py") for game in GAMES
)
# W alone is also "won".
SEATS = {"N", "E", "S", "NS", "EW", "NESW"}
PACK = {52, 13}
WORDS = re.compile(rf"({'|'.join(GAMES)})(?!master)|eight hands|left[-_ ]?overs?\b|left_over", re.I)
SPLIT = re.compile(r"(?<!\.)(?<!\.r)\bsplits?\b(?! off| into)", re.I)

SHARED = {
    # The French pack, the four seats of a board and its formats belong to every game that has them.
    "engine/cards.py", "engine/deals.py", "engine/seats.py", "engine/poker.py", "games/templatetags/cards.py",
    # Games are made known here, each by its name.
    "engine/__init__.py", "engine/__main__.py", "games/wiring.py", "games/models/__init__.py",
    # What the places of a sheet are called; the row of a competition that was made before there was a choice.
    "games/records/display/deal_names.py", "league/models/competitions.py",
}  # fmt: skip
SHARED_FOLDERS = ("engine/boards/", "config/demo/", "config/gallery/")


def generic() -> Iterator[Path]:
    """Modules and templates that belong to no game."""
    for name in files():
        path = name.as_posix()
        if path.startswith((*OWN, *SHARED_FOLDERS)) or path in SHARED or "/migrations/" in path:
            continue
        is_module = name.parts[0] in {"engine", "league", "games", "config"} and name.suffix == ".py"
        if is_module or ("templates" in name.parts and name.suffix == ".html"):
            yield name


def named(name: Path) -> Iterator[str]:
    """What a file says of a game: the line and the word."""
    is_of_cards = name.parts[0] == "games"
    for number, line in enumerate(text(name).splitlines(), start=1):
        for found in (*WORDS.finditer(line), *(SPLIT.finditer(line) if is_of_cards else ())):
            yield f"{name}:{number} {found.group()}"
    for node in ast.walk(tree(name)) if name.suffix == ".py" else ():
        if isinstance(node, ast.Constant) and (
            (isinstance(node.value, str) and node.value in SEATS)
            or (is_of_cards and type(node.value) is int and node.value in PACK)
        ):
            yield f"{name}:{node.lineno} {node.value}"


def test_nothing_outside_its_folders_knows_a_game() -> None:
    assert [each for name in generic() for each in named(name)] == []
