"""Addresses of clubs and competitions: the short names that stand in a URL."""

from collections.abc import Callable
from itertools import count

from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.errors import Conflict, Invalid

LONGEST = 60
# Words that stand, or may one day stand, at the same place of a URL.
RESERVED = frozenset({
    "about", "account", "accounts", "add", "admin", "api", "archive", "boards", "claims", "competitions", "desk",
    "edit", "evenings", "export", "import", "imports", "join", "leave", "matches", "members", "merges", "my", "new",
    "pairs", "people", "players", "rounds", "search", "seasons", "settings", "set-up", "setup", "tables",
})  # fmt: skip


def choose(*, wanted: str, name: str, is_taken: Callable[[str], bool]) -> str:
    """The address as wanted, or the nearest free one to the name when none is wanted.

    Raises Invalid for an impossible address, and Conflict for one that is taken.
    """
    if not wanted.strip():
        return _nearest(name, is_taken)
    slug = slugify(wanted)[:LONGEST].strip("-")
    if not slug or slug != wanted.strip().lower():
        raise Invalid(_("An address can have only small letters, digits and hyphens, such as “river-side”."))
    if slug in RESERVED or is_taken(slug):
        raise Conflict(_("The address “%(slug)s” is taken. Choose another one.") % {"slug": slug})
    return slug


def _nearest(name: str, is_taken: Callable[[str], bool]) -> str:
    stem = slugify(name)[: LONGEST - 6].strip("-") or "x"
    for number in count(1):
        slug = stem if number == 1 else f"{stem}-{number}"
        if slug not in RESERVED and not is_taken(slug):
            return slug
    raise AssertionError
