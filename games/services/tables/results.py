"""What a match played online becomes: a scoresheet of the very cards, confirmed, since the site was the judge."""

from typing import Any

import structlog
from django.db import transaction

from engine import game
from games.live.facts import deal_facts
from games.models import Scoresheet, Table, TableDeal
from games.services import scoresheets
from games.services.tables import rows
from games.table_seating import seating_at
from league.errors import LeagueError
from league.models import Fixture

log = structlog.get_logger(__name__)
LONGEST_FAULT = 300


def record(*, table_id: int) -> bool:
    """Writes down the match of a table that was played to the end; whether there was anything to do.

    Where it cannot become the result, the table says why, and a director decides.
    """
    try:
        with transaction.atomic():
            return _record(table_id)
    except LeagueError as refusal:
        log.warning("table_not_recorded", table=table_id, code=refusal.code)
        with transaction.atomic():
            table = rows.lock(table_id)
            table.fault = refusal.message[:LONGEST_FAULT]
            rows.changed(table, "fault")
        return False


def _record(table_id: int) -> bool:
    table = rows.lock(table_id)
    if table.state != Table.State.FINISHED or table.fixture_id is None or table.sheet_id is not None:
        return False
    fixture = Fixture.objects.with_pairs().select_related("round__competition__club").get(pk=table.fixture_id)
    sheet: Scoresheet = scoresheets.record_play(
        actor=rows.TABLE,
        fixture=fixture,
        content=content_of(table, fixture),
        opened_by=table.opened_by,
        table=table.pk,
    )
    table.sheet, table.fault = sheet, ""
    rows.changed(table, "sheet", "fault")
    return True


def content_of(table: Table, fixture: Fixture) -> dict[str, Any]:
    """The sheet's content: who sat where, and every deal as it was played."""
    offered = game.get(table.game)
    seating = seating_at(table, fixture)
    deals = TableDeal.objects.filter(table=table, finished_at__isnull=False)
    played = [
        deal_facts(table, row, ()) for row in deals.select_related("board__board_set").order_by("number")
    ]
    return {
        **seating.as_json(),
        "first_dealer": table.first_dealer,
        "deals": [offered.record_of(each.fold.state) for each in played],
    }


def waiting() -> list[int]:
    """The tables whose match is over and became nothing yet."""
    found = Table.objects.filter(
        state=Table.State.FINISHED, fixture__isnull=False, sheet__isnull=True, fault=""
    )
    return list(found.order_by("pk").values_list("pk", flat=True)[:200])
