"""Looking at the rows, for the staff of an installation. Rows change through services alone, so this only reads."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

# What was played of a deal and what was made of it: who may see it is asked by pages, and here nobody asks.
UNSHOWN_MODELS = frozenset({
    "Action", "AdjustedScore", "Analysis", "Comparison", "EventRanking", "IdempotencyKey", "MailAccount",
    "OutboxMessage", "Paper", "PlayedDeal", "PlayedHand", "PlayedSide", "RobotHand", "ScoresheetDraft",
})  # fmt: skip
# The same within a row, people's own words, and what serves to try a secret out.
UNSHOWN_FIELDS = frozenset({
    "after", "answer", "before", "content", "digest", "fault", "password", "reason", "score", "secret", "suspicious",
    "text", "verdict_reason",
})  # fmt: skip


class ReadOnlyAdmin(admin.ModelAdmin):
    """The rows of a model to look at, none to change, and nothing that tells of cards that others still play."""

    list_per_page = 50
    show_full_result_count = False
    untold = UNSHOWN_FIELDS

    def get_fields(self, request: HttpRequest, obj: models.Model | None = None) -> list[Any]:
        """The fields but those that tell too much."""
        return [name for name in super().get_fields(request, obj) if name not in self.untold]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:  # noqa: ARG002
        return False


admin.site.site_header = admin.site.site_title = "Concertmaster"
admin.site.index_title = gettext_lazy("Rows, read only")

for label in ("league", "games"):
    for model in apps.get_app_config(label).get_models():
        if model.__name__ not in UNSHOWN_MODELS:
            admin.site.register(model, ReadOnlyAdmin)
