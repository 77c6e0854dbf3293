from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("league", "0046_club_files")]

    operations = [
        migrations.AddField(
            model_name="noticesettings",
            name="competitions",
            field=models.ManyToManyField(
                blank=True,
                help_text="a director is told of these alone; of all they direct where none is here",
                related_name="+",
                to="league.competition",
            ),
        ),
    ]
