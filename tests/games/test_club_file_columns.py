"""Every column is a decision: it goes into a club's file, or it is named as staying behind."""

import hashlib
from typing import Any

from django.apps import apps
from django.db import models

from games.club_files import archives
from games.club_files.kinds import KINDS, LEFT_OUT
from league.models import User
from league.storage.encrypted_fields import EncryptedJSONField, EncryptedTextField

#: What is encrypted in the database and yet in a file: of matches whose boards are public, or that played none.
TOLD = {
    ("league.entry", "withdrawal_reason"),
    ("games.scoresheet", "content"),
    ("games.scoresheet", "verdict_reason"),
    ("games.adjustedscore", "content"),
    ("games.adjustedscore", "reason"),
    ("games.boardaverage", "reason"),
}
#: What files of this version hold. Another layout is another version: `archives.VERSION` goes up with it.
LAYOUTS = {1: "cbe6d1b177c6ea66"}


def our_models() -> list[type[models.Model]]:
    return [model for layer in ("league", "games") for model in apps.get_app_config(layer).get_models()]


def test_every_model_is_in_the_file_or_named_as_left_out() -> None:
    known = {kind.label for kind in KINDS}

    assert not known & LEFT_OUT.keys()
    assert known | LEFT_OUT.keys() == {model._meta.label_lower for model in our_models()}


def test_every_column_is_in_the_file_or_stays_behind() -> None:
    for kind in KINDS:
        columns = {field.name for field in kind.model._meta.concrete_fields if field.name != "id"}

        assert len(set(kind.columns)) == len(kind.columns)
        assert not set(kind.columns) & set(kind.left)
        assert set(kind.columns) | set(kind.left) == columns, kind.label


def test_no_column_of_a_file_is_an_account_or_a_secret() -> None:
    before: set[Any] = set()
    for kind, name in [(each, name) for each in KINDS for name in each.columns]:
        before.add(kind.model)
        field = kind.model._meta.get_field(name)
        if isinstance(field, models.ForeignKey):
            assert field.related_model in before
            assert field.related_model is not User
        if isinstance(field, EncryptedTextField | EncryptedJSONField):
            assert (kind.label, name) in TOLD
        assert not isinstance(field, models.BinaryField | models.EmailField)
        assert not {"secret", "token", "digest", "password", "email"} & set(name.split("_"))


def test_another_layout_is_another_version() -> None:
    layout = "\n".join(f"{kind.label} {' '.join(kind.columns)}" for kind in KINDS)

    assert hashlib.sha256(layout.encode()).hexdigest()[:16] == LAYOUTS[archives.VERSION]
