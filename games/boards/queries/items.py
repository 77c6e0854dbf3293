"""What boards ask of the desk: sets to make before a round begins, delayed values to fill in."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import policies as games_policies
from games.boards.queries import sets as board_sets
from games.boards.queries.sets import Wanted
from games.boards.queries.shut import why_shut
from games.fixture_boards import keeping_shut
from league import policies
from league.extension import ReportedItem
from league.models import Club, Competition, Fixture
from league.standings import round_names
from league.web.local_time import day_text

#: A round's boards are asked for so long before its first day: they have to be dealt, too.
AHEAD = timedelta(days=10)


def items(*, club: Club, user: Any, at: datetime) -> Iterator[ReportedItem]:
    """What a director has to see to; nothing for others. A few queries."""
    if not policies.may(user, "boards.make", club):
        return
    running = list(
        Competition.objects.filter(
            club=club, state=Competition.State.RUNNING, duplicate__isnull=False
        ).leagues()
    )
    evenings = Competition.objects.evenings().filter(club=club).exclude(state=Competition.State.FINISHED)
    every = [*running, *evenings]
    for each in every:
        each.club = club
    yield from _kept_shut(every, user)
    today = timezone.localtime(at, ZoneInfo(club.time_zone)).date()
    for wanted in board_sets.rounds_without_boards(running, today + AHEAD):
        yield _to_make(wanted, is_late=wanted.round is not None and wanted.round.starts_on <= today)
    for wanted in board_sets.values_to_fill_in(every, today):
        yield _to_fill_in(wanted)


def _kept_shut(running: list[Competition], user: Any) -> Iterator[ReportedItem]:
    """Matches whose boards wait for the word of a neutral official, for those who are."""
    waits = keeping_shut().filter(fixture__round__stage__competition__in=running)
    keys = list(waits.values_list("fixture", flat=True).distinct())
    neutral: dict[int, bool] = {}
    found = list(Fixture.with_rooms.with_pairs().filter(pk__in=keys).order_by("round__number", "pk"))
    names = round_names.of_fixtures(found)
    for fixture in found:
        event = fixture.round.competition
        if event.pk not in neutral:
            neutral[event.pk] = games_policies.is_neutral(user, event)
        if neutral[event.pk]:
            url = reverse("match_boards", args=[fixture.pk])
            yield ReportedItem(
                group="decide",
                mark=gettext_lazy("boards closed"),
                tone="brass",
                what=str(fixture),
                url=url,
                why_now=f"{event}, {names[fixture.pk]}. {why_shut(fixture)}",
                steps=((gettext_lazy("Decide about the boards"), url),),
            )


def _to_make(wanted: Wanted, *, is_late: bool) -> ReportedItem:
    first_day = wanted.round.starts_on if wanted.round else wanted.competition.starts_on
    return ReportedItem(
        group="prepare",
        mark=gettext_lazy("boards to create"),
        tone="red" if is_late else "brass",
        what=f"{wanted.competition}, {round_names.of_round(wanted.round)}"
        if wanted.round
        else str(wanted.competition),
        url=wanted.url,
        why_now=_("All its matches play the same boards. It starts on %(day)s.")
        % {"day": day_text(first_day, "j M Y")},
        steps=((gettext_lazy("Create boards"), wanted.url),),
    )


def _to_fill_in(wanted: Wanted) -> ReportedItem:
    board_set = wanted.board_set
    return ReportedItem(
        group="prepare",
        mark=gettext_lazy("value to fill in"),
        tone="red",
        what=f"{wanted.competition}: {board_sets.named(board_set)}" if board_set else str(wanted.competition),
        url=wanted.url,
        why_now=_("It should be known now. Without it these boards have no cards."),
        steps=((gettext_lazy("Fill in the value"), wanted.url),),
    )
