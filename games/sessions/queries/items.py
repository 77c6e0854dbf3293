"""What evenings ask of the desk: to be set up, tables without a result, a round whose time is up, the end."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Evening
from games.sessions.queries import rooms
from games.sessions.queries.rooms import Clock
from league import policies
from league.extension import ReportedItem
from league.models import Club, Competition, Fixture

State = Competition.State
NAMED = 6


def items(*, club: Club, user: Any, at: datetime) -> Iterator[ReportedItem]:
    """What an official has to see to, in two queries."""
    if not policies.may(user, "club.desk", club):
        return
    may_run = policies.may(user, "evening.run", club)
    found = list(
        Evening.objects.filter(competition__club=club)
        .exclude(competition__state=State.FINISHED)
        .select_related("competition__club")
        .annotate(rounds=Count("competition__stages__rounds", distinct=True))
        .order_by("competition__starts_on", "pk")
    )
    missing = _missing([each for each in found if each.competition.state == State.RUNNING])
    for evening in found:
        if evening.competition.state == State.RUNNING:
            yield from _running(evening, missing.get(evening.pk, []), may_run=may_run, at=at)
        elif may_run:
            yield _draft(evening)


def _missing(running: list[Any]) -> Mapping[int, list[tuple[int, str]]]:
    """Round and table of everything begun without a result, by evening."""
    rounds = {each.pk: each.round_number for each in running}
    tables: dict[int, list[tuple[int, str]]] = defaultdict(list)
    if not rounds:
        return tables
    rows = Fixture.with_rooms.open().filter(round__stage__competition__in=rounds)
    for key, number, table in rows.order_by("round__number", "pk").values_list(
        "round__stage__competition", "round__number", "table"
    ):
        if number <= rounds[key]:
            tables[key].append((number, table))
    return tables


def _running(
    evening: Any, missing: list[tuple[int, str]], *, may_run: bool, at: datetime
) -> Iterator[ReportedItem]:
    competition = evening.competition
    url = reverse(
        "evening_desk" if may_run else "evening_room", args=[competition.club.slug, competition.slug]
    )
    clock = rooms.clock(competition, evening, rounds=evening.rounds, at=at)
    is_over = clock.is_over or clock.state == "waiting"
    due = [each for each in missing if each[0] < clock.number or is_over]
    if due:
        yield ReportedItem(
            group="chase",
            mark=gettext_lazy("missing tables"),
            tone="brass",
            what=competition.name,
            url=url,
            why_now=_("No result yet: %(tables)s.") % {"tables": _named(due)},
            steps=((gettext_lazy("View the room"), url),),
        )
    if may_run and (step := _next(competition, clock, missing, at=at)):
        why, label = step
        yield ReportedItem(
            group="decide",
            mark=gettext_lazy("evening"),
            tone="green",
            what=competition.name,
            url=url,
            why_now=why,
            steps=((label, url),),
        )


def _next(
    competition: Competition, clock: Clock, missing: list[tuple[int, str]], *, at: datetime
) -> tuple[str, Any] | None:
    """What the director does next with the clock, if anything is due."""
    if clock.state == "waiting":
        if competition.starts_on > at.date():
            return None
        return _("Everyone has a seat. You can start the first round."), gettext_lazy("Start round 1")
    if not clock.is_last and (clock.is_over or not missing):
        said = (
            _("Time is up for round %(number)d.")
            if clock.is_over
            else _("All results for round %(number)d are in.")
        )
        return said % {"number": clock.number}, gettext_lazy("Start the next round")
    if clock.is_last and not missing:
        return _("Every table has a result. You can finish the evening."), gettext_lazy("Finish")
    return None


def _named(tables: list[tuple[int, str]]) -> str:
    said = ", ".join(
        _("table %(table)s in round %(round)d") % {"table": table, "round": number}
        for number, table in tables[:NAMED]
    )
    more = len(tables) - NAMED
    return _("%(tables)s and %(count)d more") % {"tables": said, "count": more} if more > 0 else said


def _draft(evening: Any) -> ReportedItem:
    competition = evening.competition
    url = reverse("evening_desk", args=[competition.club.slug, competition.slug])
    return ReportedItem(
        group="prepare",
        mark=gettext_lazy("set up"),
        tone="green",
        what=competition.name,
        url=url,
        why_now=_(
            "You’re setting up an evening. Enter the pairs, choose the movement and give everyone a seat."
        ),
        steps=((gettext_lazy("Continue"), url),),
    )
