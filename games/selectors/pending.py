"""Which matches have a scoresheet that waits to be confirmed, as the league asks for it."""

from collections.abc import Collection, Mapping

from games.models import Scoresheet
from league.ports import OddResult, PendingSheet


def pending_sheets(fixtures: Collection[int]) -> Mapping[int, PendingSheet]:
    """The pending sheet of each of these fixtures that has one, in one query."""
    sheets = (
        Scoresheet.objects.pending()
        .filter(match__in=fixtures)
        .only("match_id", "entered_by_id", "entered_for_id", "home_total", "away_total")
    )
    return {
        sheet.match_id: PendingSheet(
            fixture=sheet.match_id,
            entered_by=sheet.entered_by_id,
            entered_for=sheet.entered_for_id,
            home_total=sheet.home_total,
            away_total=sheet.away_total,
        )
        for sheet in sheets
    }


def odd_results(fixtures: Collection[int]) -> Mapping[int, OddResult]:
    """The sheets that count or wait, and that the engine found odd, in one query."""
    sheets = Scoresheet.objects.filter(match__in=fixtures, verdict__in=["pending", "confirmed"]).exclude(
        suspicious=[]
    )
    return {
        sheet.match_id: OddResult(
            sheet.match_id, tuple(str(mark.get("message", "")) for mark in sheet.suspicious)
        )
        for sheet in sheets.only("match_id", "suspicious").order_by("version")
    }
