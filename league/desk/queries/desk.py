"""What a director should do next: every open item of a club, the most urgent first; and what comes when none is."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.urls import reverse

from league import extension, policies
from league.actors import Visitor
from league.competitions.services.drafts import DELETED
from league.desk.queries import fixtures as desk_fixtures
from league.desk.queries import people, rounds
from league.desk.queries.items import (
    Desk,
    DeskItem,
    Step,
    in_order,
    keys_aside,
)
from league.models import Club, Competition, DraftChange, Fixture
from league.querysets import UNPLAYED
from league.standings import round_names
from league.web.local_time import Moment, moment

SOON = timedelta(days=3)
WEEK = timedelta(days=7)
BROUGHT_BACK_FOR = timedelta(days=30)


def of_club(club: Club, user: Visitor, *, at: datetime) -> Desk:
    """Everything in the club that waits for this person, the most urgent first, and what was put aside."""
    return in_order(_found(club, user, at), keys_aside(club, at=at))


def _found(club: Club, user: Visitor, at: datetime) -> Iterator[DeskItem]:
    def may(action: str) -> bool:
        return policies.may(user, action, club)

    yield from desk_fixtures.items(club, user=user, may_rule=may("fixture.rule"), at=at)
    yield from _reported(club, user, at)
    yield from desk_fixtures.unanswered_challenges(club, at=at)
    yield from rounds.papers(club, at=at)
    if may("competition.set_up"):
        yield from rounds.items(club)
    if may("player.decide_claim"):
        yield from people.claims(club, at=at)
        yield from people.admissions(club, at=at)
    if may("entry.add"):
        yield from people.waiting_pairs(club, at=at)
    if may("player.merge"):
        yield from people.duplicates(club)


def _reported(club: Club, user: Visitor, at: datetime) -> Iterator[DeskItem]:
    """What the games report (see league.extension.GamesLayer)."""
    for each in extension.layer().desk_items(club=club, user=user, at=at):
        steps = tuple(Step(str(label), url) for label, url in each.steps)
        yield DeskItem(
            each.group, str(each.mark), each.tone, each.what, each.url, each.why_now, steps, key=each.key
        )


@dataclass(frozen=True, slots=True)
class Coming:
    """The next round to be played."""

    competition: str
    round: str
    url: str
    begins: Moment
    matches: int


def coming(club: Club, *, at: datetime) -> Coming | None:
    """The next match day of the club's running competitions."""
    ahead = Q(status__in=UNPLAYED, starts_at__gte=at)
    running = Q(
        division__stage__competition__club=club, division__stage__competition__state=Competition.State.RUNNING
    )
    first = Fixture.objects.filter(ahead, running).with_pairs().order_by("starts_at").first()
    if first is None or first.starts_at is None:
        return None
    competition = first.round.competition
    return Coming(
        competition.name,
        str(round_names.of_round(first.round)),
        reverse("round", args=[club.slug, competition.slug, first.round.number]),
        Moment(first.starts_at, club.time_zone),
        Fixture.objects.filter(ahead, round=first.round).count(),
    )


def in_the_next_week(club: Club, *, at: datetime) -> int:
    """How many matches are to be played in the next seven days."""
    running = Fixture.objects.filter(
        division__stage__competition__club=club, division__stage__competition__state="running"
    )
    week = running.filter(status__in=UNPLAYED, starts_at__gte=at, starts_at__lt=at + WEEK)
    found: int = week.staying().count()
    return found


def deleted_drafts(club: Club, *, at: datetime) -> list[DraftChange]:
    """Drafts that were deleted lately and can be brought back."""
    rows = DraftChange.objects.filter(
        club=club, action=DELETED, undone_at=None, made_at__gte=at - BROUGHT_BACK_FOR
    )
    return list(rows.select_related("made_by")[:5])


def deadlines(club: Club, *, at: datetime) -> list[dict[str, Any]]:
    """The rounds that are open now: when they close, and how many of their matches are decided."""
    found = []
    leagues = club.competitions.leagues().with_stage().filter(state=Competition.State.RUNNING)
    for competition in leagues:
        current = competition.stage.rounds.filter(closes_at__gte=at).order_by("number").first()
        if current is not None:
            found.append((competition, current))
    names = round_names.of_rounds([current for _competition, current in found])
    open_rounds = []
    for competition, current in found:
        fixtures = Fixture.objects.filter(round=current).exclude(status=Fixture.Status.VOID)
        decided, total = fixtures.decided().count(), fixtures.count()
        page = reverse("round", args=[club.slug, competition.slug, current.number])
        open_rounds.append(
            {
                "competition": competition,
                "name": names[current.pk],
                "url": page,
                "print_url": rounds.printed(page),
                "closes": moment(current.closes_at, club.time_zone),
                "decided": decided,
                "total": total,
                "is_soon": decided < total and current.closes_at - at < SOON,
            }
        )
    return sorted(open_rounds, key=lambda each: each["closes"].at)


def evenings(club: Club) -> list[dict[str, Any]]:
    """The evenings that run, with how many of their tables have a result."""
    running = (
        club.competitions.evenings().filter(state=Competition.State.RUNNING).order_by("-starts_on", "pk")
    )
    tables = Fixture.objects.exclude(status=Fixture.Status.VOID)
    return [
        {
            "competition": each,
            "decided": tables.filter(round__stage__competition=each).decided().count(),
            "total": tables.filter(round__stage__competition=each).count(),
        }
        for each in running
    ]
