"""LIN, the files of Bridge Base: their deals. Names, auctions and play belong to bridge and are not read.

``md|3S9832HA...,...,...,...|`` holds a deal: a digit for the dealer (1 South, 2 West, 3 North, 4 East), then the
hands of South, West, North and East, of which the last may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from engine.boards.files.boards import Board, NotationError, Reading, distinct, no_boards
from engine.boards.files.hands import (
    HIDDEN,
    Hands,
    check_hands,
    hand_of_suits,
    hand_text,
    whole_deal,
)
from engine.cards import CardSet
from engine.errors import RuleError
from engine.problems import Problem, impossible, problems_of, suspicious
from engine.seats import Seat, dealer_of_board
from engine.text import gettext_noop

#: In the order of the format, both for hands and for the dealer's digit.
_LIN_SEATS: Final = (Seat.S, Seat.W, Seat.N, Seat.E)
_MARKS: Final = tuple("SHDC")
_HAND: Final = re.compile(r"(?:S([^SHDC]*))?(?:H([^SHDC]*))?(?:D([^SHDC]*))?(?:C([^SHDC]*))?")
_NUMBER: Final = re.compile(r"\D{0,40}([0-9]{1,5})\D{0,40}", re.ASCII)
_ROOM: Final = re.compile(r"[oc]([0-9]{1,5})", re.ASCII)
_NAMES: Final = "South,West,North,East"


@final
@dataclass(frozen=True, slots=True)
class _Command:
    """``name|value|`` and the line on which it begins."""

    name: str
    value: str
    line: int


def write_lin(boards: Sequence[Board]) -> bytes:
    """One line a board. Raises NotationError."""
    if not boards:
        raise NotationError("no-boards", gettext_noop("There are no boards to write."))
    return "".join(_line(board) for board in boards).encode("ascii")


def _line(board: Board) -> str:
    hands = ",".join(hand_text(board.deal[seat], _MARKS) for seat in _LIN_SEATS)
    dealer = _LIN_SEATS.index(board.dealer) + 1
    return f"pn|{_NAMES}|st||md|{dealer}{hands}|rh||ah|Board {board.number}|sv|o|pg||\n"


def read_lin(data: bytes) -> Reading[Board]:
    """Every deal of the file once: both rooms of a match have the same."""
    faults: list[Problem] = []
    boards: list[Board] = []
    for deal, number in _numbered_deals(data.decode("latin-1"), faults):
        hands, found = _read_hands(deal.value[1:])
        if found:
            faults += [fault for error in found for fault in problems_of(error, ("line", deal.line))]
            continue
        whole = whole_deal(hands)
        if whole is None:
            template = gettext_noop("Only one hand may be left out.")
            faults.append(impossible("lin-hidden", template, ("line", deal.line)))
            continue
        dealer = _dealer(deal, number, faults)
        boards.append(Board(number, whole, dealer))
    once = distinct(boards)
    faults += once.faults
    if not boards and not faults:
        faults.append(no_boards())
    return Reading(once.boards, tuple(faults))


def _commands(text: str) -> Iterator[_Command]:
    """The commands in order; line ends between them mean nothing."""
    words = text.split("|")
    line = 1
    for name, value in zip(words[::2], words[1::2], strict=False):
        begins = line + name[: len(name) - len(name.lstrip())].count("\n")
        yield _Command(name.strip().lower(), value.strip(), begins)
        line += name.count("\n") + value.count("\n")


def _numbered_deals(text: str, faults: list[Problem]) -> Iterator[tuple[_Command, int]]:
    """Each deal with the number of its board, which may stand before or behind it, or not at all."""
    waiting: _Command | None = None
    number: int | None = None
    last = 0
    for command in _commands(text):
        if command.name in {"qx", "md"}:
            if waiting:
                last = number or last + 1
                yield waiting, last
                waiting, number = None, None
            if command.name == "qx":
                room = _ROOM.match(command.value)
                number = int(room[1]) if room else None
            elif command.value.strip(", "):
                waiting = command
        elif command.name == "ah" and waiting:
            number = _number(command, number, faults)
    if waiting:
        yield waiting, number or last + 1


def _number(command: _Command, number: int | None, faults: list[Problem]) -> int | None:
    found = _NUMBER.fullmatch(command.value)
    said = int(found[1]) if found else None
    if said is None or said == 0 or (number is not None and number != said):
        template = gettext_noop("“%(given)s” doesn’t say which board this is.")
        faults.append(suspicious("lin-board", template, ("line", command.line), given=command.value[:24]))
        return number
    return said


def _dealer(deal: _Command, number: int, faults: list[Problem]) -> Seat:
    usual = dealer_of_board(number)
    digit = deal.value[0]
    if digit not in "1234":
        template = gettext_noop("“%(given)s” isn’t a dealer: 1 is South, 2 West, 3 North, 4 East.")
        faults.append(impossible("lin-dealer", template, ("line", deal.line), given=digit))
        return usual
    dealer = _LIN_SEATS[int(digit) - 1]
    if dealer is not usual:
        template = gettext_noop("%(dealer)s deals board %(board)d here; usually %(seat)s does.")
        faults.append(
            suspicious(
                "board-dealer",
                template,
                ("line", deal.line),
                dealer=dealer.title,
                board=number,
                seat=usual.title,
            )
        )
    return dealer


def _read_hands(text: str) -> tuple[Hands, list[RuleError]]:
    """The hands, South first in the text; what is wrong with them instead when something is."""
    words = text.upper().replace(" ", "").split(",")
    if len(words) == 3:
        words.append("")
    if len(words) != 4:
        template = gettext_noop("A deal needs the cards of four seats.")
        return HIDDEN, [NotationError("deal-seats", template)]
    faults: list[RuleError] = []
    found: dict[Seat, CardSet | None] = {}
    for seat, word in zip(_LIN_SEATS, words, strict=True):
        found[seat] = None
        suits = _HAND.fullmatch(word)
        if suits is None:
            template = gettext_noop(
                "%(seat)s’s cards must be the suits S, H, D, C in this order, not “%(given)s”."
            )
            faults.append(NotationError("lin-hand", template, given=word, seat=seat.title))
        elif word.strip("SHDC"):
            try:
                found[seat] = hand_of_suits([ranks or "" for ranks in suits.groups()], seat)
            except RuleError as error:
                faults.append(error)
    hands: Hands = (found[Seat.N], found[Seat.E], found[Seat.S], found[Seat.W])
    return hands, [*faults, *check_hands(hands)]
