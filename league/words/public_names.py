"""How a person's name is shown outside their club: in full, as initials, or not at all. The one place that decides.

A column of kind `PersonsName` reads in full, unless somebody from outside is reading and the person wants otherwise.
Who is reading is said once: by the middleware for a request, by what a secret address stands for, by a table for those
who look on. Where nobody was named (workers, commands, mails) names are read in full. What is stored never changes.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from django.db import models
from django.db.models.query_utils import DeferredAttribute
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

#: What everybody knows for "a name that is not told", in any language.
NOBODY = "N. N."
#: What stands in place of a name that was erased; read in each reader's language.
FORMER = gettext_noop("Former member")
IsInside = Callable[[Any], bool]
_is_inside: ContextVar[IsInside | None] = ContextVar("is_inside", default=None)


class Shown(models.TextChoices):
    """How a name is shown to people outside the club."""

    FULL = "full", _("in full")
    INITIALS = "initials", _("initials only, such as A. B.")
    HIDDEN = "hidden", _("not at all: N. N.")


#: The same, with the choice to leave it as it is for everybody.
CHOICES = [("", _("as usual")), *Shown.choices]


@contextmanager
def read_by(is_inside: IsInside | None) -> Iterator[None]:
    """Names are read for somebody who is inside, or not, the club of the row that has the name; None for in full."""
    before = _is_inside.set(is_inside)
    try:
        yield
    finally:
        _is_inside.reset(before)


def reader() -> IsInside | None:
    """For whom names are read now; None for in full."""
    return _is_inside.get()


#: Names are read as they are stored: what services write and tell, whoever pressed the button.
in_full = partial(read_by, None)
#: Names are read as anybody may see them.
to_strangers = partial(read_by, lambda _row: False)


def shown(row: Any, name: str) -> str:
    """A name of this row (a player or an account) for who is reading now."""
    is_inside = _is_inside.get()
    if is_inside is not None and name == FORMER:
        return gettext(FORMER)
    if is_inside is None or not name or row.shown_as == Shown.FULL or is_inside(row):
        return name
    return NOBODY if row.shown_as == Shown.HIDDEN else initials(name)


def is_masked(row: Any) -> bool:
    """Whether who is reading now is not told this row's name."""
    return shown(row, "name") != "name"


def initials(name: str) -> str:
    """A. B. for Anna Berg."""
    return " ".join(f"{part[0]}." for part in name.replace("-", " ").split())


class _ShownName(DeferredAttribute):
    def __get__(self, instance: Any, cls: Any = None) -> Any:
        if instance is None:
            return self
        return shown(instance, super().__get__(instance, cls))

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.field.attname] = value


class PersonsName(models.CharField):
    """A person's name; its model has `shown_as`. In the database it is a text like any other."""

    descriptor_class = _ShownName

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """A plain column for migrations."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: ARG002
        """What is stored is the name, whoever reads."""
        return self.value_from_object(model_instance)

    def value_from_object(self, obj: models.Model) -> Any:
        """The name as it is stored."""
        with in_full():
            return getattr(obj, self.attname)
