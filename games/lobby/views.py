"""The list of all tables: a place to meet."""

from hashlib import sha256
from http.client import NO_CONTENT
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import modelform_factory
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine import game
from games.lobby import presence, services
from games.models import LobbyChoice
from games.tables.forms import CasualTableForm
from games.tables.guest_keys import guests_in
from games.tables.queries.lists import TableLists, table_lists
from games.tables.queries.practice import practice_offer
from games.tables.services import calls, seats
from games.tables.views.opening import shown
from games.tables.views.play import person_of, table_of
from league.models import User
from league.results.views.competitions import LivePart
from league.web.officials import LONGEST_KEY
from league.web.refusals import told

ChoiceForm = modelform_factory(LobbyChoice, fields=("shows_presence", "wants_calls"))


@never_cache
@require_safe
def table_list(request: HttpRequest) -> HttpResponse:
    """The visitor's tables, those that look for players or can be watched, who is here, and where to open one."""
    lists = table_lists(visitor=request.user)
    chosen = next(
        (each for each in game.all_games() if each.key == request.GET.get("game")), game.all_games()[0]
    )
    context = {
        "lists": lists,
        "part": _lists(request, lists),
        "games": game.all_games(),
        "game": chosen,
        "clubs": [
            (club, CasualTableForm(initial={"game": chosen.key}, auto_id=f"{club.slug}-%s"))
            for club in lists.clubs
        ],
        "offer": practice_offer(chosen, request.user),
        "guests": guests_in(request.COOKIES) if isinstance(request.user, User) else (),
        "choices": ChoiceForm(instance=_choice_of(request.user)) if isinstance(request.user, User) else None,
    }
    return render(request, "games/tables.html", context)


def _choice_of(user: User) -> LobbyChoice:
    return LobbyChoice.objects.filter(user=user).first() or LobbyChoice(user=user)


@never_cache
@require_safe
def table_list_live(request: HttpRequest) -> HttpResponse:
    """The lists alone, or 204 while they look as they did."""
    part = _lists(request, table_lists(visitor=request.user))
    if request.GET.get("version") == part.version:
        return HttpResponse(status=NO_CONTENT)
    return HttpResponse(part.html, headers={"X-Live-Url": part.url})


def _lists(request: HttpRequest, lists: TableLists) -> LivePart:
    presence.note(request.user)
    context = {"lists": lists, "here": presence.here(request.user, lists.clubs)}
    html = render_to_string("games/_table_lists.html", context, request).strip()
    version = sha256(html.encode()).hexdigest()[:16]
    return LivePart(
        SafeString(html), version, f"{reverse('table_list_live')}?{urlencode({'version': version})}"
    )


@login_required
@require_POST
def choices(request: HttpRequest) -> HttpResponse:
    """Whether others see that this person is here, and whether tables may call them."""
    form = ChoiceForm(request.POST)
    # Nothing but two boxes: whatever is sent means on or off.
    form.is_valid()
    services.choose(actor=person_of(request), **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("table_list")


@login_required
@require_POST
@told
def join(request: HttpRequest) -> HttpResponse:
    """One press in the list of tables: sits down at one (`table`), has robots fill its free seats (`fill`), or tells
    the club that it looks for players (`ask`)."""
    work = {"fill": seats.fill, "ask": calls.ask_club}
    asked = next((name for name in work if name in request.POST), "table")
    key = request.POST.get(asked, "")
    if not (key.isascii() and key.isdecimal()) or len(key) > LONGEST_KEY:
        raise Http404
    table, _standing = table_of(request, int(key))
    done = work.get(asked, seats.join)(actor=person_of(request), table_id=table.pk)
    if asked == "ask":
        messages.success(
            request, _("We’ve told the members who want to know. Your table now comes first in their list.")
        )
    return shown(request, done)
