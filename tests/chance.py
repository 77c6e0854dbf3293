"""What the site leaves to chance, from a source that a test can repeat."""

import random
import string

import pytest

from engine.boards.sealing import KEY_LENGTH

LETTERS = string.ascii_letters + string.digits


def fix(patch: pytest.MonkeyPatch, source: random.Random) -> None:
    """Keys of sealed boards, lots and the cards of tables come from this source."""
    patch.setattr(
        "games.boards.services.boards.new_session_key",
        lambda: "".join(source.choice(LETTERS) for _ in range(KEY_LENGTH)),
    )
    patch.setattr("league.draws.services.lots.new_seed", lambda: source.randbytes(16).hex())
    patch.setattr("games.tables.services.dealing.random.SystemRandom", lambda: random.Random(source.random()))
