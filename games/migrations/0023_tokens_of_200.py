"""An action's token may have 200 characters."""

from typing import Any

from django.db import migrations

from league.storage.append_only import ACTIONS
from league.storage.encrypted_fields import EncryptedTextField


def guard_again(_apps: Any, schema_editor: Any) -> None:
    """SQLite makes the table anew for the change, and its triggers go with the old one."""
    ACTIONS.drop(schema_editor.connection)
    ACTIONS.create(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("games", "0022_only_director_deals")]

    operations = [
        migrations.AlterField(
            model_name="action",
            name="token",
            field=EncryptedTextField(blank=True, help_text="as the game reads it", max_length=200),
        ),
        migrations.RunPython(guard_again, guard_again),
    ]
