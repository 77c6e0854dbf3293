"""A played Concerto deal in a PBN file: tags and one table that other programs pass over.

    [Concerto "concerto-2013"]
    [ConcertoBonus "NS 10"]
    [ConcertoMade "NS 40 EW 22"]
    [ConcertoTotal "NS 50 EW 22"]
    [ConcertoPlayTable "Hand\\1R;Leader\\1L;Points\\2R;Play"]
    1 N  6 "H7 HA H6 H5 HT"
    2 E  8 "C9 S9 - S8 H8 - D9"

Cards are written suit first, as everywhere in PBN; - is a pass and > is "Play". Hands of which less is known than the
play have a Combination, a Split or Cards in its place. Sections with rows end in "Table" because that is how readers
know that rows follow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, final

from engine.boards.files.boards import faults_error
from engine.boards.files.played import Section
from engine.cards import Card, CardSet
from engine.concerto.checking import check
from engine.concerto.options import HANDS, RULES_VERSION, leader_of
from engine.concerto.records.parsing import read_record
from engine.concerto.records.record import HandEntry, Record
from engine.concerto.scoring import DealScore
from engine.deals import Deal
from engine.errors import quoted
from engine.problems import Problem, impossible, suspicious
from engine.seats import SEATS, SIDES, BySide, Seat, dealer_of_board
from engine.text import gettext_noop

PLAYED: Final = "Concerto"
BONUS: Final = "ConcertoBonus"
LEFT: Final = "ConcertoLeft"
LEFT_OVER: Final = "ConcertoLeftOver"
MADE: Final = "ConcertoMade"
TOTAL: Final = "ConcertoTotal"
TABLE: Final = "ConcertoPlayTable"
#: Every tag of ours, in lower case.
TAG_NAMES: Final = frozenset(name.lower() for name in (PLAYED, BONUS, LEFT, LEFT_OVER, MADE, TOTAL, TABLE))

_NOT_GIVEN: Final = "-"
_SPLIT_WIDTH: Final = 3
_COMBINATION_WIDTH: Final = 14
_CARD: Final = re.compile(r"([SHDC])([2-9TJQKA]|10)", re.IGNORECASE)
_COLUMN: Final = re.compile(r"[+-]?(\w{1,40})(?:\\[0-9]{1,4}[LR]?)?")
_CELL: Final = re.compile(r'"([^"]*)"|(\S+)')
_POINTS: Final = re.compile(r"(NS|EW)\s+([0-9]{1,9})", re.IGNORECASE)
_BONUS: Final = re.compile(r"(NS|EW)?\s*([0-9]{1,9})?", re.IGNORECASE)
_HAND_NUMBERS: Final = {str(number + 1): number for number in range(HANDS)}
_MOST_ROWS: Final = 100
_MOST_CELLS: Final = 20


# Writing


class _Column(NamedTuple):
    """A column of the table: how its head is written, and its cell for each hand."""

    head: str
    cells: Sequence[str]


def _tags(record: Record) -> dict[str, str]:
    """The tags of a played deal, but the table; in the order of their names."""
    to, bonus = record.left_over_to, record.left_over_bonus
    left = " ".join(f"{seat.letter}:{_suit_first(cards)}".strip() for seat, cards in record.known_left())
    left_over = None
    if record.left_over is not None:
        split = record.left_over.split
        left_over = record.left_over.combination.key + (f" {split}" if split else "")
    tags = {
        PLAYED: RULES_VERSION,
        BONUS: " ".join([*([to.value] if to else []), *([] if bonus is None else [str(bonus)])]),
        LEFT: left,
        LEFT_OVER: left_over,
        MADE: _by_side(record.made),
        TOTAL: _by_side(record.total),
    }
    return {name: value for name, value in tags.items() if value}


def _by_side(points: Mapping[Any, int | None]) -> str:
    return " ".join(f"{side.value} {points[side]}" for side in SIDES if points[side] is not None)


def _rows(record: Record) -> list[str]:
    """The table's tag value, then its rows, one for each hand of which something is known; or nothing."""
    given = [
        number
        for number in range(HANDS)
        if record.hands[number] is not None or record.points[number] is not None
    ]
    if not given:
        return []
    columns = [_Column(r"Hand\1R", [str(number + 1) for number in given])]
    if record.dealer is not None:
        columns.append(_Column(r"Leader\1L", [leader_of(record.dealer, number).letter for number in given]))
    points = [record.points[number] for number in given]
    columns.append(_Column(r"Points\2R", [_NOT_GIVEN if each is None else str(each) for each in points]))
    entries = [record.hands[number] or HandEntry() for number in given]
    columns += [column for column in _entry_columns(entries) if set(column.cells) - {_NOT_GIVEN}]
    widths = [max(len(cell) for cell in column.cells) for column in columns]
    rows = [
        " ".join(
            cell.rjust(2) if column.head.startswith("Points") else cell.ljust(width)
            for column, width, cell in zip(columns, widths, cells, strict=True)
        ).rstrip()
        for cells in zip(*(column.cells for column in columns), strict=True)
    ]
    return [";".join(column.head for column in columns), *rows]


def _entry_columns(entries: Sequence[HandEntry]) -> list[_Column]:
    combinations = [entry.combination.key if entry.combination else _NOT_GIVEN for entry in entries]
    splits = [str(entry.split) if entry.split else _NOT_GIVEN for entry in entries]
    return [
        _Column(rf"Combination\{_COMBINATION_WIDTH}L", combinations),
        _Column(rf"Split\{_SPLIT_WIDTH}L", splits),
        _Column("Cards", [_cards_cell(entry) for entry in entries]),
        _Column("Play", [_play_cell(entry) for entry in entries]),
    ]


def _play_cell(entry: HandEntry) -> str:
    if entry.line is None:
        return _NOT_GIVEN
    return '"' + " ".join(_card_text(each.card) if each.card else each.token for each in entry.line) + '"'


def _cards_cell(entry: HandEntry) -> str:
    if entry.line is not None or not entry.cards:
        return _NOT_GIVEN
    if entry.by_seat is None:
        return '"' + " ".join(_card_text(card) for card in entry.cards) + '"'
    parts = []
    for seat in SEATS:
        cards = [_card_text(card) for card in entry.cards if card.bit & entry.by_seat[seat.index]]
        parts += [f"{seat.letter}:{' '.join(cards)}"] if cards else []
    return '"' + " ".join(parts) + '"'


def _suit_first(cards: CardSet) -> str:
    return " ".join(_card_text(card) for card in cards)


def _card_text(card: Card) -> str:
    return card.suit.letter.upper() + card.rank.letter


def _with_claims(record: Record, score: DealScore | None) -> Record:
    """The record with all that was worked out of it written down, and every hand's points in one place."""
    hands = tuple(entry._replace(points=None) if entry else None for entry in record.hands)
    # What was said of a hand by its points alone is said by the list of points.
    hands = tuple(entry if entry and entry.as_json() else None for entry in hands)
    points = tuple(
        claim if claim is not None or entry is None else entry.points
        for claim, entry in zip(record.points, record.hands, strict=True)
    )
    record = replace(record, hands=hands, points=points)
    if score is None:
        return record
    return replace(
        record,
        points=score.points or record.points,
        made=BySide(score.made.ns, score.made.ew) if score.made else record.made,
        left_over_to=score.left_over_to,
        left_over_bonus=score.left_over_bonus,
        total=BySide(score.total.ns, score.total.ew),
    )


# Reading


def _read(section: Section, dealer: Seat | None, deal: Deal | None) -> tuple[Record, list[Problem]]:
    """The record that the section holds, and everything that is wrong with it, each at its line."""
    faults: list[Problem] = []
    data = _claims(section, faults)
    lines = _read_table(section, data, faults)
    record = read_record(data, dealer)
    found = [problem for problem in check(record, deal).problems if not problem.is_missing]
    faults += [_at_line(problem, section, lines) for problem in found]
    return record, faults


def _at_line(problem: Problem, section: Section, lines: Mapping[int, int]) -> Problem:
    """The problem with the line in the place of the record's field."""
    field = problem.place[0] if problem.place else ""
    number = problem.place[1] if len(problem.place) > 1 else None
    names = {"left": LEFT, "left_over": LEFT_OVER, "left_over_to": BONUS, "left_over_bonus": BONUS}
    name = names.get(str(field)) or {"made": MADE, "total": TOTAL}.get(str(field), PLAYED)
    line = section.line(name)
    if field in ("hands", "points", "leaders"):
        line = lines.get(number, section.line(TABLE)) if isinstance(number, int) else section.line(TABLE)
    return replace(problem, place=("line", line))


def _claims(section: Section, faults: list[Problem]) -> dict[str, Any]:
    """What our tags say, in the form that read_record reads."""
    data: dict[str, Any] = {}
    for name, field in ((MADE, "made"), (TOTAL, "total")):
        value, line = section.values.get(name.lower(), ("", 0))
        if not line:
            continue
        points = {side.upper(): int(number) for side, number in _POINTS.findall(value)}
        if points and not _POINTS.sub("", value).strip():
            data[field] = points
        else:
            faults.append(_not_points(value, line))
    bonus, line = section.values.get(BONUS.lower(), ("", 0))
    found = _BONUS.fullmatch(bonus)
    if found is None or (line and not bonus):
        faults.append(_not_points(bonus, line))
    else:
        data["left_over_to"] = found[1].upper() if found[1] else None
        data["left_over_bonus"] = _number(found[2])
    if LEFT.lower() in section.values:
        data["left"] = _cards_by_seat(section.values[LEFT.lower()][0])
    if LEFT_OVER.lower() in section.values:
        combination, _, split = section.values[LEFT_OVER.lower()][0].partition(" ")
        data["left_over"] = {"combination": combination, "split": split.strip() or None}
    return data


def _not_points(value: str, line: int) -> Problem:
    template = gettext_noop("“%(given)s” doesn’t give points by side, such as NS 40 EW 22.")
    return impossible("pbn-points", template, ("line", line), given=quoted(value))


def _cards_by_seat(text: str) -> dict[str, list[str]]:
    """``N:S2 S4 E:CA``: what stands before a colon is the seat of the cards behind it."""
    found: dict[str, list[str]] = {}
    seat = ""
    for word in text.replace(":", ": ").split():
        if word.endswith(":"):
            seat = word[:-1].upper()
            found.setdefault(seat, [])
        else:
            found.setdefault(seat, []).append(_rank_first(word))
    return found


def _rank_first(word: str) -> str:
    """A card as the engine writes it; anything else as it is, for the record's reader to judge."""
    card = _CARD.fullmatch(word)
    return card[2].upper().replace("10", "T") + card[1].lower() if card else word


def _read_table(section: Section, data: dict[str, Any], faults: list[Problem]) -> dict[int, int]:
    """Put the table's rows into the data; returns the line of each hand."""
    lines: dict[int, int] = {}
    head = section.values.get(TABLE.lower(), ("", 0))[0]
    columns = [found[1].lower() if (found := _COLUMN.fullmatch(each)) else "" for each in head.split(";")]
    hands: list[Any] = [None] * HANDS
    points: list[Any] = [None] * HANDS
    leaders: list[Any] = [None] * HANDS
    for row in section.rows[:_MOST_ROWS]:
        cells = [quoted_cell or word for quoted_cell, word in _CELL.findall(row.text)[:_MOST_CELLS]]
        given = {name: cell for name, cell in zip(columns, cells, strict=False) if cell != _NOT_GIVEN}
        number = _HAND_NUMBERS.get(given.get("hand", ""))
        if number is None or number in lines or len(cells) != len(columns):
            template = gettext_noop("This row doesn’t belong to any of the eight hands: “%(given)s”.")
            faults.append(impossible("pbn-row", template, ("line", row.line), given=quoted(row.text)))
            continue
        lines[number] = row.line
        hands[number] = _hand(given)
        points[number] = _number(given.get("points"))
        leaders[number] = given.get("leader")
    if len(section.rows) > _MOST_ROWS:
        template = gettext_noop("There are %(count)d rows for eight hands.")
        faults.append(
            suspicious("pbn-rows", template, ("line", section.line(TABLE)), count=len(section.rows))
        )
    data |= {"hands": hands, "points": points, "leaders": leaders}
    return lines


def _number(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else text


def _hand(given: Mapping[str, str]) -> dict[str, Any] | str | None:
    """A row in one of the forms that read_record reads."""
    hand: dict[str, Any] = {name: given[name] for name in ("combination", "split") if name in given}
    if "play" in given:
        hand["line"] = " ".join(_rank_first(word) for word in given["play"].split())
    elif "cards" in given:
        text = given["cards"]
        hand["cards"] = _cards_by_seat(text) if ":" in text else [_rank_first(word) for word in text.split()]
    if set(hand) == {"line"}:
        return str(hand["line"])
    return hand or None


@final
class ConcertoSection:
    """How PBN files tell of Concerto."""

    record = Record
    table = TABLE
    tag_names = TAG_NAMES
    tags = staticmethod(_tags)
    rows = staticmethod(_rows)
    read = staticmethod(_read)

    @staticmethod
    def told(number: int, record: Record, deal: Deal | None) -> Record:
        """The record as a file tells it. Raises NotationError."""
        checked = check(record, deal)
        wrong = [problem for problem in checked.problems if problem.refuses and not problem.is_missing]
        if wrong:
            raise faults_error(wrong)
        dealer = record.dealer or dealer_of_board(number)
        # By way of its JSON, so that two records that say the same are the same.
        told = read_record(replace(record, dealer=dealer, deal=None).as_json())
        return _with_claims(told, checked.score)
