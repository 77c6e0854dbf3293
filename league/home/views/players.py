"""A player's page, and the claim "this is me"."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.fixtures import queries as fixtures
from league.home.forms.people import ClaimForm
from league.models import Player, PlayerClaim, User
from league.people import queries as players
from league.people.services import claims
from league.web import lookup
from league.web.refusals import told
from league.web.rendering import render_for

RESULTS_A_PAGE = 20


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Pairs, results, and for the player and the directors what else is known."""
    found = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if found.merged_into_id is not None:
        return redirect("player", pk=found.merged_into_id)
    user = request.user
    if not players.visible_to(user, found.club).filter(pk=found.pk).exists():
        raise Http404
    page = lookup.page(request, players.fixtures(found, user), RESULTS_A_PAGE)
    context = {
        "player": found,
        "details": players.page(found, user),
        "page": page,
        "results": fixtures.lines(page.object_list),
        "claim_form": ClaimForm(),
    }
    return render_for(request, found.club, "league/player.html", context)


@require_POST
@login_required
@told
def player_claim(request: HttpRequest, pk: int) -> HttpResponse:
    """The person says that this player is him or her."""
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
