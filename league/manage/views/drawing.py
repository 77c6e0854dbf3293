"""Drawing the rounds of a competition: the preview, the draw, and taking it back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.draws import queries as explained
from league.draws.services import draws
from league.errors import LeagueError
from league.fixtures import arranging
from league.manage.forms.entries import DrawForm
from league.manage.queries import manage as reads
from league.manage.views.manage import back, directed
from league.models import Competition
from league.web.officials import acting, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def draw(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Shows the rounds as they would be; draws them, a second time only with "again"; or takes a draft's draw back."""
    found = directed(request, club, competition)
    if "take_back" in request.POST:
        draws.take_back(actor=acting(request), competition=found)
        messages.success(request, _("You have undone the draw."))
        return back(found)
    form = DrawForm(posted(request))
    is_asked_again = found.stage.rounds.exists() and "again" not in request.POST
    if form.is_bound and is_asked_again:
        form.add_error(None, _("The rounds have already been drawn. Nothing was changed."))
    if form.is_bound and form.is_valid() and _is_drawn(request, found, form):
        messages.success(request, _said(found))
        return back(found)
    return _page(request, found, form)


def _said(competition: Competition) -> str:
    if competition.state == Competition.State.DRAFT:
        return _("The rounds are drawn. Check the calendar, then publish it.")
    return _("The rounds have been drawn again. Everyone can now see the new calendar.")


def _is_drawn(request: HttpRequest, competition: Competition, form: DrawForm) -> bool:
    try:
        draws.draw(actor=acting(request), competition=competition, order=form.cleaned_data["order"])
    except LeagueError as refusal:
        show_in(form, refusal)
    return not form.errors


def _page(request: HttpRequest, competition: Competition, form: DrawForm) -> HttpResponse:
    foreseen, refusal = None, ""
    may_be_redrawn = draws.may_be_redrawn(competition)
    if may_be_redrawn:
        try:
            foreseen = draws.preview(competition)
        except LeagueError as cannot:
            refusal = cannot.message
    context = {
        "competition": competition,
        "overview": reads.overview(competition, at=timezone.now()),
        "form": form,
        "foreseen": foreseen,
        "advice": explained.advice(competition),
        "away": arranging.away(
            competition, [each.dates.starts_on for each in foreseen.rounds] if foreseen else []
        ),
        "refusal": refusal,
        "divisions": competition.stage.divisions.order_by("level"),
        "is_settled": not may_be_redrawn,
    }
    status = 422 if form.errors else 200
    return render_for(request, competition.club, "league/desk/draw.html", context, status=status)
