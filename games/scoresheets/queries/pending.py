"""Which matches have a scoresheet that waits to be confirmed, as the league asks for it."""

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from django.urls import reverse
from django.utils.translation import gettext as _

from games import policies as games_policies
from games.fixture_boards import sealed_matches
from games.models import FixtureBoard, Scoresheet
from league.extension import PendingSheet, UnusualResult
from league.models import Fixture


def pending_sheets(fixtures: Collection[int]) -> Mapping[int, PendingSheet]:
    """The pending sheet of each of these fixtures that has one, in one query."""
    columns = (
        "match_id",
        "entered_by_id",
        "entered_for_id",
        "totals",
        "match__locks_at",
        "vouches__entry_id",
    )
    found: dict[int, PendingSheet] = {}
    # A row for each who vouched: a match has one sheet that waits.
    for key, by, of, totals, closes, vouched in (
        Scoresheet.objects.pending().filter(match__in=fixtures).order_by("match_id").values_list(*columns)
    ):
        earlier = found[key].vouched if key in found else frozenset()
        found[key] = PendingSheet(
            fixture=key,
            entered_by=by,
            entered_for=of,
            totals=tuple(totals),
            closes_at=closes,
            vouched=earlier | ({vouched} if vouched else frozenset()),
        )
    return found


def unusual_results(fixtures: Collection[int], reader: Any) -> Mapping[int, UnusualResult]:
    """The sheets that count or wait and that the engine found odd, or that do not fit their boards; in three queries.

    For a board that others still have to play it only says that something is unusual: the reader of the desk may be one
    of them.
    """
    sheets = Scoresheet.objects.filter(match__in=fixtures, verdict__in=["pending", "confirmed"])
    found = [sheet for sheet in sheets.only("match_id", "suspicious").order_by("version") if sheet.suspicious]
    sealed = sealed_matches(sheet.match_id for sheet in found)
    remarks = {
        sheet.match_id: (_("Something on the scoresheet is unusual."),)
        if sheet.match_id in sealed
        else tuple(str(mark.get("message", "")) for mark in sheet.suspicious)
        for sheet in found
    }
    misfits = _misfits(fixtures, reader)
    return {
        key: UnusualResult(
            key,
            (*remarks.get(key, ()), *(said for said, _step in misfits.get(key, ()))),
            tuple(step for _said, step in misfits.get(key, ())),
        )
        for key in {**remarks, **misfits}
    }


Step: TypeAlias = tuple[str, str]


def _misfits(fixtures: Collection[int], reader: Any) -> dict[int, list[tuple[str, Step]]]:
    """What is said, and can be done, of sheets that cannot have been played with the cards of their boards.

    While the boards are sealed a neutral official alone is told: to anybody else it would be an answer.
    """
    plays = FixtureBoard.objects.filter(
        fixture__in=fixtures, fits=False, version="", fixture__status=Fixture.Status.CONFIRMED
    )
    found: dict[int, list[tuple[str, Step]]] = {}
    neutral: dict[int, bool] = {}
    for play in plays.select_related("board__board_set__competition__club").order_by("fixture", "position"):
        event = play.board.board_set.competition
        if event.pk not in neutral:
            neutral[event.pk] = games_policies.is_neutral(reader, event)
        if play.board.released_at is None and not neutral[event.pk]:
            continue
        number = {"number": play.board.number}
        competition = play.board.board_set.competition
        url = reverse(
            "desk_board_tables",
            args=[competition.club.slug, competition.slug, play.board.board_set_id, play.board.number],
        )
        said = _("It doesn’t match board %(number)d. Was another version played?") % number
        step = (_("Mark the version of board %(number)d") % number, url)
        found.setdefault(play.fixture_id, []).append((said, step))
    return found
