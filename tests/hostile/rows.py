"""How many rows there are of everything: what a refused request must not change."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection

# A visit may begin a session.
UNCOUNTED = {Session._meta.db_table}


def count_rows() -> dict[str, int]:
    """The number of rows by table, in one query."""
    tables = sorted(
        {model._meta.db_table for model in apps.get_models(include_auto_created=True)} - UNCOUNTED
    )
    columns = ", ".join(f"(SELECT count(*) FROM {connection.ops.quote_name(table)})" for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns}")
        return dict(zip(tables, cursor.fetchone(), strict=True))


# What begins otherwise may have changed a row.
READING = ("SELECT ", "SAVEPOINT ", "RELEASE SAVEPOINT ", "ROLLBACK TO SAVEPOINT ")


@dataclass
class Statements:
    """Notices, as a wrapper of what is executed, whether anything but reading was asked of the database."""

    has_written: bool = False

    def __call__(self, execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        """Execute the statement, and remember what kind it was."""
        if not sql.startswith(READING):
            self.has_written = True
        return execute(sql, *more)
