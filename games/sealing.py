"""Locking away what gives sealed cards away, with a key that is not in the database.

`settings.BOARD_KEYS` has the keys, newest first: the first one locks, all of them open. Any secret of 32 characters or
more serves as a key. Nothing here says in an error, or tells a log, what was locked.
"""

import base64
import hashlib
from typing import overload

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.translation import gettext as _

from league.errors import Conflict

SHORTEST_KEY = 32


class Unreadable(Conflict):
    """What was locked away cannot be opened: by a key that is missing now, or because it was changed."""

    code = "unreadable"


@overload
def lock_away(text: str) -> str: ...
@overload
def lock_away(text: bytes) -> bytes: ...
def lock_away(text: str | bytes) -> str | bytes:
    """The text under lock and key: a text for a text, bytes for bytes. Raises Conflict where there is no key."""
    if isinstance(text, str):
        return _keys().encrypt(text.encode()).decode("ascii")
    return _keys().encrypt(text)


@overload
def take_out(locked: str, *, within_seconds: int | None = None) -> str: ...
@overload
def take_out(locked: bytes | memoryview, *, within_seconds: int | None = None) -> bytes: ...
def take_out(locked: str | bytes | memoryview, *, within_seconds: int | None = None) -> str | bytes:
    """What was locked away, no longer ago than `within_seconds` if that is given. Raises Unreadable."""
    if isinstance(locked, str):
        return _opened(locked.encode(), within_seconds).decode()
    return _opened(bytes(locked), within_seconds)


@overload
def lock_anew(locked: str) -> str: ...
@overload
def lock_anew(locked: bytes | memoryview) -> bytes: ...
def lock_anew(locked: str | bytes | memoryview) -> str | bytes:
    """The same under the newest key, with the time of its first locking kept. Raises Unreadable."""
    try:
        if isinstance(locked, str):
            return _keys().rotate(locked.encode()).decode("ascii")
        return _keys().rotate(bytes(locked))
    except InvalidToken:
        raise _unreadable() from None


def is_ready() -> bool:
    """Whether there is a key, so that boards can be sealed."""
    return bool(settings.BOARD_KEYS)


def _opened(locked: bytes, within_seconds: int | None) -> bytes:
    try:
        return _keys().decrypt(locked, ttl=within_seconds)
    except InvalidToken:
        raise _unreadable() from None


def _unreadable() -> Unreadable:
    return Unreadable(_("The key to these boards is missing: whoever runs the site has to bring it back."))


def _keys() -> MultiFernet:
    if not is_ready():
        raise Conflict(_("This site has no key for sealed boards yet: whoever runs it has to set one."))
    return MultiFernet([Fernet(_fernet_key(secret)) for secret in settings.BOARD_KEYS])


def _fernet_key(secret: str) -> bytes:
    """The 32 bytes that Fernet wants, of a secret of any form."""
    return base64.urlsafe_b64encode(hashlib.sha256(b"boards:" + secret.encode()).digest())
