"""The lines of a PBN file as tags, the text that follows them, and blank lines; comments are passed over."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final, final

from engine.errors import gettext_noop
from engine.notation.boards import oddity, refused
from engine.problems import Problem

_LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")
TAG_NAME: Final = r"[A-Za-z][A-Za-z0-9_]{0,40}"
_TAG: Final = re.compile(rf'\[\s*({TAG_NAME})\s*"((?:\\.|[^"\\])*)"\s*\]')
#: Some programs write quotes within a value as they are, or a backslash at its end.
_SLOPPY_TAG: Final = re.compile(rf'\[\s*({TAG_NAME})\s*"(.*?)"\s*\]')
#: Text up to a comment; within quotes nothing begins a comment.
_TEXT: Final = re.compile(r'(?:"[^"]*"|[^;{"]|"(?![^"]*"))+')
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
    comment_since = 0
    for line, content in enumerate(_LINE_ENDS.split(text.removeprefix("\ufeff")), 1):
        if comment_since:
            _, closing, content = content.partition("}")
            if not closing:
                continue
            comment_since = 0
        elif content.startswith("%"):
            continue
        elif not content.strip():
            yield Blank(line)
            continue
        is_open = yield from _pieces_of_line(content, line)
        comment_since = line if is_open else 0
    if comment_since:
        template = gettext_noop("The comment that begins here with { is not closed.")
        yield oddity("pbn-comment", template, ("line", comment_since))


def _pieces_of_line(content: str, line: int) -> Generator[Piece, None, bool]:
    """The pieces of one line; returns whether a comment goes on behind its end."""
    place = 0
    while place < len(content):
        mark = content[place]
        if mark.isspace():
            place += 1
        elif mark == ";":
            return False
        elif mark == "{":
            closing = content.find("}", place)
            if closing < 0:
                return True
            place = closing + 1
        elif mark == "[":
            found = _TAG.match(content, place) or _SLOPPY_TAG.match(content, place)
            if found is None:
                template = gettext_noop('A tag is written [Name "value"]; “%(given)s” is not.')
                yield refused("pbn-tag", template, ("line", line), given=content[place : place + 24])
                return False
            yield Tag(line, found[1], _ESCAPED.sub(r"\1", found[2]).strip())
            place = found.end()
        else:
            found = _TEXT.match(content, place)
            place = found.end() if found else len(content)
            yield Text(line, found[0].strip() if found else "")
    return False
