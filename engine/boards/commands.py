"""Sealing sets of deals, and checking them, from the command line: see docs/sealing.md."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, final

from engine.boards.files import squaredeal
from engine.boards.files.board_lists import boards_from_json
from engine.boards.files.boards import Board, Reading, distinct
from engine.boards.files.commands import read_boards, read_bytes, write_bytes
from engine.boards.files.dealing import MOST_BOARDS
from engine.boards.files.formats import FORMATS, format_named, format_of_file
from engine.boards.sealing import (
    BoardDifference,
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
from engine.cli import Answer, argument, command, problems_answer, read_json
from engine.text import gettext_noop

_PURPOSE = argument(
    "--purpose", default=None, choices=[each.value for each in Purpose], help="original if not said"
)
_VALUE = argument("--value", default=None, help="the delayed value, or the agreed text")
_KEY = argument("--key", default=None, help="the session key, where the file does not have it")
_FIRST = argument(
    "--first",
    type=int,
    default=None,
    help="the number of the set's first board; 1 if not said, or the file's lowest where that fits",
)


_SQK = argument("--sqk", default=None, metavar="FILE", help="SquareDeal's keys; beside the .sqd if not said")
_SESSION = argument("--session", default="1,1", metavar="PHASE,SESSION", help="1,1 if not said")
#: Said in the answer where a commitment does not agree.
_OTHER_FORM = (
    "The commitment given is not the SHA-256 of this key. SquareDeal commits to the SHA-256 of its whole key file: "
    "check that with --sqd."
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
    boards = [Board.of(number, deal) for number, deal in enumerate(deals, said.first or 1)]
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
    argument(
        "--commitment",
        default=None,
        help="the SHA-256 of this one key, as Concertmaster publishes it; SquareDeal's is in its .sqd file: --sqd",
    ),
    _PURPOSE,
    _FIRST,
    argument(
        "--sqd", default=None, metavar="FILE", help="SquareDeal's description, with --sqk and --session"
    ),
    _SQK,
    _SESSION,
)
def verify_seal(arguments: argparse.Namespace) -> Answer:
    """Derive a set of deals again from key and delayed value, and say which board differs."""
    if arguments.sqd is not None:
        return _verified_squaredeal(arguments)
    value: Any = {}
    if arguments.file.lower().endswith(".json") or arguments.file == "-":
        value = read_json(arguments.file)
        reading = boards_from_json(value)
    else:
        reading = read_boards(arguments.file, None, arguments.first)
    said = _said(value, arguments)
    return _verified(said, reading)


@command(
    "squaredeal-new",
    argument("file", metavar="FILE.sqd", help="the description; the keys go beside it, as FILE.sqk"),
    argument("--name", required=True, help="of the event"),
    argument("--delayed", required=True, help="what exactly will be taken, and how it is written"),
    argument(
        "--phase", required=True, action="append", help="sessions:boards:file:title, as 3:1-16:R#:Round #"
    ),
)
def new_squaredeal(arguments: argparse.Namespace) -> Answer:
    """Seal an event in the files of SquareDeal. Publish FILE.sqd before play; keep FILE.sqk secret until after it."""
    phases = [squaredeal.Phase.parse(text) for text in arguments.phase]
    description, keys = squaredeal.published(arguments.name, arguments.delayed, phases)
    beside = _keys_beside(arguments.file)
    for path in (arguments.file, beside):
        if Path(path).exists():
            template = gettext_noop("The file %(path)s already exists. We never overwrite a seal.")
            raise SealingError("squaredeal-exists", template, path=path)
    write_bytes(beside, keys)
    write_bytes(arguments.file, squaredeal.write_description(description))
    return Answer({"description": arguments.file, "keys": beside, **description.as_json()})


@command(
    "squaredeal-deals",
    argument("file", metavar="FILE.sqd", help="SquareDeal's description"),
    _SQK,
    _SESSION,
    _PURPOSE,
    argument("--value", default=None, help="the delayed value, where the description has none yet"),
    argument("--output", default=None, metavar="FILE", help="write the deals there"),
    argument("--to", default=None, metavar="FORMAT", help=", ".join(FORMATS)),
)
def deals_of_squaredeal(arguments: argparse.Namespace) -> Answer:
    """The boards of a session that SquareDeal has sealed; refused if the keys are not those committed to."""
    _description, boards = _squaredeal(arguments.file, arguments)
    if arguments.output is None:
        return Answer([board.as_json() for board in boards])
    target = format_named(arguments.to) if arguments.to else format_of_file(arguments.output)
    write_bytes(arguments.output, target.write(boards))
    return Answer({"file": arguments.output, "format": target.key, "boards": len(boards)})


def _squaredeal(path: str, arguments: argparse.Namespace) -> tuple[squaredeal.Description, tuple[Board, ...]]:
    """The description and the boards of the session that is asked for. Raises SealingError."""
    description = squaredeal.read_description(read_bytes(path))
    raw = read_bytes(arguments.sqk or _keys_beside(path))
    if not description.opens_with(raw):
        template = gettext_noop("These keys don’t match the commitment. Their file has the hash %(hash)s.")
        raise SealingError("squaredeal-other-keys", template, hash=squaredeal.key_hash(raw))
    if arguments.value is not None:
        description = description.filled(arguments.value)
    phase, comma, session = arguments.session.partition(",")
    if not comma or not phase.isdecimal() or not session.isdecimal():
        template = gettext_noop("“%(given)s” isn’t a session. Write the phase and the session, such as 1,3.")
        raise SealingError("squaredeal-session", template, given=arguments.session)
    boards = description.boards(
        squaredeal.read_keys(raw), (int(phase), int(session)), _purpose(arguments.purpose)
    )
    return description, boards


def _keys_beside(path: str) -> str:
    return str(Path(path).with_suffix(".sqk"))


def _verified_squaredeal(arguments: argparse.Namespace) -> Answer:
    description, expected = _squaredeal(arguments.sqd, arguments)
    first = arguments.first or expected[0].number
    reading = read_boards(arguments.file, None, first)
    boards = distinct(reading.boards)
    faults = [*reading.faults, *boards.faults]
    found = {board.number: board.deal for board in boards.boards}
    wanted = {board.number: board.deal for board in expected}
    differing = [
        BoardDifference(number, wanted[number], deal)
        for number, deal in sorted(found.items())
        if number in wanted and wanted[number] != deal
    ]
    missing = [number for number in wanted if number not in found]
    strange = [number for number in found if number not in wanted]
    value = {
        "event": description.name,
        "boards": len(found),
        "differing": [each.as_json() for each in differing],
        "missing": missing,
        "not_of_the_session": strange,
        "key_hash": description.key_hash,
        "key_hash_agrees": True,
        **problems_answer(faults),
    }
    wrong = differing or missing or strange or any(fault.refuses for fault in faults)
    return Answer(value, is_good=not wrong)


@final
@dataclass(frozen=True, slots=True)
class _Said:
    """What file and arguments tell of a seal."""

    key: str
    value: str
    commitment: str | None
    boards: int
    purpose: Purpose
    first: int | None


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
        template = gettext_noop("You need the session key and the delayed value.")
        raise SealingError("seal-incomplete", template)
    boards = _first_given(given.get("boards"), published.get("boards"))
    return _Said(
        key,
        delayed_value,
        given.get("commitment") or published.get("commitment"),
        min(boards, MOST_BOARDS) if isinstance(boards, int) else 0,
        _purpose(given.get("purpose") or fields.get("purpose") or fields.get("kind")),
        given.get("first"),
    )


def _first_given(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _purpose(given: Any) -> Purpose:
    try:
        return Purpose.ORIGINAL if given is None else Purpose(given)
    except ValueError:
        template = gettext_noop("“%(given)s” isn’t a purpose. Write original or reserve.")
        raise SealingError("seal-purpose", template, given=given) from None


def _verified(said: _Said, reading: Reading[Board]) -> Answer:
    boards = distinct(reading.boards)
    faults = [*reading.faults, *boards.faults]
    numbered = {board.number: board.deal for board in boards.boards}
    # Boards 9 to 16 may be a set of their own, or the last ones of a set of 16.
    firsts = [said.first] if said.first else [1, min(numbered, default=1)]
    by_first = {
        first: differing_boards(said.key, said.value, numbered, said.purpose, first) for first in firsts
    }
    begins = min(by_first, key=lambda first: len(by_first[first]))
    differing = by_first[begins]
    opens = said.commitment is None or commitment(said.key) == str(said.commitment).strip().lower()
    missing = [number for number in range(begins, begins + said.boards) if number not in numbered]
    value = {
        "boards": len(numbered),
        "differing": [each.as_json() for each in differing],
        "missing": missing,
        "commitment": commitment(said.key),
        "commitment_agrees": None if said.commitment is None else opens,
        **({} if opens else {"note": _OTHER_FORM}),
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
        template = gettext_noop("“%(given)s” isn’t a date. Write it like 2026-11-21.")
        raise SealingError("seal-day", template, given=text) from None
