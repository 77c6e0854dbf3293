"""What an address names, if this visitor may know of it; a 404 otherwise."""

from typing import Any, NamedTuple

from django.core.paginator import EmptyPage, Page, PageNotAnInteger, Paginator
from django.db.models import QuerySet, prefetch_related_objects
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from league import extension, policies
from league.models import Club, Competition, Fixture
from league.querysets import sides_with_pairs
from league.web import keyset


def club(slug: str) -> Club:
    """The club of that address."""
    return get_object_or_404(Club, slug=slug)


def competition(request: HttpRequest, club_slug: str, slug: str) -> Competition:
    """The competition of that address."""
    beside = extension.layer().beside_competition
    competitions = Competition.objects.with_stage().select_related("club", "season", *beside)
    found = get_object_or_404(competitions, club__slug=club_slug, slug=slug)
    if not policies.may(request.user, "competition.see", found):
        raise Http404
    return found


def is_directed_elsewhere(competition: Competition) -> bool:
    """Whether its format has pages of its own on which it is set up and run."""
    return competition.stage.format in extension.layer().pages


def director_page(competition: Competition) -> str:
    """The address where a competition is set up and run."""
    pages = extension.layer().pages.get(competition.stage.format)
    name = pages.director if pages else "competition_manage"
    return reverse(name, args=[competition.club.slug, competition.slug])


def fixture(request: HttpRequest, pk: int) -> Fixture:
    """The fixture with that key, with its pairs and substitutes."""
    found = bare_fixture(request, pk)
    read_whole(found)
    return found


def bare_fixture(request: HttpRequest, pk: int) -> Fixture:
    """The fixture with that key alone; `read_whole` reads the rest where it is needed."""
    beside = ("division", "team_match", *extension.layer().beside_fixture)
    fixtures = Fixture.with_rooms.select_related("round__stage__competition__club", *beside)
    found: Fixture = get_object_or_404(fixtures, pk=pk)
    if not policies.may(request.user, "fixture.see", found):
        raise Http404
    return found


def read_whole(fixture: Fixture) -> None:
    """Its sides and substitutes, in three queries or four."""
    prefetch_related_objects([fixture], *sides_with_pairs(), "substitutions__substitute")


def page(request: HttpRequest, items: list[Any], size: int) -> Page[Any]:
    """The page that the query's `page` names, the first without one, of a list that is read whole (else `stretch`)."""
    try:
        return Paginator(items, size).page(request.GET.get("page") or 1)
    except (EmptyPage, PageNotAnInteger) as missing:
        raise Http404 from missing


class Stretch(NamedTuple):
    """Some rows of a list that goes on from a row."""

    object_list: list[Any]
    after: str
    """The row behind which it begins; empty at the beginning of the list."""
    following: int | None
    """The row behind which it goes on; None at the end of the list."""


def stretch(
    request: HttpRequest, items: QuerySet[Any], size: int, *, among: QuerySet[Any] | None = None
) -> Stretch:
    """The rows of the list in its own order, from behind the one that the query's `after` names (league.web.keyset).

    A list that rows leave as they are dealt with says `among` which they were: it goes on from where they stood.
    """
    after, found = request.GET.get("after", ""), items
    if after:
        place = keyset.place_of_key(items, after, items if among is None else among)
        if place is None:
            raise Http404
        found = keyset.behind(items, place)
    rows = list(found[: size + 1])
    if after and not rows:
        # What stood behind it has left the list.
        after, rows = "", list(items[: size + 1])
    return Stretch(rows[:size], after, rows[size - 1].pk if len(rows) > size else None)
