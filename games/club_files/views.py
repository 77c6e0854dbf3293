"""Pages of clubs as files: taking one away, and bringing one in."""

from io import BytesIO
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.club_files import checks, exporting, services
from games.club_files.forms import ClubFileForm
from league import policies
from league.errors import LeagueError
from league.models import Club, ClubImport, Competition, ImportedTrailLine
from league.web import lookup
from league.web.officials import acting, official, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

LINES_A_PAGE, SECONDS = 50, 2
State = ClubImport.State


@require_POST
@never_cache
@login_required
@told
def whole_club(request: HttpRequest, club: str) -> HttpResponse:
    """The club as one file, for its owners."""
    found = official(request, club, "club.export")
    return file_of(request, found, None)


@require_POST
@never_cache
@login_required
@told
def one_competition(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """A competition as one file, with those who take part, for its directors."""
    found = lookup.competition(request, club, competition)
    return file_of(request, found.club, found)


def file_of(request: Any, club: Club, competition: Competition | None) -> HttpResponse:
    """The file as an answer, kept by nobody on the way."""
    target = BytesIO()
    exporting.export(actor=request.user, club=club, competition=competition, target=target)
    name = "-".join(part for part in (club.slug, competition.slug if competition else "") if part)
    answer = HttpResponse(target.getvalue(), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    answer["Cache-Control"] = "no-store, private"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def bring(request: HttpRequest) -> HttpResponse:
    """Chooses a file; what was understood of it follows."""
    policies.require(acting(request), "club.found")
    form = ClubFileForm(posted(request), request.FILES if request.method == "POST" else None)
    faults: list[str] = []
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["file"]
        try:
            row = services.preview(
                actor=acting(request), upload=upload, file_name=upload.name, at=timezone.now()
            )
        except LeagueError as refusal:
            faults = [str(each["message"]) for each in refusal.details if isinstance(each, dict)]
            if not faults:
                show_in(form, refusal)
        else:
            return redirect("club_import_file", row.pk)
    status = 422 if form.errors or faults else 200
    return render(request, "games/club_import.html", {"form": form, "faults": faults}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """What is in a file, with the button that makes a club of it; then how far that is, and why it failed."""
    row = get_object_or_404(ClubImport.objects.select_related("club"), pk=pk, made_by=request.user.pk)
    if request.method == "POST":
        services.begin(actor=acting(request), row=row)
        return redirect("club_import_file", row.pk)
    if row.state == State.DONE and row.club is not None:
        messages.success(request, _("%(club)s is here now. You are its owner.") % {"club": row.club})
        return redirect("desk_imported", row.club.slug)
    context = {"row": row, "found": row.preview, "left_out": left_out_in_words(row)}
    answer = render(request, "games/club_import_file.html", context)
    if row.state in {State.WAITING, State.WORKING}:
        answer["Refresh"] = str(SECONDS)
    return answer


@require_safe
@login_required
@told
def imported(request: HttpRequest, club: str) -> HttpResponse:
    """What came with the club's file, and what the trail of the other installation said."""
    found = official(request, club, "club.see_members")
    row = ClubImport.objects.filter(club=found, state=State.DONE).select_related("made_by").first()
    if row is None:
        raise Http404
    lines, about = ImportedTrailLine.objects.filter(club=found), request.GET.get("about", "")[:300]
    if about:
        lines = lines.filter(about=about)
    context = {
        "row": row,
        "found": row.preview,
        "left_out": left_out_in_words(row),
        "page": lookup.stretch(request, lines, LINES_A_PAGE),
        "about": about,
    }
    return render_for(request, found, "games/imported_club.html", context)


def left_out_in_words(row: ClubImport) -> list[tuple[str, int]]:
    """What the file does not hold, and how much of it."""
    return [
        (str(checks.LEFT_OUT_IN_WORDS[each["what"]]), each["count"])
        for each in row.preview.get("left_out", [])
        if each["what"] in checks.LEFT_OUT_IN_WORDS
    ]
