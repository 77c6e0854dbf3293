"""Public marks of drawn cards and directors' scores stay as they were written; who wrote one cannot be deleted."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.storage.append_only import AWARDS_WITHOUT_STAGES, BOARD_DRAWS


def create(apps, schema_editor):
    for guard in (BOARD_DRAWS, AWARDS_WITHOUT_STAGES):
        guard.create(schema_editor.connection)


def drop(apps, schema_editor):
    for guard in (BOARD_DRAWS, AWARDS_WITHOUT_STAGES):
        guard.drop(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0006_paper_failure"),
    ]
    operations = [
        migrations.AlterField(
            model_name="award",
            name="made_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(create, drop),
    ]
