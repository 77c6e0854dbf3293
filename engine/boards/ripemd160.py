"""RIPEMD-160, by which SquareDeal turns a key into deals.

Python's hashlib has it only where the system's OpenSSL still offers it, so it stands here, written from the
description by its authors (H. Dobbertin, A. Bosselaers, B. Preneel: RIPEMD-160, a strengthened version of RIPEMD,
1996). It is not meant for speed: sealing a set takes some dozens of short messages.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final, NamedTuple, final

_MASK: Final = 0xFFFFFFFF
_BLOCK: Final = 64
_START: Final = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)

Mixing = Callable[[int, int, int], int]
State = tuple[int, int, int, int, int]


@final
class Round(NamedTuple):
    """Sixteen steps: which words of the message they take, how far they turn, what they add, how they mix."""

    order: tuple[int, ...]
    turns: tuple[int, ...]
    added: int
    mix: Mixing


def _parity(x: int, y: int, z: int) -> int:
    return x ^ y ^ z


def _choice(x: int, y: int, z: int) -> int:
    return x & y | ~x & z


def _or_not(x: int, y: int, z: int) -> int:
    return (x | ~y) ^ z


def _choice_back(x: int, y: int, z: int) -> int:
    return x & z | y & ~z


def _not_or(x: int, y: int, z: int) -> int:
    return x ^ (y | ~z)


#: The message passes through two lines of five rounds side by side.
_LEFT: Final = (
    Round(
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
        (11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8),
        0x00000000,
        _parity,
    ),
    Round(
        (7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8),
        (7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12),
        0x5A827999,
        _choice,
    ),
    Round(
        (3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12),
        (11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5),
        0x6ED9EBA1,
        _or_not,
    ),
    Round(
        (1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2),
        (11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12),
        0x8F1BBCDC,
        _choice_back,
    ),
    Round(
        (4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13),
        (9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6),
        0xA953FD4E,
        _not_or,
    ),
)
_RIGHT: Final = (
    Round(
        (5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12),
        (8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6),
        0x50A28BE6,
        _not_or,
    ),
    Round(
        (6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2),
        (9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11),
        0x5C4DD124,
        _choice_back,
    ),
    Round(
        (15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13),
        (9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5),
        0x6D703EF3,
        _or_not,
    ),
    Round(
        (8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14),
        (15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8),
        0x7A6D76E9,
        _choice,
    ),
    Round(
        (12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11),
        (8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11),
        0x00000000,
        _parity,
    ),
)


def ripemd160(message: bytes) -> bytes:
    """The 20 bytes of the digest."""
    padded = message + b"\x80" + b"\0" * (-(len(message) + 9) % _BLOCK) + struct.pack("<Q", 8 * len(message))
    state: State = _START
    for start in range(0, len(padded), _BLOCK):
        state = _compress(state, struct.unpack("<16L", padded[start : start + _BLOCK]))
    return struct.pack("<5L", *state)


def _compress(state: State, words: tuple[int, ...]) -> State:
    left = right = state
    for left_round, right_round in zip(_LEFT, _RIGHT, strict=True):
        left = _after(left_round, left, words)
        right = _after(right_round, right, words)
    # Each word of the new state adds one of the old, of the left and of the right line, each a step further on.
    a, b, c, d, e = (
        (state[(place + 1) % 5] + left[(place + 2) % 5] + right[(place + 3) % 5]) & _MASK
        for place in range(5)
    )
    return a, b, c, d, e


def _after(one: Round, state: State, words: tuple[int, ...]) -> State:
    a, b, c, d, e = state
    for word, turn in zip(one.order, one.turns, strict=True):
        total = (a + one.mix(b, c, d) + words[word] + one.added) & _MASK
        a, b, c, d, e = e, (_turned(total, turn) + e) & _MASK, b, _turned(c, 10), d
    return a, b, c, d, e


def _turned(value: int, bits: int) -> int:
    return (value << bits | value >> 32 - bits) & _MASK
