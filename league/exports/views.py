"""Files with the tables of a competition, and with a club's players."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.exports import files, tables
from league.exports.tables import ExportTable
from league.web import lookup
from league.web.officials import official
from league.web.refusals import told


@require_safe
def of_competition(request: HttpRequest, club: str, competition: str, kind: str, form: str) -> HttpResponse:
    """Standings, fixtures or results, as this visitor sees them on the pages."""
    found = lookup.competition(request, club, competition)
    if not tables.has(found, kind) or form not in files.KINDS:
        raise Http404
    table = tables.of_competition(kind, found, request.user, at=timezone.now())
    return _file(table, f"{found.slug}-{kind}", form)


@require_safe
@login_required
@told
def players(request: HttpRequest, club: str, form: str) -> HttpResponse:
    """The club's players, for its directors."""
    found = official(request, club, "player.export")
    if form not in files.KINDS:
        raise Http404
    return _file(tables.players(found, request.user), f"{found.slug}-players", form)


def _file(table: ExportTable, name: str, form: str) -> HttpResponse:
    kind = files.KINDS[form]
    answer = HttpResponse(kind.write(table), content_type=kind.content_type)
    answer["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    answer["X-Robots-Tag"] = "noindex"
    return answer
