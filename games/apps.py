"""The games layer: matches, scoresheets and played deals."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """What happened at the card table."""

    name = "games"
    verbose_name = _("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # By name, since its modules need the models, which exist only now.
        import_module("games.wiring").connect()
