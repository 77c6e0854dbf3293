"""Boards as JSON: a list of ``{"board", "dealer", "deal"}``, or an object that has one under "boards"."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.boards.files.boards import Board, NotationError, Reading, checked_dealer, no_boards
from engine.boards.numbering import deal_number, numbered_deal
from engine.deals import Deal
from engine.errors import DealError, RuleError, quoted
from engine.problems import Problem, impossible, inconsistent, problems_of
from engine.text import gettext_noop

_LONGEST_NUMBER = 29
#: A list with more faults than this is no list of boards: nothing more of it is read.
_MOST_FAULTS = 1000


def write_json(boards: Sequence[Board]) -> bytes:
    """The boards with their deals and the deals' numbers (as text: they are too long for many programs)."""
    if not boards:
        raise NotationError("no-boards", gettext_noop("There are no boards to write."))
    listed = [{**board.as_json(), "number": str(deal_number(board.deal))} for board in boards]
    return json.dumps(listed, indent=1).encode("ascii") + b"\n"


def read_json(data: bytes) -> Reading[Board]:
    """The boards of a JSON file."""
    try:
        value = json.loads(data)
    except RecursionError:
        return Reading((), (impossible("json", gettext_noop("The JSON is nested too deeply.")),))
    except ValueError as error:
        template = gettext_noop("This isn’t valid JSON: %(reason)s")
        return Reading((), (impossible("json", template, reason=str(error)[:100]),))
    return boards_from_json(value)


def boards_from_json(value: Any) -> Reading[Board]:
    """The boards of this JSON value; a board without number follows the one before."""
    listed = value.get("boards") if isinstance(value, dict) else value
    if not isinstance(listed, list):
        template = gettext_noop("Boards must be a list of objects, each with a deal.")
        return Reading((), (impossible("boards-shape", template),))
    faults: list[Problem] = [] if listed else [no_boards()]
    boards: list[Board] = []
    for place, each in enumerate(listed, 1):
        last = boards[-1].number if boards else 0
        try:
            boards.append(_board(each, last + 1, place, faults))
        except RuleError as error:
            faults += problems_of(error, ("board", place))
        if len(faults) >= _MOST_FAULTS:
            template = gettext_noop("There are too many errors here. We stopped reading.")
            faults.append(impossible("too-many-faults", template, ("board", place)))
            break
    return Reading(tuple(boards), tuple(faults))


def _board(value: Any, next_number: int, place: int, faults: list[Problem]) -> Board:
    if not isinstance(value, Mapping) or not ("deal" in value or "number" in value):
        template = gettext_noop("A board must be an object with a deal, not %(given)s.")
        raise DealError("board-shape", template, given=quoted(value))
    number = value.get("board", next_number)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 99_999:
        raise DealError("board-number", gettext_noop("“%(given)s” isn’t a board number."), given=number)
    said = value.get("number")
    numbered = None if said is None else numbered_deal(_deal_number(said))
    given = value.get("deal")
    deal = numbered if given is None and numbered is not None else Deal.parse(given)  # type: ignore[arg-type]
    if numbered is not None and numbered != deal:
        template = gettext_noop("The deal doesn’t match its number.")
        faults.append(inconsistent("board-deal-number", template, ("board", place)))
    return Board(number, deal, checked_dealer(value.get("dealer"), number))


def _deal_number(given: Any) -> Any:
    """A number written as text as a number; everything else is left to numbered_deal to refuse."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) <= _LONGEST_NUMBER:
        return int(given)
    return given
