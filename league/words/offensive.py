"""Names that people without an account may not go by: rude words, English and German, and words for those in charge.

The lists are ours and short. A club adds its own words; a host removes whom no list has foreseen.
"""

import re
from collections.abc import Iterable

from league.words.names import looks_like

#: Refused wherever they stand in a word. No surname and no ordinary word that we know of has them in it.
_ANYWHERE = """
arschloch asshole bitch dickhead faggot fotze fuck hitler hurensohn nigger nigga scheiss scheiß schlampe schwuchtel
wanker wichser
"""
#: Refused as words of their own: within others they are harmless (Ignazio, Scunthorpe, Marschall). Surnames that are
#: rude elsewhere (Dick, Fick, Penner, Depp) and the cards' own words (Ass) are not here.
_ALONE = """
anus arsch bastard cunt dildo goebbels hure idiot kanake nazi neger nutte penis piss porno pussy retard shit slut spast
tits trottel twat vagina whore
"""
#: People who read such a name do what it says.
_IN_CHARGE = """
admin administrator concertmaster director gastgeber host moderator owner robot roboter scorer spielleiter
spielleitung staff support system turnierleiter turnierleitung umpire veranstalter
"""
_BESIDE_IT = "a an das dem den der des die for für im in of our our's the vom von your"
#: Figures and signs that are written for letters.
_LEET = str.maketrans("34578@€$!", "eastbaesi")


def is_offensive(name: str, more: Iterable[str] = ()) -> bool:
    """Whether the name has a rude word in it, or one of `more`, however its letters are dressed up."""
    tokens = _tokens(name)
    own = {folded for each in more if (folded := _folded(each))}
    alone = _ALONE_FOLDED | own
    joined = _folded(name) if tokens and max(map(len, tokens)) <= 2 else ""
    return any(
        form in alone or any(part in form for part in _ANYWHERE_FOLDED)
        for word in {*tokens, joined}
        for form in _without_repeats(word)
    )


def is_in_charge(name: str) -> bool:
    """Whether the name is no name but says that somebody runs the club or the site."""
    tokens = set(_tokens(name))
    return bool(tokens & _IN_CHARGE_FOLDED) and tokens <= _IN_CHARGE_FOLDED | _BESIDE_FOLDED


def _tokens(name: str) -> list[str]:
    return [folded for word in re.split(r"[\s._,;:/\\+*-]+", name) if (folded := _folded(word))]


def _folded(word: str) -> str:
    """The word as it looks, with one letter for those that pass for each other: i, l, I, 1 and |."""
    return looks_like(word.translate(_LEET)).replace("ǀ", "i").replace("l", "i")


def _without_repeats(word: str) -> set[str]:
    """Letters that are written three times or more count once, or twice."""
    return {re.sub(r"(.)\1{2,}", keep, word) for keep in (r"\1", r"\1\1")}


def _all_folded(words: str) -> frozenset[str]:
    return frozenset(_folded(word) for word in words.split())


_ANYWHERE_FOLDED, _ALONE_FOLDED = _all_folded(_ANYWHERE), _all_folded(_ALONE)
_IN_CHARGE_FOLDED, _BESIDE_FOLDED = _all_folded(_IN_CHARGE), _all_folded(_BESIDE_IT)
