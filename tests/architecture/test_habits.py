"""Habits of the code that no linter knows."""

import ast
import re
from pathlib import Path

from tests.architecture.sources import Function, files, functions, modules, nodes, public_functions, text

FORBIDDEN_IN_ENGINE = {"django", "rest_framework", "celery", "channels", "redis", "league", "games", "config"}
# A clock or chance that the caller did not hand in would make the engine unrepeatable.
NO_CLOCK = re.compile(r"\b(datetime\.now|date\.today|time\.time|timezone\.now)\(")
GLOBAL_CHANCE = {"random", "shuffle", "choice", "choices", "randint", "sample", "randrange", "seed"}

HOME_FOLDERS = re.compile(r"/(?:home|Users|root)/[\w.-]+|/work/|[A-Z]:\\Users\\")
TEXT_FILES = {
    *(
        ".py",
        ".md",
        ".html",
        ".css",
        ".js",
        ".toml",
        ".txt",
        ".in",
        ".yml",
        ".yaml",
        ".sh",
        ".json",
        ".svg",
        "",
    ),
}


def imported(name: Path) -> set[str]:
    """The top names of everything that the module imports, wherever in it."""
    names = set()
    for node in nodes(name):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def test_the_engine_imports_nothing_of_the_service() -> None:
    wrong = {
        str(name): found for name in modules("engine") if (found := imported(name) & FORBIDDEN_IN_ENGINE)
    }

    assert wrong == {}


def test_the_engine_has_no_clock_and_no_chance_of_its_own() -> None:
    wrong = [
        str(name)
        for name in modules("engine")
        if NO_CLOCK.search(text(name)) or any(uses_global_chance(node) for node in nodes(name))
    ]

    assert wrong == []


def uses_global_chance(node: ast.AST) -> bool:
    """Whether the node draws from the module `random` itself, whose seed everybody shares."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "random"
        and node.attr in GLOBAL_CHANCE
    )


def test_writes_are_called_by_keyword_only() -> None:
    """A write is a service function that takes the actor."""
    writes = [
        (name, node)
        for name in modules("league", "games")
        if "services" in name.parts
        for node in public_functions(name)
        if "actor" in parameters(node)
    ]

    assert len(writes) >= 10
    assert [f"{name}:{node.lineno} {node.name}" for name, node in writes if by_position(node)] == []


def parameters(function: Function) -> set[str]:
    """The names of everything that the function is given."""
    arguments = function.args
    return {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def by_position(function: Function) -> bool:
    """Whether anything can be given without its name."""
    return bool(function.args.args or function.args.posonlyargs or function.args.vararg)


def test_nothing_is_imported_inside_a_function() -> None:
    wrong = [
        f"{name}:{node.lineno}"
        for name in modules()
        for function in functions(name)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]

    assert wrong == []


def test_nothing_is_imported_wholesale() -> None:
    """But the settings of one way to run, which are all of `base` and a few of their own."""
    wrong = [
        f"{name}:{node.lineno}"
        for name in modules()
        if name.parts[:2] != ("config", "settings")
        for node in nodes(name)
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
    ]

    assert wrong == []


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    wrong = [
        f"{name}: {found.group()}"
        for name in files()
        if name.suffix in TEXT_FILES and name.parts[:2] != ("tests", "architecture")
        if (found := HOME_FOLDERS.search(text(name)))
    ]

    assert wrong == []


def test_no_test_sleeps() -> None:
    """Waiting for another process is the exception: those who do ask it again and again."""
    waits_for_processes = {
        Path("tests/benchmarks/kept_pages.py"),
        Path("tests/servers.py"),
        Path("tests/config/test_half_sent_bodies.py"),
        Path("tests/config/services.py"),
        Path("tests/production/docker.py"),
        Path("tests/production/walk.py"),
        Path("tests/config/test_serve.py"),
        Path("tests/concurrency/test_real_worker.py"),
        Path("tests/live/test_broken_lines.py"),
    }
    wrong = [
        str(name)
        for name in files()
        if name.parts[0] == "tests" and name.suffix == ".py" and name not in waits_for_processes
        if re.search(r"\btime\.sleep\(|wait_for_timeout\(", text(name)) and name.parts[1] != "architecture"
    ]

    assert wrong == []


def test_row_locks_are_taken_in_two_modules_only() -> None:
    """There they are taken in one order (docs/locking.md)."""
    wrong = [str(name) for name in modules() if "select_for_update" in text(name)]

    assert wrong == ["league/locks.py"]
