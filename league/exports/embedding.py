"""Standings and fixtures within other websites: for everybody alike, without scripts, cookies or anything to press."""

from dataclasses import dataclass

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.exports import tables
from league.fixtures import queries as fixtures
from league.models import Club, Competition
from league.results.queries import bracket, ladder, standings_view

KINDS = {"standings": gettext_lazy("Standings"), "fixtures": gettext_lazy("Fixtures and results")}
POLICY = {
    "default-src": [NONE],
    "style-src": [SELF],
    "font-src": [SELF],
    "img-src": [SELF, "data:"],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": ["*"],
}


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is pasted into another website, and what it shows there."""

    label: str
    html: str


@require_safe
@xframe_options_exempt
@csp(POLICY)  # type: ignore[arg-type]  # its type knows views without arguments only
def show(request: HttpRequest, language: str, club: str, competition: str, kind: str) -> HttpResponse:
    """One of the KINDS of a public competition whose club allows it, as any visitor sees it."""
    if language not in dict(settings.LANGUAGES) or kind not in KINDS:
        raise Http404
    # Not `request`, nor whoever stands behind it: what is drawn here depends on the address alone.
    visitor, at = AnonymousUser(), timezone.now()
    seen = Competition.objects.visible_to(visitor).filter(club__may_be_embedded=True).with_stage()
    found = get_object_or_404(seen.select_related("club", "season"), club__slug=club, slug=competition)
    if not tables.has(found, kind):
        raise Http404
    context = {
        "competition": found,
        "language": language,
        "title": KINDS[kind],
        "url": f"{settings.SITE_URL}{found.get_absolute_url()}",
    }
    if kind == "standings" and found.stage.is_bracket:
        context |= {"brackets": bracket.of_competition(found, visitor), "is_embedded": True}
    elif kind == "standings" and found.stage.is_ladder:
        context |= {"ladders": ladder.of_competition(found, visitor, at=at), "is_embedded": True}
    elif kind == "standings":
        context["divisions"] = standings_view.of_competition(found, visitor, at=at)
    else:
        rounds = fixtures.by_round(found, visitor, at=at)
        context["rounds"] = [each for each in rounds if not each.is_folded]
    with timezone.override(found.club.time_zone):
        answer = HttpResponse(render_to_string(f"league/embedded_{kind}.html", context))
    answer["X-Robots-Tag"] = "noindex"
    return answer


def snippets(club: Club) -> tuple[Snippet, ...]:
    """For each public competition of a club that allows it, in the language of who asks."""
    if not club.may_be_embedded:
        return ()
    seen = (
        Competition.objects.visible_to(AnonymousUser()).filter(club=club).with_stage().select_related("club")
    )
    return tuple(
        _snippet(competition, kind)
        for competition in seen.order_by("-starts_on", "name")
        for kind in KINDS
        if tables.has(competition, kind)
    )


def _snippet(competition: Competition, kind: str) -> Snippet:
    place = [get_language(), competition.club.slug, competition.slug, kind]
    label = _("%(competition)s: %(table)s") % {"competition": competition.name, "table": KINDS[kind]}
    html = format_html(
        '<iframe src="{}{}" title="{}" width="100%" height="480" loading="lazy"></iframe>',
        settings.SITE_URL,
        reverse("embedded", args=place),
        label,
    )
    return Snippet(label, html)
