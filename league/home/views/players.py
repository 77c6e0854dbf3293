"""Your own page, a player’s with the claim “this is me”, and a pair’s."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import CharField, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import extension, policies
from league.clubs.services import invitations
from league.draws import challenges
from league.errors import LeagueError
from league.fixtures import queries as fixtures
from league.home.forms.players import ClaimForm, NameForm, PairNameForm
from league.models import Fixture, Invitation, Lineup, Player, PlayerClaim, SeasonAnswer, User
from league.notices.services import accounts
from league.people import queries as players
from league.people.services import claims, lineups
from league.results import pictures
from league.results.queries import my, pairs
from league.teams import queries as teams
from league.web import keeping, lookup
from league.web.officials import acting
from league.web.refusals import show_in, told
from league.web.rendering import render_for
from league.words import public_names

RESULTS_A_PAGE = 20


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Pairs, results, and for the player and the directors what else is known."""
    found = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if found.merged_into_id is not None:
        return redirect("player", pk=found.merged_into_id)
    user = request.user
    if not players.is_visible_to(user, found):
        raise Http404
    key = (found.pk, policies.roles_of(user), request.GET.get("after", ""))
    pairs, page, results = keeping.kept(
        "player", key, partial(_pairs_and_results, request, found), club=found.club
    )
    context = {
        "player": found,
        "details": players.page(found, user),
        "pairs": pairs,
        "page": page,
        "results": results,
        "claim_form": ClaimForm(),
    }
    return render_for(request, found.club, "league/player.html", context)


def _pairs_and_results(request: HttpRequest, player: Player) -> tuple[str, lookup.Stretch, str]:
    """The player's pairs, where the page lies, and its results."""
    user = request.user
    page = lookup.stretch(request, players.fixtures(player, user).only("pk"), RESULTS_A_PAGE)
    shown = Fixture.with_rooms.by_keys([each.pk for each in page.object_list])
    results = {"results": fixtures.lines(shown)}
    with timezone.override(player.club.time_zone):
        return (
            render_to_string("league/player_pairs.html", {"pairs": players.pairs(player, user)}),
            page._replace(object_list=[]),
            render_to_string("league/results_by_competition.html", results) if results["results"] else "",
        )


@require_POST
@login_required
@told
def player_claim(request: HttpRequest, pk: int) -> HttpResponse:
    """The person claims to be this player."""
    found = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    form = ClaimForm(request.POST)
    if not form.is_valid() or not isinstance(request.user, User):
        messages.error(request, _("The message can have up to 300 characters."))
        return redirect(found)
    claim = claims.claim(
        actor=request.user, player=found, at=timezone.now(), message=form.cleaned_data["message"]
    )
    claim.refresh_from_db()
    if claim.state == PlayerClaim.State.ACCEPTED:
        messages.success(request, _("You’re now linked to %(name)s.") % {"name": found})
    else:
        messages.success(
            request, _("A director of the club will check it. You’ll see the answer on “My matches”.")
        )
    return redirect(found)


@require_safe
@login_required
def my_page(request: HttpRequest) -> HttpResponse:
    """The next match, what to confirm and to answer, the latest results, the person's clubs."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    guests = {
        name: value
        for name, value in request.COOKIES.items()
        if name.startswith(settings.GUEST_COOKIE_PREFIX)
    }
    key = (user.pk, tuple(sorted(guests.items())))
    now, lists, clubs, some = keeping.kept("my", key, partial(_mine, user, guests))
    context = {
        "now": now,
        "lists": lists,
        "own_clubs": clubs,
        # What is rare is read where there is any.
        **{name: read(user) if name in some else () for name, (_find, read) in RARE.items()},
    }
    return render(request, "league/my.html", context)


def _mine(user: User, guests: Mapping[str, str]) -> tuple[str, str, tuple[my.MyClub, ...], frozenset[str]]:
    """What is under way, the matches, the clubs; and of RARE what there is any of."""
    at = timezone.now()
    clubs = my.clubs(user)
    mine, results = my.matches_and_results(user, at=at)
    context = {
        "mine": mine,
        "events": tuple(extension.layer().own_events(user=user, at=at, cookies=guests)),
        "results": results,
        "own_clubs": clubs,
    }
    now, lists = (render_to_string(f"league/my_{part}.html", context) for part in ("now", "lists"))
    first, *others = (
        find(user).order_by().values_list(Value(name, output_field=CharField()))
        for name, (find, _read) in RARE.items()
    )
    return now, lists, clubs, frozenset(name for (name,) in first.union(*others))


@public_names.in_full()
def _listed(user: User) -> list[tuple[Player, str]]:
    """The players that may be this person, by their full names: their club has written down an address of theirs."""
    return [(player, player.name) for player in claims.listed(user=user)]


def _invitations(user: User) -> QuerySet[Invitation]:
    return invitations.waiting_for(user=user, at=timezone.now())


def _seasons(user: User) -> QuerySet[SeasonAnswer]:
    asked: QuerySet[SeasonAnswer] = SeasonAnswer.objects.of_user(user)
    return asked.filter(is_in=None, asked_at__isnull=False)


#: Where to look whether there is any, for all of them in one query; and what the page shows of it then.
RARE: Mapping[str, tuple[Callable[[User], QuerySet[Any]], Callable[[User], Iterable[Any]]]] = {
    "invitations": (_invitations, _invitations),
    "listed": (lambda user: claims.of_addresses(user=user), _listed),
    "challenges": (challenges.waiting_for, challenges.waiting_for),
    "asked": (
        fixtures.asked_to_play,
        lambda user: fixtures.with_lines(fixtures.asked_to_play(user)),
    ),
    "seasons": (_seasons, lambda user: _seasons(user).prefetch_related("lineup__members")),
}


@require_POST
@login_required
@told
def player_answer(request: HttpRequest, pk: int) -> HttpResponse:
    """The person says whether they are a player whom a club lists with their address."""
    if request.POST.get("answer") not in {"yes", "no"}:
        messages.error(request, _("Choose whether this is you."))
        return redirect("my")
    is_me = request.POST["answer"] == "yes"
    found = claims.answer(actor=acting(request), player=Player(pk=pk), is_me=is_me, at=timezone.now())
    if found is not None:
        messages.success(request, _("You’re now linked to %(name)s.") % {"name": found})
    elif is_me:
        messages.error(request, _("Someone has just changed this player. Please look again."))
    else:
        messages.success(request, _("Noted. The club isn’t told."))
    return redirect("my")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def my_name(request: HttpRequest) -> HttpResponse:
    """What the person is called."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": user.name})
    if request.method == "POST" and form.is_valid():
        accounts.rename(actor=user, name=form.cleaned_data["name"])
        messages.success(request, _("Your name is saved."))
        return redirect("my")
    return render(request, "league/my_name.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Results, form and opponents of a pair; who may rename it does so here."""
    found: Lineup = get_object_or_404(Lineup.objects.with_players(), pk=pk)
    if found.merged_into_id is not None:
        return redirect("pair", pk=found.merged_into_id)
    page = pairs.page(found, request.user)
    shares = teams.shares(page.of_teams)
    if not page.entries and not request.user.is_authenticated:
        raise Http404
    may_rename = policies.may(request.user, "pair.rename", found)
    form = PairNameForm(request.POST if request.method == "POST" else None, initial={"name": found.name})
    if request.method == "POST" and form.is_valid() and _renamed(request, found, form):
        return redirect(found)
    status = 422 if form.is_bound and form.errors else None
    context = {
        "pair": found,
        "details": page,
        "parts": [
            {"entry": entry, "picture": pictures.of_pair(entry), "players": shares.get(entry.entry, ())}
            for entry in page.entries
        ],
        "form": form,
        "may_rename": may_rename,
    }
    return render_for(request, found.club, "league/pair.html", context, status=status)


def _renamed(request: HttpRequest, pair: Lineup, form: PairNameForm) -> bool:
    if not isinstance(request.user, User):
        raise Http404
    try:
        named = lineups.rename(actor=request.user, lineup=pair, name=form.cleaned_data["name"])
    except LeagueError as refusal:
        show_in(form, refusal)
        return False
    messages.success(request, _("The pair is now called “%(name)s”.") % {"name": named})
    return True
