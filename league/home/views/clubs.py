"""The front page, and a club’s own pages: what goes on, who plays, how to join."""

from collections.abc import Collection
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Case, Q, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league import extension, policies
from league.actors import Reader
from league.clubs.services import admissions
from league.clubs.services import clubs as club_services
from league.exports import embedding
from league.fixtures import queries as fixtures
from league.home.queries import clubs
from league.models import Club, Player, User
from league.people import namesakes
from league.people import queries as players
from league.results.queries import competitions, my
from league.web import keeping, lookup
from league.web.refusals import told
from league.web.rendering import render_for

PLAYERS_A_PAGE = 50
LONGEST_SEARCH = 80


@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """All clubs of this site."""
    return render(request, "league/clubs.html", {"clubs": clubs.listed(request.user)})


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """The club's competitions, next matches and latest results, and how to take part."""
    found = lookup.club(club)
    user = request.user
    own = _own_clubs(user)
    mine = fixtures.own_entries(user)
    key = (found.pk, policies.roles_of(user), tuple(sorted(mine)))
    going_on, results = keeping.kept("club", key, partial(_of_club, found, user, mine), club=found)
    context = {
        "going_on": going_on,
        "results": results,
        "own": next((each for each in own if each.slug == found.slug), None),
        "asked_to_join": not found.is_open
        and user.is_authenticated
        and found.join_requests.filter(user=user, state="open").exists(),
    }
    return render_for(request, found, "league/club.html", context)


def _of_club(club: Club, user: Reader, mine: Collection[int]) -> tuple[SafeString, SafeString]:
    context = {
        "club": club,
        "competitions": competitions.of_club(club, user),
        "news": clubs.news(club, user, at=timezone.now(), mine=mine),
        "may_set_up": policies.may(user, "competition.set_up", club),
        "snippets": embedding.snippets(club) if policies.may(user, "club.desk", club) else (),
    }
    with timezone.override(club.time_zone):
        going_on = render_to_string("league/club_going_on.html", context)
        return going_on, render_to_string("league/club_results.html", context)


def _own_clubs(user: Reader) -> tuple[my.MyClub, ...]:
    return keeping.kept("own clubs", (user.pk,), partial(my.clubs, user)) if isinstance(user, User) else ()


@require_safe
def club_players(request: HttpRequest, club: str) -> HttpResponse:
    """The club's players that this visitor may know of, found by name."""
    found = lookup.club(club)
    wanted = " ".join(request.GET.get("q", "")[:LONGEST_SEARCH].split())
    listed = players.visible_to(request.user, found)
    order = "name"
    if not policies.is_inside(request.user, found):
        # Neither a search nor the order of the list tells a name that is not shown.
        order = "told_name"
        listed = listed.annotate(told_name=Case(When(players.NAMED, then="name"), default=Value("\uffff")))
        listed = listed.filter(players.NAMED) if wanted else listed
    for word in wanted.split():
        listed = listed.filter(Q(name__icontains=word))
    # Their keys alone are in the index that has the names: what is shown of the others need not be read.
    page = lookup.stretch(request, listed.order_by(order, "pk").only("pk"), PLAYERS_A_PAGE)
    rows = Player.objects.in_bulk([each.pk for each in page.object_list])
    page = page._replace(object_list=[rows[each.pk] for each in page.object_list if each.pk in rows])
    known_by = namesakes.details(page.object_list, with_partners=request.user.is_authenticated)
    context = {"page": page, "wanted": wanted, "known_by": known_by}
    return render_for(request, found, "league/club_players.html", context)


@require_POST
@login_required
@told
def club_join(request: HttpRequest, club: str) -> HttpResponse:
    """Makes the person a member of the club; where it isn't open, asks its directors, or asks no longer."""
    found, user = lookup.club(club), request.user
    if isinstance(user, User) and not policies.may(user, "club.join", found):
        if "withdraw" in request.POST:
            admissions.withdraw(actor=user, club=found)
            messages.success(request, _("You no longer ask to join."))
        else:
            admissions.ask(actor=user, club=found, at=timezone.now(), message=request.POST.get("message", ""))
            messages.success(request, _("The directors are asked. You’ll get a notice with their answer."))
        return redirect(found)
    if isinstance(user, User):
        club_services.join(actor=user, club=found)
    messages.success(request, _("You are now a member of %(club)s.") % {"club": found})
    return redirect(found)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, the clubs, and for a person who is logged in the next steps first."""
    user = request.user
    mine = fixtures.own_entries(user)
    key = (policies.roles_of(user), tuple(sorted(mine)))
    context = {
        "going_on": keeping.kept("home", key, partial(_going_on, user, mine)),
        "mine": keeping.kept("home, mine", (user.pk,), partial(_mine, user))
        if isinstance(user, User)
        else (),
        "offers": keeping.kept("offers", (user.pk,), partial(_offers, user)),
        "trials": () if isinstance(user, User) else tuple(extension.layer().trials()),
    }
    return render(request, "league/home.html", context)


def _going_on(user: Reader, mine: Collection[int]) -> SafeString:
    context = {
        "clubs": clubs.listed(user),
        "running": competitions.running(user),
        "results": clubs.results(user, mine=mine),
        "user": user,
    }
    return render_to_string("league/home_going_on.html", context)


def _mine(user: User) -> tuple[SafeString, SafeString]:
    """The next match, and those after it."""
    context = {"mine": my.matches(user, at=timezone.now()), "own_clubs": _own_clubs(user)}
    return render_to_string("league/home_next.html", context), render_to_string(
        "league/home_others.html", context
    )


def _offers(user: Reader) -> tuple[extension.OwnEvent, ...]:
    return tuple(extension.layer().offers(user=user, at=timezone.now()))
