"""The embedded installation's data are its owner's alone; its secret keys are made once and kept beside them."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def keep_to_owner(folder: Path) -> None:
    """Make the folder, and let no other user of the computer look into it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Somebody else's folder, as a container may be given one, is that somebody's to close.
    with suppress(PermissionError):
        folder.chmod(0o700)


def kept_secret(path: Path) -> str:
    """The secret in `path`, made on first use and readable by its owner only."""
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    made = secrets.token_urlsafe(50)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        # Another process was first: its secret is the one that counts.
        return path.read_text(encoding="ascii")
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(made)
    return made
