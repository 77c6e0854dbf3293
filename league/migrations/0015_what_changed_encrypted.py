"""What the trail says in people's own words, and what changed, is encrypted: both may tell of a deal."""

from django.db import migrations

import league.storage.encrypted_fields
from league.storage.append_only import AUDIT
from league.storage.rewriting import encrypt_column

COLUMNS = {
    "AuditEntry": ("after", "before", "reason"),
    "DraftChange": ("before",),
    "Entry": ("withdrawal_reason",),
}


def guard_off(_apps, schema_editor):
    """SQLite drops the triggers of a table that it changes."""
    AUDIT.drop(schema_editor.connection)


def guard_on(_apps, schema_editor):
    AUDIT.drop(schema_editor.connection)
    AUDIT.create(schema_editor.connection)


def encrypt(apps, _schema_editor):
    for model, columns in COLUMNS.items():
        for column in columns:
            encrypt_column(apps.get_model("league", model), column)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0014_invitations"),
    ]

    operations = [
        migrations.RunPython(guard_off, guard_on),
        migrations.AlterField(
            model_name="auditentry",
            name="after",
            field=league.storage.encrypted_fields.EncryptedJSONField(null=True),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="before",
            field=league.storage.encrypted_fields.EncryptedJSONField(null=True),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="reason",
            field=league.storage.encrypted_fields.EncryptedTextField(blank=True, max_length=500),
        ),
        migrations.AlterField(
            model_name="draftchange",
            name="before",
            field=league.storage.encrypted_fields.EncryptedJSONField(
                help_text="what the act has changed, as it was: see league.competitions.services.drafts"
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="withdrawal_reason",
            field=league.storage.encrypted_fields.EncryptedTextField(blank=True, max_length=300),
        ),
        migrations.RunPython(encrypt),
        migrations.RunPython(guard_on, guard_off),
    ]
