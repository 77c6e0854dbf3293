"""Papers for the room: what can be printed, what is being made, and fetching it."""

import re
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import Paper
from games.papers.queries import papers as selecting
from games.papers.services import papers
from games.papers.typesetting import SIZES
from league import policies
from league.errors import LeagueError, NotAllowed
from league.models import Competition
from league.web import lookup
from league.web.officials import acting
from league.web.refusals import told
from league.web.rendering import render_for

NO_CONTENT = 204
ASKED = ("set", "round", "places", "size", "reason")
# The token of a form is another one each time.
CSRF = re.compile(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>')


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def show(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """What can be printed for this event, and the papers asked for; posted to, it asks for one."""
    found = _competition(request, club, competition)
    if request.method == "POST":
        return _ask(request, found)
    with timezone.override(found.club.time_zone):
        html, url, _ready = _list(request, found)
        page = selecting.papers_page(found, request.user)
    size = request.GET.get("size", "")
    context = {
        "competition": found,
        "page": page,
        "size": size if size in SIZES else SIZES[0],
        "list": html,
        "live_url": url,
    }
    return render_for(request, found.club, "games/papers.html", context)


@require_safe
@never_cache
@login_required
@told
def live(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The papers asked for, or 204 while they are what the query's `version` was."""
    found = _competition(request, club, competition)
    with timezone.override(found.club.time_zone):
        html, url, ready = _list(request, found)
    seen = request.GET.get("version", "")
    if url.endswith(f"version={seen}") and seen:
        return HttpResponse(status=NO_CONTENT)
    answer = HttpResponse(html, headers={"X-Live-Url": url})
    if ready > _count(request.GET.get("ready", "")):
        answer["X-Live-Announce"] = quote(_("A printout is ready."))
    return answer


@require_safe
@never_cache
@login_required
@told
def download(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """The finished file, kept by nobody on the way."""
    paper = _paper(request, club, competition, pk)
    content = papers.content_of(actor=acting(request), paper=paper)
    kind = "application/zip" if paper.file_name.endswith(".zip") else "application/pdf"
    answer = HttpResponse(content, content_type=kind)
    name = f"{paper.competition.slug}-{paper.file_name}"
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    answer["Cache-Control"] = "no-store, private"
    return answer


@require_POST
@login_required
@told
def again(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Tries a paper that failed once more."""
    paper = _paper(request, club, competition, pk)
    try:
        papers.ask_again(actor=acting(request), paper=paper)
    except NotAllowed:
        raise
    except LeagueError as refusal:
        messages.error(request, refusal.message)
    return redirect("papers", club, competition)


def _ask(request: HttpRequest, found: Competition) -> HttpResponse:
    parameters = {name: request.POST.get(name, "") for name in ASKED}
    parameters["site"] = request.build_absolute_uri("/")
    kind = request.POST.get("kind", "")
    here = reverse("papers", args=[found.club.slug, found.slug])
    try:
        papers.ask(actor=acting(request), competition=found, kind=kind, parameters=parameters)
    except NotAllowed:
        raise
    except LeagueError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("We’re creating it. When it’s ready, you’ll find it under “Requested”."))
    size = parameters["size"]
    return redirect(f"{here}?{urlencode({'size': size})}" if size in SIZES[1:] else here)


def _competition(request: HttpRequest, club: str, slug: str) -> Competition:
    found = lookup.competition(request, club, slug)
    policies.require(acting(request), "paper.ask", found)
    return found


def _paper(request: HttpRequest, club: str, slug: str, pk: int) -> Paper:
    found = _competition(request, club, slug)
    paper: Paper = get_object_or_404(Paper.objects.select_related("asked_by"), pk=pk, competition=found)
    paper.competition = found
    return paper


def _list(request: HttpRequest, found: Competition) -> tuple[SafeString, str, int]:
    """The list as it looks now, where to ask whether it has changed, and how many are ready."""
    listed = selecting.listed(found, request.user)
    context: dict[str, Any] = {"club": found.club, "competition": found, "papers": listed}
    html = render_to_string("games/_papers.html", context, request).strip()
    ready = sum(paper.is_ready for paper in listed)
    version = sha256(CSRF.sub("", html).encode()).hexdigest()[:16]
    query = urlencode({"ready": ready, "version": version})
    return SafeString(html), f"{reverse('papers_live', args=[found.club.slug, found.slug])}?{query}", ready


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else 0
