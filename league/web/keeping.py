"""What many requests work out alike, kept while the tables that it was read from stay as they are (docs/adr/0601).

What is kept follows from its key alone: whoever asks for it puts into the key everything of the reader by which it
differs. Only which clubs' people the reader knows by their full names is seen to here.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from time import time
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils import timezone, translation
from django.utils.safestring import SafeString

from league.models import Club, Player
from league.web import changes
from league.words import public_names

Value = TypeVar("Value")
#: Stand in a kept part for the reader's token, and for a key that each form has of its own.
TOKEN, KEY = "the-token-of-the-reader", "the-key-of-the-form"
#: For so many seconds at most: what changes by the clock alone is as old as that.
LONGEST = 10
#: By name the tables that such a value was read from before: their versions are asked for with it.
_known: dict[str, frozenset[str]] = {}


class _Kept(NamedTuple):
    """`names` says of the clubs whose people it names, and of whom not all want to be, whether the reader is inside."""

    at: float
    versions: Mapping[str, str | None]
    names: Mapping[int, bool]
    value: Any


def kept(name: str, key: tuple[Any, ...], make: Callable[[], Value], *, club: Club | None = None) -> Value:
    """What `make` gives, or gave within the last seconds while none of its tables was written.

    `club`: whose people it names, where they are of one club. The value has to be one that pickle takes.
    """
    reads = public_names.reader()
    if not settings.KEEP_PAGES or reads is None or changes.is_writing():
        return make()
    is_inside = club is not None and reads(Player(club=club))
    parts = (
        changes.edition(),
        name,
        key,
        is_inside,
        translation.get_language(),
        timezone.get_current_timezone_name(),
    )
    address = blake2b(repr(parts).encode(), digest_size=20).hexdigest()
    known = _known.get(name, frozenset())
    found = changes.store().get_many([address, *map(changes.key_of, known)])
    page: _Kept | None = found.get(address)
    if page is not None and 0 <= time() - page.at < LONGEST and _holds(page, name, found, reads):
        changes.note_read(page.versions)
        value: Value = page.value
        return value
    return _made(name, address, make, reads)


def _holds(page: _Kept, name: str, found: Mapping[str, Any], reads: public_names.IsInside) -> bool:
    known = _known.get(name, frozenset())
    if page.versions.keys() <= known:
        now = {each: found.get(changes.key_of(each)) for each in page.versions}
    else:
        now = dict(changes.versions(page.versions))
        _known[name] = known | page.versions.keys()
    return now == page.versions and all(
        reads(Player(club_id=club)) is inside for club, inside in page.names.items()
    )


def _made(name: str, address: str, make: Callable[[], Value], reads: public_names.IsInside) -> Value:
    begun, before = time(), changes.versions(changes.tables())
    names: dict[int, bool] = {}
    others = []

    def watched(row: Any) -> bool:
        inside = reads(row)
        if isinstance(row, Player):
            names[row.club_id] = inside
        else:
            others.append(row)
        return inside

    with changes.reading() as tables, public_names.read_by(watched):
        value = make()
    if not others and not changes.is_writing():
        page = _Kept(begun, {each: before[each] for each in tables}, names, value)
        _known[name] = _known.get(name, frozenset()) | tables
        changes.store().set(address, page, timeout=LONGEST)
    return value


def with_tokens(part: str, request: HttpRequest) -> SafeString:
    """The kept part with what this request's forms need."""
    if TOKEN in part:
        part = part.replace(TOKEN, get_token(request))
    if KEY in part:
        part = part.replace(KEY, uuid4().hex)
    return SafeString(part)
