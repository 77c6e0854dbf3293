"""The audit trail only grows."""

from django.db import migrations

from league.storage.append_only import AUDIT


def create(apps, schema_editor):
    AUDIT.create(schema_editor.connection)


def drop(apps, schema_editor):
    AUDIT.drop(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("league", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
