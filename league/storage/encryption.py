"""Encrypting what a copy of the database must not tell: links in mails that wait, secrets of the two-step login.

The keys come from SECRET_KEY, which lies outside the database, and from SECRET_KEY_FALLBACKS, so that it can be
changed: the newest encrypts, all of them decrypt. Sealed boards have keys of their own (docs/boards.md).
"""

import base64
import time

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac


class Undecipherable(ValueError):
    """None of the keys opens the text, or somebody changed it."""


class Expired(Undecipherable):
    """One of the keys opens the text, but it was encrypted too long ago."""


def encrypt(text: str, *, purpose: str) -> str:
    """The text, readable only with the key and for the same purpose."""
    return _keys(purpose).encrypt(text.encode()).decode("ascii")


def decrypt(encrypted: str, *, purpose: str, within_seconds: int | None = None) -> str:
    """What `encrypt` was given, no longer ago than `within_seconds` if that is given.

    Raises Undecipherable, which says nothing of the text; Expired where only its age is wrong.
    """
    keys = _keys(purpose)
    try:
        text = keys.decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise Undecipherable("SECRET_KEY was changed: add the former one to SECRET_KEY_FALLBACKS.") from None
    if (
        within_seconds is not None
        and keys.extract_timestamp(encrypted.encode()) + within_seconds < time.time()
    ):
        raise Expired
    return text


def _keys(purpose: str) -> MultiFernet:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [
        salted_hmac(f"league.storage.encryption.{purpose}", "", secret=secret, algorithm="sha256").digest()
        for secret in secrets
    ]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
