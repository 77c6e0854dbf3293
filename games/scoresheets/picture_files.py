"""What the first bytes of a picture say: which kind it is and how large. Nothing is decoded."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

JPEG, PNG, WEBP = "JPEG", "PNG", "WebP"

# Segments of a JPEG that carry its size (start of frame), and markers without a length.
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_BARE = {0x01, *range(0xD0, 0xD8)}
_SCAN = 0xDA
_WEBP_HEAD = 30


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture file by its own first words."""

    kind: str
    width: int
    height: int

    @property
    def pixels(self) -> int:
        """How many it has to be decoded to."""
        return self.width * self.height


def picture_of(data: bytes) -> Picture | None:
    """The picture that these bytes begin; None where they are no JPEG, PNG or WebP, or do not say how large."""
    try:
        if data.startswith(b"\xff\xd8\xff"):
            found = next(_frames(data), None)
        elif data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
            found = Picture(PNG, *struct.unpack_from(">II", data, 16))
        elif data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= _WEBP_HEAD:
            found = _webp(data)
        else:
            found = None
    except (struct.error, IndexError):
        return None
    return found if found is not None and found.pixels > 0 else None


def _frames(data: bytes) -> Iterator[Picture]:
    place = 2
    while place < len(data):
        if data[place] != 0xFF:
            return
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
        elif marker in _BARE:
            place += 2
        elif marker == _SCAN:
            return
        elif marker in _FRAMES:
            height, width = struct.unpack_from(">HH", data, place + 5)
            yield Picture(JPEG, width, height)
        else:
            (length,) = struct.unpack_from(">H", data, place + 2)
            place += 2 + max(length, 2)


def _webp(data: bytes) -> Picture | None:
    match data[12:16]:
        case b"VP8X":
            width = 1 + int.from_bytes(data[24:27], "little")
            height = 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L" if data[20] == 0x2F:
            bits = int.from_bytes(data[21:25], "little")
            width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 " if data[23:26] == b"\x9d\x01\x2a":
            width, height = (size & 0x3FFF for size in struct.unpack_from("<HH", data, 26))
        case _:
            return None
    return Picture(WEBP, width, height)
