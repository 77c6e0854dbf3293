"""How a round of a Swiss was drawn, for everybody."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.draws import queries as draws
from league.draws.services import rounds
from league.models import Competition
from league.web import lookup
from league.web.officials import acting
from league.web.refusals import told
from league.web.rendering import render_for


@require_POST
@login_required
@told
def sit_out(request: HttpRequest, club: str, competition: str, number: int, pk: int) -> HttpResponse:
    """Asks that an entry sits out of a round that is not drawn yet, or takes that back."""
    found = lookup.competition(request, club, competition)
    entry = get_object_or_404(found.entries.with_pairs(), pk=pk)
    if "play" in request.POST:
        rounds.play_after_all(actor=acting(request), entry=entry, number=number)
        messages.success(request, _("%(entry)s will play.") % {"entry": entry})
    else:
        rounds.ask_to_sit_out(actor=acting(request), entry=entry, number=number, at=timezone.now())
        messages.success(request, _("%(entry)s will sit out.") % {"entry": entry})
    return redirect("round", found.club.slug, found.slug, number)


@require_safe
def why(request: HttpRequest, club: str, competition: str, number: int, pk: int) -> HttpResponse:
    """The scores before the round, what its draw cost, and why two others do not meet."""
    found = lookup.competition(request, club, competition)
    division = get_object_or_404(found.stage.divisions, pk=pk)
    played = get_object_or_404(found.stage.rounds, number=number)
    is_swiss = found.stage.is_by_round and not found.stage.is_bracket
    how = draws.how_drawn(division, played) if is_swiss else None
    if how is None or found.state == Competition.State.DRAFT:
        raise Http404
    who, whom = request.GET.get("who", ""), request.GET.get("whom", "")
    context = {
        "competition": found,
        "division": division,
        "round": played,
        "how": how,
        "playing": draws.playing(how.proposal),
        "costs": draws.beside(how.proposal.drawn.cost, how.proposal.least.cost),
        "asked": draws.asked(how.proposal, who, whom) if who else None,
        "who": who,
        "whom": whom,
    }
    return render_for(request, found.club, "league/round_why.html", context)
