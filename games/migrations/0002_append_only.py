"""Submitted scoresheets and their deals stay as they were submitted."""

from dataclasses import replace

from django.db import migrations

from league.storage.append_only import PLAYED_DEALS, SCORESHEETS

#: Columns that the table gets later.
LATER = {"entered_as"}
SHEETS = replace(SCORESHEETS, columns=tuple(each for each in SCORESHEETS.columns if each not in LATER))


def create(apps, schema_editor):
    for guard in (SHEETS, PLAYED_DEALS):
        guard.create(schema_editor.connection)


def drop(apps, schema_editor):
    for guard in (SHEETS, PLAYED_DEALS):
        guard.drop(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
