"""Changing the keys: everything that is encrypted with settings.BOARD_KEYS comes under the newest one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models

from engine import game
from games.analysis.services.analyses import digests_of_question
from games.models import Analysis, BoardSet, Paper, SheetPhoto, TableDeal
from league.actors import Actor
from league.audit.services import audit
from league.storage.encrypted_fields import EncryptedJSONField, EncryptedTextField
from league.storage.rewriting import renew_column

#: What is encrypted and decrypted by hand, since not everybody who reads the row needs it.
BY_HAND: tuple[tuple[type[models.Model], str], ...] = (
    (BoardSet, "secret"),
    (Paper, "content"),
    (SheetPhoto, "content"),
    (TableDeal, "secret"),
)


@dataclass(frozen=True, slots=True)
class Renewed:
    """How many rows of each column are under the newest key now, and the keys of rows that no key opens."""

    rows: dict[str, int]
    unreadable: dict[str, list[Any]]


def encrypted_columns() -> Iterator[tuple[type[models.Model], str]]:
    """Every column that board keys encrypt."""
    yield from BY_HAND
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, EncryptedTextField | EncryptedJSONField):
                yield model, field.name


def renew(*, actor: Actor) -> Renewed:
    """Brings everything under the newest key; to do it twice is harmless. Older keys are needed until this is done.

    What no key opens stays as it is, and is named.
    """
    found = Renewed({}, {})
    for model, column in encrypted_columns():
        name = f"{model._meta.db_table}.{column}"
        done = renew_column(model, column)
        if done.rows:
            found.rows[name] = done.rows
        if done.unreadable:
            found.unreadable[name] = done.unreadable
    if "games_analysis.record" not in found.unreadable:
        _rename_analyses()
    audit.record(
        actor=actor,
        action="boards.locked_anew",
        summary="Locks of sealed boards renewed",
        after={"rows": found.rows, "unreadable": found.unreadable},
    )
    return found


def _rename_analyses() -> None:
    """The name of a question has the newest key in it. One that was asked again meanwhile keeps its older name."""
    for analysis in Analysis.objects.only("game", "digest", "record").iterator():
        newest = digests_of_question(game.get(analysis.game), analysis.record)[0]
        if newest != analysis.digest and not Analysis.objects.filter(digest=newest).exists():
            Analysis.objects.filter(pk=analysis.pk).update(digest=newest)
