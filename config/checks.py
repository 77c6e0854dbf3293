"""What is looked at when the service starts: what has to be set for it to work, and to be safe."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from games.sealing import SHORTEST_KEY


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
