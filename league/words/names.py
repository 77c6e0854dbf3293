"""Names: compared as people do, without regard to case, accents, punctuation and the order of the parts; and which
characters they may be written with."""

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache

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


# Names of people everywhere may be written, but nothing that cannot be seen or that passes for something else.

#: Writing systems in everyday use, by the first word of their letters' names (Unicode's UAX #31, table 5).
SCRIPTS = frozenset({
    "ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK", "GUJARATI",
    "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA", "CJK", "KANNADA", "KATAKANA", "KHMER", "LAO", "LATIN", "MALAYALAM",
    "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN",
})  # fmt: skip
#: Other first words of names of letters, figures and marks, and where they belong; with "" to any writing.
SHARED = {
    "ARABIC-INDIC": "ARABIC", "EXTENDED": "ARABIC", "IDEOGRAPHIC": "CJK", "KATAKANA-HIRAGANA": "KATAKANA",
    "DIGIT": "", "COMBINING": "", "FEMININE": "", "MASCULINE": "",
}  # fmt: skip
#: Written together in one word.
TOGETHER = dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"), "CJK")
#: Alphabets whose letters look like another one's: a person's name is written in one of them.
ALPHABETS = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN"})
#: Ordinary Latin letters, by their Unicode names; neither small capitals nor letters of phonetics.
LATIN = re.compile(
    r"LATIN (?:CAPITAL|SMALL) (?:LETTER|LIGATURE) "
    r"(?:[A-Z]|AE|OE|IJ|AFRICAN D|SHARP S|ETH|THORN|ENG|DOTLESS I|SCHWA|OPEN [EO]|EZH|GAMMA)(?: WITH .+)?"
    r"|LATIN LETTER (?:\w+ )?CLICK"
)
#: Marks of Hawaiian, Ukrainian and of Arabic names that stand as letters.
APOSTROPHES = frozenset("\u02bb\u02bc\u02be\u02bf")
#: Seen nowhere, though Unicode counts them as letters or marks.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
#: Persian, and languages of India, are written with these between letters.
JOINERS = frozenset("\u200c\u200d")
JOINED = (
    "ARABIC", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM",
    "SINHALA",
)  # fmt: skip
#: Embeddings, overrides and isolates.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
MOST_MARKS = 3
#: Letters of other alphabets that look like Latin ones, and figures and letters that look the same in many fonts.
ALIKE = str.maketrans(
    "Il1|ıǀ丨\u1175O0ɣАВЕЗІЈКМНОРСТУХЅҮԚԜавеіјкмнорстухѕӏԁһԛԝүпгьΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹαικνορτυχωϲϳՕՍՏԼօսոհզցյ",
    "ǀǀǀǀiǀǀǀooyabe3ǀjkmhopctyxsyqwabeijkmhopctyxsǀdhqwynrbabezhǀkmnoptyxcaikvoptuxwcjousǀounhqgj",
)
# A capital L is like none of these strokes, though it becomes a small one.
ALIKE_IN_SMALL = {key: like for key, like in ALIKE.items() if chr(key) not in "Il1|0O"}
# Vietnamese tells names apart by marks alone.
_VIETNAMESE = re.compile("[ăđơư\u1ea0-\u1ef9]", re.I)


def has_unseen(name: str) -> bool:
    """Whether there is a character in the name that nobody sees."""
    return any(_is_unseen(letter, before) for letter, before in zip(name, " " + name, strict=False))


def turns_writing(text: str) -> bool:
    """Whether there is a character in the text that turns the writing round or controls a screen."""
    return any(
        letter in TURNING or (unicodedata.category(letter) == "Cc" and letter not in "\n\r\t")
        for letter in text
    )


def is_masked(name: str, *, of_person: bool = False) -> bool:
    """Whether letters of the name pass for others: of two scripts in a word, in fancy dress, under heaps of marks."""
    if (
        any(_is_in_fancy_dress(letter, of_person=of_person) for letter in name)
        or _most_marks(name) > MOST_MARKS
    ):
        return True
    words = "".join(each if unicodedata.category(each)[0] in "LMN" else " " for each in name).split()
    scripts = [{script for letter in word if (script := _script(letter))} for word in words]
    if of_person and len(set().union(*scripts) & ALPHABETS) > 1:
        return True
    # A team of Tokyo or Seoul may be called "Bチーム".
    fitting = set() if of_person else {"LATIN"}
    together = [{TOGETHER.get(script, script) for script in each} for each in scripts]
    return any(len(each - fitting if "CJK" in each else each) > 1 for each in together)


def are_alike(first: str, second: str) -> bool:
    """Whether a reader could take one name for the other though they are written otherwise."""
    if first.casefold() == second.casefold():
        return False
    if _VIETNAMESE.search(first) and _VIETNAMESE.search(second):
        return False
    look = looks_like(first)
    return bool(look) and look == looks_like(second)


def looks_like(name: str) -> str:
    """A name's letters as they look: without marks, hyphens and blanks; Latin ones for those that resemble them."""
    plain = "".join(_bare(each) for letter in name for each in unicodedata.normalize("NFKD", letter))
    return plain.translate(ALIKE).casefold().translate(ALIKE_IN_SMALL)


def _is_unseen(letter: str, before: str) -> bool:
    if letter in JOINERS:
        return _first_word(before) not in JOINED
    if letter in BLANK or 0xFE00 <= ord(letter) <= 0xFE0F or 0xE0100 <= ord(letter) <= 0xE01EF:
        return True
    return unicodedata.category(letter) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def _first_word(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ", 1)[0]


def _script(letter: str) -> str:
    """The writing system that a letter, mark or figure belongs to; empty for those of any."""
    word = "" if letter in APOSTROPHES else _first_word(letter)
    return SHARED.get(word, word)


def _is_in_fancy_dress(letter: str, *, of_person: bool) -> bool:
    """Whether it stands for an ordinary letter, or looks like one, without being it: for mathematics, in a circle."""
    category, title = unicodedata.category(letter), unicodedata.name(letter, "")
    if category[0] in "LMN" and not letter.isascii():
        script = _script(letter)
        return (
            category == "Me"
            or bool(script and script not in SCRIPTS)
            or (script == "LATIN" and not LATIN.fullmatch(title))
        )
    if category in {"So", "Sm"} and not letter.isascii():
        return " LATIN " in title or title.startswith("APL ") or (of_person and category == "Sm")
    return False


@lru_cache(4096)
def _bare(letter: str) -> str:
    """The letter without what is added to it, by its Unicode name; nothing for marks and what is no letter."""
    title = unicodedata.name(letter, "")
    if not (letter.isalnum() or letter == "|" or unicodedata.category(letter)[0] == "M"):
        return ""
    if title.startswith("MODIFIER ") or (title.startswith("COMBINING ") and "KANA" not in title):
        return ""
    try:
        return unicodedata.lookup(title.partition(" WITH ")[0])
    except KeyError:
        return letter


def _most_marks(name: str) -> int:
    most = now = 0
    for letter in unicodedata.normalize("NFC", name):
        now = now + 1 if unicodedata.category(letter) == "Mn" else 0
        most = max(most, now)
    return most
