from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0027_plain_labels"),
    ]

    operations = [
        migrations.AlterField(
            model_name="board",
            name="deal",
            field=models.CharField(blank=True, help_text="the cards, from the release on", max_length=400),
        ),
    ]
