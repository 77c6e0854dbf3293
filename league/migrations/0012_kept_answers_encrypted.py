"""Kept answers of requests, and what names the request, are encrypted: both tell of a scoresheet."""

from django.db import migrations

import league.storage.encrypted_fields
from league.storage.rewriting import encrypt_column


def encrypt(apps, _schema_editor):
    for column in ("answer", "request_digest"):
        encrypt_column(apps.get_model("league", "IdempotencyKey"), column)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0011_token_scope_and_end"),
    ]

    operations = [
        migrations.AlterField(
            model_name="idempotencykey",
            name="answer",
            field=league.storage.encrypted_fields.EncryptedJSONField(),
        ),
        migrations.AlterField(
            model_name="idempotencykey",
            name="request_digest",
            field=league.storage.encrypted_fields.EncryptedTextField(),
        ),
        migrations.RunPython(encrypt),
    ]
