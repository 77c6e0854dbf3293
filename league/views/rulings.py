"""What a director decides about one match: when and where it is played, or how it ends without play."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league import policies
from league.actors import Actor
from league.errors import LeagueError
from league.forms.desk import ArrangeForm, RulingForm, rulings_for
from league.models import Fixture
from league.moments import Moment
from league.querysets import UNPLAYED
from league.selectors.fixtures import lines
from league.services import fixtures
from league.views import lookup
from league.views.desk import acting
from league.views.refusals import show_in, told
from league.views.rendering import render_for

RULED = {
    "home": gettext_lazy("%(home)s win by walkover against %(away)s; the table counts it from now on."),
    "away": gettext_lazy("%(away)s win by walkover against %(home)s; the table counts it from now on."),
    "both": gettext_lazy("%(home)s – %(away)s is lost by both; the table counts it from now on."),
    "postpone": gettext_lazy("%(home)s – %(away)s is postponed; the pairs agree on another date."),
    "void": gettext_lazy("%(home)s – %(away)s will not be played and counts for nobody."),
    "restore": gettext_lazy("The ruling is taken back: %(home)s – %(away)s is to be played."),
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """Two forms on one page: date and place, and a ruling."""
    fixture = lookup.fixture(request, pk)
    if not policies.may(request.user, "fixture.arrange", fixture):
        raise PermissionDenied(_("A director of the club decides this."))
    club = fixture.round.competition.club
    with timezone.override(club.time_zone):
        arrange, ruling = _forms(request, fixture)
        done = _carry_out(request, fixture, arrange, ruling)
    if done:
        messages.success(request, done)
        return redirect("fixture_ruling", fixture.pk)
    context = {
        "fixture": fixture,
        "line": lines([fixture])[0],
        "arrange": arrange,
        "ruling": ruling if rulings_for(fixture) else None,
        "may_rule": policies.may(request.user, "fixture.rule", fixture),
        "is_own": policies.plays_in(request.user, fixture),
        "is_open": fixture.status in UNPLAYED,
        "is_ruled": fixture.status in {Fixture.Status.WALKOVER, Fixture.Status.VOID},
        "competition": fixture.round.competition,
    }
    status = 422 if arrange.errors or ruling.errors else 200
    return render_for(request, club, "league/desk/ruling.html", context, status=status)


def _forms(request: HttpRequest, fixture: Fixture) -> tuple[ArrangeForm, RulingForm]:
    now = {name: getattr(fixture, name) for name in ("starts_at", "place", "table", "note")}
    part = request.POST.get("part", "")
    return (
        ArrangeForm(request.POST if part == "arrange" else None, initial=now, auto_id="arrange_%s"),
        RulingForm(request.POST if part == "ruling" else None, fixture=fixture, auto_id="ruling_%s"),
    )


def _carry_out(request: HttpRequest, fixture: Fixture, arrange: ArrangeForm, ruling: RulingForm) -> str:
    """Does what was asked; the words that say so, or "" when nothing was (errors are in the forms)."""
    form = ruling if ruling.is_bound else arrange
    if not form.is_bound or not form.is_valid():
        return ""
    try:
        if form is arrange:
            fixtures.arrange(actor=acting(request), fixture=fixture, **arrange.cleaned_data)
            return _when(fixture)
        _rule(acting(request), fixture, **ruling.cleaned_data)
    except LeagueError as refusal:
        show_in(form, refusal)
        return ""
    return _said(fixture, ruling.cleaned_data["ruling"])


def _when(fixture: Fixture) -> str:
    """The date and place that a match has now."""
    fixture.refresh_from_db()
    if fixture.starts_at is None:
        return _("%(match)s has no date now.") % {"match": fixture}
    when = Moment(fixture.starts_at, fixture.round.competition.club.time_zone)
    where = f"{when.text}, {fixture.place}" if fixture.place else when.text
    return _("%(match)s is played %(when)s.") % {"match": fixture, "when": where}


def _said(fixture: Fixture, ruling: str) -> str:
    """What was decided and what it changes, with the ways to look at it."""
    competition = fixture.round.competition
    return format_html(
        '{} <a href="{}">{}</a> <a href="{}">{}</a>',
        str(RULED[ruling]) % {"home": fixture.home, "away": fixture.away},
        fixture.get_absolute_url(),
        _("See the match"),
        competition.get_absolute_url(),
        _("See the table"),
    )


def _rule(actor: Actor, fixture: Fixture, *, ruling: str, reason: str) -> None:
    match ruling:
        case "home" | "away":
            fixtures.award_walkover(actor=actor, fixture=fixture, winner=ruling, reason=reason)
        case "both":
            fixtures.award_walkover(actor=actor, fixture=fixture, winner=None, reason=reason)
        case "postpone":
            fixtures.postpone(actor=actor, fixture=fixture, reason=reason)
        case "void":
            fixtures.void(actor=actor, fixture=fixture, reason=reason)
        case "restore":
            fixtures.restore(actor=actor, fixture=fixture, reason=reason)
