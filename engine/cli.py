"""The command line ``python -m engine``: subcommands, JSON in, JSON out.

A subcommand is a small function from its arguments to an Answer; to add one, decorate it with ``command``.
Whatever is wrong with the input is told as JSON, with exit code 1; a traceback is never the answer.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO, TypeAlias

from engine.errors import RecordError, RuleError
from engine.problems import Problem, problems_of
from engine.text import gettext_noop

STANDARD_INPUT: Final = "-"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a subcommand has to say: a value for JSON, or a text; ``is_good`` decides the exit code."""

    value: Any
    is_good: bool = True


PARSER: Final = argparse.ArgumentParser(
    prog="python -m engine", description="The rules of card games and contests. JSON in, JSON out."
)
SUBCOMMANDS: Final = PARSER.add_subparsers(dest="command", required=True, metavar="COMMAND")

Run: TypeAlias = Callable[[argparse.Namespace], Answer]
Argument: TypeAlias = tuple[tuple[str, ...], Mapping[str, Any]]


def argument(*names: str, **settings: Any) -> Argument:
    """One argument of a subcommand, as argparse takes it."""
    return names, settings


#: The argument of every subcommand that reads JSON.
FILE: Final = argument("file", metavar="FILE", help="a JSON file, or - for standard input")


def command(name: str, *arguments: Argument) -> Callable[[Run], Run]:
    """Make a function a subcommand; the first line of its docstring is its help."""

    def put(run: Run) -> Run:
        summary = (run.__doc__ or "").partition("\n")[0]
        sub = SUBCOMMANDS.add_parser(name, help=summary, description=summary)
        for names, settings in arguments:
            sub.add_argument(*names, **settings)
        sub.set_defaults(run=run)
        return run

    return put


def read_json(path: str) -> Any:
    """The JSON in that file, or on standard input. Raises RecordError with the reason."""
    try:
        raw = sys.stdin.buffer.read() if path == STANDARD_INPUT else Path(path).read_bytes()
        return json.loads(raw)
    except OSError as error:
        template = gettext_noop("We can’t read the file %(path)s: %(reason)s.")
        raise RecordError("file", template, path=path, reason=error.strerror or "?") from None
    except RecursionError:
        raise RecordError("json", gettext_noop("The JSON is nested too deeply.")) from None
    except ValueError as error:
        raise RecordError(
            "json", gettext_noop("This isn’t valid JSON: %(reason)s"), reason=str(error)
        ) from None


def problems_answer(problems: Sequence[Problem]) -> dict[str, Any]:
    """Problems as every subcommand tells them."""
    return {"problems": [problem.as_json() for problem in problems]}


def of_each(path: str, answer: Callable[[Any], Any]) -> Answer:
    """The answer to the file's object, or to each of its list; what is refused has its problems in that place."""
    data = read_json(path)
    values, is_good = [], True
    for item in data if isinstance(data, list) else [data]:
        try:
            values.append(answer(item))
        except RuleError as error:
            values.append(problems_answer(problems_of(error)))
            is_good = False
    return Answer(values if isinstance(data, list) else values[0], is_good=is_good)


def main(arguments: Sequence[str] | None = None, output: TextIO | None = None) -> int:
    """Run one subcommand; the exit code is 0, or 1 when something was wrong with the input."""
    chosen = PARSER.parse_args(arguments)
    try:
        answer: Answer = chosen.run(chosen)
    except RuleError as error:
        answer = Answer(problems_answer(problems_of(error)), is_good=False)
    _write(answer.value, output or _standard_output())
    return 0 if answer.is_good else 1


def run_and_exit() -> NoReturn:
    """Run the subcommand that the process was started with."""
    try:
        code = main()
    except BrokenPipeError:
        # The reader of our output has seen enough; there is nobody left to tell.
        sys.stderr.close()
        code = 1
    sys.exit(code)


def _standard_output() -> TextIO:
    # Somebody's input can hold what UTF-8 cannot; as an escape it is still JSON.
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    return sys.stdout


def _write(value: Any, output: TextIO) -> None:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    output.write(text.rstrip("\n") + "\n")
    output.flush()
