"""Mails that became files, where no mail server is: kept as long as the rows of mails that were sent."""

from collections.abc import Callable, Iterator
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import structlog
from django.conf import settings

log = structlog.get_logger(__name__)
#: What Django writes behind each mail of a file.
END = b"-" * 79 + b"\n"


def purge(*, before: datetime) -> int:
    """Deletes the files that were last written before then; gives how many."""
    return _delete(file for file in _files() if file.stat().st_mtime < before.timestamp())


def delete_where(is_named: Callable[[str], bool]) -> int:
    """Deletes each file with a mail in which `is_named` finds somebody, in its head or in its text; gives how many."""
    return _delete(file for file in _files() if any(is_named(text) for text in _texts(file)))


def _files() -> list[Path]:
    folder = settings.EMAIL_FILE_PATH
    return sorted(Path(folder).glob("*.log")) if folder else []


def _texts(file: Path) -> Iterator[str]:
    for raw in file.read_bytes().split(END):
        mail = message_from_bytes(raw, _class=EmailMessage, policy=default)
        for part in mail.walk():
            yield "\n".join(str(value) for value in part.values())
            if part.get_content_maintype() == "text":
                yield part.get_content()


def _delete(files: Iterator[Path]) -> int:
    count = 0
    for file in files:
        try:
            file.unlink()
        except OSError as fault:
            # Another task was faster, or the folder is somebody else's: the others go.
            log.warning("mail_file_not_deleted", fault=type(fault).__name__)
        else:
            count += 1
    return count
