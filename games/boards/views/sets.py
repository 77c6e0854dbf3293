"""The public pages of a set of boards: what was sealed, what became of it, and checking that it is the same."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_http_methods, require_safe

from games.boards.forms import CheckForm, CheckTextForm
from games.boards.queries import seal_checks
from games.boards.queries import sets as board_sets
from games.boards.queries.seal_checks import Check
from games.boards.queries.sets import SetPage
from games.models import BoardSet
from games.options import has_board_files
from league import policies
from league.web.rendering import render_for


@require_safe
def board_set(request: HttpRequest, pk: int) -> HttpResponse:
    """The seal, the boards and how far they are, who took cards out; after the release the key and the cards."""
    found = lookup_set(request, pk)
    page = board_sets.set_page(found)
    context = {
        "page": page,
        "board_set": found,
        "competition": found.competition,
        "may_make": policies.may(request.user, "boards.make", found),
    }
    return render_for(request, found.competition.club, "games/board_set.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest, pk: int) -> HttpResponse:
    """Derives the boards again, from what the site has published or from what the visitor types."""
    found = lookup_set(request, pk)
    page = board_sets.set_page(found)
    published = _published(page)
    is_text = found.origin == BoardSet.Origin.IMPORTED
    kind = CheckTextForm if is_text else CheckForm
    form = kind(request.POST if request.method == "POST" else None)
    result = None
    if form.is_bound and form.is_valid():
        result = _checked(found, form.cleaned_data)
    elif not form.is_bound and all(published.values()):
        result = _checked(found, published)
    context = {
        "page": page,
        "board_set": found,
        "competition": found.competition,
        "form": form,
        "result": result,
        "is_own": form.is_bound,
        "squaredeal": seal_checks.squaredeal_files(found).keys(),
        "has_files": has_board_files(found.competition.game),
        "commands": board_sets.commands_of(page) if found.opened else {},
    }
    status = 422 if form.errors or (result and result.fault) else 200
    return render_for(request, found.competition.club, "games/board_set_check.html", context, status=status)


@require_safe
def description_file(request: HttpRequest, pk: int) -> HttpResponse:
    """A released set as the published SquareDeal program reads it: what was fixed before play, and the value."""
    return _squaredeal(request, pk, "sqd")


@require_safe
def key_file(request: HttpRequest, pk: int) -> HttpResponse:
    """The key of a released set, in SquareDeal's own file."""
    return _squaredeal(request, pk, "sqk")


def _squaredeal(request: HttpRequest, pk: int, ending: str) -> HttpResponse:
    found = lookup_set(request, pk)
    files = seal_checks.squaredeal_files(found)
    if not files:
        raise Http404
    name = f"boards-{found.pk}.{ending}"
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(files[ending], content_type="application/octet-stream", headers=disposition)


def _published(page: SetPage) -> dict[str, str]:
    """What the site itself says was sealed; empty texts for what it does not say yet."""
    if page.board_set.origin == BoardSet.Origin.IMPORTED:
        return {"text": page.board_set.opened}
    return {"key": page.board_set.opened, "value": page.delayed.value if page.delayed else ""}


def _checked(found: BoardSet, given: dict[str, Any]) -> Check:
    if found.origin == BoardSet.Origin.IMPORTED:
        return seal_checks.check_text(found, text=given["text"])
    return seal_checks.check_key(found, key=given["key"], value=given["value"])


def lookup_set(request: HttpRequest, pk: int) -> BoardSet:
    """The set with that key, if this visitor may know of its competition."""
    found: BoardSet = get_object_or_404(
        BoardSet.objects.select_related("competition__club", "round__stage__competition__club", "made_by"),
        pk=pk,
    )
    if not policies.may(request.user, "competition.see", found.competition):
        raise Http404
    return found
