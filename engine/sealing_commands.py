"""Sealing sets of deals, and checking them, from the command line: see docs/sealing.md."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, final

from engine.cli import Answer, argument, command, problems_answer, read_json
from engine.errors import gettext_noop
from engine.notation.board_lists import boards_from_json
from engine.notation.boards import Board, Reading, distinct
from engine.notation.commands import read_boards, write_bytes
from engine.notation.dealing import MOST_BOARDS
from engine.notation.formats import FORMATS, format_named, format_of_file
from engine.sealing import (
    DelayedInformation,
    DelayedKind,
    Purpose,
    Seal,
    SealingError,
    commitment,
    differing_boards,
    new_session_key,
    sealed_deals,
)

_PURPOSE = argument(
    "--purpose", default=None, choices=[each.value for each in Purpose], help="original if not said"
)
_VALUE = argument("--value", default=None, help="the delayed value, or the agreed text")
_KEY = argument("--key", default=None, help="the session key, where the file does not have it")
_FIRST = argument(
    "--first", type=int, default=None, help="the number of the set's first board; 1 if not said"
)


@command(
    "seal",
    argument("--boards", type=int, required=True, help="how many"),
    argument(
        "--kind", required=True, choices=[each.value for each in DelayedKind], help="of delayed information"
    ),
    argument("--source", required=True, help="what exactly will be taken, and how it is written"),
    argument("--on", default=None, metavar="YYYY-MM-DD", help="the day on which it will be known"),
    argument("--value", default=None, help="the text, where the kind is agreed-text"),
)
def seal(arguments: argparse.Namespace) -> Answer:
    """Draw a session key. Keep "session_key" secret until after play; publish all under "seal" before it."""
    _check_boards(arguments.boards)
    delayed = DelayedInformation(
        DelayedKind(arguments.kind), arguments.source, _day(arguments.on), arguments.value
    )
    key = new_session_key()
    return Answer({"session_key": key, "seal": Seal.of(key, arguments.boards, delayed).as_json()})


@command(
    "sealed-deals",
    argument("file", metavar="FILE", help="what `seal` printed, or any JSON with session_key"),
    _VALUE,
    _PURPOSE,
    _FIRST,
    argument("--boards", type=int, default=None, help="how many, where the seal does not say"),
    argument(
        "--output", default=None, metavar="FILE", help="write the deals there, in the format of its ending"
    ),
    argument("--to", default=None, metavar="FORMAT", help=", ".join(FORMATS)),
)
def deals_of_a_seal(arguments: argparse.Namespace) -> Answer:
    """The deals of a sealed set, once the delayed value is known."""
    said = _said(read_json(arguments.file), arguments)
    _check_boards(said.boards)
    deals = sealed_deals(said.key, said.value, said.boards, said.purpose)
    boards = [Board.of(number, deal) for number, deal in enumerate(deals, said.first)]
    if arguments.output is None:
        return Answer([board.as_json() for board in boards])
    target = format_named(arguments.to) if arguments.to else format_of_file(arguments.output)
    write_bytes(arguments.output, target.write(boards))
    return Answer({"file": arguments.output, "format": target.key, "boards": len(boards)})


@command(
    "verify-seal",
    argument(
        "file",
        metavar="FILE",
        help="JSON with session_key, delayed_value and boards; or boards in any format, with --key and --value",
    ),
    _KEY,
    _VALUE,
    argument("--commitment", default=None, help="what was published before play"),
    _PURPOSE,
    _FIRST,
)
def verify_seal(arguments: argparse.Namespace) -> Answer:
    """Derive a set of deals again from key and delayed value, and say which board differs."""
    value: Any = {}
    if arguments.file.lower().endswith(".json") or arguments.file == "-":
        value = read_json(arguments.file)
        reading = boards_from_json(value)
    else:
        reading = read_boards(arguments.file, None, arguments.first or 1)
    said = _said(value, arguments)
    return _verified(said, reading)


@final
@dataclass(frozen=True, slots=True)
class _Said:
    """What file and arguments tell of a seal."""

    key: str
    value: str
    commitment: str | None
    boards: int
    purpose: Purpose
    first: int


def _said(value: Any, arguments: argparse.Namespace) -> _Said:
    """What is given on the command line counts before what stands in the file. Raises SealingError."""
    fields: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
    inner = fields.get("seal")
    published: Mapping[str, Any] = inner if isinstance(inner, Mapping) else fields
    held = published.get("delayed")
    delayed: Mapping[str, Any] = held if isinstance(held, Mapping) else {}
    given = vars(arguments)
    key = given.get("key") or fields.get("session_key")
    delayed_value = _first_given(given.get("value"), fields.get("delayed_value"), delayed.get("value"))
    if key is None or delayed_value is None:
        template = gettext_noop("The session key and the delayed value are needed.")
        raise SealingError("seal-incomplete", template)
    boards = _first_given(given.get("boards"), published.get("boards"))
    return _Said(
        key,
        delayed_value,
        given.get("commitment") or published.get("commitment"),
        min(boards, MOST_BOARDS) if isinstance(boards, int) else 0,
        _purpose(given.get("purpose") or fields.get("purpose") or fields.get("kind")),
        given.get("first") or 1,
    )


def _first_given(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _purpose(given: Any) -> Purpose:
    try:
        return Purpose.ORIGINAL if given is None else Purpose(given)
    except ValueError:
        template = gettext_noop("“%(given)s” is no purpose: write original or reserve.")
        raise SealingError("seal-purpose", template, given=given) from None


def _verified(said: _Said, reading: Reading[Board]) -> Answer:
    boards = distinct(reading.boards)
    faults = [*reading.faults, *boards.faults]
    numbered = {board.number: board.deal for board in boards.boards}
    differing = differing_boards(said.key, said.value, numbered, said.purpose, said.first)
    opens = said.commitment is None or commitment(said.key) == str(said.commitment).strip().lower()
    missing = [number for number in range(said.first, said.first + said.boards) if number not in numbered]
    value = {
        "boards": len(numbered),
        "differing": [each.as_json() for each in differing],
        "missing": missing,
        "commitment": commitment(said.key),
        "commitment_agrees": None if said.commitment is None else opens,
        **problems_answer(faults),
    }
    is_good = opens and not differing and not missing and not any(fault.refuses for fault in faults)
    return Answer(value, is_good=is_good)


def _check_boards(boards: int) -> None:
    if not 1 <= boards <= MOST_BOARDS:
        template = gettext_noop("A set has 1 to %(most)d boards.")
        raise SealingError("seal-boards", template, most=MOST_BOARDS)


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        template = gettext_noop("“%(given)s” is no day: write it as 2026-11-21.")
        raise SealingError("seal-day", template, given=text) from None
