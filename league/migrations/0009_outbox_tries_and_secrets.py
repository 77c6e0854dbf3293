"""Mails keep what they say encrypted and only until they are sent, and know when they are tried again."""

import json

import django.db.models.deletion
from django.db import migrations, models

from league.storage import encryption

# As 0.1.0 counted: after so many attempts nobody tried any more.
MOST_ATTEMPTS = 8


def encrypt_contents(apps, _schema_editor):
    messages = apps.get_model("league", "OutboxMessage").objects
    for message in messages.filter(sent_at__isnull=True).iterator():
        message.contents = encryption.encrypt(json.dumps(message.context), purpose="outbox")
        if message.attempts >= MOST_ATTEMPTS:
            message.given_up_at = message.made_at
        message.save(update_fields=["contents", "given_up_at"])


def decrypt_contents(apps, _schema_editor):
    messages = apps.get_model("league", "OutboxMessage").objects
    for message in messages.exclude(contents="").iterator():
        message.context = json.loads(encryption.decrypt(message.contents, purpose="outbox"))
        message.save(update_fields=["context"])


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0008_said_in_any_language"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="outboxmessage", name="outbox_waiting"),
        migrations.AddField(
            model_name="outboxmessage",
            name="club",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="league.club",
            ),
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="contents",
            field=models.TextField(blank=True, help_text="what the template is filled with, encrypted"),
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="given_up_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="next_try_at",
            field=models.DateTimeField(blank=True, help_text="empty: at once", null=True),
        ),
        migrations.AlterField(
            model_name="outboxmessage",
            name="sent_at",
            field=models.DateTimeField(blank=True, help_text="handed over without an error", null=True),
        ),
        migrations.RunPython(encrypt_contents, decrypt_contents),
        migrations.RemoveField(model_name="outboxmessage", name="context"),
        migrations.AddIndex(
            model_name="outboxmessage",
            index=models.Index(
                condition=models.Q(("given_up_at__isnull", True), ("sent_at__isnull", True)),
                fields=["next_try_at", "id"],
                name="outbox_due",
            ),
        ),
        migrations.AddIndex(
            model_name="outboxmessage",
            index=models.Index(fields=["made_at"], name="outbox_age"),
        ),
    ]
