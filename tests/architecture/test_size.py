"""Functions and classes stay small enough to be read at once; a module is as long as its subject."""

import ast

from tests.architecture.sources import functions, modules, nodes

LONGEST_FUNCTION = 45
LONGEST_CLASS = 250
VAGUE_NAMES = {"utils", "helpers", "common", "manager", "data", "misc"}


def length(node: ast.stmt) -> int:
    """How many lines the node takes, with its decorators."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_function_is_long() -> None:
    long = {
        f"{name}:{node.lineno} {node.name}": length(node)
        for name in modules()
        for node in functions(name)
        if length(node) > LONGEST_FUNCTION
    }

    assert long == {}


def test_no_class_is_long() -> None:
    long = {
        f"{name}:{node.lineno} {node.name}": length(node)
        for name in modules()
        for node in nodes(name)
        if isinstance(node, ast.ClassDef) and length(node) > LONGEST_CLASS
    }

    assert long == {}


def test_no_module_has_a_vague_name() -> None:
    assert [str(name) for name in modules() if name.stem in VAGUE_NAMES] == []
