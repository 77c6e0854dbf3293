"""The lines of a PBN file as tags, the text that follows them, and blank lines; comments are passed over."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from engine.problems import Problem, impossible, suspicious
from engine.text import gettext_noop

_LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")
TAG_NAME: Final = r"[A-Za-z][A-Za-z0-9_]{0,40}"
_TAG: Final = re.compile(rf'\[\s*({TAG_NAME})\s*"((?:\\.|[^"\\])*)"\s*\]')
#: Some programs write quotes within a value as they are, or a backslash at its end.
_SLOPPY_TAG: Final = re.compile(rf'\[\s*({TAG_NAME})\s*"(.*?)"\s*\]')
#: Text up to a comment; within quotes nothing begins a comment.
_TEXT: Final = re.compile(r'(?:"[^"]*"|[^;{"]|"(?![^"]*"))+')
#: A tag that the end of the line cuts: after its name, within its value or before its bracket.
_OPEN_TAG: Final = re.compile(
    rf'^(?:\s*\[\s*{TAG_NAME}\s*"(?:\\.|[^"\\])*"\s*\])*'
    rf'\s*\[\s*(?:{TAG_NAME}\s*(?:"(?:(?:\\.|[^"\\])*(?:"\s*)?)?)?)?$'
)
#: Of how many more lines a tag may be put together.
_MOST_LINES: Final = 4
_BOARD_TAG: Final = re.compile(r'\s*\[\s*(?:Event|Board|Deal)\s*"', re.IGNORECASE)
_ESCAPED: Final = re.compile(r'\\(["\\])')
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_EXPORT: Final = re.compile(rb"^%\s*EXPORT\b", re.MULTILINE | re.IGNORECASE)


@final
@dataclass(frozen=True, slots=True)
class Tag:
    """``[Name "value"]``."""

    line: int
    name: str
    value: str


@final
@dataclass(frozen=True, slots=True)
class Text:
    """A line, or the part of one, that is neither tag nor comment: it belongs to the tag before."""

    line: int
    text: str


@final
@dataclass(frozen=True, slots=True)
class Blank:
    """An empty line: games stand between them."""

    line: int


Piece = Tag | Text | Blank | Problem


def decoded(data: bytes) -> str:
    """The text of a file. PBN is Latin-1; other programs' files that are sound UTF-8 are read as that."""
    if data.startswith(_BYTE_ORDER_MARK):
        return data[len(_BYTE_ORDER_MARK) :].decode("utf-8", errors="replace")
    if not _EXPORT.search(data[:1000]):
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass  # Then it is Latin-1, in which every byte is a character.
    return data.decode("latin-1")


def pieces(text: str) -> Iterator[Piece]:
    """What the file consists of, in order, with its lines counted from 1."""
    lines = _LINE_ENDS.split(text.removeprefix("\ufeff"))
    comment: _Comment | None = None
    line = 0
    while line < len(lines):
        content = lines[line]
        line += 1
        if comment:
            within, closing, content = content.partition("}")
            comment.add(within)
            if not closing:
                continue
            yield from comment.swallowed()
            comment = None
        elif content.startswith("%"):
            continue
        elif not content.strip():
            yield Blank(line)
            continue
        content, joined = _with_split_tag(content, lines[line : line + _MOST_LINES])
        comment = yield from _pieces_of_line(content, line)
        line += joined
    if comment:
        template = gettext_noop(
            "The comment that starts here with { isn’t closed. We couldn’t read anything after it."
        )
        yield impossible("pbn-comment", template, ("line", comment.line))


@final
@dataclass(slots=True)
class _Comment:
    """A comment that goes on behind the end of its line."""

    line: int
    has_board: bool = False
    has_brace: bool = False

    def add(self, text: str) -> None:
        """Note whether a board, or the beginning of another comment, stands within it."""
        self.has_board = self.has_board or bool(_BOARD_TAG.match(text))
        self.has_brace = self.has_brace or (self.has_board and "{" in text)

    def swallowed(self) -> Iterator[Problem]:
        """A fault where a whole board stands in the comment: a } was forgotten, or somebody left the board out."""
        if self.has_brace:
            template = gettext_noop("The comment that starts here with { isn’t closed before the next board.")
            yield impossible("pbn-comment", template, ("line", self.line))
        elif self.has_board:
            template = gettext_noop("There’s a board inside the comment that starts here. We skipped it.")
            yield suspicious("pbn-comment", template, ("line", self.line))


def _with_split_tag(content: str, following: Sequence[str]) -> tuple[str, int]:
    """The line, joined with as many of the following as its last tag needs to be whole, and how many those are."""
    if not _OPEN_TAG.search(content):
        return content, 0
    joined = content
    for count, more in enumerate(following, 1):
        if not more.strip() or more.lstrip().startswith("["):
            break
        joined = f"{joined.rstrip()} {more.lstrip()}"
        if not _OPEN_TAG.search(joined):
            return joined, count
    return content, 0


def _pieces_of_line(content: str, line: int) -> Generator[Piece, None, _Comment | None]:
    """The pieces of one line; returns the comment that goes on behind its end."""
    place = 0
    while place < len(content):
        mark = content[place]
        if mark.isspace():
            place += 1
        elif mark == ";":
            return None
        elif mark == "{":
            closing = content.find("}", place)
            if closing < 0:
                return _Comment(line)
            place = closing + 1
        elif mark == "[":
            found = _TAG.match(content, place) or _SLOPPY_TAG.match(content, place)
            if found is None:
                template = gettext_noop('Write a tag as [Name "value"], not “%(given)s”.')
                yield impossible("pbn-tag", template, ("line", line), given=content[place : place + 24])
                return None
            yield Tag(line, found[1], _ESCAPED.sub(r"\1", found[2]).strip())
            place = found.end()
        else:
            found = _TEXT.match(content, place)
            place = found.end() if found else len(content)
            yield Text(line, found[0].strip() if found else "")
    return None
