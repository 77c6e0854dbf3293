"""A competition always names its game. The database never filled it in, so nothing changes there."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0022_sides")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="competition",
                    name="game",
                    field=models.CharField(max_length=30, verbose_name="game"),
                )
            ]
        )
    ]
