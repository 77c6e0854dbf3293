"""Mail by SMTP, with an end: a mail server that answers byte by byte keeps within the timeout of each read for ever."""

import smtplib
from contextlib import suppress
from io import BufferedReader, RawIOBase
from socket import socket
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.mail.backends import smtp


class Replies(RawIOBase):
    """What a mail server says, until its time is up."""

    def __init__(self, line: socket, until: float) -> None:
        self.line, self.until = line, until
        self.timeout = line.gettimeout()

    def readable(self) -> bool:
        """For the buffer around it."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Raises TimeoutError."""
        left = self.until - monotonic()
        if left <= 0:
            raise TimeoutError("the mail server took too long")
        self.line.settimeout(left if self.timeout is None else min(left, self.timeout))
        return self.line.recv_into(buffer)


class Prompt(smtplib.SMTP):
    """A connection that is given up `settings.EMAIL_DELIVERY_SECONDS` after it was begun."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.until = monotonic() + settings.EMAIL_DELIVERY_SECONDS
        super().__init__(*args, **options)

    def getreply(self) -> tuple[int, bytes]:
        """All answers are read here; after STARTTLS from another socket."""
        if self.file is None and self.sock is not None:
            self.file = BufferedReader(Replies(self.sock, self.until))
        return super().getreply()


class PromptSSL(Prompt, smtplib.SMTP_SSL):
    """The same where the connection is encrypted from its beginning."""


class EmailBackend(smtp.EmailBackend):
    """Django's, with an end."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        """What it speaks through."""
        return PromptSSL if self.use_ssl else Prompt

    def open(self) -> bool | None:
        """Leaves no line open to a server that refuses the login."""
        try:
            return super().open()
        except OSError:
            with suppress(OSError):
                self.close()
            raise
