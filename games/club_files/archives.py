"""The file itself: a zip with a manifest, the rows and the trail, each of its lines one JSON value.

Reading trusts nothing: not the sizes that the zip gives, not the names in it, not how deep or long a line is.
"""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from django.utils.translation import gettext as _

from league.errors import Invalid
from league.storage.json_content import parse_json

#: Raised with every change of what a file holds. A file of a later version is refused, one of an earlier is read.
VERSION = 1
FORMAT = "concertmaster club"
MANIFEST, ROWS, TRAIL = "manifest.json", "rows.jsonl", "trail.jsonl"
PARTS = (MANIFEST, ROWS, TRAIL)
#: Bytes of the zip and unpacked, lines, bytes of a line, and how deep a line is.
MOST_BYTES, MOST_UNPACKED, MOST_LINES = 16 * 1024 * 1024, 128 * 1024 * 1024, 200_000
LONGEST_LINE, LONGEST_MANIFEST, DEEPEST = 256 * 1024, 4 * 1024 * 1024, 24
_CHUNK = 64 * 1024
#: As the zip says it: a file of Unix, which only its owner reads.
_MODE = 0o600 << 16


@dataclass(frozen=True, slots=True)
class Archive:
    """What a file holds: its manifest, and the lines of rows and trail, read once. `digest` names the whole file."""

    manifest: Mapping[str, Any]
    rows: tuple[Any, ...]
    trail: tuple[Any, ...]
    digest: str


def line_of(value: Any) -> bytes:
    """A JSON value as a line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def write(
    target: IO[bytes], *, manifest: Mapping[str, Any], rows: Iterable[Any], trail: Iterable[Any]
) -> None:
    """Writes the file; the manifest gets how many lines the parts have, and their digests."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        parts = {name: _written(packed, name, lines) for name, lines in ((ROWS, rows), (TRAIL, trail))}
        whole = {"format": FORMAT, "version": VERSION, **manifest, "parts": parts}
        packed.writestr(_entry(MANIFEST), json.dumps(whole, ensure_ascii=False, indent=1))


def _entry(name: str) -> zipfile.ZipInfo:
    # The same rows make the same file, whenever it is written.
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, _MODE
    return entry


def _written(packed: zipfile.ZipFile, name: str, lines: Iterable[Any]) -> dict[str, Any]:
    digest, count = hashlib.sha256(), 0
    with packed.open(_entry(name), "w") as part:
        for value in lines:
            line = line_of(value)
            part.write(line)
            digest.update(line)
            count += 1
    return {"lines": count, "sha256": digest.hexdigest()}


def read(source: IO[bytes]) -> Archive:
    """Reads a file. Raises Invalid in plain words for anything that is none of ours, or more than we take."""
    try:
        with zipfile.ZipFile(source) as packed:
            manifest = _manifest(packed)
            budget = _Budget()
            rows, trail = (tuple(_lines(packed, name, manifest, budget)) for name in (ROWS, TRAIL))
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        zlib.error,
        EOFError,
        OSError,
        RuntimeError,
        NotImplementedError,
    ) as fault:
        raise _broken() from fault
    except (ValueError, OverflowError) as fault:
        if isinstance(fault, Invalid):
            raise
        raise _broken() from fault
    return Archive(manifest, rows, trail, _digest(source))


@dataclass(slots=True)
class _Budget:
    """What may still be unpacked."""

    unpacked: int = MOST_UNPACKED
    lines: int = MOST_LINES

    def spend(self, taken: int, lines: int = 0) -> None:
        self.unpacked -= taken
        self.lines -= lines
        if self.unpacked < 0 or self.lines < 0:
            raise Invalid(_("This file holds more than we can take at once."))


def _manifest(packed: zipfile.ZipFile) -> Mapping[str, Any]:
    names = [each.filename for each in packed.infolist()]
    if sorted(names) != sorted(PARTS):
        raise Invalid(_("This isn’t the file of a club. Choose a file that was exported on such a page."))
    for entry in packed.infolist():
        if entry.flag_bits & 1 or entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise _broken()
    with packed.open(MANIFEST) as part:
        text = part.read(LONGEST_MANIFEST + 1)
    manifest = _value(text, LONGEST_MANIFEST)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise Invalid(_("This isn’t the file of a club. Choose a file that was exported on such a page."))
    version = manifest.get("version")
    if type(version) is int and version > VERSION:
        raise Invalid(
            _("This file was made by a newer version of the service. Update this installation first.")
        )
    if type(version) is not int or version < 1 or not isinstance(manifest.get("parts"), dict):
        raise _broken()
    return manifest


def _lines(packed: zipfile.ZipFile, name: str, manifest: Mapping[str, Any], budget: _Budget) -> Iterator[Any]:
    """The values of a part, line by line: no more than a line is unpacked at once."""
    told = manifest["parts"].get(name)
    digest, rest = hashlib.sha256(), b""
    count = 0
    with packed.open(name) as part:
        while chunk := part.read(_CHUNK):
            budget.spend(len(chunk))
            digest.update(chunk)
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > LONGEST_LINE:
                raise _too_long(name, count + 1)
            for line in lines:
                budget.spend(0, lines=1)
                count += 1
                yield _line(line, name, count)
    if rest or told != {"lines": count, "sha256": digest.hexdigest()}:
        raise Invalid(_("This file isn’t complete, or was changed. Please export it again."))


def _line(line: bytes, name: str, number: int) -> Any:
    if len(line) > LONGEST_LINE:
        raise _too_long(name, number)
    try:
        return _value(line, LONGEST_LINE)
    except ValueError:
        raise Invalid(
            _("%(part)s, line %(number)d: we couldn’t read this.") % {"part": name, "number": number}
        ) from None


def _value(text: bytes, longest: int) -> Any:
    return parse_json(text, longest=longest, deepest=DEEPEST)


def _too_long(name: str, number: int) -> Invalid:
    return Invalid(_("%(part)s, line %(number)d: this is too long.") % {"part": name, "number": number})


def _broken() -> Invalid:
    return Invalid(_("We couldn’t read this file. It may be damaged: please export or copy it again."))


def _digest(source: IO[bytes]) -> str:
    source.seek(0)
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()
