"""Tables made of the models, not by migrations, in a second: tests/upgrades proves that both come to the same.

python -m tests.schema   makes them in the empty database that the environment names
"""

import django
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings


def finish() -> None:
    """Guards the tables, and notes all migrations as done: who starts on them finds nothing to migrate."""
    # Models are there only once Django is set up.
    from league.storage.append_only import GUARDS  # noqa: PLC0415

    for guard in GUARDS:
        guard.create(connection)
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    with override_settings(MIGRATION_MODULES={}):
        done = MigrationLoader(None).disk_migrations
    recorder.migration_qs.bulk_create(recorder.Migration(app=app, name=name) for app, name in done)


if __name__ == "__main__":
    django.setup()
    settings.MIGRATION_MODULES = {each.label: None for each in apps.get_app_configs()}
    call_command("migrate", run_syncdb=True, interactive=False, verbosity=0)
    finish()
