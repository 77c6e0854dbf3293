"""Who acts for a club, and what was sent: what every page of an official begins with."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from league import policies
from league.actors import Actor
from league.errors import NotAllowed
from league.models import Club, User
from league.web import lookup

LONGEST_KEY = 18


def acting(request: HttpRequest) -> Actor:
    """The person behind a request, for services; views that need one are for people who are logged in."""
    if isinstance(request.user, User):
        return request.user
    raise NotAllowed("")


def official(request: HttpRequest, slug: str, action: str = "club.desk") -> Club:
    """The club, for those who may do `action` in it."""
    club = lookup.club(slug)
    policies.require(acting(request), action, club)
    return club


def posted(request: HttpRequest) -> QueryDict | None:
    """What was sent, be it nothing at all: a form that gets it says what is missing. None where nothing was."""
    return request.POST if request.method == "POST" else None


def seen_of(request: HttpRequest) -> int | None:
    """The newest act on a draft that stood on the page from which this was sent."""
    given = request.POST.get("newest", "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= LONGEST_KEY else None


def actor_of(request: HttpRequest) -> Actor:
    """The person who is logged in."""
    if not isinstance(request.user, User):
        raise PermissionDenied(_("Please log in first."))
    return request.user
