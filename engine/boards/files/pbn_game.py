"""A game as a PBN file has it: a board, who played it, and what else was written of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self, final

from engine.boards.files.boards import Board, faults_error
from engine.boards.files.hands import (
    HIDDEN,
    Hands,
    check_hands,
    whole_deal,
)
from engine.boards.files.played import Played, section_of
from engine.cards import CardSet
from engine.deals import Deal
from engine.errors import DealError
from engine.problems import problems_of
from engine.seats import SEATS, Seat, dealer_of_board

#: The tags that every exported game has, in the standard's order.
MANDATORY: Final = (
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)
UNKNOWN: Final = "?"
#: With its name and brackets a value of this length stays on a line of 255 characters.
LONGEST_VALUE: Final = 180

_IN_LATIN_1: Final = str.maketrans(
    {"“": "'", "”": "'", "„": "'", "‘": "'", "’": "'", '"': "'", "\\": "/", "–": "-", "—": "-", "…": "..."}
    | {"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "Œ": "OE", "œ": "oe", "ħ": "h", "Ħ": "H", "€": "EUR"}
)


@final
@dataclass(frozen=True, slots=True)
class PbnGame:
    """One game of a PBN file. What it does not say is None.

    ``record`` is the deal as it was played, without its cards: those are in ``hands``, some of which may be hidden.
    ``tags`` are all others that stand for themselves, by name, as in ``pbn_tags``. ``line`` is where it begins.
    """

    number: int | None = None
    dealer: Seat | None = None
    hands: Hands = HIDDEN
    tags: Mapping[str, str] = field(default_factory=dict)
    record: Played | None = None
    line: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if faults := check_hands(self.hands):
            problems = [problem for fault in faults for problem in problems_of(fault, ())]
            raise DealError("deal", "%(faults)s", causes=faults, faults=str(faults_error(problems)))

    @classmethod
    def of_board(cls, board: Board, tags: Mapping[str, str] | None = None) -> Self:
        """A board that nobody has played yet."""
        hands: Hands = tuple(board.deal[seat] for seat in SEATS)  # type: ignore[assignment]
        return cls(board.number, board.dealer, hands, pbn_tags(tags or {}))

    @classmethod
    def of_record(
        cls, number: int, record: Played, deal: Deal | None = None, tags: Mapping[str, str] | None = None
    ) -> Self:
        """A deal as it was played, its points worked out where that is possible.

        ``deal`` is the deal where the board is known. Raises NotationError when the record is refused for
        something that is wrong; what is merely not given stays so.
        """
        known = deal or record.deal
        played = section_of(record).told(number, record, known)
        hands: Hands = HIDDEN
        if known is not None:
            hands = tuple(known[seat] for seat in SEATS)  # type: ignore[assignment]
        dealer = record.dealer or dealer_of_board(number)
        return cls(number, dealer, hands, pbn_tags(tags or {}), played)

    @property
    def deal(self) -> Deal | None:
        """The deal, when at most one hand is hidden."""
        return whole_deal(self.hands)

    @property
    def board(self) -> Board | None:
        """The board, when its number and its deal are known."""
        deal = self.deal
        if self.number is None or deal is None:
            return None
        return Board(self.number, deal, self.dealer or dealer_of_board(self.number))

    def as_json(self) -> dict[str, Any]:
        """The game for a program."""
        deal = self.deal
        return {
            "board": self.number,
            "dealer": self.dealer.letter if self.dealer else None,
            "deal": str(deal) if deal else None,
            "hands": {seat.letter: _listed(cards) for seat, cards in zip(SEATS, self.hands, strict=True)},
            "tags": dict(self.tags),
            "record": self.record.as_json() if self.record else None,
            "line": self.line,
        }


def _listed(cards: CardSet | None) -> list[str] | None:
    return None if cards is None else str(cards).split()


def pbn_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """The tags as a file can hold them: those with a value, in Latin-1, on one line."""
    held = {name: pbn_text(value) for name, value in tags.items()}
    return {name: value for name, value in held.items() if value not in ("", UNKNOWN)}


def pbn_text(value: str) -> str:
    """The text as a tag can hold it: one line of Latin-1, without quotes, not too long; letters lose their accents
    where Latin-1 does not have them. A value that begins like an inherited one loses that beginning."""
    folded = "".join(_in_latin_1(letter) for letter in value[: 4 * LONGEST_VALUE].translate(_IN_LATIN_1))
    text = " ".join(folded.split())
    if text == "#" or text.startswith("##"):
        text = text.lstrip("# ")
    return text[:LONGEST_VALUE].strip()


def _in_latin_1(letter: str) -> str:
    if letter < "\u0100":
        return letter if letter.isprintable() else " "
    plain = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in plain if part < "\u0080" and part.isprintable()) or (
        "" if unicodedata.combining(letter) else UNKNOWN
    )
