"""Exact figures: fractions as they are read, stored and shown. Never a float."""

from __future__ import annotations

import re
from fractions import Fraction

#: Digits are bounded, so that no text can ask for a number that takes a minute to build.
_FIGURE = re.compile(r"[+-]?[0-9]{1,6}(?:/[0-9]{1,4}|\.[0-9]{1,4})?")
_LARGEST = 999_999


def parse(value: object) -> Fraction | None:
    """The figure that an integer or a text such as "-1", "1/2" or "0.5" stands for; None for anything else.

    A float is not read: 0.1 as a float is not a tenth.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value) if abs(value) <= _LARGEST else None
    if not isinstance(value, str):
        return None
    text = value.strip().replace("\N{MINUS SIGN}", "-")
    if not _FIGURE.fullmatch(text) or re.search(r"/0+$", text):
        return None
    return Fraction(text)


def write(figure: Fraction) -> int | str:
    """The figure as JSON holds it: an integer, or "numerator/denominator" in lowest terms."""
    return figure.numerator if figure.denominator == 1 else f"{figure.numerator}/{figure.denominator}"


def restore(written: int | str) -> Fraction:
    """The figure that `write` wrote."""
    return Fraction(written)


def shown(figure: Fraction, *, signed: bool = False) -> str:
    """The figure as people read it: "12", "+5", "4.5"; "13/3" where no short decimal is exact."""
    sign = "-" if figure < 0 else "+" if signed and figure > 0 else ""
    size = abs(figure)
    if size.denominator == 1:
        return f"{sign}{size.numerator}"
    hundredths = size * 100
    if hundredths.denominator == 1:
        whole, part = divmod(hundredths.numerator, 100)
        return f"{sign}{whole}.{part:02d}".rstrip("0")
    return f"{sign}{size.numerator}/{size.denominator}"


def rounded(figure: Fraction, places: int = 2) -> str:
    """The figure as a decimal with so many places, halves away from nought: for people who want no fraction."""
    unit = 10**places
    size = (2 * abs(figure.numerator) * unit + figure.denominator) // (2 * figure.denominator)
    whole, part = divmod(size, unit)
    sign = "-" if figure < 0 and size else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
