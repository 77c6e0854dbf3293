"""Figures as people write them: grouped thousands, a real minus, halves without needless digits."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format

from engine.contest import exact

MINUS = "\N{MINUS SIGN}"
_SHOWN = re.compile(r"([+-]?)(\d+)((?:[./]\d+)?)")


def decimal_text(value: int | float | Fraction | None) -> str:
    """A number in the reader's language: 1,142; −133; 2.5; a third to two places, 0.33; – for none."""
    if value is None:
        return "–"
    text = str(number_format(_decimal(Fraction(value)), force_grouping=True))
    return MINUS + text[1:] if text.startswith("-") else text


def score_text(points: Iterable[int]) -> str:
    """The points of all sides in their order: 187 – 131."""
    return " – ".join(decimal_text(each) for each in points)


def signed_text(value: int | float | Fraction | None) -> str:
    """A difference with its sign: +386, −133, 0."""
    text = decimal_text(value)
    return f"+{text}" if value is not None and value > 0 else text


def exact_text(figure: Fraction, *, signed: bool = False) -> str:
    """Exact points in the reader's language: 4.5; −0.5; 13/3 where no short decimal is exact."""
    return written(exact.shown(figure, signed=signed))


def in_column(figures: Sequence[Fraction]) -> list[str]:
    """Exact points that stand below each other: where one has two decimals all have, as 11.20 below 12.29."""
    is_fine = any(100 % each.denominator == 0 and 10 % each.denominator for each in figures)
    return [
        written(exact.rounded(each)) if is_fine and 100 % each.denominator == 0 else exact_text(each)
        for each in figures
    ]


def written(shown: str) -> str:
    """A figure as the engine writes it ("-4.5", "13/3") in the reader's language; any other text as it is."""
    found = _SHOWN.fullmatch(shown)
    if found is None:
        return shown
    sign, whole, part = found.groups()
    size = str(number_format(whole + part)) if part.startswith(".") else whole + part
    return sign.replace("-", MINUS) + size


def _decimal(value: Fraction) -> int | Decimal:
    """Whole numbers as they are, others to two places without needless noughts."""
    hundredths = round(value * 100)
    if hundredths % 100 == 0:
        return hundredths // 100
    return (Decimal(hundredths) / 100).normalize()
