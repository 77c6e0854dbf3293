"""Changes of single fields, written down so that they can be taken back exactly."""

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, TypeAlias

from django.apps import apps
from django.db import models

from league.storage.references import rows_of

Line: TypeAlias = list[Any]


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one row: its value before and after. Keys stand for rows."""

    label: str
    pk: int
    field: str
    old: Any
    new: Any

    @property
    def is_of_key(self) -> bool:
        """Whether the field is the row's own key, which no merge changes any more."""
        return self.field == self.model._meta.pk.attname

    @property
    def model(self) -> type[models.Model]:
        """The model of the row."""
        return apps.get_model(self.label)


class Journal:
    """Changes rows and keeps what it changed, in order."""

    def __init__(self) -> None:
        self.changes: list[Change] = []

    def change(self, row: models.Model, **values: Any) -> None:
        """Sets the fields of the row (foreign keys by their column, such as player_id) in one step."""
        changed = {name: value for name, value in values.items() if getattr(row, name) != value}
        if not changed:
            return
        for name, value in changed.items():
            self.changes.append(Change(row._meta.label_lower, row.pk, name, getattr(row, name), value))
            setattr(row, name, value)
        # By the queryset: nothing but these fields is touched, not even a time of the last change.
        rows_of(type(row)).filter(pk=row.pk).update(**changed)

    def as_json(self) -> list[Line]:
        """The journal as it is stored."""
        return [[_plain(value) for value in astuple(change)] for change in self.changes]


def read(lines: Iterable[Line]) -> list[Change]:
    """The changes of a stored journal."""
    return [_change(*line) for line in lines]


def _change(label: str, pk: int, field: str, old: Any, new: Any) -> Change:
    column = apps.get_model(label)._meta.get_field(field)
    # A time is stored as text; of a key there is nothing to turn back.
    if isinstance(column, models.DateTimeField):
        old, new = column.to_python(old), column.to_python(new)
    return Change(label, pk, field, old, new)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def rows_in(changes: Iterable[Change]) -> Iterator[tuple[models.Model | None, list[Change]]]:
    """Each row with its neighbouring changes, the last first; the row is None when it is gone."""
    backwards = list(reversed(list(changes)))
    for (label, pk), group in groupby(backwards, key=lambda change: (change.label, change.pk)):
        found = rows_of(apps.get_model(label)).filter(pk=pk).first()
        yield found, list(group)


def take_back(changes: Iterable[Change]) -> None:
    """Gives every changed field its old value, the last change first."""
    for row, group in rows_in(changes):
        group = [each for each in group if not each.is_of_key]
        if not group:
            continue
        if row is None:
            raise ValueError("a row of the journal is gone")
        # In the order of the changes, so that of a field changed twice the oldest value stays.
        rows_of(type(row)).filter(pk=row.pk).update(**{each.field: each.old for each in group})


def final_values(changes: Iterable[Change]) -> dict[tuple[str, int, str], Any]:
    """What each changed field had in the end."""
    return {(change.label, change.pk, change.field): change.new for change in changes}
