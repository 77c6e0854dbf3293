"""The mail's templates were named rejected.txt and rejected_subject.txt; mails that still wait ask for them by name."""

from django.db import migrations


def rename(apps, schema_editor):
    apps.get_model("league", "OutboxMessage").objects.filter(template="rejected").update(
        template="scoresheet_rejected"
    )


class Migration(migrations.Migration):
    dependencies = [("league", "0027_season_ends")]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
