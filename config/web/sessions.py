"""Sessions in the database. What the database itself refuses is told as such: no page takes it for a logout."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError


class SessionStore(db.SessionStore):
    """As Django keeps them."""

    def save(self, must_create: bool = False) -> None:
        """Raises UpdateError only where the session is gone: Django makes one of a full disk, too."""
        try:
            super().save(must_create)
        except UpdateError as lost:
            failure = lost.__context__
            if failure is not None and failure.__cause__ is not None:
                raise failure from failure.__cause__
            raise
