"""The wiring as a Django app, so that its commands and its startup checks are found."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Holds `manage.py serve` and what belongs to no single layer."""

    name = "config"
