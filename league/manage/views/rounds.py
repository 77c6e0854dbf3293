"""Drawing one round of a Swiss: the proposal, tables changed by hand with what they cost, and publishing it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.draws import queries as explained
from league.draws.services import rounds
from league.draws.services.rounds import Proposal
from league.errors import LeagueError
from league.manage.views.manage import back, directed
from league.models import Competition, Division, Round, RoundDraw
from league.web.officials import acting
from league.web.refusals import told
from league.web.rendering import render_for


class ExchangeForm(forms.Form):
    """Two entries of a proposed round that change places."""

    one = forms.TypedChoiceField(label=gettext_lazy("Exchange"), coerce=int)
    other = forms.TypedChoiceField(label=gettext_lazy("with"), coerce=int)

    def __init__(self, data: Any = None, *, proposal: Proposal) -> None:
        super().__init__(data)
        names = [("", "—"), *((entry.pk, str(entry)) for entry in explained.playing(proposal))]
        for field in self.fields.values():
            field.choices = names  # type: ignore[attr-defined]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def draw(request: HttpRequest, club: str, competition: str, pk: int, number: int) -> HttpResponse:
    """The round as it would be drawn; publishes it as it was seen, or takes the last one back."""
    found = directed(request, club, competition)
    division = get_object_or_404(found.stage.divisions, pk=pk)
    round_ = get_object_or_404(found.stage.rounds, number=number)
    if not found.stage.is_by_round or found.state == Competition.State.DRAFT:
        return back(found)
    if (answer := _done(request, found, division, number)) is not None:
        return answer
    following = rounds.next_round(division)
    context = {
        "competition": found,
        "division": division,
        "round": round_,
        "drawn": RoundDraw.objects.filter(division=division, round=round_).first(),
        "following": following,
    }
    if found.state == Competition.State.RUNNING and following == round_:
        context |= _proposed(request, division, round_)
    status = 422 if context.get("refusal") or getattr(context.get("form"), "errors", None) else 200
    return render_for(request, found.club, "league/desk/round_draw.html", context, status=status)


def _done(
    request: HttpRequest, competition: Competition, division: Division, number: int
) -> HttpResponse | None:
    """Publishes, takes back or leaves out, where that was asked for."""
    actor, sent = acting(request), request.POST
    reason = sent.get("reason", "")
    if "publish" in sent:
        rounds.publish(
            actor=actor,
            division=division,
            number=number,
            at=timezone.now(),
            seen=sent.get("seen", ""),
            tables=sent.get("tables", ""),
            despite_missing="despite_missing" in sent,
        )
        messages.success(request, _("Round %(number)d is drawn. Everyone can see it.") % {"number": number})
        return redirect("round", competition.club.slug, competition.slug, number)
    if "take_back" in sent:
        rounds.take_back(actor=actor, division=division, number=number, reason=reason)
        messages.success(request, _("You have undone the draw."))
        return redirect("round_draw", competition.club.slug, competition.slug, division.pk, number)
    if "leave_out" in sent:
        rounds.leave_out(actor=actor, competition=competition, reason=reason)
        messages.success(request, _("The rounds that were not drawn are left out."))
        return back(competition)
    return None


def _proposed(request: HttpRequest, division: Division, round_: Round) -> dict[str, Any]:
    """The proposal, after the exchange that was asked for."""
    sent = request.POST if request.method == "POST" and "afresh" not in request.POST else None
    try:
        proposal = rounds.propose(division=division, round_=round_, tables=sent["tables"] if sent else "")
        form = ExchangeForm(sent, proposal=proposal)
        if form.is_valid():
            tables = rounds.exchanged(proposal, form.cleaned_data["one"], form.cleaned_data["other"])
            proposal = rounds.propose(division=division, round_=round_, tables=tables)
            form = ExchangeForm(proposal=proposal)
    except LeagueError as refusal:
        return {"refusal": refusal.message}
    except KeyError:
        return {"refusal": _("These tables aren’t those of the entries that play now. Please begin again.")}
    return {
        "proposal": proposal,
        "form": form,
        "costs": explained.beside(proposal.drawn.cost, proposal.least.cost),
        "bent": explained.dearer(proposal.drawn.cost, proposal.least.cost) if proposal.is_changed else "",
    }
