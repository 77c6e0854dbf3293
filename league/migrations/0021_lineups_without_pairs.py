"""The two columns of a pair go: its players are its members. In a step of its own, after the rows were written."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0020_lineups")]

    operations = [
        migrations.RemoveField(model_name="lineup", name="player_a"),
        migrations.RemoveField(model_name="lineup", name="player_b"),
        migrations.AddConstraint(
            model_name="lineup",
            constraint=models.UniqueConstraint(
                condition=models.Q(("merged_into__isnull", True)),
                fields=("club", "members_key"),
                name="a_lineup_exists_once",
            ),
        ),
    ]
