"""Script modules as one file: each in a function of its own, in the order in which they need each other.

A page that imports ten modules asks for ten files, one after the other where one names the next. Here they are put
together when a process starts. Only what our modules use is understood; anything else is refused with its place, so
that no module is ever served half understood.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

IMPORT = re.compile(
    r"""^import\s+(?P<what>\*\s+as\s+\w+|\{[^}]*\})\s+from\s+["'](?P<from>\./[\w./-]+)["'];$""", re.M
)
EXPORT = re.compile(r"^export\s+(?P<kind>const|class|function|async function)\s+(?P<name>\w+)", re.M)
LEFT_OVER = re.compile(r"^\s*(import|export)\b.*$", re.M)
RENAMED = re.compile(r"(\w+)\s+as\s+(\w+)")


class ModuleError(ValueError):
    """A script says something that cannot be put together; the message says what, and where."""


def joined(root: Path, name: str) -> str:
    """The module of this name below the folder, with all that it imports, as one script without imports."""
    order = list(_in_order(root, name, path=(), done=set()))
    return "".join(_wrapped(root, each) for each in order)


def parts(root: Path, name: str) -> list[str]:
    """The names of the modules that are put together, whoever is needed first."""
    return list(_in_order(root, name, path=(), done=set()))


def _in_order(root: Path, name: str, *, path: tuple[str, ...], done: set[str]) -> Iterator[str]:
    if name in path:
        raise ModuleError(f"{name} imports itself by way of {' and '.join(path[path.index(name) + 1 :])}")
    if name in done:
        return
    done.add(name)
    for found in IMPORT.finditer(_text(root, name)):
        yield from _in_order(root, _named(name, found["from"]), path=(*path, name), done=done)
    yield name


def _text(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


def _named(importing: str, path: str) -> str:
    """The name of a module that another one imports by its path."""
    return str(PurePosixPath(importing).parent / path)


def _wrapped(root: Path, name: str) -> str:
    """The module as a function that is called at once and gives what it exports."""
    text = _text(root, name)
    exported = [found["name"] for found in EXPORT.finditer(text)]
    text = IMPORT.sub(lambda found: _received(name, found), text)
    text = EXPORT.sub(r"\g<kind> \g<name>", text)
    left = LEFT_OVER.search(text)
    if left:
        raise ModuleError(f"{name}: {left[0].strip()} is not understood")
    return f"const {_variable(name)} = (() => {{\n{text}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def _received(importing: str, found: re.Match[str]) -> str:
    source = _variable(_named(importing, found["from"]))
    what = found["what"]
    if what.startswith("*"):
        return f"const {what.split()[-1]} = {source};"
    received = RENAMED.sub(r"\1: \2", what)
    return f"const {received} = {source};"


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name)
