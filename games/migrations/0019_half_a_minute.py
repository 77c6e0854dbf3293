"""In a match a player has half a minute at least; what was set before that was said has less."""

from typing import Any

from django.db import migrations

LEAST_SECONDS = 30
OPEN = ("waiting", "playing", "between")


def give_half_a_minute(apps: Any, _schema: Any) -> None:
    """To competitions, and to tables of matches that are still open: what is over stays as it was."""
    short = {"absence_seconds__lt": LEAST_SECONDS}
    apps.get_model("games", "OnlinePlay").objects.filter(**short).update(absence_seconds=LEAST_SECONDS)
    tables = apps.get_model("games", "Table").objects.filter(fixture__isnull=False, state__in=OPEN, **short)
    tables.update(absence_seconds=LEAST_SECONDS)


class Migration(migrations.Migration):
    dependencies = [("games", "0018_table_due")]

    operations = [migrations.RunPython(give_half_a_minute, migrations.RunPython.noop)]
