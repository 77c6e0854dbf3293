"""What somebody wrote may lose a name when a person is erased, and nothing else."""

from django.db import migrations

from league.storage.append_only import ACTIONS, AWARDS, CONVENTION_CARDS


def guard_anew(apps, schema_editor):
    for guard in (ACTIONS, AWARDS, CONVENTION_CARDS):
        guard.drop(schema_editor.connection)
        guard.create(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("games", "0042_chat_for_guests"), ("league", "0043_erasures")]
    operations = [migrations.RunPython(guard_anew, migrations.RunPython.noop)]
