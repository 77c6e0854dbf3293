"""Deals that nobody could choose: sealed before play, and checked by anyone afterwards.

The scheme is SquareDeal, as published by Hans van Staveren and used at world championships of bridge:

1. A secret *session key* is drawn. Its SHA-256 is published before play: the *commitment*. From then on the
   maker of the key cannot take another.
2. Also before play it is published what the *delayed information* will be: something that nobody can know yet, such
   as the numbers of a lottery on a date. So nobody can choose the key for its deals.
3. Key and delayed value together give the deals, one after another, each by its number (engine.boards.numbering).
   A game with more or fewer deals than 52 cards have takes as many bits as it needs, from as many digests.
4. After play the key is published. Anyone can check it against the commitment and derive the deals again, with this
   module or with the published programs.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import count, islice
from typing import Any, Final, Self, final

from engine.boards.numbering import DEALS, numbered_deal
from engine.boards.ripemd160 import ripemd160
from engine.deals import Deal
from engine.errors import RuleError
from engine.text import Word, gettext_noop

KEY_LENGTH: Final = 60
_KEY_LETTERS: Final = string.ascii_letters + string.digits
_DIGEST_BYTES: Final = 20
_LONGEST_TEXT: Final = 200


class SealingError(RuleError):
    """A key, a delayed value or a seal that cannot be used."""


class Purpose(StrEnum):
    """What the deals are for: each gives deals of its own from the same key."""

    ORIGINAL = "original"
    RESERVE = "reserve"
    """Spare boards, for those that have to be played again."""


class DelayedKind(StrEnum):
    """What sort of thing the delayed information is; said before play."""

    LOTTERY = "lottery"
    SHARE_INDEX = "share-index"
    WEATHER = "weather"
    AGREED_TEXT = "agreed-text"
    """Known beforehand, for a club that trusts the person who draws the key and does not want to wait."""
    OTHER = "other"

    @property
    def label(self) -> Word:
        """Its name for people."""
        return _KIND_LABELS[self]

    @property
    def is_delayed(self) -> bool:
        """Whether the value is known only later, on a date."""
        return self is not DelayedKind.AGREED_TEXT


_KIND_LABELS: Final = {
    DelayedKind.LOTTERY: Word(gettext_noop("lottery numbers")),
    DelayedKind.SHARE_INDEX: Word(gettext_noop("closing value of a share index")),
    DelayedKind.WEATHER: Word(gettext_noop("a measured temperature")),
    DelayedKind.AGREED_TEXT: Word(gettext_noop("an agreed text")),
    DelayedKind.OTHER: Word(gettext_noop("something else nobody can know yet")),
}


@final
@dataclass(frozen=True, slots=True)
class DelayedInformation:
    """What will be mixed into the deals: its kind and where to find it are fixed first, its value comes later.

    ``source`` says exactly what to take and how to write it: "6 of 49, Saturday's draw, ascending, with spaces".
    """

    kind: DelayedKind
    source: str
    on: date | None = None
    value: str | None = None

    def __post_init__(self) -> None:
        _check_text(self.source, gettext_noop("what the delayed information is"))
        if self.kind.is_delayed and self.on is None:
            template = gettext_noop("Please say on which day the delayed information will be known.")
            raise SealingError("delayed-date", template)
        if not self.kind.is_delayed and self.value is None:
            raise SealingError("delayed-value", gettext_noop("Please say what the agreed text is."))
        if self.value is not None:
            _check_text(self.value, gettext_noop("the delayed value"))

    def filled(self, value: str) -> DelayedInformation:
        """The same with its value, once that is known. Raises SealingError when another was filled in already."""
        if self.value is not None and self.value != value:
            template = gettext_noop("The delayed value is already “%(given)s”. You can’t change it.")
            raise SealingError("delayed-settled", template, given=self.value)
        return replace(self, value=value)

    def as_json(self) -> dict[str, Any]:
        """The information for a program; ``read_delayed`` reads it."""
        day = self.on.isoformat() if self.on else None
        return {"kind": self.kind.value, "source": self.source, "on": day, "value": self.value}


@final
@dataclass(frozen=True, slots=True)
class Seal:
    """What is published before play."""

    commitment: str
    boards: int
    delayed: DelayedInformation

    @classmethod
    def of(cls, key: str, boards: int, delayed: DelayedInformation) -> Self:
        """The seal of a set of that many boards under this key."""
        return cls(commitment(key), boards, delayed)

    def opens_with(self, key: str) -> bool:
        """Whether this is the key that was committed to."""
        return hmac.compare_digest(commitment(key), self.commitment.strip().lower())

    def as_json(self) -> dict[str, Any]:
        """The seal for a program."""
        return {"commitment": self.commitment, "boards": self.boards, "delayed": self.delayed.as_json()}


def new_session_key() -> str:
    """A fresh key of 60 letters and digits, from the system's secure source of randomness."""
    return "".join(secrets.choice(_KEY_LETTERS) for _ in range(KEY_LENGTH))


def commitment(key: str) -> str:
    """The SHA-256 of the key, in hexadecimal: published before play. Raises SealingError."""
    return hashlib.sha256(_key_bytes(key)).hexdigest()


def sealed_numbers(
    key: str, delayed_value: str, purpose: Purpose = Purpose.ORIGINAL, deals: int = DEALS
) -> Iterator[int]:
    """The numbers of the deals, one after another without end, of so many deals. Raises SealingError.

    The digest of a sequence number gives as many bits as the number of deals has, 96 for 52 cards; a longer number
    takes the next sequence numbers too. Those that are no deal's number, about a third for 52 cards, are left out.
    """
    raw = _key_bytes(key)
    left, right = raw[: KEY_LENGTH // 2], raw[KEY_LENGTH // 2 :]
    _check_text(delayed_value, gettext_noop("the delayed value"))
    owner = ripemd160(left)
    seed = ripemd160(right + base64.b64encode(delayed_value.encode()) + purpose.value.encode())
    return _numbers(seed + owner, deals)


def _numbers(seed: bytes, deals: int) -> Iterator[int]:
    bits = deals.bit_length()
    size = -(-bits // 8)
    digests = -(-size // _DIGEST_BYTES)
    for first in count(1, digests):
        drawn = b"".join(
            ripemd160(sequence.to_bytes(4, "little") + seed) for sequence in range(first, first + digests)
        )
        number = int.from_bytes(drawn[:size], "big") >> 8 * size - bits
        if number < deals:
            yield number


def sealed_deals(
    key: str, delayed_value: str, boards: int, purpose: Purpose = Purpose.ORIGINAL
) -> tuple[Deal, ...]:
    """The deals of that many boards, in order. Raises SealingError."""
    return tuple(
        numbered_deal(number) for number in islice(sealed_numbers(key, delayed_value, purpose), boards)
    )


@final
@dataclass(frozen=True, slots=True)
class BoardDifference:
    """A board that is not the one that key and delayed value give."""

    board: int
    expected: Deal
    found: Deal

    def as_json(self) -> dict[str, Any]:
        """The difference for a program."""
        return {"board": self.board, "expected": str(self.expected), "found": str(self.found)}


def differing_boards(
    key: str,
    delayed_value: str,
    boards: Mapping[int, Deal],
    purpose: Purpose = Purpose.ORIGINAL,
    first: int = 1,
) -> tuple[BoardDifference, ...]:
    """Which of these numbered boards are not those of the seal, in order; ``first`` is the set's first board.

    Raises SealingError, also for a board before the first.
    """
    if any(board < first for board in boards):
        template = gettext_noop("Board %(board)d comes before the first board of the set, %(first)d.")
        raise SealingError("board-before-first", template, board=min(boards), first=first)
    if not boards:
        return ()
    expected = sealed_deals(key, delayed_value, max(boards) - first + 1, purpose)
    return tuple(
        BoardDifference(board, expected[board - first], found)
        for board, found in sorted(boards.items())
        if expected[board - first] != found
    )


def _key_bytes(key: str) -> bytes:
    if not isinstance(key, str) or len(key) != KEY_LENGTH or not key.isascii() or not key.isprintable():
        template = gettext_noop("A session key must have %(length)d letters or digits.")
        raise SealingError("session-key", template, length=KEY_LENGTH)
    return key.encode("ascii")


def _check_text(text: str, what: str) -> None:
    """Refuse what people could not type in again exactly as it was."""
    if not isinstance(text, str) or not text.isprintable() or text != text.strip() or not text:
        template = gettext_noop("Write %(what)s on one line, without spaces before or after.")
        raise SealingError("sealing-text", template, what=Word(what))
    if len(text) > _LONGEST_TEXT:
        template = gettext_noop("Write %(what)s in at most %(most)d characters.")
        raise SealingError("sealing-text", template, what=Word(what), most=_LONGEST_TEXT)
