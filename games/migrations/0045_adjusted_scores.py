"""A director's score for a board has its name in the code; its table keeps its own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0044_imported_sheets")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Award", "AdjustedScore"),
                migrations.AlterModelTable("adjustedscore", "games_award"),
            ]
        ),
        migrations.AlterField(
            "playedside",
            "given_away",
            models.PositiveSmallIntegerField(
                blank=True, help_text="points that it gave the other side; empty where it is not known", null=True
            ),
        ),
    ]
