"""Clubs as pages list them, and what is going on in one."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from league import extension, formats, policies
from league.actors import Reader
from league.fixtures.queries import FixtureLine, by_competition, lines
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
    own = policies.clubs_of(user)
    found = [
        ClubLine(club.name, club.get_absolute_url(), club.place, club.running, club.pk in own)
        for club in clubs.order_by("name")
    ]
    return tuple(sorted(found, key=lambda line: not line.is_mine))


def news(club: Club, user: Reader, *, at: datetime, mine: Collection[int]) -> ClubNews:
    """What comes and what was played lately, in the competitions this visitor may know of; `mine` are their entries."""
    visible = Competition.objects.visible_to(user).filter(club=club)
    fixtures = Fixture.objects.filter(round__stage__competition__in=visible)
    # An evening's tables follow one another by its clock; they are on the pages of the evening.
    ahead = fixtures.unplayed().filter(starts_at__gte=at, round__stage__format__in=formats.LEAGUES)
    coming = list(ahead.in_order()[:NEXT_FIXTURES].values_list("pk", flat=True))
    decided = fixtures.decided().order_by("-decided_at", "-pk")
    latest = list(decided[:LATEST_RESULTS].values_list("pk", flat=True))
    # What both lists show is read at once.
    found = {each.key: each for each in lines(Fixture.with_rooms.by_keys([*coming, *latest]), mine=mine)}
    shown, results = (tuple(found[key] for key in keys if key in found) for keys in (coming, latest))
    return ClubNews(coming=shown, results=by_competition(results))


def results(user: Reader, *, mine: Collection[int]) -> tuple[FixtureLine, ...]:
    """The latest results for the front page: of the person's own clubs, or else of what everybody may see; `mine` are
    their entries.

    A match of boards that others still have to play stands on its competition's pages only, and an evening's tables
    on the evening's.
    """
    visible = Competition.objects.visible_to(user)
    own = policies.clubs_of(user)
    seen = visible.filter(club__in=own) if own else visible.filter(visibility="public")
    decided = Fixture.objects.decided().filter(
        round__stage__competition__in=seen, round__stage__format__in=formats.LEAGUES
    )
    latest = extension.layer().without_sealed(decided).order_by("-decided_at", "-pk")[:LATEST_RESULTS]
    return by_competition(lines(latest.read(), mine=mine))
