"""A pair's page, and its team name."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league import policies
from league.errors import LeagueError
from league.home.forms.people import PairNameForm
from league.models import Lineup, User
from league.people.services import lineups
from league.results import pictures
from league.results.queries import pairs
from league.web.refusals import show_in
from league.web.rendering import render_for


@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Results, form and opponents of a pair; who may rename it does so here."""
    found: Lineup = get_object_or_404(Lineup.objects.with_players(), pk=pk)
    if found.merged_into_id is not None:
        return redirect("pair", pk=found.merged_into_id)
    page = pairs.page(found, request.user)
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
        "parts": [{"entry": entry, "picture": pictures.of_pair(entry)} for entry in page.entries],
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
