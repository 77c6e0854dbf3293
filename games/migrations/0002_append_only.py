"""Submitted scoresheets and their deals stay as they were submitted."""

from django.db import migrations

from league.append_only import PLAYED_DEALS, SCORESHEETS


def create(apps, schema_editor):
    for guard in (SCORESHEETS, PLAYED_DEALS):
        guard.create(schema_editor.connection)


def drop(apps, schema_editor):
    for guard in (SCORESHEETS, PLAYED_DEALS):
        guard.drop(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
