"""The embedded installation makes its secret key once and keeps it to itself."""

import stat
from pathlib import Path

from config.secret import kept_secret


def test_the_secret_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret_key"

    made = kept_secret(path)

    assert len(made) >= 50
    assert kept_secret(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
