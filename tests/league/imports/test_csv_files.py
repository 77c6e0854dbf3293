"""Tables as spreadsheets write them: every encoding, separator and line end, and nothing that is no table."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.errors import Invalid
from league.imports import csv_files

TABLE = "Name;E-mail\nZoë Müller;zoe@example.org\n"


def cells(content):
    table = csv_files.read(content)
    return [table.header.cells, *(line.cells for line in table.lines)]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"]
)
def test_every_encoding_gives_the_same_table(encoding):
    assert cells(TABLE.encode(encoding)) == [("Name", "E-mail"), ("Zoë Müller", "zoe@example.org")]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_separator_and_line_end_gives_the_same_table(separator, end):
    text = TABLE.replace(";", separator).replace("\n", end)
    assert cells(text.encode()) == [("Name", "E-mail"), ("Zoë Müller", "zoe@example.org")]


def test_separators_within_quotes_are_text():
    assert cells(b'name,place\n"Berg, Anna",Bath\n') == [("name", "place"), ("Berg, Anna", "Bath")]
    assert cells(b'"name, full";place\nAnna;Bath\n') == [("name, full", "place"), ("Anna", "Bath")]


def test_doubled_and_loose_quotes_are_read():
    assert cells(b'name\n"Anna ""Ann"" Berg"\n')[1] == ('Anna "Ann" Berg',)
    assert cells(b'name,x\nPat O"Hara,1\n"Ann" Berg,2\n')[1:] == [('Pat O"Hara', "1"), ("Ann Berg", "2")]


def test_what_excel_says_of_the_separator_is_heeded():
    table = csv_files.read(b"sep=;\r\nname;mail\r\nAnna, B;x\r\n")
    assert table.header == csv_files.Line(2, ("name", "mail"))
    assert table.lines == (csv_files.Line(3, ("Anna, B", "x")),)


def test_blank_lines_are_skipped_and_lines_keep_their_numbers():
    table = csv_files.read(b'\n\nname,x\n\nAnna,"two\nlines"\n ,\nCarl\n\n')
    assert table.header.number == 3
    assert [(line.number, line.cells) for line in table.lines] == [(5, ("Anna", "two lines")), (8, ("Carl",))]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\n \r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"PK\x03\x04rest of a workbook", "spreadsheet"),
        (b"\xd0\xcf\x11\xe0old workbook", "spreadsheet"),
        (b"%PDF-1.7\n%\x00\x01\x02", "not a CSV file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "not a CSV file"),
        (b"name\nAn\x07na\n", "not a CSV file"),
        (b"\xff\xfen\x00a", "not a CSV file"),
        (b'name\n"never closed\nAnna\n', "never closed"),
        (b"name\n" + b"x" * 1001 + b"\n", "very long"),
        (b"a," * 61 + b"\n", "columns"),
        (b"name\n" + b"x\n" * 2001, "more than 2000 lines"),
        (b"x" * 1_000_001, "too large"),
    ],
)
def test_what_is_no_table_is_refused_in_plain_words(content, message):
    with pytest.raises(Invalid, match=message):
        csv_files.read(content)


def test_the_largest_table_is_read():
    assert len(csv_files.read(b"name\n" + b"x\n" * 2000).lines) == 2000


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(content):
    try:
        table = csv_files.read(content)
    except Invalid:
        return
    assert table.header.cells
    assert all("\x00" not in cell for line in table.lines for cell in line.cells)


def test_random_bytes_are_no_table():
    chance = random.Random(1)
    for _number in range(50):
        with pytest.raises(Invalid):
            csv_files.read(chance.randbytes(5000))
