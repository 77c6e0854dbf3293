"""Wiring: settings, addresses, the servers' entry points and the background worker."""

from config.celery import app as celery_app

__version__ = "0.2.0"

__all__ = ["__version__", "celery_app"]
