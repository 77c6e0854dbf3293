"""A scoresheet's totals are a list in the order of the sides."""

from django.db import migrations, models

from league.storage.append_only import SCORESHEETS


def guard_off(_apps, schema_editor):
    SCORESHEETS.drop(schema_editor.connection)


def guard_on(_apps, schema_editor):
    SCORESHEETS.create(schema_editor.connection)


def to_list(apps, _schema_editor):
    sheets = apps.get_model("games", "Scoresheet").objects
    for key, home, away in sheets.values_list("pk", "home_total", "away_total"):
        sheets.filter(pk=key).update(totals=[home, away])


def to_columns(apps, _schema_editor):
    sheets = apps.get_model("games", "Scoresheet").objects
    for key, (home, away) in sheets.values_list("pk", "totals"):
        sheets.filter(pk=key).update(home_total=home, away_total=away)


class Migration(migrations.Migration):
    dependencies = [("games", "0025_players_at_a_table")]

    operations = [
        migrations.RunPython(guard_off, guard_on),
        migrations.AddField(
            "scoresheet",
            "totals",
            models.JSONField(default=list, help_text="the points of the sides, in their order in the fixture"),
            preserve_default=False,
        ),
        # With a default, so that it can be taken back.
        migrations.AlterField("scoresheet", "home_total", models.IntegerField(default=0)),
        migrations.AlterField("scoresheet", "away_total", models.IntegerField(default=0)),
        migrations.RunPython(to_list, to_columns),
        migrations.RemoveField("scoresheet", "home_total"),
        migrations.RemoveField("scoresheet", "away_total"),
        migrations.RunPython(guard_on, guard_off),
    ]
