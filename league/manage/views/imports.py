"""Importing players and pairs from a file: preview, then all or nothing, and an undo."""

from collections import defaultdict
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.entries.services import typed_entries
from league.errors import Conflict, Invalid, LeagueError
from league.imports.columns import label_of
from league.imports.services import imports
from league.imports.services.previews import DIFFERENT, LEFT_OUT, PROBLEM, QUESTION
from league.manage.forms.entries import ImportForm
from league.manage.queries import setup_steps
from league.manage.services import setups
from league.models import Club, Competition, ImportBatch
from league.people.services import joining
from league.web.officials import acting, official, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

#: Lines that are mended on one page: a form has at most a thousand fields.
MOST_MENDED = 60


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def upload(request: HttpRequest, club: str) -> HttpResponse:
    """Chooses a file; the preview follows."""
    found = official(request, club, "player.import")
    form = ImportForm(posted(request), request.FILES if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            batch = imports.preview(
                actor=acting(request),
                club=found,
                kind=form.cleaned_data["kind"],
                upload=form.upload(),
            )
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            return redirect("desk_import_batch", found.slug, batch.pk)
    context = {"form": form, "batches": ImportBatch.objects.filter(club=found).select_related("made_by")[:20]}
    status = 422 if form.errors else 200
    return render_for(request, found, "league/desk/import.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def show(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """What the file would do, line by line, with every problem; the button to do it, or to undo it.

    With the address of a draft in the query's `for`, its pairs are entered there once they are imported.
    """
    found = official(request, club, "player.import")
    batch = get_object_or_404(ImportBatch, pk=pk, club=found)
    draft = _draft(found, request.GET.get("for", ""), batch)
    faults: tuple[str, ...] = ()
    if request.method == "POST":
        try:
            _carry_out(request, batch, draft)
            if draft is not None and ("commit" in request.POST or "rest" in request.POST):
                return redirect(setup_steps.url_of(draft, "pairs"))
            again = reverse("desk_import_batch", args=[found.slug, batch.pk])
            return redirect(f"{again}?{urlencode({'for': draft.slug})}" if draft else again)
        except (Invalid, Conflict) as refusal:
            batch.refresh_from_db()
            faults = tuple(str(each.get("message", "")) for each in refusal.details) or (refusal.message,)
    made = batch.created.get("players", ()) if batch.state == ImportBatch.State.DONE else ()
    free = joining.waiting(found, at=timezone.now()).filter(pk__in=made).exclude(email="")
    context = {
        "batch": batch,
        "mendable": _mendable(batch),
        "different": DIFFERENT,
        "counts": imports.counts(batch),
        "faults": faults,
        "draft": draft,
        "to_mail": free.count() if made else 0,
    }
    return render_for(request, found, "league/desk/import_batch.html", context, status=422 if faults else 200)


def _draft(club: Club, slug: str, batch: ImportBatch) -> Competition | None:
    """The draft that the pairs of a file are for, if there is one of that address."""
    if batch.state == ImportBatch.State.UNDONE:
        return None
    drafts = club.competitions.filter(state=Competition.State.DRAFT).select_related("club")
    found: Competition | None = drafts.filter(slug=slug[:60]).first()
    return found if found is not None and typed_entries.kind_for(found) == batch.kind else None


def _mendable(batch: ImportBatch) -> dict[int, list[tuple[str, str, str]]]:
    """By line, the cells that can be mended on the page: field, label and value."""
    if batch.state != ImportBatch.State.PREVIEWED:
        return {}
    waiting = [row for row in batch.rows if row["action"] in {PROBLEM, QUESTION}]
    settled = [
        row
        for row in batch.rows
        if row["action"] == LEFT_OUT or (row.get("questions") and row["action"] not in {PROBLEM, QUESTION})
    ]
    return {
        row["line"]: [(name, label_of(name), value) for name, value in row["values"].items()]
        for row in [*waiting, *settled][:MOST_MENDED]
    }


def _mended(request: HttpRequest, batch: ImportBatch) -> ImportBatch:
    """The preview with what was typed into its lines."""
    changes: dict[int, dict[str, str]] = defaultdict(dict)
    answers: dict[int, dict[str, str]] = defaultdict(dict)
    left_out = set()
    for row in batch.rows:
        line = row["line"]
        if f"out-{line}" in request.POST or (
            f"shown-{line}" not in request.POST and row["action"] == LEFT_OUT
        ):
            left_out.add(line)
        for name in row["values"]:
            given = request.POST.get(f"{name}-{line}")
            if given is not None:
                changes[line][name] = given
        for question in row.get("questions", ()):
            answer = request.POST.get(f"who-{question['place']}-{line}")
            if answer is not None:
                answers[line][question["place"]] = answer
    return imports.mend(
        actor=acting(request),
        batch=batch,
        changes=changes,
        left_out=left_out,
        answers=answers,
        leaves_out_the_rest="rest" in request.POST,
    )


def _carry_out(request: HttpRequest, batch: ImportBatch, draft: Competition | None) -> None:
    actor = acting(request)
    if "undo" in request.POST:
        imports.undo(actor=actor, batch=batch)
        messages.success(request, _("You have undone the import and removed what it added."))
        return
    if request.POST.keys().isdisjoint({"mend", "rest", "commit"}):
        return
    # What was typed and answered stays, whatever becomes of the import.
    batch = _mended(request, batch)
    if "mend" in request.POST:
        return
    if draft is not None:
        made = setups.import_pairs(actor=actor, competition=draft, batch=batch, at=timezone.now())
        said = ngettext("Imported, with %(count)d new entry.", "Imported, with %(count)d new entries.", made)
        messages.success(request, said % {"count": made})
    else:
        imports.commit(actor=actor, batch=batch)
        counted = imports.counts(batch)
        said = _("Imported: %(new)d new, %(there)d already listed.")
        messages.success(request, said % {"new": counted.new, "there": counted.there})
