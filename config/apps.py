"""The wiring as a Django app, so that its commands and its startup checks are found."""

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created


class ConfigConfig(AppConfig):
    """Holds `manage.py serve` and what belongs to no single layer."""

    name = "config"

    def ready(self) -> None:
        # By name, since they use modules that need the applications, which are ready only now.
        import_module("config.checks")
        import_module("config.operating.observing")
        if settings.KEEP_PAGES:
            connection_created.connect(import_module("league.web.changes").watch)
