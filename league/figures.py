"""Figures as people write them: grouped thousands, a real minus, halves without needless digits."""

from django.utils.formats import number_format

MINUS = "\N{MINUS SIGN}"


def decimal_text(value: int | float | None) -> str:
    """A number in the reader's language: 1,142; −133; 2.5; – for none."""
    if value is None:
        return "–"
    whole = int(value) == value
    text = str(number_format(int(value) if whole else value, force_grouping=True))
    return MINUS + text[1:] if text.startswith("-") else text


def signed_text(value: int | float | None) -> str:
    """A difference with its sign: +386, −133, 0."""
    text = decimal_text(value)
    return f"+{text}" if value is not None and value > 0 else text
