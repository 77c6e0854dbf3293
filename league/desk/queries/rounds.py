"""What competitions ask of the desk: drafts to go on with, draws to repeat, sheets to print, seasons to finish."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league import formats
from league.competitions.services.competitions import has_undrawn, undecided_ties
from league.desk.queries.items import DeskItem, Step
from league.manage.queries import setup_steps
from league.models import Appearance, AuditEntry, Club, Competition, Fixture, Round
from league.querysets import DECIDED, UNPLAYED
from league.standings import brackets, round_names
from league.standings.brackets import How, Tie
from league.web.local_time import moment

PAPERS_AHEAD = timedelta(days=3)
State = Competition.State


def items(club: Club) -> Iterator[DeskItem]:
    """What comes next in the competitions that a director sets up and runs."""
    yield from _redraws(club)
    yield from _running(club)
    yield from _drafts(club)


def papers(club: Club, *, at: datetime) -> Iterator[DeskItem]:
    """Rounds that begin in the next days: their scoresheets are to be printed."""
    soon = Q(fixtures__status__in=UNPLAYED, fixtures__starts_at__range=(at, at + PAPERS_AHEAD))
    rounds = (
        Round.objects.filter(
            stage__competition__club=club,
            stage__competition__state=State.RUNNING,
            stage__format__in=formats.LEAGUES,
        )
        .annotate(matches=Count("fixtures", filter=soon), first=Min("fixtures__starts_at", filter=soon))
        .filter(matches__gt=0)
        .select_related("stage__competition")
        .order_by("first")
    )
    names = round_names.of_rounds(rounds)
    for each in rounds:
        what = f"{each.competition}, {names[each.pk]}"
        count: int = each.matches
        why = ngettext(
            "%(count)d match to play from %(when)s. Print its scoresheet.",
            "%(count)d matches to play from %(when)s. Print their scoresheets.",
            count,
        ) % {"count": count, "when": (first := moment(each.first, club.time_zone)) and first.text}
        page = reverse("round", args=[club.slug, each.competition.slug, each.number])
        step = Step(_("Print sheets"), printed(page) or page)
        yield DeskItem("prepare", _("print"), "green", what, page, why, (step,), key=f"papers:{each.pk}")


def _leagues(club: Club, state: str) -> QuerySet[Any]:
    """The club's seasons in that state; other formats report to the desk on their own."""
    found: QuerySet[Any] = club.competitions.leagues().filter(state=state)
    return found


def printed(page: str) -> str:
    """Where the sheets of a round are printed, if this installation prints any."""
    address = f"{page}print/"
    try:
        resolve(address)
    except Resolver404:
        return ""
    return address


def _redraws(club: Club) -> Iterator[DeskItem]:
    """Pairs that joined after a draw, while no match is played: a new draw may be simpler than added rounds."""
    begun = Count(
        "stages__divisions__fixtures",
        filter=~Q(stages__divisions__fixtures__status__in=["scheduled", "postponed"]),
    )
    for competition in _leagues(club, State.RUNNING).annotate(begun=begun).filter(begun=0):
        drawn = AuditEntry.objects.filter(competition=competition, action="competition.drawn").first()
        late = competition.entries.active().filter(entered_at__gt=drawn.at).count() if drawn else 0
        if late:
            url = reverse("competition_draw", args=[club.slug, competition.slug])
            why = ngettext(
                "There is %(count)d late entry, and nothing has been played yet. It may be simpler to draw again.",
                "There are %(count)d late entries, and nothing has been played yet. It may be simpler to draw again.",
                late,
            ) % {"count": late}
            key = f"redraw:{competition.pk}:{late}"
            step = Step(_("View the new draw"), url)
            yield DeskItem("prepare", _("draw again"), "green", competition.name, url, why, (step,), key=key)


def _running(club: Club) -> Iterator[DeskItem]:
    """Who goes on in cups; and competitions whose matches all have a result: their next round, or their end."""
    counted = _leagues(club, State.RUNNING).annotate(
        matches=Count("stages__divisions__fixtures"),
        missing=Count(
            "stages__divisions__fixtures",
            filter=~Q(stages__divisions__fixtures__status__in=[*DECIDED, Fixture.Status.VOID]),
        ),
    )
    level = {"order": 2, "rank": 1, "fixture__appearances__order": 1, "fixture__appearances__rank": 1}
    undecided = Appearance.objects.filter(Q(outcome=Appearance.Outcome.VOID) | Q(**level))
    waits = Exists(undecided.filter(round__stage__competition=OuterRef("pk")))
    for competition in counted.annotate(may_wait=waits).with_stage().filter(matches__gt=0):
        # The bracket of a large cup is read only where it may say something.
        ties = undecided_ties(competition) if competition.may_wait or competition.stage.legs > 1 else []
        yield from _ties(competition, ties)
        if competition.missing or ties:
            continue
        url = reverse("competition_manage", args=[club.slug, competition.slug])
        why, mark = _("Every match is decided. Finish the competition to make the table final."), _("finish")
        step = Step(_("Finish"), url)
        if has_undrawn(competition):
            why, mark = _("Every match of the rounds drawn so far is decided."), _("draw")
            step = Step(_("Draw the next round"), url)
        yield DeskItem("prepare", mark, "green", competition.name, url, why, (step,))


def _ties(competition: Competition, ties: Iterable[Tie]) -> Iterator[DeskItem]:
    """Matches of a knock-out from which nobody goes on yet although they have a result, or are void."""
    found = [(tie, tie.fixture) for tie in ties if tie.fixture is not None]
    extra = brackets.next_extra(tie for tie, _fixture in found)
    for tie, fixture in found:
        url, words = reverse("tie", args=[fixture.pk]), _("It isn’t decided who goes on.")
        if fixture.pk in extra:
            words = _("It is level. %(next)s") % {"next": extra[fixture.pk].words}
        why = _("%(competition)s. %(why)s") % {"competition": competition, "why": words}
        mark = pgettext("match", "level") if tie.how == How.LEVEL else _("void")
        step = Step(_("Who goes on"), url)
        yield DeskItem("decide", mark, "brass", str(fixture), url, why, (step,))


def _drafts(club: Club) -> Iterator[DeskItem]:
    drafts = _leagues(club, State.DRAFT).annotate(
        pairs=Count("entries", distinct=True), drawn=Count("stages__rounds", distinct=True)
    )
    for competition in drafts:
        competition.club = club
        seen = setup_steps.foreseen(competition)
        if seen.draw is None:
            step = Step(_("Add entries"), setup_steps.url_of(competition, "pairs"))
            why = seen.refusal
        else:
            step = Step(_("Preview and publish"), setup_steps.url_of(competition, "preview"))
            why = ngettext(
                "There is %(count)d entry. Check the preview, and publish when everyone is in.",
                "There are %(count)d entries. Check the preview, and publish when everyone is in.",
                competition.pairs,
            ) % {"count": competition.pairs}
        yield DeskItem("prepare", _("set up"), "green", competition.name, step.url, why, (step,))
