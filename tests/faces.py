"""Cuts the bundled faces to what the site writes: `make fonts`. Cutting what is cut already changes nothing.

A new edition is laid into static/fonts/ as its makers give it (variable sans from 400 to 700, serif of 600), under the
names below, and cut.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[1] / "static" / "fonts"
# The letters of Western Europe and what is written between them; no arrows, no superscripts, no marks to combine.
LATIN = (
    *range(0x20, 0x7F), 0xA0, 0xA1, 0xA3, 0xA7, 0xA9, 0xAA, 0xAB, 0xAE, 0xB0, 0xB1, 0xB4, 0xB7, *range(0xBA, 0x100),
    0x131, 0x152, 0x153, 0x2010, 0x2011, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2020,
    0x2022, 0x2026, 0x202F, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x2212, 0x2215,
)  # fmt: skip
FACES = (
    "source-sans-3/source-sans-3-latin-wght-normal.woff2",
    "source-serif-4/source-serif-4-latin-600-normal.woff2",
)


def main() -> None:
    """Cut each face, and say what it weighs."""
    for name in FACES:
        file = FONTS / name
        before = file.stat().st_size
        cut(file)
        sys.stdout.write(f"{name}: {before:,} bytes before, {file.stat().st_size:,} now\n")


def cut(file: Path) -> None:
    """Leave in the file the letters above and their kerning, and nothing that only print needs."""
    font = TTFont(file)
    wanted = subset.Options(layout_features=["kern"], hinting=False, notdef_outline=True, flavor="woff2")
    if set(font.getBestCmap()) <= set(LATIN):
        return
    cutter = subset.Subsetter(wanted)
    cutter.populate(unicodes=LATIN)
    cutter.subset(font)
    font.flavor = "woff2"
    font.save(file)


if __name__ == "__main__":
    main()
