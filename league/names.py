"""Comparing people's names as people do: without regard to case, accents, punctuation and the order of the parts."""

import unicodedata
from difflib import SequenceMatcher

CLOSE = 0.86
# Letters that Unicode does not take apart into a letter and an accent.
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


def normalised(name: str) -> str:
    """The name's parts in plain small letters, sorted: equal for "Berg, Anna" and "Ánna BERG"."""
    apart = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    words = "".join(letter if letter.isalnum() else " " for letter in plain).split()
    return " ".join(sorted(words))


def are_close(first: str, second: str) -> bool:
    """Whether two normalised names differ by no more than a slip of the pen."""
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.real_quick_ratio() >= CLOSE and matcher.quick_ratio() >= CLOSE and matcher.ratio() >= CLOSE
