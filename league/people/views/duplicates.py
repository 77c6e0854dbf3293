"""The same person twice: merging players, and taking a merge back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.errors import LeagueError
from league.models import PlayerMerge
from league.people import namesakes
from league.people.forms import MergeForm
from league.people.services import merging
from league.people.services.duplicates import proposals
from league.web.officials import acting, official, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

# The surest come first; the others follow as these are decided.
PROPOSALS_SHOWN = 50


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def duplicates(request: HttpRequest, club: str) -> HttpResponse:
    """Players who look like the same person: merge them, or take a merge back."""
    found = official(request, club, "player.merge")
    form = MergeForm(posted(request), club=found)
    if request.method == "POST" and form.is_valid():
        try:
            made = merging.merge(actor=acting(request), **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(
                request, _("%(merged)s is now %(kept)s.") % {"merged": made.merged, "kept": made.kept}
            )
            return redirect("desk_duplicates", found.slug)
    proposed = proposals(found)
    context = {
        "form": form,
        "proposals": proposed[:PROPOSALS_SHOWN],
        "known_by": namesakes.details(found.players.present(), with_numbers=True),
        "proposed_in_all": len(proposed),
        "merges": PlayerMerge.objects.filter(kept__club=found).select_related("kept", "merged", "made_by")[
            :30
        ],
    }
    return render_for(
        request, found, "league/desk/duplicates.html", context, status=422 if form.errors else 200
    )


@require_POST
@login_required
@told
def undo_merge(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Two players again, each with what was theirs."""
    found = official(request, club, "player.merge")
    merge = get_object_or_404(PlayerMerge, pk=pk, kept__club=found)
    merging.undo(actor=acting(request), merge=merge)
    messages.success(request, _("%(merged)s is a separate player again.") % {"merged": merge.merged})
    return redirect("desk_duplicates", found.slug)
