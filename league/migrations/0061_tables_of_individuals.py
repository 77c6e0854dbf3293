from importlib import import_module

from django.db import migrations, models

before = import_module("league.migrations.0055_knock_out")


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0060_forbidden_meetings'),
    ]

    operations = [
        migrations.RunPython(before.without_triggers, before.with_triggers),
        migrations.RemoveConstraint(
            model_name='stage',
            name='stage_format_known',
        ),
        migrations.AlterField(
            model_name='stage',
            name='format',
            field=models.CharField(choices=[('round_robin', 'round_robin'), ('swiss', 'swiss'), ('knockout', 'knockout'), ('tables', 'tables'), ('ladder', 'ladder'), ('evening', 'evening')], max_length=30, verbose_name='format'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('format__in', ['round_robin', 'swiss', 'knockout', 'tables', 'ladder', 'evening'])), name='stage_format_known'),
        ),
        migrations.RunPython(before.with_triggers, before.without_triggers),
    ]
