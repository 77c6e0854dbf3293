"""Reading tables that people export from spreadsheets: tolerant of encodings, separators and line ends."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.errors import Invalid

MOST_BYTES = 1_000_000
MOST_LINES = 2_000
MOST_COLUMNS = 60
LONGEST_CELL = 1_000
SEPARATORS = (",", ";", "\t", "|")

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_SPREADSHEET = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table with the number of the line on which it begins in the file."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CsvTable:
    """The names of the columns as written, and the rows that are not blank."""

    header: Line
    lines: tuple[Line, ...]


def read(content: bytes) -> CsvTable:
    """The table in a file; raises Invalid, in plain words, for what is no table or too large."""
    if len(content) > MOST_BYTES:
        raise Invalid(
            _("The file is too large. It can have up to %(most)d KB.") % {"most": MOST_BYTES // 1000}
        )
    text = decode(content)
    lines = list(_lines(text))
    if not lines:
        raise Invalid(
            _("The file is empty. Its first line has to name the columns, such as: name, e-mail, number.")
        )
    return CsvTable(lines[0], tuple(lines[1:]))


def decode(content: bytes) -> str:
    """The text of the file: UTF-8 or UTF-16, with or without a mark, else what older spreadsheets of Windows write."""
    if content.startswith(_SPREADSHEET):
        raise Invalid(_("This is a spreadsheet, not a CSV file. Open it and save it as “CSV (UTF-8)”."))
    text = _decoded(content)
    if text is None or _CONTROL.search(text):
        raise Invalid(_("This is not a CSV file. Export the table from your spreadsheet as “CSV (UTF-8)”."))
    return text


def _decoded(content: bytes) -> str | None:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return _try(content[len(mark) :], encoding)
    even, odd = content[0::2].count(0), content[1::2].count(0)
    if even or odd:
        # Latin letters in UTF-16 have a zero byte each, always on the same side.
        return _try(content, "utf-16-be" if even > odd else "utf-16-le")
    for encoding in ("utf-8", "cp1252"):
        text = _try(content, encoding)
        if text is not None:
            return text
    return None


def _try(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _lines(text: str) -> Iterator[Line]:
    text, separator, skipped = _separator(text)
    # What is quoted wrongly within one line is read as it stands; a quotation mark that is never closed is not.
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=not _has_loose_quotes(text, separator)
    )
    begins = 1 + skipped
    for cells in _rows(reader):
        if begins > MOST_LINES + 1:
            raise Invalid(_("The file has more than %(most)d lines. Split it.") % {"most": MOST_LINES})
        if any(cell.strip() for cell in cells):
            yield Line(begins, _tidy(cells, begins))
        begins = reader.line_num + 1 + skipped


def _rows(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise Invalid(_("We can’t read the file: a quotation mark is opened but never closed.")) from error


def _has_loose_quotes(text: str, separator: str) -> bool:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for _row in reader:
            pass
    except csv.Error as error:
        return "expected after" in str(error)
    return False


def _separator(text: str) -> tuple[str, str, int]:
    """The text without what Excel says of the separator, the separator, and how many lines that took."""
    said = re.match(r"sep=([,;\t|])\r?\n", text, re.IGNORECASE)
    if said:
        return text[said.end() :], said.group(1), 1
    first = next((line for line in text.splitlines() if line.strip()), "")
    unquoted = re.sub(r'"[^"]*"', "", first)
    return text, max(SEPARATORS, key=unquoted.count), 0


def _tidy(cells: list[str], number: int) -> tuple[str, ...]:
    if len(cells) > MOST_COLUMNS:
        raise Invalid(
            _("Line %(number)d has more than %(most)d columns.") % {"number": number, "most": MOST_COLUMNS}
        )
    if any(len(cell) > LONGEST_CELL for cell in cells):
        raise Invalid(
            _("Line %(number)d has a very long text. Is a quotation mark missing?") % {"number": number}
        )
    tidy = [" ".join(cell.split()) for cell in cells]
    while tidy and not tidy[-1]:
        tidy.pop()
    return tuple(tidy)
