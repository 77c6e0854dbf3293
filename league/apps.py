"""The league layer: people, clubs, competitions, fixtures, results and standings."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    """Who plays whom, and what it was worth."""

    name = "league"
    verbose_name = _("League")
    default_auto_field = "django.db.models.BigAutoField"
