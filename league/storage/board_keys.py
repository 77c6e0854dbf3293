"""Encrypting what tells of cards, with keys that are not in the database.

`settings.BOARD_KEYS` has the keys, newest first: the first one encrypts, all of them decrypt. Any secret of 32
characters or more serves as a key. Nothing here says in an error, or tells a log, what was encrypted.
"""

import base64
import hashlib
import hmac
from functools import lru_cache
from typing import overload

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.translation import gettext as _

from league.errors import Conflict

SHORTEST_KEY = 32


class Unreadable(Conflict):
    """What was encrypted cannot be decrypted: its key is missing now, or it was changed."""

    code = "unreadable"


class NoKey(Unreadable):
    """The site has no key at all."""


@overload
def encrypt(text: str) -> str: ...
@overload
def encrypt(text: bytes) -> bytes: ...
def encrypt(text: str | bytes) -> str | bytes:
    """The text encrypted: a text for a text, bytes for bytes. Raises NoKey."""
    if isinstance(text, str):
        return _fernet().encrypt(text.encode()).decode("ascii")
    return _fernet().encrypt(text)


@overload
def decrypt(encrypted: str, *, within_seconds: int | None = None) -> str: ...
@overload
def decrypt(encrypted: bytes | memoryview, *, within_seconds: int | None = None) -> bytes: ...
def decrypt(encrypted: str | bytes | memoryview, *, within_seconds: int | None = None) -> str | bytes:
    """What was encrypted, no longer ago than `within_seconds` if that is given. Raises Unreadable."""
    if isinstance(encrypted, str):
        return _decrypted(encrypted.encode(), within_seconds).decode()
    return _decrypted(bytes(encrypted), within_seconds)


@overload
def reencrypt(encrypted: str) -> str: ...
@overload
def reencrypt(encrypted: bytes | memoryview) -> bytes: ...
def reencrypt(encrypted: str | bytes | memoryview) -> str | bytes:
    """The same under the newest key, with the time of its first encryption. As it is if it is under that key already.

    Raises Unreadable.
    """
    raw = encrypted.encode() if isinstance(encrypted, str) else bytes(encrypted)
    try:
        if is_newest(raw):
            return encrypted if isinstance(encrypted, str) else raw
        renewed = _fernet().rotate(raw)
    except InvalidToken:
        raise _unreadable() from None
    return renewed.decode("ascii") if isinstance(encrypted, str) else renewed


def is_newest(encrypted: bytes) -> bool:
    """Whether the newest key alone decrypts it."""
    try:
        _single(_keys()[0]).decrypt(encrypted)
    except InvalidToken:
        return False
    return True


def digests(text: str) -> tuple[str, ...]:
    """Names of the text that nobody can try out without the key: by each key, the newest first."""
    return tuple(hmac.new(key.encode(), text.encode(), "sha256").hexdigest() for key in _keys())


def is_ready() -> bool:
    """Whether there is a key."""
    return bool(settings.BOARD_KEYS)


def _decrypted(encrypted: bytes, within_seconds: int | None) -> bytes:
    try:
        return _fernet().decrypt(encrypted, ttl=within_seconds)
    except InvalidToken:
        raise _unreadable() from None


def _unreadable() -> Unreadable:
    return Unreadable(
        _("The key that decrypts this is missing. The people who run this site have to restore BOARD_KEYS.")
    )


def _keys() -> tuple[str, ...]:
    if not is_ready():
        raise NoKey(_("This site has no key for its boards. The people who run it have to set BOARD_KEYS."))
    return tuple(settings.BOARD_KEYS)


def _fernet() -> MultiFernet:
    return _several(_keys())


@lru_cache(maxsize=8)
def _several(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([_single(key) for key in keys])


@lru_cache(maxsize=8)
def _single(key: str) -> Fernet:
    """Fernet wants 32 bytes: made of a secret of any form."""
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"boards:" + key.encode()).digest()))
