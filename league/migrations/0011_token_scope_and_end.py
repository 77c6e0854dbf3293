"""Tokens end with a change of password and by a date, and may be made for reading only.

Those of 0.1.0 keep working for a year, for the password of today, and may write as before.
"""

from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone
from django.utils.crypto import salted_hmac

# As AbstractBaseUser.get_session_auth_hash salts it.
SALT = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"
A_YEAR = timedelta(days=365)


def bind(apps, _schema_editor):
    for token in apps.get_model("league", "ApiToken").objects.select_related("user"):
        token.session_digest = salted_hmac(SALT, token.user.password, algorithm="sha256").hexdigest()
        token.expires_at = timezone.now() + A_YEAR
        token.save(update_fields=["session_digest", "expires_at"])


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0010_encrypt_second_steps"),
    ]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="scope",
            field=models.CharField(
                choices=[("read", "read only"), ("write", "read and write")], default="write", max_length=10
            ),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="session_digest",
            field=models.CharField(
                default="",
                help_text="what the person's logins hold on to: another password ends both",
                max_length=128,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="apitoken", name="expires_at", field=models.DateTimeField(null=True)
        ),
        migrations.AddField(
            model_name="apitoken",
            name="last_used_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(bind, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="apitoken", name="expires_at", field=models.DateTimeField()
        ),
        migrations.AddConstraint(
            model_name="apitoken",
            constraint=models.CheckConstraint(
                condition=models.Q(("scope__in", ["read", "write"])), name="api_token_scope_known"
            ),
        ),
    ]
