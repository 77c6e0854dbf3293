"""Imported deals as one text, whose SHA-256 is published before play: anyone can compute it again afterwards.

The first line is the salt, 64 hexadecimal digits drawn by chance, so that nobody can find the deals by trying; then
one line a board: its number, the letter of its dealer and the deal in PBN from North on, with single spaces. Each line
ends with a line feed. docs/boards.md says how to check it.
"""

import hashlib
import secrets
from collections.abc import Sequence

from engine.boards.files.boards import Board
from engine.deals import Deal
from engine.seats import Seat

SALT_BYTES = 32


def write(boards: Sequence[Board], salt: str = "") -> str:
    """The text of these boards, with a fresh salt unless one is given."""
    lines = [salt or secrets.token_hex(SALT_BYTES)]
    lines += [f"{board.number} {board.dealer.letter} {board.deal}" for board in boards]
    return "".join(f"{line}\n" for line in lines)


def read(text: str) -> tuple[Board, ...]:
    """The boards of a text. Raises KeyError or an error of the engine when it is none."""
    _salt, *lines = text.splitlines()
    boards = []
    for line in lines:
        number, _space, rest = line.partition(" ")
        dealer, _space, deal = rest.partition(" ")
        if not number.isdecimal():
            raise KeyError
        boards.append(Board(int(number), Deal.parse(deal), Seat.parse(dealer)))
    return tuple(boards)


def commitment(text: str) -> str:
    """What is published before play."""
    return hashlib.sha256(text.encode()).hexdigest()
