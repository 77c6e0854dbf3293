"""Convention cards: a pair's own page of signals, open to everybody who may see the pair; and the usual system."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.concerto.signals import services as agreements
from games.concerto.signals.card import convention_card
from games.models import Agreement
from games.tables.forms import AgreementForm
from league import policies
from league.errors import LeagueError
from league.models import Lineup, User
from league.results.queries import pairs
from league.web.officials import posted
from league.web.refusals import show_in
from league.web.rendering import render_for

KEY = "concerto"


@require_http_methods(["GET", "HEAD", "POST"])
def pair_card(request: HttpRequest, pk: int) -> HttpResponse:
    """The card of a pair, for opponents and for paper; partners write here what they have agreed besides."""
    pair: Lineup = get_object_or_404(Lineup.objects.with_players(), pk=pk)
    if pair.merged_into_id is not None:
        return redirect("pair_card", pk=pair.merged_into_id)
    if not pairs.is_visible_to(pair, request.user):
        raise Http404
    agreement = Agreement.objects.filter(lineup=pair).first()
    form = AgreementForm(posted(request), instance=agreement)
    if request.method == "POST" and form.is_valid() and _agreed(request, pair, form):
        return redirect("pair_card", pk=pk)
    context = {
        "pair": pair,
        "card": convention_card(KEY),
        "agreement": Agreement.objects.filter(lineup=pair).exclude(text="").first(),
        "form": form,
        "may_agree": policies.may(request.user, "pair.agree", pair),
    }
    status = 422 if form.errors else None
    return render_for(request, pair.club, "concerto/convention_card.html", context, status=status)


def _agreed(request: HttpRequest, pair: Lineup, form: AgreementForm) -> bool:
    if not isinstance(request.user, User):
        raise Http404
    try:
        agreements.agree(actor=request.user, pair=pair, text=form.cleaned_data["text"])
    except LeagueError as refusal:
        show_in(form, refusal)
        return False
    messages.success(request, _("We’ve saved your convention card."))
    return True


@require_safe
def usual_card(request: HttpRequest) -> HttpResponse:
    """The system that everybody plays who has agreed on nothing else: robots, and partners of an evening."""
    return render(request, "concerto/convention_card.html", {"card": convention_card(KEY)})
