"""Partners write a convention card of their own, version by version; a robot may play it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.storage.append_only import CONVENTION_CARDS


def guard(_apps, schema_editor):
    CONVENTION_CARDS.create(schema_editor.connection)


def unguard(_apps, schema_editor):
    CONVENTION_CARDS.drop(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0039_sides_swap'),
        ('league', '0024_plain_labels'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='tableseat',
            name='pair',
            field=models.ForeignKey(blank=True, help_text='of a robot outside a match: whose convention card it plays with its partner', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.lineup'),
        ),
        migrations.CreateModel(
            name='ConventionCard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=30)),
                ('number', models.PositiveSmallIntegerField(help_text='from 1, without a gap')),
                ('content', models.JSONField(help_text="as the game's signals read it")),
                ('made_at', models.DateTimeField()),
                ('lineup', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='convention_cards', to='league.lineup')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['lineup', 'game', 'number'],
                'constraints': [models.UniqueConstraint(fields=('lineup', 'game', 'number'), name='convention_card_number_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='convention_card_numbers_from_1')],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]
