"""The project's own files, as git knows them; in an unpacked archive, as they lie there."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

ROOT: Path = settings.BASE_DIR
LAYERS = ("config", "engine", "games", "league")
NOT_OURS = {".venv", "var", "staticfiles", "node_modules", "__pycache__", ".git"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def files() -> tuple[Path, ...]:
    """Every file of the project, relative to its root: tracked, or new and not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        names = [Path(name) for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    return tuple(sorted(name for name in names if not NOT_OURS & set(name.parts) and (ROOT / name).is_file()))


def modules(*layers: str) -> list[Path]:
    """The Python modules of these layers (all four without a name), without migrations."""
    chosen = layers or LAYERS
    return [
        name
        for name in files()
        if name.suffix == ".py" and name.parts[0] in chosen and "migrations" not in name.parts
    ]


def text(name: Path) -> str:
    """What the file says."""
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


@cache
def tree(name: Path) -> ast.Module:
    """The module, parsed."""
    return ast.parse(text(name), filename=str(name))


@cache
def nodes(name: Path) -> tuple[ast.AST, ...]:
    """All that the module is made of; to walk through every module takes seconds."""
    return tuple(ast.walk(tree(name)))


def functions(name: Path) -> Iterator[Function]:
    """All functions and methods of the module."""
    for node in nodes(name):
        if isinstance(node, Function):
            yield node


def public_functions(name: Path) -> Iterator[Function]:
    """The module's own functions that others may call: not methods, nothing that starts with an underscore."""
    for node in tree(name).body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node
