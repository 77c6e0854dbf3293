"""DLM, the text files of Duplimate dealing machines: 99 boards with a checksum each.

As published by the program Big Deal: a [Document] head, then for every board from 1 to 99 its cards as 26 letters
(two cards a letter: 'a' + 4 x owner of the first + owner of the second, ace of spades first) and three digits. Boards
outside the set hold a filler.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import xor
from typing import Final, final

from engine.boards.files.boards import Board, NotationError, Reading, checked_set, no_boards
from engine.boards.files.hands import deal_of_owners, owners
from engine.deals import Deal
from engine.errors import DealError, RuleError
from engine.problems import Problem, impossible, inconsistent, problems_of, suspicious
from engine.text import gettext_noop

MOST_BOARDS: Final = 99
FILLER: Final = "aaaaaabffffffkkkkkklpppppp"
_LINE_END: Final = "\r\n"
_HEADLINE: Final = "Concertmaster"
_SHOW, _SEALED = "Show", "Sealed"
_LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")
_BOARD: Final = re.compile(r"board ([0-9]{1,3})")
_CARDS: Final = re.compile(r"([a-p]{26})([0-9]{3})")
_NUMBER: Final = re.compile(r"[0-9]{1,6}")


def write_dlm(boards: Sequence[Board], *, blind: bool = False, copies: int = 0) -> bytes:
    """The file for boards between 1 and 99; ``blind`` keeps the cards off the screen. Raises NotationError."""
    checked_set(boards, MOST_BOARDS)
    if not 0 <= copies <= 99:
        template = gettext_noop("The machine makes 0 to 99 copies, not %(given)s.")
        raise NotationError("dlm-copies", template, given=copies)
    lowest, highest = boards[0].number, boards[-1].number
    lines = [
        "[Document]",
        f"Headline={_HEADLINE}",
        f"Status={_SEALED if blind else _SHOW}",
        f"Duplicates={copies}",
        f"From board={lowest}",
        f"To board={highest}",
        "Next board to duplimate=0",
        "PrintOuts=0",
        "Crypto key=0",
        f"Checksum={_head_checksum(copies, lowest, highest, is_shown=not blind)}",
    ]
    dealt = {board.number: board_letters(board.deal) for board in boards}
    for number in range(1, MOST_BOARDS + 1):
        letters = dealt.get(number, FILLER)
        lines += [
            f"Duplicates {number:02d}=0",
            f"Board {number:02d}={letters}{board_checksum(number, letters):03d}",
        ]
    return _LINE_END.join([*lines, ""]).encode("ascii")


def board_letters(deal: Deal) -> str:
    """The deal as 26 letters."""
    indices = owners(deal)
    return "".join(
        chr(ord("a") + 4 * one + other) for one, other in zip(indices[::2], indices[1::2], strict=True)
    )


def deal_of_letters(letters: str) -> Deal:
    """The deal that these 26 letters from a to p are. Raises DealError."""
    pairs = [divmod(ord(letter) - ord("a"), 4) for letter in letters]
    return deal_of_owners([index for pair in pairs for index in pair])


def board_checksum(number: int, letters: str) -> int:
    """The number of the board XOR the codes of all its letters."""
    return reduce(xor, letters.encode("ascii"), number)


def _head_checksum(copies: int, lowest: int, highest: int, *, is_shown: bool) -> int:
    return copies ^ lowest ^ highest ^ is_shown


@final
@dataclass(slots=True)
class _Document:
    """What was read so far; lines count from 1."""

    head: dict[str, tuple[str, int]] = field(default_factory=dict)
    boards: dict[int, tuple[str, int]] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)

    def number(self, key: str) -> int | None:
        """The number under this key of the head; None where there is none."""
        value, line = self.head.get(key, ("", 0))
        if _NUMBER.fullmatch(value):
            return int(value)
        if line:
            template = gettext_noop("“%(key)s” must be a number, not “%(given)s”.")
            self.faults.append(impossible("dlm-number", template, ("line", line), key=key, given=value[:24]))
        return None


def read_dlm(data: bytes) -> Reading[Board]:
    """The boards of the set that the file names; others are filler. Checksums that do not agree are faults."""
    document = _document(data.decode("latin-1"))
    _check_head(document)
    lowest = document.number("from board") or 1
    highest = document.number("to board") or MOST_BOARDS
    is_named = "from board" in document.head and "to board" in document.head
    boards = []
    for number in sorted(document.boards):
        text, line = document.boards[number]
        if not lowest <= number <= highest or (not is_named and text.startswith(FILLER)):
            continue
        try:
            boards.append(Board.of(number, _deal(number, text)))
        except RuleError as error:
            document.faults += problems_of(error, ("line", line))
        if text.startswith(FILLER):
            template = gettext_noop("Board %(board)d belongs to the set but was never dealt.")
            document.faults.append(suspicious("dlm-filler", template, ("line", line), board=number))
    _note_gaps(document, lowest, highest, is_named=is_named)
    if not boards and not document.faults:
        document.faults.append(no_boards())
    return Reading(tuple(boards), tuple(document.faults))


def _document(text: str) -> _Document:
    document = _Document()
    for line, content in enumerate(_LINE_ENDS.split(text), 1):
        name, equals, given = content.partition("=")
        key, value = name.strip().lower(), given.strip()
        if not equals:
            if key and not key.startswith(("[", ";")):
                template = gettext_noop("“%(given)s” isn’t of the form key=value.")
                document.faults.append(impossible("dlm-line", template, ("line", line), given=content[:24]))
            continue
        board = _BOARD.fullmatch(key)
        if board is None:
            document.head.setdefault(key, (value, line))
        elif not 1 <= int(board[1]) <= MOST_BOARDS or int(board[1]) in document.boards:
            template = gettext_noop("Board %(board)d doesn’t exist or appears twice.")
            document.faults.append(impossible("dlm-board", template, ("line", line), board=int(board[1])))
        else:
            document.boards[int(board[1])] = (value, line)
    return document


def _check_head(document: _Document) -> None:
    if "checksum" not in document.head:
        return
    numbers = [document.number(key) for key in ("duplicates", "from board", "to board", "checksum")]
    copies, lowest, highest, checksum = numbers
    if copies is None or lowest is None or highest is None or checksum is None:
        return
    is_shown = document.head.get("status", ("", 0))[0].lower() == _SHOW.lower()
    if checksum != _head_checksum(copies, lowest, highest, is_shown=is_shown):
        template = gettext_noop("The checksum of the header is wrong. It was changed after it was written.")
        line = document.head["checksum"][1]
        document.faults.append(inconsistent("dlm-head-checksum", template, ("line", line)))


def _deal(number: int, text: str) -> Deal:
    found = _CARDS.fullmatch(text)
    if found is None:
        template = gettext_noop("A board must be 26 letters from a to p and three digits, not “%(given)s”.")
        raise DealError("dlm-letters", template, given=text)
    if int(found[2]) != board_checksum(number, found[1]):
        template = gettext_noop("The checksum of board %(board)d is wrong. Its cards were changed.")
        raise DealError("dlm-checksum", template, board=number)
    return deal_of_letters(found[1])


def _note_gaps(document: _Document, lowest: int, highest: int, *, is_named: bool) -> None:
    if not is_named:
        return
    if highest < lowest or highest > MOST_BOARDS:
        template = gettext_noop("The set goes from board %(low)d to %(high)d. It must be between 1 and 99.")
        line = document.head["to board"][1]
        document.faults.append(impossible("dlm-range", template, ("line", line), low=lowest, high=highest))
    for number in range(lowest, min(highest, MOST_BOARDS) + 1):
        if number not in document.boards:
            template = gettext_noop("Board %(board)d of the set is missing.")
            place = ("line", document.head["to board"][1])
            document.faults.append(impossible("dlm-missing", template, place, board=number))
