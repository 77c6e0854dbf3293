"""Makes a picture that somebody sent into a plain JPEG: run as a program of its own, with little memory.

    python games/scoresheets/photo_encoder.py < picture > photo.jpg

A picture is data from a stranger, read by code in C. So it is decoded in a child process that may take so much memory
and time and no more (RLIMIT_AS and RLIMIT_CPU, which Linux enforces), and knows no secret. It imports nothing of ours.
Ends with 0 and the JPEG, or with REFUSED and nothing.
"""

import importlib.util
import io
import sys

from PIL import Image, ImageOps

# Windows has no such limits.
HAS_LIMITS = importlib.util.find_spec("resource") is not None
if HAS_LIMITS:
    import resource

FORMATS = ("JPEG", "PNG", "WEBP")
MOST_PIXELS = 40_000_000
LONGEST_SIDE = 2_000
QUALITY = 82
MEMORY = 1_000 * 1024 * 1024
SECONDS = 30
REFUSED = 3


def encode(picture: bytes) -> bytes:
    """The picture as a JPEG of at most 2,000 pixels, turned upright, without anything else that came with it.

    Raises OSError, ValueError, SyntaxError or MemoryError for what is no whole picture.
    """
    with Image.open(io.BytesIO(picture), formats=FORMATS) as opened:
        if opened.width * opened.height > MOST_PIXELS:
            raise ValueError
        # A JPEG is decoded no larger than it is needed.
        opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
        # Greys of 16 bits can neither be made smaller nor be brought to 8 bits by Pillow alone.
        is_deep = opened.mode.startswith("I")
        shades = (
            opened.convert("I").point(lambda shade: shade * (1 / 256)).convert("L") if is_deep else opened
        )
        shades.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
        upright = ImageOps.exif_transpose(shades)
        # Onto a new picture, so that only pixels are taken over: no place, no camera, no comment, no profile.
        plain = Image.new("RGB", upright.size, "white")
        if upright.has_transparency_data:
            layers = upright.convert("RGBA")
            plain.paste(layers, mask=layers.getchannel("A"))
        else:
            plain.paste(upright.convert("RGB"))
    answer = io.BytesIO()
    plain.save(answer, "JPEG", quality=QUALITY)
    return answer.getvalue()


def limit_resources() -> None:
    """From here on the process gets no more memory and time than a picture needs."""
    if not HAS_LIMITS:
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        _soft, hard = resource.getrlimit(what)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, hard))


def main() -> int:
    """One picture from stdin to stdout."""
    limit_resources()
    try:
        photo = encode(sys.stdin.buffer.read())
    except Exception:  # noqa: BLE001 (a stranger's data: whatever is wrong with it, there is no photo)
        return REFUSED
    sys.stdout.buffer.write(photo)
    return 0


if __name__ == "__main__":
    sys.exit(main())
