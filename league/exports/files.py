"""A table as a file: CSV for programs, XLSX for spreadsheets. What is typed into neither can become a formula."""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from fractions import Fraction
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from engine.contest import exact
from league.exports.tables import Cell, ExportTable

# By these a spreadsheet takes a cell for a formula, also behind spaces and in the full width of Asian keyboards.
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
LONGEST_CELL = 32_000
WIDEST = 45


@dataclass(frozen=True, slots=True)
class FileKind:
    """How a table becomes a file."""

    label: str
    content_type: str
    write: Callable[[ExportTable], bytes]


def csv_file(table: ExportTable) -> bytes:
    """Commas, dots and ISO days in every language; by the mark at its beginning Excel knows that it is UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(_harmless(title) for title in table.columns)
    writer.writerows([_as_text(cell) for cell in row] for row in table.rows)
    return text.getvalue().encode("utf-8-sig")


def xlsx_file(table: ExportTable) -> bytes:
    """One sheet with its titles on top, which stay when it is scrolled."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(re.sub(r"[\[\]:*?/\\]", " ", table.title)[:31])
    sheet.freeze_panes = "A2"
    for number, width in enumerate(_widths(table), start=1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    cells = [_cell(sheet, title) for title in table.columns]
    for cell in cells:
        cell.font = Font(bold=True)
    sheet.append(cells)
    for row in table.rows:
        sheet.append([_cell(sheet, value) for value in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


KINDS: dict[str, FileKind] = {
    "csv": FileKind("CSV", "text/csv; charset=utf-8", csv_file),
    "xlsx": FileKind("Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xlsx_file),
}


def _as_text(value: Cell) -> str:
    if isinstance(value, str):
        return _harmless(value)
    if isinstance(value, time):
        return value.strftime("%H:%M")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Fraction):
        return _mixed(value)
    return "" if value is None else str(value)


def _harmless(text: str) -> str:
    """With an apostrophe before what a spreadsheet would compute: it shows the rest as it stands."""
    return f"'{text}" if _FORMULA.match(text) else text


def _mixed(figure: Fraction) -> str:
    """12, 4.5, or 4 1/3: 13/3 would be a day in March to a spreadsheet."""
    shown = exact.shown(figure)
    if "/" not in shown:
        return shown
    whole, part = divmod(abs(figure.numerator), figure.denominator)
    return f"{'-' if figure < 0 else ''}{whole} {part}/{figure.denominator}"


def _cell(sheet: Any, value: Cell) -> Any:
    if isinstance(value, Fraction):
        mixed = _mixed(value)
        if "/" not in mixed:
            return WriteOnlyCell(sheet, value=Decimal(mixed))
        value = mixed
    return _text_cell(sheet, value) if isinstance(value, str) else WriteOnlyCell(sheet, value=value)


def _text_cell(sheet: Any, text: str) -> Any:
    cell = WriteOnlyCell(sheet, value=_NOT_IN_XML.sub(" ", text)[:LONGEST_CELL])
    # Whatever it begins with: a text that begins with = is no formula.
    cell.data_type = "s"
    return cell


def _widths(table: ExportTable) -> list[int]:
    """Wide enough for most of what stands in each column."""
    return [
        min(max(len(_as_text(row[place])) for row in (table.columns, *table.rows)) + 2, WIDEST)
        for place in range(len(table.columns))
    ]
