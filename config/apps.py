"""The wiring as a Django app, so that its commands and its startup checks are found."""

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


def without_compiling(connection: BaseDatabaseWrapper, **_about: object) -> None:
    """PostgreSQL would compile a statement that it thinks long, for longer than any of ours runs.

    Told on the connection, for a pool between refuses it among what a connection begins with.
    """
    if connection.vendor == "postgresql":
        connection.connection.execute("SET jit = off")


class ConfigConfig(AppConfig):
    """Holds `manage.py serve` and what belongs to no single layer."""

    name = "config"

    def ready(self) -> None:
        # By name, since they use modules that need the applications, which are ready only now.
        import_module("config.checks")
        import_module("config.operating.observing")
        connection_created.connect(without_compiling)
        if settings.KEEP_PAGES:
            connection_created.connect(import_module("league.web.changes").watch)
