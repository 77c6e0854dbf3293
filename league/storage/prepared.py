"""Statements that every page asks, made once in a process: making one with many conditions outlasts asking it."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import BigIntegerField, Expression, Field, QuerySet
from django.db.models.sql.compiler import SQLCompiler


class Given(Expression):
    """Stands in a query for a value that comes when it is asked: whose account it is, a time or so much before it."""

    def __init__(self, name: str, output_field: "Field[Any, Any]", *, less: timedelta | None = None) -> None:
        super().__init__(output_field=output_field)
        self.name, self.less = name, less

    def __sub__(self, less: timedelta) -> "Given":  # type: ignore[override]
        return Given(self.name, self.output_field, less=less)

    def value(self, given: Mapping[str, Any]) -> Any:
        """As the database takes it."""
        value = given[self.name] if self.less is None else given[self.name] - self.less
        return self.output_field.get_db_prep_value(value, connection)

    def as_sql(self, _compiler: SQLCompiler, _connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        """A place, with this for its value."""
        return "%s", [self]


class Somebody:
    """Who asks, for a query that says `user.pk`."""

    pk = Given("user", BigIntegerField())


class Prepared:
    """A query of values, by `make` from Given; asked by giving what they stand for."""

    def __init__(self, make: "Callable[[], QuerySet[Any, Any]]") -> None:
        self.make = make

    @cached_property
    def statement(self) -> tuple[str, tuple[Any, ...]]:
        """Its text, and what stands in its places."""
        text, places = self.make().query.sql_with_params()
        return text, tuple(places)

    def __call__(self, **given: Any) -> list[tuple[Any, ...]]:
        """The rows, as the database gives them: meant for keys and texts."""
        text, places = self.statement
        values = [each.value(given) if isinstance(each, Given) else each for each in places]
        with connection.cursor() as cursor:
            cursor.execute(text, values)
            return cursor.fetchall()
