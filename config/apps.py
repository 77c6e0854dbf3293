"""The wiring as a Django app, so that its commands and its startup checks are found."""

from importlib import import_module

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Holds `manage.py serve` and what belongs to no single layer."""

    name = "config"

    def ready(self) -> None:
        # By name, since they use modules that need the applications, which are ready only now.
        import_module("config.checks")
        import_module("config.observing")
