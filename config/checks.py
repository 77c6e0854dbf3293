"""What is looked at when the service starts: what has to be set for it to work, and to be safe."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connections, transaction

from league.storage.board_keys import SHORTEST_KEY, Unreadable, decrypt

#: How everything begins that is encrypted.
ENCRYPTED = "gAAAA"


@register(Tags.security)
def board_keys(**_asked: Any) -> Iterable[CheckMessage]:
    """There is a key for sealed boards, long enough to be one, and used for nothing else."""
    keys = settings.BOARD_KEYS
    if not keys:
        hint = "Set BOARD_KEYS in the environment to what `openssl rand -hex 32` prints, and keep it."
        yield Error("There is no key for sealed boards.", hint=hint, id="boards.E001")
    if any(len(key) < SHORTEST_KEY for key in keys):
        hint = "Take what `openssl rand -hex 32` prints."
        yield Error("A key for sealed boards is too short to be one.", hint=hint, id="boards.E002")
    if settings.SECRET_KEY in keys:
        hint = "Give the boards a key of their own: SECRET_KEY is changed for other reasons."
        yield Error("The key for sealed boards is SECRET_KEY.", hint=hint, id="boards.E003")


@register(Tags.database)
def stored_values_open(databases: Iterable[str] | None = None, **_asked: Any) -> Iterable[CheckMessage]:
    """The keys are those that the database was written with: the newest line of the trail can be read."""
    if not settings.BOARD_KEYS or "default" not in (databases or ()):
        return
    try:
        if stored := _newest_of_the_trail():
            decrypt(stored)
    except Unreadable:
        hint = "Add the key that it was written with to BOARD_KEYS, after the newest one."
        yield Error("No key of BOARD_KEYS decrypts what is stored.", hint=hint, id="boards.E004")


def _newest_of_the_trail() -> str | None:
    """As it is stored; None where there is nothing yet, or where it is not encrypted before the migrations."""
    newest = 'SELECT "after" FROM league_auditentry WHERE "after" IS NOT NULL ORDER BY id DESC LIMIT 1'
    try:
        with transaction.atomic(), connections["default"].cursor() as cursor:
            cursor.execute(newest)
            row = cursor.fetchone()
    except DatabaseError:
        return None
    stored = str(row[0]) if row else ""
    return stored if stored.startswith(ENCRYPTED) else None
