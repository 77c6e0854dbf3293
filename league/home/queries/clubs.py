"""Clubs as pages list them, and what is going on in one."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from league import extension, formats
from league.actors import Reader
from league.fixtures.queries import FixtureLine, by_competition, lines, own_entries
from league.models import Club, Competition, Fixture

NEXT_FIXTURES = 6
LATEST_RESULTS = 6


@dataclass(frozen=True, slots=True)
class ClubLine:
    """A club in a list."""

    name: str
    url: str
    place: str
    running: int
    is_mine: bool


@dataclass(frozen=True, slots=True)
class ClubNews:
    """The next matches and the latest results of a club's running competitions."""

    coming: tuple[FixtureLine, ...]
    results: tuple[FixtureLine, ...]


def listed(user: Reader) -> tuple[ClubLine, ...]:
    """All clubs, the visitor's own ones first."""
    running = Q(competitions__in=Competition.objects.visible_to(user).filter(state=Competition.State.RUNNING))
    clubs = Club.objects.annotate(running=Count("competitions", filter=running, distinct=True))
    own = set(Club.objects.of(user).values_list("pk", flat=True)) if user.is_authenticated else set()
    found = [
        ClubLine(club.name, club.get_absolute_url(), club.place, club.running, club.pk in own)
        for club in clubs.order_by("name")
    ]
    return tuple(sorted(found, key=lambda line: not line.is_mine))


def news(club: Club, user: Reader, *, at: datetime) -> ClubNews:
    """What comes and what was played lately, in the competitions this visitor may know of."""
    visible = Competition.objects.visible_to(user).filter(club=club)
    fixtures = Fixture.objects.filter(round__stage__competition__in=visible)
    # An evening's tables follow one another by its clock; they are on the pages of the evening.
    ahead = fixtures.unplayed().filter(starts_at__gte=at, round__stage__format__in=formats.LEAGUES)
    coming = ahead.in_order()[:NEXT_FIXTURES]
    latest = fixtures.decided().order_by("-decided_at", "-pk")[:LATEST_RESULTS]
    mine = own_entries(user)
    return ClubNews(
        coming=lines(coming.read(), mine=mine), results=by_competition(lines(latest.read(), mine=mine))
    )


def results(user: Reader) -> tuple[FixtureLine, ...]:
    """The latest results for the front page: of the person's own clubs, or else of what everybody may see.

    A match of boards that others still have to play stands on its competition's pages only, and an evening's tables
    on the evening's.
    """
    visible = Competition.objects.visible_to(user)
    own = Club.objects.of(user) if user.is_authenticated else Club.objects.none()
    seen = visible.filter(club__in=own) if own.exists() else visible.filter(visibility="public")
    decided = Fixture.objects.decided().filter(
        round__stage__competition__in=seen, round__stage__format__in=formats.LEAGUES
    )
    latest = extension.layer().without_sealed(decided).order_by("-decided_at", "-pk")[:LATEST_RESULTS]
    return by_competition(lines(latest.read(), mine=own_entries(user)))
