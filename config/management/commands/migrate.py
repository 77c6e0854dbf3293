"""Django's migrate. In an empty database it makes all tables at once, as the models are, and notes every migration as
done: one after the other they take a minute. tests/upgrades holds both ways to the same tables.
"""

from typing import Any

from django.apps import apps
from django.core.management.commands import migrate
from django.core.management.sql import emit_post_migrate_signal
from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league.storage.append_only import GUARDS


class Command(migrate.Command):
    """manage.py migrate"""

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the tables of an empty database, or do what Django does."""
        connection = connections[options["database"]]
        asks_for_a_part = any(options[name] for name in ("app_label", "plan", "check_unapplied", "fake"))
        if asks_for_a_part or connection.introspection.table_names():
            super().handle(*args, **options)
            return
        make_tables(connection)
        if options["verbosity"]:
            self.stdout.write("The database was empty: all tables are made.")
        emit_post_migrate_signal(options["verbosity"], options["interactive"], connection.alias)


def make_tables(connection: BaseDatabaseWrapper) -> None:
    """All tables with their guards, and all migrations noted as done, or nothing."""
    recorder = MigrationRecorder(connection)
    done = MigrationLoader(None).disk_migrations
    with connection.schema_editor() as editor:
        editor.create_model(recorder.Migration)
        for app in apps.get_app_configs():
            for model in router.get_migratable_models(app, connection.alias):
                if model._meta.can_migrate(connection):
                    editor.create_model(model)
        for guard in GUARDS:
            guard.create(connection)
        recorder.migration_qs.bulk_create(recorder.Migration(app=app, name=name) for app, name in done)
