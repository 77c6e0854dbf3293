"""What boards ask of the desk: sets to make before a round begins, delayed values to fill in."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.selectors import board_sets
from games.selectors.board_sets import Wanted
from league import policies
from league.models import Club, Competition
from league.ports import ReportedMatter

#: A round's boards are asked for so long before its first day: they have to be dealt, too.
AHEAD = timedelta(days=10)


def matters(*, club: Club, user: Any, at: datetime) -> Iterator[ReportedMatter]:
    """What a director has to see to; nothing for others. Three queries."""
    if not policies.may(user, "boards.make", club):
        return
    running = list(
        Competition.objects.filter(
            club=club, state=Competition.State.RUNNING, duplicate__isnull=False
        ).exclude(format=Competition.Format.EVENING)
    )
    evenings = Competition.objects.filter(club=club, format=Competition.Format.EVENING).exclude(
        state=Competition.State.FINISHED
    )
    every = [*running, *evenings]
    for each in every:
        each.club = club
    today = at.date()
    for wanted in board_sets.rounds_without_boards(running, today + AHEAD):
        yield _to_make(wanted, is_late=wanted.round is not None and wanted.round.starts_on <= today)
    for wanted in board_sets.values_to_fill_in(every, today):
        yield _to_fill_in(wanted)


def _to_make(wanted: Wanted, *, is_late: bool) -> ReportedMatter:
    names = {"competition": wanted.competition, "round": wanted.round.number if wanted.round else ""}
    day = wanted.round.starts_on.isoformat() if wanted.round else ""
    return ReportedMatter(
        group="prepare",
        mark=gettext_lazy("boards to make"),
        tone="red" if is_late else "brass",
        what=_("%(competition)s, round %(round)s") % names,
        url=wanted.url,
        why_now=_("Its matches play the same boards. It begins on %(day)s.") % {"day": day},
        steps=((gettext_lazy("Make the boards"), wanted.url),),
    )


def _to_fill_in(wanted: Wanted) -> ReportedMatter:
    board_set = wanted.board_set
    return ReportedMatter(
        group="prepare",
        mark=gettext_lazy("value to fill in"),
        tone="red",
        what=f"{wanted.competition}: {board_sets.title_of(board_set)}"
        if board_set
        else str(wanted.competition),
        url=wanted.url,
        why_now=_("It is known now: without it these boards have no cards."),
        steps=((gettext_lazy("Fill in the value"), wanted.url),),
    )
