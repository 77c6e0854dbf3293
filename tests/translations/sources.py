"""The texts that the program wants translated, read from its sources without gettext."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation import template

from tests.architecture.sources import files, modules, text, tree

# A text is known by its context (or None) and itself.
Key = tuple[str | None, str]

PLAIN = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
WITH_CONTEXT = {"pgettext", "pgettext_lazy", "npgettext", "npgettext_lazy"}
STRING = r"""(?:u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*")"""
# What Django's own reader of templates makes of a {% translate %}: a call as a program would write it.
CALL = re.compile(rf"\b(_|n?p?gettext)\(\s*((?:{STRING}[,\s]*)+)", re.S)


def wanted() -> dict[Key, Path]:
    """Every text of a module or template, and a file where it stands."""
    found: dict[Key, Path] = {}
    for name in modules():
        if "gettext" not in text(name):
            continue
        found |= dict.fromkeys(_of_module(name), name)
    for name in files():
        if "templates" in name.parts:
            found |= dict.fromkeys(_of_template(text(name)), name)
    return found


def _of_module(name: Path) -> Iterator[Key]:
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Call):
            function = (
                node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            )
            given: list[object] = [each.value for each in node.args if isinstance(each, ast.Constant)]
            yield from _key(function, given)


def _of_template(source: str) -> Iterator[Key]:
    for function, arguments in CALL.findall(template.templatize(source)):
        yield from _key(function, list(ast.literal_eval(f"({arguments.strip().rstrip(',')},)")))


def _key(function: str, given: list[object]) -> Iterator[Key]:
    strings = [each for each in given if isinstance(each, str)]
    if function in PLAIN and strings:
        yield None, strings[0]
    elif function in WITH_CONTEXT and len(strings) > 1:
        yield strings[0], strings[1]
