"""Which rows point at a row, in whatever layer they are: found by the models themselves, so nothing is forgotten."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models

from league.querysets import AppendOnlyQuerySet


def rows_of(model: type[models.Model]) -> models.QuerySet[Any]:
    """All rows of a model that is known at run time only."""
    return model._default_manager.all()  # noqa: SLF001 (Django's documented name)


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key of a model that points at rows of another: `entry` of `games.matchseat`, for instance."""

    model: type[models.Model]
    field: models.ForeignKey[models.Model, models.Model]

    @property
    def name(self) -> str:
        """The field's name."""
        return self.field.name

    @property
    def label(self) -> str:
        """The model's label, by which it is found again."""
        return str(self.model._meta.label_lower)

    def rows(self, key: int) -> models.QuerySet[Any]:
        """The rows that point at the key by this field."""
        return rows_of(self.model).filter(**{self.field.attname: key}).order_by("pk")

    @property
    def is_history(self) -> bool:
        """Whether the rows tell of the past and are never changed."""
        return isinstance(rows_of(self.model), AppendOnlyQuerySet)


def references_to(model: type[models.Model]) -> Iterator[Reference]:
    """Every foreign key in the installation that points at rows of the model, in a fixed order."""
    for other in sorted(apps.get_models(), key=lambda each: each._meta.label_lower):
        for field in other._meta.concrete_fields:
            if isinstance(field, models.ForeignKey) and field.related_model is model:
                yield Reference(other, field)


def used(model: type[models.Model], keys: Iterable[int]) -> Iterator[tuple[int, models.Model]]:
    """Each of the keys with every row that points at it."""
    wanted = list(keys)
    for reference in references_to(model):
        column = reference.field.attname
        for row in rows_of(reference.model).filter(**{f"{column}__in": wanted}).order_by("pk"):
            yield getattr(row, column), row
