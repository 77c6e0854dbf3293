"""The files of dealing machines: BRI, DGE, DUP and BER.

None of them knows a dealer: board n is dealt as R19 says. They begin at ``first``, or at 1. Only DUP has numbers of
its own, which count where nobody gives a first one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from engine.boards.files.boards import Board, NotationError, Reading, checked_set, no_boards
from engine.boards.files.hands import (
    deal_of_owners,
    hand_of_suits,
    hand_text,
    owners,
)
from engine.boards.numbering import DEALING_ORDER
from engine.cards import CardSet
from engine.deals import Deal
from engine.errors import DealError, RuleError
from engine.problems import Problem, impossible, inconsistent, problems_of, suspicious
from engine.seats import SEATS, Seat
from engine.text import gettext_noop

#: Nobody deals more boards at once.
MOST_BOARDS: Final = 99_999
#: DUP has three characters for a board's number.
MOST_DUP_BOARDS: Final = 999

_BRI_DIGITS: Final = 78
_BRI_FILLER: Final = b" " * 32 + b"\0" * 18
_BRI_RECORD: Final = _BRI_DIGITS + len(_BRI_FILLER)
_DGE_BYTES: Final = 68
_DGE_FILLER: Final = b"\0" * 60
_DGE_RECORD: Final = _DGE_BYTES + len(_DGE_FILLER)
_DUP_RECORD: Final = 156
_BER_RECORD: Final = 52

#: What may follow the last record: DOS's end-of-file mark, line ends.
_AFTER_THE_END: Final = b"\x1a\r\n"
#: The suits in DOS's character set, as DGE marks them.
_DGE_MARKS: Final = ("\x06", "\x03", "\x04", "\x05")
_DGE_HAND: Final = re.compile(rb"\x06([2-9TJQKA]*)\x03([2-9TJQKA]*)\x04([2-9TJQKA]*)\x05([2-9TJQKA]*)")
_DUP_NUMBERS: Final = re.compile(rb"[YN][YN]([0-9]{1,3}) *([0-9]{1,2}) *([0-9]{1,3}) *")
_BLANK: Final = b" " * _DGE_BYTES

ReadDeal = Callable[[bytes], Deal]


def write_bri(boards: Sequence[Board]) -> bytes:
    """128 bytes a board. Raises NotationError."""
    return b"".join(_bri(board.deal) + _BRI_FILLER for board in checked_set(boards, MOST_BOARDS))


def read_bri(data: bytes, first: int | None = None) -> Reading[Board]:
    """Boards from records of 128 bytes, or from lines of 78 digits."""
    lines = data.rstrip(_AFTER_THE_END).split(b"\n")
    if all(len(line.rstrip(b"\r")) == _BRI_DIGITS for line in lines):
        return _read(b"".join(line.rstrip(b"\r") for line in lines), _BRI_DIGITS, _deal_of_bri, first)
    return _read(data, _BRI_RECORD, lambda record: _deal_of_bri(record[:_BRI_DIGITS]), first)


def write_dge(boards: Sequence[Board]) -> bytes:
    """128 bytes a board. Raises NotationError."""
    return b"".join(_dge(board.deal) + _DGE_FILLER for board in checked_set(boards, MOST_BOARDS))


def read_dge(data: bytes, first: int | None = None) -> Reading[Board]:
    """Boards from records of 128 bytes."""
    return _read(data, _DGE_RECORD, lambda record: _deal_of_dge(record[:_DGE_BYTES]), first)


def write_ber(boards: Sequence[Board]) -> bytes:
    """52 digits a board: 1 North, 2 East, 3 South, 4 West, ace of spades first. Raises NotationError."""
    return b"".join(_ber(board.deal) for board in checked_set(boards, MOST_BOARDS))


def read_ber(data: bytes, first: int | None = None) -> Reading[Board]:
    """Boards from 52 digits each; line ends between them do not matter."""
    return _read(data.translate(None, _AFTER_THE_END), _BER_RECORD, _deal_of_ber, first)


def write_dup(boards: Sequence[Board], *, blind: bool = False, copies: int = 0) -> bytes:
    """156 bytes a board: BRI, DGE, and the numbers of the set. Raises NotationError.

    ``blind`` leaves out the first board's DGE, by which the machine's program knows not to show any cards.
    """
    checked_set(boards, MOST_DUP_BOARDS)
    if not 0 <= copies <= 99:
        template = gettext_noop("The machine makes 0 to 99 copies, not %(given)s.")
        raise NotationError("dup-copies", template, given=copies)
    numbers = b"YN%-3d%-2d%-3b" % (boards[0].number, copies, b"%02d" % boards[-1].number)
    return b"".join(
        _bri(board.deal) + (_BLANK if blind and not place else _dge(board.deal)) + numbers
        for place, board in enumerate(boards)
    )


def read_dup(data: bytes, first: int | None = None) -> Reading[Board]:
    """Boards from records of 156 bytes. ``first`` wins: many programs write "from 1" whatever the set."""
    said = _DUP_NUMBERS.fullmatch(data[_BRI_DIGITS + _DGE_BYTES : _DUP_RECORD])
    faults: list[Problem] = []
    if not said and len(data) >= _DUP_RECORD:
        template = gettext_noop("The file does not say which boards it holds.")
        faults.append(suspicious("dup-numbers", template, ("board", first or 1)))
    low, high = (int(said[1]), int(said[3])) if said else (1, 0)
    reading = _read(data, _DUP_RECORD, _deal_of_dup, low if first is None else first)
    count = len(data) // _DUP_RECORD
    if said and count != high - low + 1:
        template = gettext_noop("The file says its boards are %(low)d to %(high)d, but it has %(count)d.")
        faults.append(suspicious("dup-count", template, low=low, high=high, count=count))
    return Reading(reading.boards, (*faults, *reading.faults))


# One deal


def _bri(deal: Deal) -> bytes:
    """North, East and South: two digits a card, 01 the ace of spades, 52 the two of clubs."""
    return b"".join(
        b"%02d" % place
        for seat in SEATS[:3]
        for place, card in enumerate(DEALING_ORDER, 1)
        if card in deal[seat]
    )


def _deal_of_bri(digits: bytes) -> Deal:
    if len(digits) != _BRI_DIGITS or not digits.isdigit():
        raise DealError("bri-digits", gettext_noop("These aren’t the 78 digits of three players’ cards."))
    numbers = [int(digits[place : place + 2]) for place in range(0, _BRI_DIGITS, 2)]
    for number in numbers:
        if not 1 <= number <= 52:
            template = gettext_noop("There’s no card number %(given)s.")
            raise DealError("bri-number", template, given=f"{number:02d}")
    indices = [Seat.W.index] * 52
    for place, number in enumerate(numbers):
        if indices[number - 1] != Seat.W.index:
            template = gettext_noop("The %(card)s appears twice.")
            raise DealError("card-twice", template, card=DEALING_ORDER[number - 1].symbol)
        indices[number - 1] = place // 13
    return deal_of_owners(indices)


def _dge(deal: Deal) -> bytes:
    return "".join(hand_text(deal[seat], _DGE_MARKS) for seat in SEATS).encode("ascii")


def _deal_of_dge(data: bytes) -> Deal:
    hands: dict[Seat, CardSet] = {}
    for seat in SEATS:
        found = _DGE_HAND.fullmatch(data[17 * seat.index : 17 * seat.index + 17])
        if found is None:
            template = gettext_noop("%(seat)s’s cards aren’t four suits with thirteen cards in total.")
            raise DealError("dge-hand", template, seat=seat.title)
        hands[seat] = hand_of_suits([ranks.decode("ascii") for ranks in found.groups()], seat)
    return Deal.of(hands)


def _deal_of_dup(record: bytes) -> Deal:
    deal = _deal_of_bri(record[:_BRI_DIGITS])
    shown = record[_BRI_DIGITS : _BRI_DIGITS + _DGE_BYTES]
    if shown != _BLANK and _deal_of_dge(shown) != deal:
        template = gettext_noop("The cards to deal and the cards to show differ.")
        raise DealError("dup-differs", template)
    return deal


def _ber(deal: Deal) -> bytes:
    return b"".join(b"%d" % (index + 1) for index in owners(deal))


def _deal_of_ber(digits: bytes) -> Deal:
    if not all(digit in b"1234" for digit in digits):
        raise DealError("ber-digits", gettext_noop("Only the digits 1 to 4 are allowed here."))
    return deal_of_owners([digit - ord("1") for digit in digits])


# All deals of a file


def _read(data: bytes, size: int, read_deal: ReadDeal, given_first: int | None) -> Reading[Board]:
    first = 1 if given_first is None else given_first
    boards: list[Board] = []
    faults: list[Problem] = []
    whole = len(data) // size
    if data[whole * size :].strip(_AFTER_THE_END):
        template = gettext_noop("The file ends in the middle of this board. It should have %(size)d bytes.")
        faults.append(impossible("cut-off", template, ("board", first + whole), size=size))
    elif not whole:
        faults.append(no_boards())
    if not 1 <= first <= MOST_BOARDS - max(whole, 1) + 1:
        template = gettext_noop("Boards are numbered from 1 to %(most)d.")
        return Reading((), (*faults, inconsistent("boards-range", template, most=MOST_BOARDS)))
    for number, record in enumerate(_records(data, size, whole), first):
        try:
            boards.append(Board.of(number, read_deal(record)))
        except RuleError as error:
            faults += problems_of(error, ("board", number))
    return Reading(tuple(boards), tuple(faults))


def _records(data: bytes, size: int, whole: int) -> Iterator[bytes]:
    for start in range(0, whole * size, size):
        yield data[start : start + size]
