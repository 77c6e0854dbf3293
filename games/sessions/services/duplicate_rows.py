"""What a draft of a duplicate event keeps beside its competition, as JSON and back: for the services that undo."""

from typing import Any

from games.models import Duplicate, Evening, SectionMovement
from league.competitions.services.draft_rows import DraftPart
from league.models import Competition

_DUPLICATE = ("measure", "method", "tops", "least_share")
_EVENING = ("minutes_a_round",)
_MOVEMENT = (
    "division_id", "kind", "tables", "even", "rounds", "arrow_switched", "phantom", "length", "barometer",
    "first_table",
)  # fmt: skip


def _read(competition: Competition) -> dict[str, Any]:
    movements = SectionMovement.objects.filter(division__stage__competition=competition)
    return {
        "duplicate": Duplicate.objects.filter(pk=competition.pk).values(*_DUPLICATE).first(),
        "evening": Evening.objects.filter(pk=competition.pk).values(*_EVENING).first(),
        "movements": list(movements.order_by("division").values(*_MOVEMENT)),
    }


def _write(competition: Competition, kept: dict[str, Any]) -> None:
    for model, row in ((Duplicate, kept["duplicate"]), (Evening, kept["evening"])):
        if row is not None:
            model.objects.update_or_create(competition=competition, defaults=row)
    SectionMovement.objects.filter(division__stage__competition=competition).delete()
    there = set(competition.stage.divisions.values_list("pk", flat=True))
    SectionMovement.objects.bulk_create(
        SectionMovement(**row) for row in kept["movements"] if row["division_id"] in there
    )


PART = DraftPart(_read, _write)
