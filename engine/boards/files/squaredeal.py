"""The files of SquareDeal, Hans van Staveren's program that seals the deals of world championships.

A description (``.sqd``) is public before play: the event, what the delayed information will be, the phases with their
sessions and boards, and the *key hash*. The keys (``.sqk``) are secret until after play: one a session. The key hash is
the SHA-256 of the whole key file, so it commits to all keys at once; one key's own SHA-256, as
``engine.boards.sealing`` has it, is our own form. The deals of a session follow from its key as it is told there.

Both are lines of text. A description has ``#`` comments, then ``TN name``, ``DI what``, ``DV value`` once known, ``SN
sessions:boards:file:title`` for each phase and ``KH hash`` once published. A key file has ``phase,session:key`` with
CRLF behind each line; its hash counts those, whatever a system has made of them since.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self, final

from engine.boards.files.boards import Board, faults_error
from engine.boards.files.dealing import MOST_BOARDS
from engine.boards.files.pbn_lexing import decoded
from engine.boards.sealing import (
    Purpose,
    SealingError,
    commitment,
    new_session_key,
    sealed_deals,
)
from engine.deals import Deal
from engine.errors import quoted
from engine.problems import Problem, impossible, problems_of
from engine.text import gettext_noop

_HEAD: Final = "# Description file of tournament for program SquareDeal 2.6"
_PHASES: Final = (
    "# Description of phases of tournament",
    "# Per phase a line with SN nessions:nboards:filename:description",
)
_OPEN_END: Final = ("#", "# Until published this file may be edited if so wished")
_RANGE: Final = re.compile(r"([1-9][0-9]{0,4})(?:-([1-9][0-9]{0,4}))?", re.ASCII)
_KEY_LINE: Final = re.compile(r"([1-9][0-9]{0,3}),([1-9][0-9]{0,3}):(\S+)", re.ASCII)
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_MOST_SESSIONS: Final = 9999

#: A session, by the numbers of its phase and of itself.
Session = tuple[int, int]


@final
@dataclass(frozen=True, slots=True)
class Phase:
    """Sessions that belong together. ``boards`` are their numbers as ranges, taken in turn by the sessions.

    In ``prefix`` and ``title`` a row of ``#`` stands for the session's number.
    """

    sessions: int
    boards: tuple[tuple[int, int], ...]
    prefix: str
    title: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """``17:1-16,17-32:OPRR##:Open Round Robin #/17``. Raises SealingError."""
        sessions, *rest = text.split(":", 3)
        if len(rest) != 3 or not sessions.isascii() or not sessions.isdecimal():
            template = gettext_noop("Write a phase as sessions:boards:file:title, not “%(given)s”.")
            raise SealingError("squaredeal-phase", template, given=quoted(text))
        # Python refuses to read a number of thousands of digits.
        if len(sessions) > len(str(_MOST_SESSIONS)) or not 1 <= int(sessions) <= _MOST_SESSIONS:
            template = gettext_noop("A phase has 1 to %(most)d sessions.")
            raise SealingError("squaredeal-sessions", template, most=_MOST_SESSIONS)
        return cls(int(sessions), tuple(_range(each) for each in rest[0].split(",")), rest[1], rest[2])

    def numbers(self, session: int) -> range:
        """The numbers of the boards of that session."""
        first, last = self.boards[(session - 1) % len(self.boards)]
        return range(first, last + 1)

    def __str__(self) -> str:
        boards = ",".join(f"{first}-{last}" for first, last in self.boards)
        return f"{self.sessions}:{boards}:{self.prefix}:{self.title}"


def _range(text: str) -> tuple[int, int]:
    found = _RANGE.fullmatch(text.strip())
    first, last = (1, int(found[1])) if found and not found[2] else (0, 0)
    if found and found[2]:
        first, last = int(found[1]), int(found[2])
    if not 1 <= first <= last <= MOST_BOARDS:
        template = gettext_noop("“%(given)s” isn’t a range of boards. Write 16, or 17-32.")
        raise SealingError("squaredeal-boards", template, given=quoted(text))
    return first, last


@final
@dataclass(frozen=True, slots=True)
class Description:
    """What is public of an event: all but its keys."""

    name: str
    delayed: str
    phases: tuple[Phase, ...]
    value: str | None = None
    key_hash: str | None = None

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Every session of every phase, in order."""
        return tuple(
            (number, session)
            for number, phase in enumerate(self.phases, 1)
            for session in range(1, phase.sessions + 1)
        )

    def opens_with(self, keys: bytes) -> bool:
        """Whether this is the key file that was committed to."""
        return key_hash(keys) == self.key_hash

    def filled(self, value: str) -> Description:
        """The same with its delayed value."""
        return replace(self, value=value)

    def boards(
        self, keys: Mapping[Session, str], session: Session, purpose: Purpose = Purpose.ORIGINAL
    ) -> tuple[Board, ...]:
        """The boards of a session, once the delayed value is known. Raises SealingError."""
        if session not in self.sessions or session not in keys:
            template = gettext_noop("There’s no session %(session)d in phase %(phase)d, or no key for it.")
            raise SealingError("squaredeal-session", template, phase=session[0], session=session[1])
        if self.value is None:
            template = gettext_noop("The description has no delayed value (DV) yet.")
            raise SealingError("squaredeal-value", template)
        numbers = self.phases[session[0] - 1].numbers(session[1])
        deals: Sequence[Deal] = sealed_deals(keys[session], self.value, len(numbers), purpose)
        return tuple(Board.of(number, deal) for number, deal in zip(numbers, deals, strict=True))

    def as_json(self) -> dict[str, Any]:
        """The description for a program."""
        return {
            "name": self.name,
            "delayed": self.delayed,
            "value": self.value,
            "key_hash": self.key_hash,
            "phases": [str(phase) for phase in self.phases],
        }


def published(name: str, delayed: str, phases: Sequence[Phase]) -> tuple[Description, bytes]:
    """A description with fresh keys for all its sessions: the first goes out before play, the key file after it."""
    draft = Description(_one_line(name), _one_line(delayed), tuple(phases))
    keys = write_keys({session: new_session_key() for session in draft.sessions})
    return replace(draft, key_hash=key_hash(keys)), keys


def write_description(description: Description) -> bytes:
    """The ``.sqd`` file, as the published program writes it."""
    lines = [_HEAD, "#", f"TN {_one_line(description.name)}", f"DI {_one_line(description.delayed)}"]
    if description.value is not None:
        lines.append(f"DV {_one_line(description.value)}")
    lines += [*_PHASES, *(f"SN {_one_line(str(phase))}" for phase in description.phases)]
    lines += [f"KH {description.key_hash}"] if description.key_hash else _OPEN_END
    return "".join(f"{line}\n" for line in lines).encode()


def read_description(data: bytes) -> Description:
    """The description in a ``.sqd`` file. Raises NotationError with every fault and its line."""
    said: dict[str, str] = {}
    phases: list[Phase] = []
    faults: list[Problem] = []
    for number, line in enumerate(decoded(data).splitlines(), 1):
        tag, _space, rest = line.rstrip().partition(" ")
        if tag == "SN":
            try:
                phases.append(Phase.parse(rest.strip()))
            except SealingError as error:
                faults += problems_of(error, ("line", number))
        elif tag in {"TN", "DI", "DV", "KH"}:
            said[tag] = rest.strip()
    if "TN" not in said or not phases:
        template = gettext_noop("This isn’t a SquareDeal description. It needs a name (TN) and a phase (SN).")
        faults.append(impossible("squaredeal-description", template))
    if "KH" in said and not _HASH.fullmatch(said["KH"].lower()):
        faults.append(impossible("squaredeal-hash", gettext_noop("The key hash (KH) isn’t a SHA-256.")))
    if faults:
        raise faults_error(faults)
    return Description(
        said["TN"],
        said.get("DI", ""),
        tuple(phases),
        said.get("DV"),
        said["KH"].lower() if "KH" in said else None,
    )


def write_keys(keys: Mapping[Session, str]) -> bytes:
    """The ``.sqk`` file. Raises SealingError for what is no session key."""
    for key in keys.values():
        commitment(key)
    return b"".join(f"{phase},{session}:{key}\r\n".encode() for (phase, session), key in sorted(keys.items()))


def read_keys(data: bytes) -> dict[Session, str]:
    """The keys in a ``.sqk`` file by session. Raises NotationError with every fault and its line."""
    keys: dict[Session, str] = {}
    faults: list[Problem] = []
    for number, line in enumerate(data.decode("latin-1").splitlines(), 1):
        if not line.strip():
            continue
        found = _KEY_LINE.fullmatch(line)
        try:
            if found is None or (int(found[1]), int(found[2])) in keys:
                template = gettext_noop("Write a line as phase,session:key, with each session once.")
                raise SealingError("squaredeal-key", template)
            commitment(found[3])
            keys[int(found[1]), int(found[2])] = found[3]
        except SealingError as error:
            faults += problems_of(error, ("line", number))
    if not keys and not faults:
        faults.append(impossible("squaredeal-keys", gettext_noop("This file has no keys.")))
    if faults:
        raise faults_error(faults)
    return keys


def key_hash(keys: bytes) -> str:
    """The SHA-256 of the whole key file, with CRLF behind each line as it was written."""
    lines = keys.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")
    return hashlib.sha256(b"".join(line + b"\r\n" for line in lines)).hexdigest()


def _one_line(text: str) -> str:
    if not text.isprintable() or text != text.strip() or not text:
        template = gettext_noop("Write “%(given)s” on one line, without spaces before or after.")
        raise SealingError("squaredeal-text", template, given=quoted(text))
    return text
