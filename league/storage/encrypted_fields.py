"""Columns that are written encrypted (board_keys) and read in the clear: a copy of the database tells nothing.

Everything that tells of cards, or of points deal by deal, stands in one of these. Whether somebody may see it is asked
where it is shown (games.embargo): the release of a board lets readers see, and rewrites nothing. tests/leaks/
test_at_rest.py fails for a column that is neither one of these nor named there as telling nothing.
"""

import json
from typing import Any

from django.core.exceptions import FieldError
from django.db import models

from league.storage import board_keys

#: JSON is filled up with spaces to a multiple of this: its length would tell how many digits a score has.
PADDED_TO = 256


class EncryptedTextField(models.TextField):
    """A text. An empty one stays empty, and is all that can be searched for."""

    @staticmethod
    def encrypted(text: str) -> str:
        """The text as it is stored."""
        return board_keys.encrypt(text) if text else text

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:  # noqa: ARG002
        """What is stored."""
        return value if value is None or _is_expression(value) else self.encrypted(str(value))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:  # noqa: ARG002
        """What is searched for."""
        if value:
            raise FieldError(f"{self.name} is encrypted: nothing can be found by it.")
        return value

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:  # noqa: ARG002
        """What is read. Raises Unreadable."""
        return board_keys.decrypt(value) if value else value


class EncryptedJSONField(models.JSONField):
    """A JSON value, None for nothing."""

    def get_internal_type(self) -> str:
        """How it lies in the database."""
        return "TextField"

    @staticmethod
    def encrypted(text: str) -> str:
        """The value, given as JSON text, as it is stored."""
        return board_keys.encrypt(text + " " * (-len(text.encode()) % PADDED_TO))

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:  # noqa: ARG002
        """What is stored."""
        if value is None or _is_expression(value):
            return value
        return self.encrypted(json.dumps(value, cls=self.encoder, ensure_ascii=False, separators=(",", ":")))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:  # noqa: ARG002
        """What is searched for."""
        raise FieldError(f"{self.name} is encrypted: nothing can be found by it.")

    def get_transform(self, name: str) -> Any:
        """No part of it can be asked for in the database."""
        raise FieldError(f"{self.name} is encrypted: {name} cannot be taken out of it in the database.")

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:  # noqa: ARG002
        """What is read. Raises Unreadable."""
        return None if value is None else json.loads(board_keys.decrypt(value), cls=self.decoder)


def _is_expression(value: Any) -> bool:
    """Whether it is made in the database of values that are encrypted one by one."""
    return hasattr(value, "as_sql")
