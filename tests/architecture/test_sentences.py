"""What services write into the trail can be told in every language: a Sentence, never a text of one language."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import Function, modules, tree

WRITERS = {"record", "remember", "tell"}
#: Acts of the service itself, of no club: nobody is shown them.
OF_THE_SERVICE = {Path("league/notices/services/outbox.py"), Path("games/boards/services/locks.py")}
TRANSLATED_AT_ONCE = {"_", "gettext", "ngettext", "pgettext", "str"}


def spoken(module: ast.Module) -> Iterator[tuple[Function, ast.expr]]:
    """Each summary that a function of the module hands on, with the function."""
    for function in ast.walk(module):
        if isinstance(function, ast.FunctionDef):
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in WRITERS:
                    yield from ((function, word.value) for word in call.keywords if word.arg == "summary")


def is_sentence(value: ast.expr, function: Function, module: ast.Module) -> bool:
    """Whether the expression gives a Sentence, as far as can be read; what is annotated, mypy holds to it."""
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.Mod) and is_sentence(value.left, function, module)
    if isinstance(value, ast.IfExp):
        return all(is_sentence(each, function, module) for each in (value.body, value.orelse))
    if isinstance(value, ast.Name):
        own = [
            each.annotation
            for each in (*function.args.args, *function.args.kwonlyargs)
            if each.arg == value.id
        ]
        given = [
            each.value
            for each in ast.walk(function)
            if isinstance(each, ast.Assign) and value.id in {getattr(to, "id", "") for to in each.targets}
        ]
        unpacked = any(
            value.id in {getattr(to, "id", "") for to in names.elts}
            for names in ast.walk(function)
            if isinstance(names, ast.Tuple) and isinstance(names.ctx, ast.Store)
        )
        known = [names_sentence(each) for each in own] + [
            is_sentence(each, function, module) for each in given
        ]
        return all(known) if known else unpacked and not translates_at_once(function)
    if isinstance(value, ast.Call):
        called = ast.unparse(value.func)
        made_here = [
            each for each in module.body if isinstance(each, ast.FunctionDef) and each.name == called
        ]
        return called.startswith("sentences.") or any(names_sentence(each.returns) for each in made_here)
    return False


def names_sentence(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation).startswith("sentences.")


def translates_at_once(function: Function) -> bool:
    calls = (each for each in ast.walk(function) if isinstance(each, ast.Call))
    return any(getattr(each.func, "id", "") in TRANSLATED_AT_ONCE for each in calls)


def test_every_line_of_the_trail_can_be_told_in_every_language() -> None:
    found, plain = 0, []
    for name in modules("league", "games"):
        if "services" not in name.parts or name in OF_THE_SERVICE:
            continue
        module = tree(name)
        for function, value in spoken(module):
            found += 1
            if not is_sentence(value, function, module):
                plain.append(f"{name}:{value.lineno}: {ast.unparse(value)}")

    assert found > 60
    assert plain == []


@pytest.mark.parametrize(
    ("source", "accepted"),
    [
        ('audit.record(summary=sentences.gettext("Void"))', True),
        ('audit.record(summary=sentences.gettext("%(pair)s") % {"pair": 1})', True),
        ('said = sentences.gettext("Void")\n    audit.record(summary=said)', True),
        ("audit.record(summary=given)", True),
        ('audit.record(summary=_("Void"))', False),
        ('audit.record(summary=_("%(pair)s") % {"pair": 1})', False),
        ('audit.record(summary="Void")', False),
        ('audit.record(summary=f"{given}")', False),
        ('said = _("Void")\n    audit.record(summary=said)', False),
        ("audit.record(summary=text)", False),
    ],
)
def test_the_test_knows_a_sentence_from_a_text(source: str, accepted: bool) -> None:
    module = ast.parse(f"def act(given: sentences.Said, text: str) -> None:\n    {source}\n")
    [(function, value)] = spoken(module)

    assert is_sentence(value, function, module) is accepted
