"""Which matches have a scoresheet that waits to be confirmed, as the league asks for it."""

from collections.abc import Collection, Mapping
from typing import TypeAlias

from django.urls import reverse
from django.utils.translation import gettext as _

from games.fixture_boards import sealed_matches
from games.models import FixtureBoard, Scoresheet
from league.models import Fixture
from league.ports import OddResult, PendingSheet


def pending_sheets(fixtures: Collection[int]) -> Mapping[int, PendingSheet]:
    """The pending sheet of each of these fixtures that has one, in one query."""
    sheets = (
        Scoresheet.objects.pending()
        .filter(match__in=fixtures)
        .select_related("match")
        .only("match__locks_at", "entered_by_id", "entered_for_id", "home_total", "away_total")
    )
    return {
        sheet.match_id: PendingSheet(
            fixture=sheet.match_id,
            entered_by=sheet.entered_by_id,
            entered_for=sheet.entered_for_id,
            home_total=sheet.home_total,
            away_total=sheet.away_total,
            closes_at=sheet.match.locks_at,
        )
        for sheet in sheets
    }


def odd_results(fixtures: Collection[int]) -> Mapping[int, OddResult]:
    """The sheets that count or wait and that the engine found odd, or that do not fit their boards; in three queries.

    Of a board that others still have to play it is only said that something is odd: whoever reads the desk may be one
    of them.
    """
    sheets = Scoresheet.objects.filter(match__in=fixtures, verdict__in=["pending", "confirmed"]).exclude(
        suspicious=[]
    )
    found = list(sheets.only("match_id", "suspicious").order_by("version"))
    sealed = sealed_matches(sheet.match_id for sheet in found)
    remarks = {
        sheet.match_id: (_("Something on the scoresheet is odd."),)
        if sheet.match_id in sealed
        else tuple(str(mark.get("message", "")) for mark in sheet.suspicious)
        for sheet in found
    }
    misfits = _misfits(fixtures)
    return {
        key: OddResult(
            key,
            (*remarks.get(key, ()), *(said for said, _step in misfits.get(key, ()))),
            tuple(step for _said, step in misfits.get(key, ())),
        )
        for key in {**remarks, **misfits}
    }


Step: TypeAlias = tuple[str, str]


def _misfits(fixtures: Collection[int]) -> dict[int, list[tuple[str, Step]]]:
    """What is said, and can be done, of sheets that cannot have been played with the cards of their boards."""
    plays = FixtureBoard.objects.filter(
        fixture__in=fixtures, fits=False, version="", fixture__status=Fixture.Status.CONFIRMED
    )
    found: dict[int, list[tuple[str, Step]]] = {}
    for play in plays.select_related("board__board_set__competition__club").order_by("fixture", "position"):
        number = {"number": play.board.number}
        competition = play.board.board_set.competition
        url = reverse(
            "desk_board_tables",
            args=[competition.club.slug, competition.slug, play.board.board_set_id, play.board.number],
        )
        said = _("It does not fit board %(number)d: was another version of it played?") % number
        step = (_("Mark the version of board %(number)d") % number, url)
        found.setdefault(play.fixture_id, []).append((said, step))
    return found
