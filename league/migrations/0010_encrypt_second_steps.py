"""Secrets of the two-step login, until now in clear, are encrypted with a key that is not in the database."""

from django.db import migrations

from league.storage import encryption

PURPOSE = "two-step login"
SECRETS = ("secret", "seed")


def changed(data, change):
    """The authenticator's data with `change` made to each secret in it."""
    secrets = {name: change(data[name]) for name in SECRETS if name in data}
    if "migrated_codes" in data:
        secrets["migrated_codes"] = [change(code) for code in data["migrated_codes"]]
    return {**data, **secrets}


def encrypt(text):
    try:
        encryption.decrypt(text, purpose=PURPOSE)
    except encryption.Undecipherable:
        return encryption.encrypt(text, purpose=PURPOSE)
    return text


def decrypt(text):
    return encryption.decrypt(text, purpose=PURPOSE)


def change_all(apps, change):
    for each in apps.get_model("mfa", "Authenticator").objects.filter(type__in=["totp", "recovery_codes"]):
        each.data = changed(each.data, change)
        each.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0009_outbox_tries_and_secrets"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [
        migrations.RunPython(
            lambda apps, _editor: change_all(apps, encrypt), lambda apps, _editor: change_all(apps, decrypt)
        ),
    ]
