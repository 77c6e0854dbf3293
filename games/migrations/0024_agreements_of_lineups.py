"""An agreement is a lineup's."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0023_tokens_of_200"), ("league", "0020_lineups")]

    operations = [
        migrations.AlterModelOptions(name="agreement", options={"ordering": ["lineup"]}),
        migrations.RenameField("agreement", "partnership", "lineup"),
    ]
