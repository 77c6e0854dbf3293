"""Every format for deals in one register: by name, or by a file's ending."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, final

from engine.boards.files.board_lists import read_json, write_json
from engine.boards.files.boards import Board, NotationError, Reading
from engine.boards.files.dealing import (
    read_ber,
    read_bri,
    read_dge,
    read_dup,
    write_ber,
    write_bri,
    write_dge,
    write_dup,
)
from engine.boards.files.dlm import read_dlm, write_dlm
from engine.boards.files.lin import read_lin, write_lin
from engine.boards.files.pbn import boards_of, read_pbn, write_pbn
from engine.text import Word, gettext_noop


@final
@dataclass(frozen=True, slots=True)
class Format:
    """One format. ``read`` takes a file and the first board's number, where somebody gives one.

    It counts for the files of dealing machines; those that number every board keep their numbers.

    ``read`` never raises; ``write`` raises NotationError for boards that the format cannot hold.
    """

    key: str
    title: Word
    suffix: str
    read: Callable[[bytes, int | None], Reading[Board]]
    write: Callable[[Sequence[Board]], bytes]
    is_binary: bool = False


def _dup_blind(boards: Sequence[Board]) -> bytes:
    return write_dup(boards, blind=True)


def _dlm_blind(boards: Sequence[Board]) -> bytes:
    return write_dlm(boards, blind=True)


FORMATS: Final = {
    each.key: each
    for each in (
        Format(
            "pbn",
            Word(gettext_noop("Portable Bridge Notation")),
            ".pbn",
            lambda data, _first: boards_of(read_pbn(data)),
            write_pbn,
        ),
        Format(
            "lin", Word(gettext_noop("Bridge Base")), ".lin", lambda data, _first: read_lin(data), write_lin
        ),
        Format("dup", Word(gettext_noop("Duplimate")), ".dup", read_dup, write_dup, is_binary=True),
        Format(
            "dupblind",
            Word(gettext_noop("Duplimate, no cards on screen")),
            ".dup",
            read_dup,
            _dup_blind,
            is_binary=True,
        ),
        Format(
            "dlm",
            Word(gettext_noop("newer Duplimate")),
            ".dlm",
            lambda data, _first: read_dlm(data),
            write_dlm,
        ),
        Format(
            "dlmblind",
            Word(gettext_noop("newer Duplimate, no cards on screen")),
            ".dlm",
            lambda data, _first: read_dlm(data),
            _dlm_blind,
        ),
        Format("bri", Word(gettext_noop("BRI")), ".bri", read_bri, write_bri, is_binary=True),
        Format("dge", Word(gettext_noop("DGE")), ".dge", read_dge, write_dge, is_binary=True),
        Format("ber", Word(gettext_noop("Bernasconi")), ".ber", read_ber, write_ber),
        Format("json", Word(gettext_noop("JSON")), ".json", lambda data, _first: read_json(data), write_json),
    )
}


def format_named(key: str) -> Format:
    """The format with that name. Raises NotationError."""
    try:
        return FORMATS[key.lower()]
    except (KeyError, AttributeError):
        template = gettext_noop("There’s no format “%(given)s”. Choose one of %(known)s.")
        raise NotationError("format-unknown", template, given=key, known=", ".join(FORMATS)) from None


def format_of_file(name: str) -> Format:
    """The format by the file's ending. Raises NotationError."""
    suffix = PurePath(name).suffix.lower()
    for each in FORMATS.values():
        if each.suffix == suffix:
            return each
    template = gettext_noop("We can’t tell the format from the name “%(given)s”. Choose one of %(known)s.")
    raise NotationError("format-unknown", template, given=name, known=", ".join(FORMATS))
