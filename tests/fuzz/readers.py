"""What atheris runs: every reader of deals on whatever bytes it thinks of.

Started by ``make fuzz`` (tests/fuzz/run.py) in an environment of its own, with a folder of files to begin with.
"""

import sys
from typing import Any

import atheris  # type: ignore[import-untyped]

with atheris.instrument_imports(include=["engine"]):
    from engine.boards.files.board_lists import read_json
    from engine.boards.files.boards import Reading
    from engine.boards.files.dealing import (
        read_ber,
        read_bri,
        read_dge,
        read_dup,
    )
    from engine.boards.files.dlm import read_dlm
    from engine.boards.files.lin import read_lin
    from engine.boards.files.pbn import boards_of, read_pbn, write_pbn
    from engine.cards import PACK
    from engine.deals import Deal
    from engine.seats import SEATS

#: Behind PBN, which comes first.
READERS = (read_lin, read_dlm, read_dup, read_bri, read_dge, read_ber, read_json)


def one_input(data: bytes) -> None:
    """The first byte chooses the reader. Any exception, and any deal that is none, is a find."""
    if not data:
        return
    chosen = data[0] % (len(READERS) + 1)
    if chosen:
        check(READERS[chosen - 1](data[1:]))
        return
    reading = read_pbn(data[1:])
    check(reading)
    check(boards_of(reading))
    if reading.boards:
        again = read_pbn(write_pbn(reading.boards))
        assert [game.deal for game in again.boards] == [game.deal for game in reading.boards]


def check(reading: Reading[Any]) -> None:
    """Sound deals, and faults that can be told."""
    assert reading.boards or reading.faults
    for board in reading.boards:
        assert board.deal is None or is_sound(board.deal)
    for fault in reading.faults:
        assert str(fault.message)
        assert not fault.place or (fault.place[0] in ("line", "board") and isinstance(fault.place[1], int))


def is_sound(deal: Deal) -> bool:
    """Whether it is 52 different cards, 13 a seat, counted from nothing."""
    cards = [card for seat in SEATS for card in deal[seat]]
    return len(cards) == 52 and set(cards) == set(PACK) and all(len(deal[seat]) == 13 for seat in SEATS)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
