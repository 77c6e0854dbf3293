import django.core.validators
from django.db import migrations, models


from league.storage.append_only import AWARDS_WITHOUT_STAGES, BOARD_DRAWS

GUARDS = (AWARDS_WITHOUT_STAGES, BOARD_DRAWS)
taken_off = []


def unguard(_apps, schema_editor):
    """SQLite makes the table of competitions again, which guards of other tables ask."""
    connection = schema_editor.connection
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        there = {name for (name,) in cursor.fetchall()}
    taken_off[:] = [each for each in GUARDS if f"{each.table}_no_update" in there]
    for each in taken_off:
        each.drop(connection)


def guard(_apps, schema_editor):
    while taken_off:
        taken_off.pop().create(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0012_kept_answers_encrypted'),
    ]

    operations = [
        migrations.RunPython(unguard, guard),
        migrations.AddField(
            model_name='competition',
            name='silence_days',
            field=models.PositiveSmallIntegerField(default=7, validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(30)], verbose_name='days of silence'),
        ),
        migrations.AddField(
            model_name='competition',
            name='typed_sheets',
            field=models.CharField(choices=[('automatic', 'at once if neither pair has an account, otherwise when a pair confirms it'), ('signed', 'at once, because both pairs signed the paper'), ('second', 'when a second official has compared it with the paper'), ('pairs', 'when a pair confirms it'), ('silence', 'when a pair confirms it, or both say nothing for some days')], default='automatic', max_length=10, verbose_name='a sheet typed by an official counts'),
        ),
        migrations.RunPython(guard, unguard),
    ]
