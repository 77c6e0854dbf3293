"""The processes of a version go on beside the tables of the next: a migration adds, and what it replaces goes later.

What goes away was used by no code of the version before: its removal is named in GONE, with the version whose code no
longer asked for it.
"""

from collections.abc import Iterator, Sequence

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.models.fields import NOT_PROVIDED

#: The rule holds of the migrations from these numbers on.
FROM = {"league": 70, "games": 60}
GONE: dict[str, str] = {}
TAKING = (
    migrations.RemoveField, migrations.DeleteModel, migrations.RenameField, migrations.RenameModel,
    migrations.AlterModelTable,
)  # fmt: skip


def faults(operations: Sequence[Operation]) -> Iterator[str]:
    """What the code of before could not live with: a column is gone, or one that it doesn’t know must be filled."""
    for each in operations:
        if isinstance(each, TAKING):
            yield each.describe()
        elif isinstance(each, migrations.SeparateDatabaseAndState):
            yield from faults(each.database_operations)
        elif isinstance(each, migrations.AddField) and must_be_filled(each.field):
            yield f"{each.describe()}: not null, and no default of the database"


def must_be_filled(field: "models.Field[object, object]") -> bool:
    """Whether a row that leaves the column out is refused."""
    is_column = not field.many_to_many
    return is_column and not field.null and getattr(field, "db_default", NOT_PROVIDED) is NOT_PROVIDED


def test_code_of_the_version_before_lives_with_the_new_tables() -> None:
    loader = MigrationLoader(None)
    wrong = {
        f"{app}.{name}": found
        for (app, name), migration in sorted(loader.disk_migrations.items())
        if app in FROM and int(name[:4]) >= FROM[app] and f"{app}.{name}" not in GONE
        if (found := list(faults(migration.operations)))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("operation", "fault"),
    [
        (migrations.RemoveField("club", "name"), 1),
        (migrations.RenameField("club", "name", "title"), 1),
        (migrations.AddField("club", "motto", models.TextField(default="")), 1),
        (migrations.AddField("club", "motto", models.TextField(db_default="")), 0),
        (migrations.AddField("club", "motto", models.TextField(null=True)), 0),
        (migrations.AddIndex("club", models.Index(fields=["name"], name="by_name")), 0),
    ],
)
def test_what_the_rule_sees(operation: Operation, fault: int) -> None:
    assert len(list(faults([operation]))) == fault
