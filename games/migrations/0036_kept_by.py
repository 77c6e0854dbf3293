import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0035_lobby'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='tableguest',
            name='kept_by',
            field=models.ForeignKey(blank=True, help_text='the account with which the person keeps what they played; the key is gone then', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='kept_tables', to=settings.AUTH_USER_MODEL),
        ),
    ]
