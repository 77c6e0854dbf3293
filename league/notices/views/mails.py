"""Mails that could not be handed over in three days: seen, and tried once more."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import policies
from league.models import Club, OutboxMessage
from league.notices.services import outbox
from league.web import lookup
from league.web.officials import acting, official
from league.web.refusals import told
from league.web.rendering import render_for

PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def of_club(request: HttpRequest, club: str) -> HttpResponse:
    """The mails about a club, for its owners."""
    found = official(request, club, "club.mails")
    if request.method == "POST":
        _retry(request, found)
        return redirect("desk_mails", found.slug)
    context = _context(request, OutboxMessage.objects.filter(club=found))
    return render_for(request, found, "league/desk/mails.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def of_site(request: HttpRequest) -> HttpResponse:
    """All mails, those about accounts among them, for the people who run the site."""
    policies.require(acting(request), "site.mails")
    if request.method == "POST":
        _retry(request, None)
        return redirect("site_mails")
    return render(request, "league/mails.html", _context(request, OutboxMessage.objects.all()))


def _retry(request: HttpRequest, club: Club | None) -> None:
    """The mails that were ticked, or all."""
    keys = [int(key) for key in request.POST.getlist("mail") if key.isdecimal() and len(key) < 19]
    wanted = None if "all" in request.POST else keys
    count = outbox.retry(actor=acting(request), club=club, messages=wanted)
    if count:
        said = ngettext("%(count)d mail will be sent again.", "%(count)d mails will be sent again.", count)
        messages.success(request, said % {"count": count})
    else:
        messages.info(request, _("Choose the mails to send again."))


def _context(request: HttpRequest, mails: QuerySet[OutboxMessage]) -> dict[str, object]:
    given_up = mails.filter(pk__in=OutboxMessage.objects.given_up()).order_by("-given_up_at", "-pk")
    waiting = mails.filter(pk__in=OutboxMessage.objects.waiting())
    return {
        "page": lookup.page(request, given_up.select_related("club"), PAGE),
        "last_sent": mails.aggregate(last=Max("sent_at"))["last"],
        "waiting": waiting.count(),
        "oldest": waiting.order_by("made_at").values_list("made_at", flat=True).first(),
    }
