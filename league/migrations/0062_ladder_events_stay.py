"""What happened on a ladder is kept as it is, as other trails are."""

from django.db import migrations

from league.storage.append_only import LADDER_EVENTS


def guard(_apps, schema_editor):
    LADDER_EVENTS.create(schema_editor.connection)


def unguard(_apps, schema_editor):
    LADDER_EVENTS.drop(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0061_tables_of_individuals'),
    ]

    operations = [
        migrations.RunPython(guard, unguard),
    ]
