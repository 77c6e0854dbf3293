"""Looking at the rows, for the staff of an installation. Rows change through services alone, so this only reads."""

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy


class ReadOnlyAdmin(admin.ModelAdmin):
    """Every row of a model to look at, none to change."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:  # noqa: ARG002
        return False


admin.site.site_header = admin.site.site_title = "Concertmaster"
admin.site.index_title = gettext_lazy("The rows, to look at")

for label in ("league", "games"):
    for model in apps.get_app_config(label).get_models():
        admin.site.register(model, ReadOnlyAdmin)
