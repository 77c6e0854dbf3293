"""What can be done with deals and files of deals from the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from engine.boards.files.boards import Board, NotationError, Reading, distinct
from engine.boards.files.formats import (
    FORMATS,
    Format,
    format_named,
    format_of_file,
)
from engine.boards.files.pbn import read_pbn
from engine.boards.numbering import deal_number, numbered_deal
from engine.cli import STANDARD_INPUT, Answer, argument, command, problems_answer
from engine.deals import Deal
from engine.text import gettext_noop

_DEALS_FILE = argument("file", metavar="FILE", help="a file of deals, or - for standard input")
_FROM = argument(
    "--from", dest="given_format", default=None, metavar="FORMAT", help="where the ending does not tell"
)
_FIRST = argument(
    "--first", type=int, default=None, help="the first board's number, for a dealing machine's file"
)


@command("number", argument("deal", metavar="DEAL", help="a deal in PBN, in quotes"))
def number(arguments: argparse.Namespace) -> Answer:
    """The number of a deal, from 0 to 53644737765488792839237439999."""
    deal = Deal.parse(arguments.deal)
    return Answer({"number": str(deal_number(deal)), "deal": str(deal)})


@command("deal-number", argument("number", type=int, metavar="NUMBER", help="as `number` gives it"))
def deal_of_number(arguments: argparse.Namespace) -> Answer:
    """The deal that has a number."""
    deal = numbered_deal(arguments.number)
    return Answer({"number": str(arguments.number), "deal": str(deal)})


@command("read-pbn", argument("file", metavar="FILE", help="a PBN file, or - for standard input"))
def read_pbn_file(arguments: argparse.Namespace) -> Answer:
    """The games of a PBN file with their tags and play, and everything that is wrong with it, by lines."""
    reading = read_pbn(read_bytes(arguments.file))
    value = {"games": [game.as_json() for game in reading.boards], **problems_answer(reading.faults)}
    return Answer(value, is_good=reading.is_accepted)


@command("read-deals", _DEALS_FILE, _FROM, _FIRST)
def read_deals(arguments: argparse.Namespace) -> Answer:
    """The boards of a file in any format, and everything that is wrong with it."""
    reading = read_boards(arguments.file, arguments.given_format, arguments.first)
    value = {"boards": [board.as_json() for board in reading.boards], **problems_answer(reading.faults)}
    return Answer(value, is_good=reading.is_accepted)


@command(
    "convert",
    _DEALS_FILE,
    _FROM,
    argument("--to", required=True, metavar="FORMAT", help=", ".join(FORMATS)),
    argument("--output", default=None, metavar="FILE", help="required for formats that are no text"),
    _FIRST,
)
def convert(arguments: argparse.Namespace) -> Answer:
    """Write the boards of a file in another format; nothing is written while something is wrong."""
    target = format_named(arguments.to)
    if arguments.output is None and target.is_binary:
        template = gettext_noop("%(format)s isn’t a text format. Say which file to write with --output.")
        raise NotationError("output-missing", template, format=target.key)
    reading = read_boards(arguments.file, arguments.given_format, arguments.first)
    if not reading.is_accepted:
        return Answer(problems_answer(reading.faults), is_good=False)
    return _written(target, reading, arguments.output)


def _written(target: Format, reading: Reading[Board], output: str | None) -> Answer:
    boards = distinct(reading.boards)
    if not boards.is_accepted:
        return Answer(problems_answer(boards.faults), is_good=False)
    data = target.write(boards.boards)
    if output is None:
        return Answer(data.decode("latin-1").replace("\r\n", "\n"))
    write_bytes(output, data)
    value: dict[str, Any] = {"file": output, "format": target.key, "boards": len(boards.boards)}
    return Answer({**value, **problems_answer(reading.faults)})


# What the commands of sealing use too


def read_boards(path: str, given_format: str | None, first: int | None) -> Reading[Board]:
    """The boards of that file. Raises NotationError when it cannot be opened or is in no known format."""
    found = format_of_file(path) if given_format is None else format_named(given_format)
    return found.read(read_bytes(path), first)


def read_bytes(path: str) -> bytes:
    """What is in the file, or on standard input. Raises NotationError with the reason."""
    try:
        return sys.stdin.buffer.read() if path == STANDARD_INPUT else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        template = gettext_noop("We can’t read the file %(path)s: %(reason)s.")
        raise NotationError("file", template, path=path, reason=_reason(error)) from None


def write_bytes(path: str, data: bytes) -> None:
    """Write the file. Raises NotationError with the reason."""
    try:
        Path(path).write_bytes(data)
    except (OSError, ValueError) as error:
        template = gettext_noop("We can’t write the file %(path)s: %(reason)s.")
        raise NotationError("file", template, path=path, reason=_reason(error)) from None


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
